"""Names and paths that a file cannot have, and numbers that identify the present state of a file.

Some of these names would swallow what is written without an error.
"""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from pathlib import Path

from sheetmbs.problems.errors import Problem, WorkbookError

DEVICE_NAMES = {"con", "prn", "aux", "nul", "conin$", "conout$"} | {
    f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"
}
"""names of devices, with any ending: what is written to NUL.csv is gone"""
FORBIDDEN_CHARACTERS = '<>:"|?*'
"""signs that no name may have; what follows a colon would be a hidden stream of another file"""
MAX_NAME_BYTES = 255
"""bytes of the name of a file, on all usual file systems"""
MAX_PATH_LENGTH = 259
"""characters, unless long paths are switched on in Windows"""
Stamp = tuple[int, int, int]
"""inode, size, time of the last change in ns"""


def check_file_name(path: Path, mend: str) -> None:
    """Raise WorkbookError where there can be no file of this name. mend: what to do instead."""
    for part in path.parts:
        size = len(os.fsencode(part))
        if size > MAX_NAME_BYTES:
            found = f"the name {part[:20]}.. has {size} bytes"
            rule = f"names of files and folders have {MAX_NAME_BYTES} bytes at most"
            raise WorkbookError(Problem("name-too-long", "error", "", found, rule, mend))
    if sys.platform != "win32":
        return
    name = path.name
    found = ""
    if name.partition(".")[0].rstrip(" ").casefold() in DEVICE_NAMES:
        found, rule = f"{name} is the name of a device", "what is written to it is no file"
    elif signs := [sign for sign in FORBIDDEN_CHARACTERS if sign in name]:
        found, rule = (
            f"{name} has {' '.join(signs)} in it",
            f"Windows has no files with {' '.join(FORBIDDEN_CHARACTERS)} in their names",
        )
    elif name.endswith((" ", ".")):
        found, rule = f"'{name}' ends in a blank or a point", "Windows drops these from the names of files"
    if found:
        raise WorkbookError(Problem("unfit-name", "error", "", found, rule, mend))


def fitting_name(stem: str, ending: str) -> str:
    """A name of a stem and an ending. Of a stem that is too long its beginning stays, with a digest of all of it."""
    name = f"{stem}{ending}"
    if len(os.fsencode(name)) <= MAX_NAME_BYTES:
        return name
    told_apart = f"-{sha256(os.fsencode(stem)).hexdigest()[:8]}{ending}"
    kept = os.fsencode(stem)[: MAX_NAME_BYTES - len(os.fsencode(told_apart))]
    return kept.decode(errors="ignore") + told_apart


def is_too_long(path: Path) -> bool:
    """Whether this may be why Windows says that there is no such file or folder."""
    return sys.platform == "win32" and len(str(path.absolute())) > MAX_PATH_LENGTH


def too_long(path: Path) -> WorkbookError:
    """The error for such a path."""
    found = f"the path {path} has {len(str(path.absolute()))} characters"
    rule = f"Windows finds no files with paths of more than {MAX_PATH_LENGTH}, unless long paths are switched on"
    return WorkbookError(Problem("path-too-long", "error", "", found, rule, "use a folder with a shorter path"))


def stamp(path: Path) -> Stamp | None:
    """Numbers that differ once a file was written or replaced; None if there is no file."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns
