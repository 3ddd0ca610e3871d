"""What the example workbooks have in common: sheets, formats, drop-downs, print set-up.

A script describes its model as rows of plain values; `Handout` lays them out. The same script always gives the same
bytes.
"""

from __future__ import annotations

import datetime as dt
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import readme
import sketch
import xlsxwriter
from choices import DECLARED, column_choices, referred, setting_choices
from look import FONT, GREY, HEAD, INK, INPUT, LINE, UNITS, Cell, Formula
from xlsxwriter.utility import xl_col_to_name, xl_rowcol_to_cell

from sheetmbs.schema.column import Dimensionality
from sheetmbs.schema.names import fold
from sheetmbs.schema.suspension_inputs import AXLES

CREATED = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)
SPARE_ROWS = 60
"""Drop-downs and number formats reach this far down, so that a new row is guarded as well."""
LISTS = {"ground": "bodies_and_ground", "Bodies": "body_names", "Points": "point_names", "Joints": "joint_names"}
"""sheet that is referred to -> defined name of the list behind the drop-down"""
VALUES = ("value", *AXLES)
"""headers of columns of settings, in which words stand at the right as numbers do"""
SETTING_UNITS = {"gravity": "m/s^2", "t": "s"}
"""unit of settings whose names begin so"""
NAME = re.compile(r"[A-Za-z_]{4}[A-Za-z0-9_]*")
"""what a workbook can define, and is no address of a cell, for these begin with three letters at most"""
LOOKUP = ("Lookup", "lists behind the drop-downs and points of the sketch: no input")


@dataclass(frozen=True)
class Column:
    """A column: header, unit (``""`` = none), Excel number format, width in characters (0 = from its content)."""

    header: str
    unit: str = ""
    numbers: str = "General"
    width: float = 0.0


COLUMN = re.compile(r"([^[:]+?)(?: \[([^\]]+)\])?(?: ([0#][0#.]*))?(?: :([\d.]+))?")


def column_list(text: str) -> list[Column]:
    """Columns as one line of text, such as ``name :14, x [mm] 0.000, axis_x 0, position [deg] 0.000 :14``.

    Each is a header, then a unit in brackets, a number format, and a width behind a colon, as far as it has them.
    """
    columns = []
    for part in text.split(", "):
        match = COLUMN.fullmatch(part)
        if match is None:
            raise ValueError(part)
        header, unit, numbers, width = match.groups()
        columns.append(Column(header, unit or "", numbers or "General", float(width or 0.0)))
    return columns


