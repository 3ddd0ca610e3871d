"""Whether somebody else could have changed a file: its owner and permissions, and those of all folders above it.

What is run, such as machine code that was kept, is read only from files of this user or the superuser that nobody else can
write, in folders of which the same is true. A folder that everybody may write but where nobody can rename or remove what
belongs to others (the sticky bit, as on /tmp) may stand above such a folder.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
NO_LINK = getattr(os, "O_NOFOLLOW", 0)
NO_WAITING = getattr(os, "O_NONBLOCK", 0)


class NotPrivate(OSError):  # noqa: N818 - what the file is
    """Somebody else could have changed a file; the text says why."""


def who_else_writes(folder: Path) -> str:
    """Why somebody else could change what stands in a folder, links followed; "" where nobody can. Raises OSError.

    On Windows folders of a user are kept from others by lists of rights, which are not looked at.
    """
    if sys.platform == "win32":
        return ""
    place = Path(os.path.realpath(folder))
    for each in (place, *place.parents):
        state = each.stat()
        is_shared = bool(state.st_mode & OTHERS_WRITE) and not (each != place and state.st_mode & stat.S_ISVTX)
        if why := _why(each, state.st_uid, is_shared=is_shared):
            return why
    return ""


def read_private(path: Path) -> bytes:
    """The content of a file that only this user, or the superuser, can have written.

    Raises NotPrivate where somebody else can, or where it is a link, a pipe or a device; OSError where it cannot be read.
    """
    if sys.platform == "win32":
        return path.read_bytes()
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | NO_LINK | NO_WAITING)) as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise NotPrivate(f"{path} is no regular file")
        if why := _why(path, state.st_uid, is_shared=bool(state.st_mode & OTHERS_WRITE)):
            raise NotPrivate(why)
        return file.read()


def _why(path: Path, owner: int, *, is_shared: bool) -> str:
    if sys.platform != "win32" and owner not in (os.geteuid(), 0):
        return f"{path} belongs to another user"
    return f"others may write to {path}" if is_shared else ""
