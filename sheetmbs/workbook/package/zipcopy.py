"""A zip file that takes over entries of another one as they are stored there, and packs new ones in several threads."""

from __future__ import annotations

import os
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from copy import copy
from itertools import chain, islice
from typing import IO, TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

if TYPE_CHECKING:
    from concurrent.futures import Future

LOCAL_HEADER = 30
SIZES_FOLLOW_THE_DATA = 0x08

BLOCK = 1 << 21
"""bytes that are packed at a time: threads for less take longer to load and start than they save"""
RAW = -zlib.MAX_WBITS
END_OF_DATA = b"\x03\x00"
"""an empty last block"""
THREADS = min(os.cpu_count() or 1, 4)


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
        out = self._begin(taken)
        out.write(taken.FileHeader())
        out.write(stored(content, entry))
        self._end(out, taken)

    def pack(self, name: str, chunks: Iterable[bytes], level: int, *, is_large: bool = False) -> None:
        """Append an entry. is_large: it may reach 4 GB.

        Blocks are packed each by itself, one after the other in the file: so threads can share the work, and the bytes
        are the same however many there are.
        """
        entry = ZipInfo(name)
        entry.compress_type = ZIP_DEFLATED
        entry.CRC = entry.file_size = entry.compress_size = 0
        out = self._begin(entry)
        out.write(entry.FileHeader(zip64=is_large))
        for block, packed in _packed(_blocks(chunks), level):
            entry.CRC = zlib.crc32(block, entry.CRC)
            entry.file_size += len(block)
            entry.compress_size += out.write(packed)
        entry.compress_size += out.write(END_OF_DATA)
        end = out.tell()
        out.seek(entry.header_offset)
        out.write(entry.FileHeader(zip64=is_large))
        out.seek(end)
        self._end(out, entry)

    def _begin(self, entry: ZipInfo) -> IO[bytes]:
        if self.fp is None:
            raise ValueError("the zip file is closed")
        entry.header_offset = self.start_dir
        self.fp.seek(self.start_dir)
        return self.fp

    def _end(self, out: IO[bytes], entry: ZipInfo) -> None:
        self.start_dir = out.tell()
        self.filelist.append(entry)
        self.NameToInfo[entry.filename] = entry
        self._didModify = True


def _blocks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in blocks of about one size."""
    gathered: list[bytes] = []
    length = 0
    for chunk in chunks:
        for start in range(0, len(chunk), BLOCK):
            piece = chunk[start : start + BLOCK]
            gathered.append(piece)
            length += len(piece)
            if length >= BLOCK:
                yield b"".join(gathered)
                gathered, length = [], 0
    if gathered:
        yield b"".join(gathered)


def _packed(blocks: Iterator[bytes], level: int) -> Iterator[tuple[bytes, bytes]]:
    """Every block with its packed form, in order; while one is being made, threads pack those before it."""
    begin = list(islice(blocks, 2))
    if len(begin) < 2:
        yield from ((block, _deflated(block, level)) for block in begin)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(THREADS) as pool:
        waiting: deque[tuple[bytes, Future[bytes]]] = deque()
        for block in chain(begin, blocks):
            waiting.append((block, pool.submit(_deflated, block, level)))
            if len(waiting) > 2 * THREADS:
                first, packed = waiting.popleft()
                yield first, packed.result()
        for first, packed in waiting:
            yield first, packed.result()


def _deflated(block: bytes, level: int) -> bytes:
    """A block packed so that another one can follow at a whole byte."""
    packer = zlib.compressobj(level, zlib.DEFLATED, RAW)
    return packer.compress(block) + packer.flush(zlib.Z_SYNC_FLUSH)
