"""The README sheet: its text, which stands in a file of `readmes/` as plain paragraphs, and how it is set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from look import GREY, INPUT

FOLDER = Path(__file__).parent / "readmes"
RUN = """\
sheetmbs run workbooks/{name}

The result sheets, whose names begin with mbs, go behind the sheets of this file; nothing else in it changes.

sheetmbs run workbooks/{name} --output copy.xlsx leaves this file alone and writes a copy."""
RECALCULATE = """\
Positions are computed on the sheets from Dimensions. After a change there, save the file in the spreadsheet program:
sheetmbs reads the values that the program has calculated and saved."""
LABEL_WIDTH, TEXT_WIDTH = 19, 76
"""of the two columns, in digits"""
LINE_HEIGHT = 15.5


def text(name: str) -> str:
    """The README of an example workbook, as `parse` reads it."""
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def parse(text: str, run: str) -> tuple[str, list[tuple[str, list[str]]]]:
    """The purpose and the sections (heading, paragraphs) of a README.

    text: the purpose, then sections that begin with a line ``# heading``; blank lines part paragraphs. ``{run}`` stands for
    how to run the workbook, given as ``run``, ``{recalculate}`` for what to do after a change of the dimensions.
    """
    text = text.replace("{run}", run).replace("{recalculate}", RECALCULATE)
    purpose, *blocks = text.strip().split("\n# ")
    sections = []
    for block in blocks:
        heading, _, body = block.partition("\n")
        sections.append((heading.strip(), [" ".join(paragraph.split()) for paragraph in body.strip().split("\n\n")]))
    return " ".join(purpose.split()), sections


def write(
    sheet: Any,
    format_of: Callable[..., Any],
    title: str,
    text: tuple[str, list[tuple[str, list[str]]]],
    sheets: Sequence[tuple[str, str]],
) -> int:
    """Fill the sheet. format_of: gives a cell format. text: from `parse`. sheets: (name, what it holds).

    Returns the row below, which is left blank.
    """
    purpose, sections = text
    for column, width in enumerate((2, LABEL_WIDTH, TEXT_WIDTH, 3)):
        sheet.set_column(column, column, width)
    body = format_of(text_wrap=True, valign="top")
    label = format_of(bold=True, valign="top")
    link = format_of(valign="top", font_color=INPUT)
    sheet.set_row(0, 30)
    sheet.write(0, 1, title, format_of(bold=True, font_size=18))
    sheet.merge_range(1, 1, 1, 2, purpose, format_of(text_wrap=True, font_color=GREY, font_size=12, valign="top"))
    sheet.set_row(1, 18 * _lines(purpose, LABEL_WIDTH + TEXT_WIDTH - 8) + 6)
    row = 3
    for heading, paragraphs in sections:
        sheet.write(row, 1, heading, label)
        for paragraph in paragraphs:
            sheet.write_string(row, 2, paragraph, body)
            sheet.set_row(row, LINE_HEIGHT * _lines(paragraph, TEXT_WIDTH) + 3)
            row += 1
        row += 1
    sheet.write(row, 1, "Sheets", label)
    for name, about in sheets:
        row += 1
        sheet.write_url(row, 1, f"internal:'{name}'!A1", link, name)
        sheet.write_string(row, 2, about, body)
        sheet.set_row(row, LINE_HEIGHT * _lines(about, TEXT_WIDTH))
    row += 1
    sheet.set_landscape()
    sheet.fit_to_pages(1, 1)
    return row


def write_colours(sheet: Any, format_of: Callable[..., Any], row: int) -> None:
    """What the colours of cells mean, below ``row``."""
    body = format_of(text_wrap=True, valign="top")
    sheet.write(row + 1, 1, "Colours", format_of(bold=True, valign="top"))
    words = "; black: words, and numbers from formulas; grey: units and notes"
    sheet.write_rich_string(row + 1, 2, format_of(font_color=INPUT), "blue: typed in", body, words, body)


def _lines(text: str, width: int) -> int:
    """How many lines a paragraph takes in a column of this width (in digits, which are wider than most letters)."""
    lines, used = 1, 0
    for word in text.split():
        if used + len(word) > 1.14 * width and used:
            lines, used = lines + 1, 0
        used += len(word) + 1
    return lines
