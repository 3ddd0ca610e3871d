"""A new workbook laid out as the templates are: headers, units, frozen panes, drop-downs, a README sheet first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from lxml import etree

from sheetmbs.elements import JOINTS
from sheetmbs.schema.column import Column, ColumnKind
from sheetmbs.schema.filled import Cell, FilledSheet, NewBook
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.settings import SETTINGS_BY_FOLD
from sheetmbs.workbook.package.archive import refusal
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.package.printing import text as in_xml
from sheetmbs.workbook.package.replace import SUFFIX, create_book
from sheetmbs.workbook.writing.add_inputs import store_changed

FONT = "Calibri"
INK, GREY, LINE = "#1F2933", "#6B7780", "#C5CED6"
INPUT = "#1F4E9E"
"""numbers and words that were typed in, against those that formulas give"""
FILLED = "#3E6A8F"
HEAD: dict[str, Any] = {"bold": True, "bg_color": "#DCE4EA", "bottom": 1, "bottom_color": GREY}
REQUIRED: dict[str, Any] = HEAD | {"bg_color": FILLED, "font_color": "#FFFFFF"}
UNITS: dict[str, Any] = {"italic": True, "bg_color": "#F2F5F7", "font_color": GREY, "bottom": 1, "bottom_color": LINE}
WRONG = {"bg_color": "#F9C9C2", "font_color": "#8A1C12"}
PROBLEM_CELLS = "mbs_problem_cells"
PROBLEM_ROWS = 5001
PROBLEMS = f"=INDIRECT(\"'mbs Problems'!$B$2:$B${PROBLEM_ROWS}\")"
"""the cells that the sheet mbs Problems lists, an error where there is no such sheet"""
COLOURS = (
    "Dark headers must be filled in, light ones may stay blank. Blue numbers were imported. Cells that "
    "sheetmbs check BOOK --mark finds wrong turn red."
)
LABEL_WIDTH, TEXT_WIDTH, LINE_HEIGHT = 17, 76, 15.5
MIN_WIDTH, MAX_WIDTH = 9.0, 60.0
MAX_HEADER_LENGTH = 100
SPARE_ROWS, SPARE_COLUMNS = 200, 60
"""below and beside the rows filled in, as far as drop-downs and colours reach"""
BLANK = "blank"
PROPERTIES = "docProps/core.xml"
TEXTS = "sharedStrings.xml"
STAND_IN, ABOUT_STAND_IN = re.compile(rb"\bBOOK\b"), b", with the name of this file for BOOK"
"""what stands for the file's name in the commands on the first sheet of a template, and what is said of that there"""


def laid_out(book: NewBook) -> bytes:
    """The file of a new workbook."""
    from xlsxwriter import Workbook

    content = BytesIO()
    with Workbook(content, {"in_memory": True}) as made:
        made.set_properties({"title": book.title, "subject": "multibody model for sheetmbs"})
        made.set_size(1800, 1200)
        made.define_name(PROBLEM_CELLS, PROBLEMS)
        layout = _Layout(made, book.title)
        layout.readme(book)
        for sheet in book.sheets:
            layout.sheet(sheet)
    return content.getvalue()


