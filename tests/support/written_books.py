"""Workbooks for tests of writing."""

from __future__ import annotations

from pathlib import Path

import xlsxwriter


def make(path: Path, *sheets: str) -> Path:
    with xlsxwriter.Workbook(path) as book:
        if path.suffix == ".xlsm":
            from io import BytesIO

            book.add_vba_project(BytesIO(b"macros"), is_stream=True)
        for name in sheets or ("Model",):
            book.add_worksheet(name).write("A1", "of the user")
    return path