class Handout:
    """One workbook in the making. The order of the calls is the order of the sheets.

    space: of a 3D model. rows: how far down tables are guarded.
    """

    def __init__(self, path: Path, title: str, *, space: bool = False, rows: int = SPARE_ROWS) -> None:
        self.path = path
        self.rows = rows
        self.title = title
        self.models: Dimensionality = "3D" if space else "2D"
        self.book = xlsxwriter.Workbook(str(path))
        subject = f"{'spatial' if space else 'planar'} multibody model for sheetmbs"
        self.book.set_properties({"title": title, "subject": subject, "created": CREATED})
        self.book.set_size(1800, 1200)
        self.cells: dict[tuple[str, str, str], tuple[str, Cell]] = {}
        self.first: dict[str, int] = {}
        self.about: list[tuple[str, str]] = []
        self._formats: dict[tuple[tuple[str, Any], ...], Any] = {}
        self._counted: dict[str, str] = {}
        self._readme = self._sheet("README")

    def format(self, **properties: Any) -> Any:
        """The cell format with these xlsxwriter properties on top of the common ones; one object for equal properties."""
        key = tuple(sorted(properties.items()))
        if key not in self._formats:
            common = {"font_name": FONT, "font_size": 11, "font_color": INK, "valign": "vcenter"}
            self._formats[key] = self.book.add_format(common | properties)
        return self._formats[key]

    def laid_out(self, name: str, columns: Sequence[Column]) -> Sequence[Column]:  # noqa: ARG002 - for those who know more
        """The columns that a sheet gets where a script has written these."""
        return columns

    def letter(self, name: str, header: str, columns: Sequence[Column]) -> str:
        """The letter of a column of a sheet for which a script has written ``columns``, or is going to."""
        return xl_col_to_name([column.header for column in self.laid_out(name, columns)].index(header))

    def at(self, sheet: str, row: str, column: str) -> str:
        """Absolute address of the cell in the row whose first cell reads ``row``, for use in formulas."""
        return self.cells[sheet, row, column][0]

    def value(self, sheet: str, row: str, column: str) -> float:
        """The number in that cell."""
        cell = self.cells[sheet, row, column][1]
        value = cell.value if isinstance(cell, Formula) else cell
        if isinstance(value, str) or value is None:
            raise TypeError(value)
        return float(value)

    def link(self, sheet: str, row: str, column: str) -> Formula:
        """A formula that repeats that cell."""
        return Formula(f"={self.at(sheet, row, column)}", self.value(sheet, row, column))

    def shifted(self, row: str, dx: float = 0.0, dy: float = 0.0) -> tuple[Formula, Formula]:
        """Formulas for x and y of the named point, moved by (dx, dy)."""
        x, y = self.link("Points", row, "x"), self.link("Points", row, "y")
        return Formula(f"{x.text}+{dx:g}", float(x.value) + dx), Formula(f"{y.text}+{dy:g}", float(y.value) + dy)

    def run_settings(self, **values: Cell | tuple[Cell, str]) -> None:
        """The sheet Settings of a single run: title, dimension, and these settings, each a value or a value with its notes."""
        rows: list[tuple[str, Cell, str, str]] = [("title", self.title, "", "")]
        if self.models == "3D":
            rows.append(("dimension", "3D", "", ""))
        for name, given in values.items():
            value, notes = given if isinstance(given, tuple) else (given, "")
            rows.append((name, value, SETTING_UNITS.get(name.partition("_")[0], ""), notes))
        self.settings(rows)

    def settings(self, rows: Sequence[tuple[str, Cell, str, str]]) -> None:
        """The sheet Settings. rows: (setting, value, unit, notes)."""
        columns = (
            Column("setting", width=20),
            Column("value", width=34),
            Column("unit", width=8),
            Column("notes", width=84),
        )
        sheet = self._write_sheet("Settings", columns, rows, "what is analysed, from when to when, and how")
        for index, row in enumerate(rows, start=1):
            options = setting_choices(row[0])
            if options:
                sheet.data_validation(index, 1, index, 1, _one_of(options, row[0]))

    def cases(self, names: Sequence[str], rows: Sequence[tuple[str, Sequence[Cell], str, str]]) -> None:
        """The sheet Settings with a column per case. rows: (setting, value and what replaces it in each case, unit, notes)."""
        columns = (
            Column("setting", width=20),
            Column("value", width=26),
            Column("unit", width=8),
            *(Column(f"case {name}", width=16) for name in names),
            Column("notes", width=60),
        )
        laid = [(name, values[0], unit, *values[1:], notes) for name, values, unit, notes in rows]
        sheet = self._write_sheet("Settings", columns, laid, "what is analysed, in general and in each case")
        for index, row in enumerate(laid, start=1):
            options = setting_choices(str(row[0]))
            if options:
                for column in (1, *range(3, 3 + len(names))):
                    sheet.data_validation(index, column, index, column, _one_of(options, str(row[0])))

    def parameters(self, name: str, rows: Sequence[tuple[str, Cell, str, str]], about: str) -> None:
        """A sheet of the user's own with numbers that the other sheets compute with. rows: (name, value, unit, notes).

        The workbook defines the names, with ``_`` in place of blanks, for those who change numbers from elsewhere.
        """
        columns = (
            Column("dimension", width=30),
            Column("value", numbers="0.0##", width=14),
            Column("unit", width=10),
            Column("notes", width=74),
        )
        self._write_sheet(name, columns, rows, about)
        for row, (label, *_rest) in enumerate(rows, start=2):
            defined = label.replace(" ", "_").replace("-", "_")
            if NAME.fullmatch(defined):
                self.book.define_name(defined, f"='{name}'!$B${row}")

    def table(self, name: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], about: str) -> None:
        """A sheet of elements: headers, units where there are any, rows. about: what the README says of it."""
        sheet = self._write_sheet(name, columns, rows, about)
        for number, column in enumerate(columns):
            where = (self.first[name], number, self.rows, number)
            options = column_choices(name, column.header, self.models)
            target = referred(name, column.header)
            if target in LISTS:
                reference = LISTS[target]
                self._counted[reference] = "Bodies" if target == "ground" else target
                sheet.data_validation(*where, _one_of(f"={reference}", column.header))
            elif options and not (column.header == "active" and any(row[number] not in options for row in rows)):
                sheet.data_validation(*where, _one_of(options, column.header))
            if column.numbers != "General":
                spare = self.format(num_format=column.numbers, font_color=INPUT)
                for row in range(self.first[name] + len(rows), self.rows + 1):
                    sheet.write_blank(row, number, None, spare)

    def charts(self, rows: Sequence[Sequence[Cell]], *, x: int, y: int, title: int = 44) -> None:
        """The sheet Charts. rows: title, x, y and type of each. title, x, y: widths of these columns."""
        columns = column_list(f"title :{title}, x :{x}, y :{y}, type :10")
        self.table("Charts", columns, rows, "the charts we want on mbs Charts")

    def declared(self, name: str, headers: str, rows: Sequence[Sequence[Cell]], widths: Mapping[str, float]) -> None:
        """An input sheet of sheetmbs. headers: names with units behind a colon, blanks between them: ``name k gap:mm``.

        widths: by header; "" for all others.
        """
        named = [header.partition(":")[::2] for header in headers.split()]
        columns = [
            Column(header, unit.replace("_", " "), width=widths.get(header, widths.get("", 0.0)))
            for header, unit in named
        ]
        self.table(name, columns, rows, DECLARED[fold(name)].doc)

    def series(self, name: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], about: str) -> None:
        """A sheet of samples over time: headers, units, numbers; upright, so that a page holds many rows."""
        self._write_sheet(name, columns, rows, about).set_portrait()

    def texts(self, name: str, texts: Mapping[str, Sequence[str]], about: str) -> None:
        """A sheet of texts under names, split at their tabs as spreadsheet programs do. texts: lines by name."""
        sheet = self._sheet(name)
        self.about.append((name, about))
        column = 0
        for above, lines in texts.items():
            split = [line.split("\t") for line in lines]
            width = max(map(len, split))
            for number in range(width):
                # a cell with nothing beside it may be longer than its column
                widest = max((len(cells[number]) for cells in split if len(cells) > max(number, 1)), default=0)
                sheet.set_column(column + number, column + number, max(14.0, widest + 2.0))
                sheet.write(0, column + number, above if number == 0 else None, self.format(**HEAD))
            for row, cells in enumerate(split, start=1):
                for number, cell in enumerate(cells):
                    if cell.strip():
                        sheet.write_string(row, column + number, cell, self.format(font_color=INPUT))
            column += width
        sheet.freeze_panes(1, 0)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)

    def finish(self, text: str, lines: Sequence[sketch.Line], unit: str) -> Path:
        """Write the README with its sketch, the sheet behind both, and the file; return its path. text: see `readme.parse`.

        lines: in ``unit``, or, where that is ``""``, projected by a `sketch.View`; then the sketch has no axes.
        """
        sheet = self._sheet(LOOKUP[0])
        bodies = self._lists(sheet) if "Bodies" in self.first else 0
        self._points_of_sketch(sheet, lines, rows=1 + bodies)
        words = readme.parse(text, readme.RUN.format(name=self.path.name))
        row = readme.write(self._readme, self.format, self.title, words, [*self.about, LOOKUP])
        readme.write_colours(self._readme, self.format, row)
        self._readme.insert_chart(3, 4, sketch.chart(self.book, lines, unit), {"object_position": 2})
        self.book.close()
        print(f"made {self.path.name}")
        return self.path

    def _sheet(self, name: str) -> Any:
        sheet = self.book.add_worksheet(name)
        sheet.hide_gridlines(2)
        sheet.set_paper(9)
        sheet.set_margins(left=0.5, right=0.5, top=0.75, bottom=0.7)
        sheet.set_header(f"&L&9{self.title.replace('&', '&&')}&R&9&A")
        sheet.set_footer("&L&9&F&R&9page &P of &N")
        return sheet

    def _write_sheet(self, name: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], about: str) -> Any:
        sheet = self._sheet(name)
        self.about.append((name, about))
        laid = self.laid_out(name, columns)
        places = {column.header: number for number, column in enumerate(laid)}
        given = {column.header: [row[number] for row in rows] for number, column in enumerate(columns)}
        has_units = self._has_units(name, laid)
        first = self.first[name] = 2 if has_units else 1
        for number, column in enumerate(laid):
            cells = given.get(column.header, [])
            sheet.set_column(number, number, column.width or _width(column, cells))
            side = self._side(name, number, column, cells)
            sheet.write_string(0, number, column.header, self.format(**self._head(name, column), **side))
            if has_units:
                unit = column.unit or ("units" if number == 0 else None)
                sheet.write(1, number, unit, self.format(**UNITS, **side))
        for index, row in enumerate(rows, start=first):
            for column, cell in zip(columns, row, strict=True):
                number = places[column.header]
                self._write_cell(sheet, index, number, column, cell)
                address = f"{name}!{xl_rowcol_to_cell(index, number, row_abs=True, col_abs=True)}"
                self.cells[name, str(row[0]), column.header] = (address, cell)
        sheet.freeze_panes(first, 1)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(0, first - 1)
        self._set_print_area(sheet, first + len(rows) - 1, len(laid) - 1)
        return sheet

    def _has_units(self, name: str, columns: Sequence[Column]) -> bool:  # noqa: ARG002 - as above
        """Whether a sheet has a row of units."""
        return any(column.unit for column in columns)

    def _head(self, name: str, column: Column) -> dict[str, Any]:  # noqa: ARG002 - as above
        """How a header looks."""
        return HEAD

    def _side(self, name: str, number: int, column: Column, cells: Sequence[Cell]) -> dict[str, Any]:  # noqa: ARG002 - as above
        """Headers stand over what is below them: numbers at the right, texts at the left, a little in."""
        if column.header in VALUES or not any(isinstance(cell, str) for cell in cells):
            return {"align": "right"}
        return {"indent": 1} if number else {}

    def _set_print_area(self, sheet: Any, row: int, column: int) -> None:
        """Print down to this row: the formats of spare rows are not for paper."""
        sheet.print_area(0, 0, row, column)

    def _write_cell(self, sheet: Any, row: int, number: int, column: Column, cell: Cell) -> None:
        look: dict[str, Any] = {"bottom": 1, "bottom_color": LINE}
        if column.header == "notes":
            look |= {"text_wrap": True, "font_color": GREY, "indent": 1}
        elif not isinstance(cell, str):
            look |= {"num_format": column.numbers, "font_color": INK if isinstance(cell, Formula) else INPUT}
        elif number == 0:
            look |= {"bold": True}
        elif column.header in VALUES:
            look |= {"align": "right", "font_color": INPUT}
        else:
            look |= {"indent": 1}
        if isinstance(cell, Formula):
            if isinstance(cell.value, str):
                look |= {"align": "right"} if column.header in VALUES else {"indent": 1}
            sheet.write_formula(row, number, cell.text, self.format(**look), cell.value)
        else:
            sheet.write(row, number, cell, self.format(**look))

    def _lists(self, sheet: Any) -> int:
        """The lists behind the drop-downs, on the last sheet; returns how many bodies there are."""
        sheet.set_tab_color(LINE)
        plain = self.format(font_color=GREY, num_format="General")
        start = self.first["Bodies"] + 1
        named = [name for name in ("Bodies", "Beams") if name in self.first]
        bodies = [row for name in named for (sheet, row, column) in self.cells if (sheet, column) == (name, "name")]
        counts = {name: f"COUNTA({name}!$A${self.first[name] + 1}:$A${self.rows})" for name in named}
        sheet.set_column(0, 0, 24)
        sheet.write(0, 0, "bodies and ground", self.format(**HEAD))
        sheet.write(1, 0, "ground", plain)
        for index in range(self.rows - start + 1):
            source = f"Bodies!$A${start + index}"
            further = '""'
            if "Beams" in named:
                beam = f"INDEX(Beams!$A${self.first['Beams'] + 1}:$A${self.rows},{index + 1}-{counts['Bodies']})"
                further = f'IF({index + 1}>{"+".join(counts.values())},"",{beam})'
            value = bodies[index] if index < len(bodies) else ""
            sheet.write_formula(2 + index, 0, f'=IF({source}="",{further},{source})', plain, value)
        for name, counted in sorted(self._counted.items()):
            start = self.first[counted] + 1
            count = f"COUNTA({counted}!$A${start}:$A${self.rows})"
            with_ground = f"Lookup!$A$2,0,0,1+{'+'.join(counts.values())}"
            listed = with_ground if name == LISTS["ground"] else f"{counted}!$A${start},0,0,MAX(1,{count})"
            if name == LISTS["Bodies"] and "Beams" in named:
                listed = f"Lookup!$A$3,0,0,{'+'.join(counts.values())}"
            self.book.define_name(name, f"=OFFSET({listed},1)")
        return len(bodies)

    def _points_of_sketch(self, sheet: Any, lines: Sequence[sketch.Line], *, rows: int) -> None:
        """The points of the sketch, on the last sheet. rows: how many are printed at least."""
        head, plain = self.format(**HEAD), self.format(font_color=GREY, num_format="General")
        for number, line in enumerate(lines):
            left, right = sketch.columns_of(number)
            sheet.set_column(left, right, 14)
            for column, axis in ((left, "x"), (right, "y")):
                sheet.write(0, column, f"{line.name} {axis}", head)
            for index, point in enumerate(line.points, start=1):
                for column, cell in zip((left, right), point, strict=True):
                    if isinstance(cell, Formula):
                        sheet.write_formula(index, column, cell.text, plain, cell.value)
                    else:
                        sheet.write(index, column, cell, plain)
        sheet.freeze_panes(1, 0)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        last_row = max(rows, *(len(line.points) for line in lines))
        self._set_print_area(sheet, last_row, sketch.columns_of(len(lines) - 1)[1])


Layout = Callable[..., Handout]
"""what a script's ``make`` lays its model out with: a `Handout`, or a form with the same methods"""


def run_script(make: Callable[[Path], Path]) -> None:
    """Make a workbook from the command line: into the folder that is named there, or beside the scripts."""
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)


def _one_of(source: tuple[str, ...] | str, what: str) -> dict[str, Any]:
    """Options of a drop-down. The message names the rule; sheetmbs itself says more when it reads the file."""
    return {
        "validate": "list",
        "source": source if isinstance(source, str) else list(source),
        "error_title": f"Not a {what}"[:32],
        "error_message": f"Choose one of the list for {what}.",
    }


def _width(column: Column, cells: Sequence[Cell]) -> float:
    """A width in which header, unit and texts fit; numbers are as wide as their format."""
    texts = [column.header, column.unit, column.numbers if column.numbers != "General" else ""]
    texts += [cell for cell in cells if isinstance(cell, str)]
    return min(34.0, max(9.0, max(len(text) for text in texts) + 3.0))