class _Layout:
    """Writes sheets into a workbook of XlsxWriter."""

    def __init__(self, book: Any, title: str) -> None:
        self.book = book
        self.title = title
        self._formats: dict[tuple[tuple[str, Any], ...], Any] = {}

    def look(self, **properties: Any) -> Any:
        """The cell format with these properties; one for equal ones."""
        key = tuple(sorted(properties.items()))
        if key not in self._formats:
            common = {"font_name": FONT, "font_size": 11, "font_color": INK, "valign": "vcenter"}
            self._formats[key] = self.book.add_format(common | properties)
        return self._formats[key]

    def page(self, name: str) -> Any:
        """A new sheet, set up for printing."""
        page = self.book.add_worksheet(name)
        page.set_paper(9)
        page.set_landscape()
        page.fit_to_pages(1, 0)
        page.set_margins(left=0.5, right=0.5, top=0.75, bottom=0.7)
        page.set_header(f"&L&9{self.title[:MAX_HEADER_LENGTH].replace('&', '&&')}&R&9&A")
        page.set_footer("&L&9&F&R&9page &P of &N")
        return page

    def readme(self, book: NewBook) -> None:
        """The first sheet: what this is, where it came from, what stands on the others."""
        page = self.page("README")
        page.hide_gridlines(2)
        page.set_tab_color(INK)
        for column, width in enumerate((2, LABEL_WIDTH, TEXT_WIDTH, 3)):
            page.set_column(column, column, width)
        page.set_row(0, 30)
        page.write_string(0, 1, book.title, self.look(bold=True, font_size=18))
        purpose = self.look(text_wrap=True, font_color=GREY, font_size=12, valign="top")
        page.merge_range(1, 1, 1, 2, book.purpose, purpose)
        page.set_row(1, 18 * _lines(book.purpose, LABEL_WIDTH + TEXT_WIDTH) + 6)
        label, body = self.look(bold=True, valign="top"), self.look(text_wrap=True, valign="top")
        row = 3
        for heading, paragraphs in book.sections:
            page.write_string(row, 1, heading, label)
            for paragraph in paragraphs:
                page.write_string(row, 2, paragraph, body)
                page.set_row(row, LINE_HEIGHT * _lines(paragraph, TEXT_WIDTH) + 3)
                row += 1
            row += 1
        page.write_string(row, 1, "Sheets", label)
        link = self.look(text_wrap=True, valign="top", font_color=INPUT)
        for sheet in book.sheets:
            text = f"{sheet.name}: {sheet.declared.doc}"
            page.write_url(row, 2, f"internal:'{sheet.name}'!A1", link, text)
            row += 1
        page.write_string(row + 1, 1, "Colours", label)
        page.write_string(row + 1, 2, COLOURS, body)
        page.set_row(row + 1, LINE_HEIGHT * _lines(COLOURS, TEXT_WIDTH) + 3)
        page.fit_to_pages(1, 1)

    def sheet(self, sheet: FilledSheet) -> None:
        """A sheet of elements, settings or samples."""
        page = self.page(sheet.name)
        page.set_tab_color(FILLED)
        has_units = any(sheet.units)
        first = 2 if has_units else 1
        for number, header in enumerate(sheet.headers):
            column, cells = sheet.column(header), [row[number] for row in sheet.rows]
            side = _side(number, column, cells)
            page.set_column(number, number, _width(header, cells), self.column_look(number, header, column))
            page.write_string(0, number, header, self.look(**_head(column), **side))
            if has_units:
                unit = sheet.units[number] or ("units" if number == 0 else "")
                page.write(1, number, unit or None, self.look(**UNITS, **side))
            for row, cell in enumerate(cells, start=first):
                write = page.write_string if isinstance(cell, str) else page.write
                write(row, number, cell, self.cell_look(number, header, cell))
            words = _choices(sheet.name, column)
            if words:
                self.offer(page, (first, number, first + len(cells) + SPARE_ROWS, number), words)
        if sheet.name == "Settings":
            for row, (name, *_value) in enumerate(sheet.rows, start=first):
                words = SETTINGS_BY_FOLD[fold(str(name))].choices
                if words:
                    self.offer(page, (row, 1, row, 1), words)
        page.freeze_panes(first, 1)
        page.repeat_rows(0, first - 1)
        self.colour_problems(page, sheet, first)

    def column_look(self, number: int, header: str, column: Column | None) -> Any:
        """The format of rows that are still to be filled in."""
        if number == 0 and not (column and column.is_numeric):
            return self.look(bold=True)
        if header == "notes":
            return self.look(font_color=GREY, indent=1)
        return self.look(font_color=INPUT) if column and column.is_numeric else self.look(indent=1)

    def cell_look(self, number: int, header: str, cell: Cell) -> Any:
        """The format of a cell that is filled in."""
        line: dict[str, Any] = {"bottom": 1, "bottom_color": LINE}
        if header == "notes":
            return self.look(**line, font_color=GREY, indent=1)
        if header == "value":
            return self.look(**line, font_color=INPUT, align="right")
        if isinstance(cell, str):
            return self.look(**line, **({"indent": 1} if number else {"bold": True}))
        return self.look(**line, font_color=INPUT)

    def offer(self, page: Any, where: tuple[int, int, int, int], words: Sequence[str]) -> None:
        """A drop-down that offers words but takes others too: sheetmbs says more of a wrong one."""
        page.data_validation(*where, {"validate": "list", "source": list(words), "show_error": False})

    def colour_problems(self, page: Any, sheet: FilledSheet, first: int) -> None:
        """Colour the cells that the sheet mbs Problems lists; where there is no such sheet the formula gives FALSE."""
        place = f'MATCH("{sheet.name}!"&ADDRESS(ROW(),COLUMN(),4),{PROBLEM_CELLS},0)'
        rule = {"type": "formula", "criteria": f"=ISNUMBER({place})", "format": self.book.add_format(WRONG)}
        page.conditional_format(0, 0, first + len(sheet.rows) + SPARE_ROWS, SPARE_COLUMNS, rule)


