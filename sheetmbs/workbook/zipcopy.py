"""A zip file that takes over entries of another one as they are stored there: nothing is unpacked or packed again."""

from __future__ import annotations

from copy import copy
from zipfile import ZipFile, ZipInfo

LOCAL_HEADER = 30
SIZES_FOLLOW_THE_DATA = 0x08


def stored(content: bytes, entry: ZipInfo) -> memoryview:
    """The packed bytes of one entry of the zip file ``content``."""
    start = entry.header_offset
    name, extra = (int.from_bytes(content[start + at : start + at + 2], "little") for at in (26, 28))
    data = start + LOCAL_HEADER + name + extra
    return memoryview(content)[data : data + entry.compress_size]


class ZipCopy(ZipFile):
    """A zip file being written."""

    def take(self, content: bytes, entry: ZipInfo) -> None:
        """Append an entry of the zip file ``content``, its packed data byte for byte.

        Name, date, method and attributes stay; sizes always stand before the data here, and extra fields, which
        hold no content, go.
        """
        taken = copy(entry)
        taken.extra = b""
        taken.flag_bits &= ~SIZES_FOLLOW_THE_DATA
        taken.header_offset = self.start_dir
        out = self.fp
        if out is None:
            raise ValueError("the zip file is closed")
        out.seek(self.start_dir)
        out.write(taken.FileHeader())
        out.write(stored(content, entry))
        self.start_dir = out.tell()
        self.filelist.append(taken)
        self.NameToInfo[taken.filename] = taken
        self._didModify = True
