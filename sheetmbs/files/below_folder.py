"""Which files a workbook may open: those in its own folder or below it."""

from __future__ import annotations

import os
from pathlib import Path


def is_below(path: Path, folder: Path) -> bool:
    """Whether a file stands in a folder or below it. What is written elsewhere is not even looked for there."""
    as_written = Path(os.path.abspath(path)).is_relative_to(os.path.abspath(folder))  # noqa: PTH100 - it follows no link
    return as_written and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
