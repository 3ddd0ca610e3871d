"""Other processes of this machine, and the memory that they hold, where the system tells of them."""

from __future__ import annotations

from pathlib import Path

import pytest

ALL = Path("/proc")
needs_processes = pytest.mark.skipif(
    not (ALL / "self" / "task").exists(), reason="only Linux tells of processes in files"
)


def children(parent: int) -> list[int]:
    """The processes that a process started, and those started by them; none of one that has ended."""
    try:
        told = [each.read_text(encoding="utf-8") for each in (ALL / str(parent) / "task").glob("*/children")]
    except OSError:
        return []
    own = [int(number) for text in told for number in text.split()]
    return [*own, *(each for child in own for each in children(child))]


def resident(process: int) -> int:
    """The memory that a process holds, bytes; 0 where it has ended."""
    return _told(process, "VmRSS")


def most_resident(process: int) -> int:
    """The most memory that a process ever held, bytes; 0 where it has ended."""
    return _told(process, "VmHWM")


def _told(process: int, item: str) -> int:
    try:
        lines = (ALL / str(process) / "status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(f"{item}:")), 0)


def forget_most() -> None:
    """Let the most that this process held begin anew with what it holds now."""
    (ALL / "self" / "clear_refs").write_text("5", encoding="ascii")
