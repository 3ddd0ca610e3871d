"""Whether a file is still the one that it was."""

from __future__ import annotations

from pathlib import Path

Stamp = tuple[int, int, int]
"""inode, size, time of the last change in ns"""


def stamp(path: Path) -> Stamp | None:
    """Numbers that differ once a file was written or replaced; None if there is no file."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns
