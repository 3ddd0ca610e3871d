"""Every save of a file, told once it is whole: each program saves in a way of its own.

Excel writes a file beside and renames both, LibreOffice writes over it or renames, Numbers puts another file in its
place; each leaves lock files and several events behind, and for a moment there may be no file, or half of one. A folder
on a network may tell nothing at all: therefore the file is also looked at once a second.
"""

from __future__ import annotations

import asyncio
import os
import zipfile
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import watchfiles

from sheetmbs.workbook.package.archive import Stamp, stamp

STEP = 10
"""milliseconds between two looks at the events of the folder"""
LOOK_EVERY = 1.0
"""seconds after which the file is looked at though no event came"""
STILL_FOR = 0.03
"""seconds without any change after which a file counts as written"""
PATIENCE = 2.0
"""seconds for which a file may be gone or half written before that is taken for what its owner meant"""


async def saves(book: Path, patience: float = PATIENCE) -> AsyncIterator[bool]:
    """Whether there is a file, at first and after every change of it, links followed.

    patience: seconds to wait for a file that is gone or no whole archive; then it is reported as it is.
    """
    known: Stamp | str | None = "nothing is known yet"
    async for _event in _events(book):
        if stamp(book) == known:
            continue
        settled = await _settled(book, patience)
        if settled != known:
            known = settled
            yield settled is not None


async def _events(book: Path) -> AsyncIterator[None]:
    """At first, after events of the folders that hold the file or the link to it, and every second."""
    yield
    places = _places(book)
    names = {place.name.casefold() for place in places}
    with suppress(OSError, RuntimeError):  # no such folder, or no more events to be had
        async for _changes in watchfiles.awatch(
            *{place.parent for place in places},
            watch_filter=lambda _change, path: Path(path).name.casefold() in names,
            step=STEP,
            rust_timeout=int(1000 * LOOK_EVERY),
            yield_on_timeout=True,
            recursive=False,
        ):
            yield
    while True:
        await asyncio.sleep(LOOK_EVERY)
        yield


def _places(book: Path) -> list[Path]:
    """Where the file stands, and where it is if that is a link."""
    return [book.absolute(), Path(os.path.realpath(book))]


async def _settled(book: Path, patience: float) -> Stamp | None:
    """Its stamp once the file is whole and still, or has been the same, gone or broken, for all the patience."""
    loop = asyncio.get_running_loop()
    held, since = stamp(book), loop.time()
    while True:
        await asyncio.sleep(STILL_FOR)
        now = stamp(book)
        if now != held:
            held, since = now, loop.time()
        elif loop.time() - since >= patience or (held is not None and await asyncio.to_thread(_is_whole, book)):
            return held


def _is_whole(book: Path) -> bool:
    """Whether the file is an archive with its end, where its list of parts stands."""
    try:
        with zipfile.ZipFile(book):
            return True
    except (OSError, zipfile.BadZipFile, ValueError):
        return False