def _head(column: Column | None) -> dict[str, Any]:
    return REQUIRED if column is not None and column.required else HEAD


def _side(number: int, column: Column | None, cells: Sequence[Cell]) -> dict[str, Any]:
    """Headers stand over what is below them: numbers at the right, texts at the left, a little in."""
    is_number = (column is not None and column.is_numeric) or not any(isinstance(cell, str) for cell in cells)
    if is_number or (column is not None and column.kind is ColumnKind.ANY):
        return {"align": "right"}
    return {"indent": 1} if number else {}


def _width(header: str, cells: Sequence[Cell]) -> float:
    """A width in which header and contents fit."""
    longest = max(
        (len(f"{cell:.7g}") if isinstance(cell, float) else len(str(cell or "")) for cell in cells), default=0
    )
    return min(MAX_WIDTH, max(MIN_WIDTH, len(header) + 3.0, longest + 2.0))


def _choices(sheet: str, column: Column | None) -> tuple[str, ...]:
    if column is None or column.kind not in (ColumnKind.CHOICE, ColumnKind.FLAG):
        return ()
    if (sheet, column.name) == ("Joints", "type"):
        return tuple(name for name in column.choices if "2D" in JOINTS[name].dimensions)
    return ("yes", "no") if column.kind is ColumnKind.FLAG else column.choices


def _lines(text: str, width: int) -> int:
    """How many lines a paragraph takes in a column of this width (in digits, which are wider than most letters)."""
    return ceil(1.05 * len(text) / (1.14 * width))


class Template(NamedTuple):
    """A template as it is listed. dimension: 2D or 3D. about: one line."""

    name: str
    dimension: str
    analysis: str
    about: str


def list_templates() -> list[Template]:
    """All templates: the blank forms first, then planar models, then those in space."""
    templates = [_describe(path) for path in _folder().glob(f"*{SUFFIX}")]
    return sorted(templates, key=lambda each: (not each.name.startswith(BLANK), each.dimension, each.name))


def new_book(template: str, book: Path) -> Template:
    """Make a workbook from a template, whose first sheet then names it; an existing file is never overwritten.

    Raises WorkbookError where there is no such template or the file cannot be made.
    """
    known = template_files()
    name = _chosen(template, book, list(known))
    create_book(book, _named(known[name], book.name), name)
    return _describe(known[name])


def _named(template: Path, name: str) -> bytes:
    """The file of a template, with the name of the new workbook in the commands on its first sheet."""
    package = Package(template)
    part = next(each for each in package.names if each.endswith(TEXTS))
    said = in_xml(f'"{name}"' if " " in name else name).encode()
    texts = STAND_IN.sub(lambda _: said, package.read(part).replace(ABOUT_STAND_IN, b""))
    content = BytesIO()
    store_changed(package, {part: texts}, {}, content)
    return content.getvalue()


def template_files() -> dict[str, Path]:
    """The files of all templates by their names."""
    return {path.stem: path for path in _folder().glob(f"*{SUFFIX}")}


def _folder() -> Path:
    """The folder of the templates: in the installed package, or beside it in the repository."""
    package = Path(__file__).parents[2]
    return next(folder for folder in (package / "templates", package.parent / "templates") if folder.is_dir())


def _describe(path: Path) -> Template:
    properties = {etree.QName(each).localname: each.text or "" for each in Package(path).xml(PROPERTIES)}
    return Template(path.stem, properties["category"], properties["keywords"], properties["description"])


def _alternatives(names: Sequence[str]) -> str:
    """Names as a question offers them: ``a, b or c``."""
    return " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _chosen(text: str, book: Path, known: Sequence[str]) -> str:
    """The exact name of a template. Raises WorkbookError."""
    wanted = fold(text.removesuffix(SUFFIX))
    for name in known:
        if fold(name) == wanted:
            return name
    is_swapped = any(fold(name) == fold(book.stem) for name in known) and Path(text).suffix.casefold() == SUFFIX
    begun = [name for name in known if wanted and fold(name).startswith(wanted)]
    otherwise = "see sheetmbs templates"
    if begun and not is_swapped:
        raise refusal(
            "unknown-template",
            f"the template '{text}'",
            "there is no template of that name",
            f"did you mean {_alternatives(sorted(begun))}?",
        )
    mend = f"did you mean sheetmbs new {book.stem} {text}?" if is_swapped else did_you_mean(text, known, otherwise)
    raise refusal("unknown-template", f"the template '{text}'", "there is no template of that name", mend)
