"""Files of kept machine code: none is unpickled or loaded unless it is, bit for bit, what was written.

Flipped bits in machine code end in a segmentation fault on every run, and nobody would look for them in a cache folder. So
each file begins with the checksum of the rest. What fails it counts as not there, and is compiled and written anew. Where
nothing can be written, a run goes on without.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import IndexDataCacheFile

DAMAGED, UNWRITABLE = "damaged", "unwritable"
CHECKSUM = hashlib.sha256().digest_size

Told = Callable[[str, Path, str], None]
_TOLD: dict[str, Told] = {}


def tell_of_trouble(tell: Told) -> None:
    """Call ``tell`` with DAMAGED or UNWRITABLE, the folder and the reason, once each in this process, when that is met."""
    _TOLD.update({DAMAGED: tell, UNWRITABLE: tell})


def trouble(what: str, folder: Path, reason: str) -> None:
    """Tell of trouble with a folder, the first time."""
    if what in _TOLD:
        _TOLD.pop(what)(what, folder, reason)


class CheckedFile(IndexDataCacheFile):
    """numba's file of the kept code of one kernel, an index and a file for each signature, with checksums.

    number: what the names of its files have in front of their numbers, so that processes that compile the same kernel at a
    time do not overwrite each other's code.
    """

    def __init__(self, usual: Any, number: str) -> None:
        super().__init__(usual._cache_path, usual._index_name.removesuffix(".nbi"), usual._source_stamp)  # noqa: SLF001
        self._data_name_pattern = self._data_name_pattern.replace("{number", f"{number}-{{number")
        self.folder = Path(usual._cache_path)  # noqa: SLF001

    def _load_index(self) -> dict[Any, str]:
        stamp, overloads = self._read(Path(self._index_path)) or (None, {})
        return overloads if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._read(self.folder / name)

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def content(self, path: Path) -> bytes:
        """What was written; nothing where it is not there, or no longer what it was."""
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            trouble(DAMAGED, self.folder, error.strerror or "it cannot be read")
            return b""
        if hashlib.sha256(content[CHECKSUM:]).digest() != content[:CHECKSUM]:
            trouble(DAMAGED, self.folder, "a file is not as it was written")
            return b""
        return content[CHECKSUM:]

    def _read(self, path: Path) -> Any:
        content = self.content(path)
        return pickle.loads(content) if content else None  # noqa: S301 - what we have written

    def _write(self, path: str, content: Any) -> None:
        dumped = self._dump(content)
        with self._open_for_write(path) as file:
            file.write(hashlib.sha256(dumped).digest())
            file.write(dumped)


def checked(cache: Any, number: str) -> None:
    """Let a cache of numba's keep its files so, and a run go on where it cannot write. number: see `CheckedFile`."""
    file = CheckedFile(cache._cache_file, number)  # noqa: SLF001 - numba has no other way
    cache._cache_file = file  # noqa: SLF001
    save = cache.save_overload

    def save_if_possible(signature: Any, data: Any) -> None:
        try:
            save(signature, data)
        except OSError as error:
            trouble(UNWRITABLE, file.folder, error.strerror or "it cannot be written")

    cache.save_overload = save_if_possible
