"""Files beside the workbook, as `--also` names them, CSV or Parquet: whether they may be written, and texts in them."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from os import PathLike
from pathlib import Path

from sheetmbs.workbook.package.archive import refusal
from sheetmbs.workbook.package.file_names import check_file_name

OFFER = "name another file with --also"
FORMULA_SIGNS = tuple("=+-@\t\r")
LONGEST_HEADER = 1 << 22
FOOTER = 8
"""bytes at the end of a Parquet file: the length of what describes it, and a mark"""


@dataclass(frozen=True)
class AlsoKind:
    """What such a file holds, and how one of an earlier time is known again. holds, earlier: in words.

    is_header: whether names are the columns of such a CSV file. is_description: whether bytes describe such a Parquet file.
    """

    holds: str
    earlier: str
    is_header: Callable[[Sequence[str]], bool]
    is_description: Callable[[bytes], bool]

    def check(self, path: str | PathLike[str]) -> Path:
        """Find out whether such a file could be written. Returns its place, links followed. Raises WorkbookError."""
        place = Path(os.path.realpath(path))
        check_file_name(place, OFFER)
        kind = place.suffix.casefold()
        if kind not in (".csv", ".parquet"):
            found = f"{place.name} does not end in .csv or .parquet"
            raise refusal("export-type", found, "its ending says what it is to be", OFFER)
        if kind == ".parquet" and find_spec("pyarrow") is None:
            found = f"{place.name} needs the package pyarrow, which is not installed"
            mend = 'pip install "sheetmbs[parquet]", or name a .csv file'
            raise refusal("no-pyarrow", found, "it writes Parquet", mend)
        if not place.parent.is_dir():
            raise refusal("no-folder", f"there is no folder {place.parent}", "a file needs one", f"make it, or {OFFER}")
        if place.exists() and not place.is_file():
            what = "folder" if place.is_dir() else "device or a pipe"
            raise refusal("output-is-folder", f"{place} is a {what}", "the tables go into a file", OFFER)
        if place.exists() and not self._is_of_kind(place):
            found = f"{place} exists and holds no {self.holds}"
            raise refusal("foreign-output", found, f"only {self.earlier} are replaced", f"delete it, or {OFFER}")
        return place

    def _is_of_kind(self, place: Path) -> bool:
        return self.is_header(_header(place)) if is_csv(place) else self.is_description(_description(place))


def is_csv(place: Path) -> bool:
    """Whether a file is to be CSV rather than Parquet."""
    return place.suffix.casefold() == ".csv"


def as_text(text: str) -> str:
    """A text of a CSV file; one that a spreadsheet program would take for a formula begins with an apostrophe."""
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text


def _header(place: Path) -> list[str]:
    """The names of the columns of a CSV file; none where it is something else."""
    try:
        with place.open(encoding="utf-8", newline="") as file:
            return next(csv.reader([file.readline(LONGEST_HEADER)]), [])
    except (OSError, ValueError, csv.Error):
        return []


def _description(place: Path) -> bytes:
    """What describes a Parquet file, from its end; nothing of any other."""
    try:
        with place.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - FOOTER, 0))
            end = file.read()
            length = int.from_bytes(end[:4], "little")
            file.seek(max(size - FOOTER - length, 0))
            return file.read(length) if end[4:] == b"PAR1" else b""
    except OSError:
        return b""
