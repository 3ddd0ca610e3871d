"""A form: every input sheet with all its columns, notes, drop-downs and hints, filled with a model to start from.

It is written like an example workbook (`workbooks/style.py`), so the script of an example can fill one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import form_lists
import form_notes
import form_readme
import form_series
import form_settings
import pictures
import readme
import sketch
from choices import DECLARED
from look import GREY, HEAD, INK, INPUT, LINE, UNITS, Cell
from style import CREATED, Column, Handout

from sheetmbs.schema import column as schema
from sheetmbs.schema.column import ColumnKind, Dimensionality, Sheet, SheetLayout
from sheetmbs.schema.input_columns import SHEETS
from sheetmbs.schema.names import fold
from sheetmbs.schema.settings import FORMAT, SETTINGS
from sheetmbs.workbook.writing.new_workbook import FILLED, PROBLEM_CELLS, REQUIRED, WRONG

FORMAT_NAME = "sheetmbs_format"
ROWS, SERIES_ROWS, SERIES_COLUMNS = 200, 20_000, 60
"""down to which, and across which, drop-downs, hints and colours reach"""
COMMENT: dict[str, Any] = {"italic": True, "font_color": GREY, "bottom": 1, "bottom_color": LINE}
LEGEND = (
    (REQUIRED, "header", "must be filled in, in every row"),
    (HEAD, "header", "may be left blank; its note says what that means"),
    (WRONG, "a cell", "something is wrong with it: see mbs Problems"),
)
TAB_OWN = "#C58B2A"
NOTE = {"x_offset": 12, "width": 280, "font_size": 9, "color": "#FFFCEB", "author": "sheetmbs"}
NOTE_LINE, NOTE_LETTERS = 15, 50
"""height in pixels, and letters, of a line of a note"""
NARROW, EMPTY_SERIES = 9.0, 4
WIDE = {
    "name": 16.0,
    "type": 16.0,
    "body_i": 13.0,
    "body_j": 13.0,
    "body": 13.0,
    "expression": 24.0,
    "title": 30.0,
    "notes": 44.0,
}
LISTS = {
    "Bodies": "body_names",
    "Points": "point_names",
    "Joints": "joint_names",
    "Springs": "spring_names",
    "Curves": "curve_names",
}
GROUND_LIST = "bodies_and_ground"
ALWAYS_SHOWN = (
    *("Settings", "Bodies", "Points", "Joints", "Drivers", "Forces", "Springs", "Charts"),
    *("Suspension", "Hardpoints", "Suspension springs", "Sweeps", "Load cases", "Targets", "Designs"),
    *("Subject", "Processing", "Trials", "Markers", "Force plates", "Plates", "Marker names"),
    "Events",
)
"""sheets that a form shows also where they are empty; other empty ones are hidden"""
OF_SETTINGS = ("Settings", "Suspension", "Subject", "Processing")
"""sheets with a setting per row"""
LOOKUP = "Lookup"
"""the hidden sheet with the points of the sketch"""


class Form(Handout):
    """One template in the making.

    about: one line for the list of templates. analysis: what it is set to. shown: pictures on the README, each with what it
    shows. rows: of a table, at least.
    """

    sheets_of_all: tuple[Sheet, ...] = SHEETS
    """the input sheets that it has where its kind of model has them"""
    further: Mapping[str, Sequence[str]] = {}
    """sheets that stand behind others in space"""
    steps = form_readme.STEPS

    def __init__(
        self,
        path: Path,
        title: str,
        *,
        about: str,
        analysis: str,
        shown: Sequence[tuple[Path, str]],
        space: bool = False,
        rows: int = ROWS,
    ) -> None:
        super().__init__(path, title, space=space, rows=max(rows, ROWS))
        known = {"title": title, "subject": "template of sheetmbs", "created": CREATED}
        self.book.set_properties(known | {"category": self.models, "keywords": analysis, "comments": about})
        self.book.define_name(FORMAT_NAME, f"={FORMAT}")
        self.shown = shown
        self.sheets = [sheet for sheet in self.sheets_of_all if sheet.readable and self.models in sheet.models]
        for sheet in self.sheets:
            self._sheet(sheet.name).set_tab_color(LINE)
            for further in self.further.get(sheet.name, ()) if space else ():
                self._sheet(further)
        self.lists = form_lists.Lists(self.book, self.book.add_worksheet(form_lists.NAME), self.format, self.rows)
        self.case_names: tuple[str, ...] = ()
        self.hidden: list[str] = []
        self.headers: dict[str, list[str]] = {}
        self._units: dict[str, str] = {}

    def settings(self, rows: Sequence[tuple[str, Cell, str, str]]) -> None:
        """The sheet Settings, with every setting there is. rows: (setting, value, unit, notes)."""
        self.cases((), [(name, (value,), unit, notes) for name, value, unit, notes in rows])

    def cases(self, names: Sequence[str], rows: Sequence[tuple[str, Sequence[Cell], str, str]]) -> None:
        """The sheet Settings with a column per case. rows: (setting, value and what replaces it in each case, unit, notes)."""
        self.case_names = tuple(names)
        nothing = (None,) * len(names)
        given = {name: (values, unit, notes) for name, values, unit, notes in rows} | {
            "format": ((FORMAT, *nothing), "", "")
        }
        known = {setting.name: setting for setting in SETTINGS}
        laid: list[Sequence[Cell]] = []
        for name in dict.fromkeys(["format", *given, *known]):
            setting = known[name]
            si = setting.dimension.si if setting.dimension else ""
            values, unit, notes = given.get(name, ((None, *nothing), si, ""))
            default = setting.default or (setting.choices[0] if setting.choices else "")
            meaning = f"{setting.doc}; blank = {default}" if default else setting.doc
            laid.append((name, values[0], unit, *values[1:], notes or meaning))
        columns = [
            Column("setting", width=20),
            Column("value", width=26),
            Column("unit", width=8),
            *(Column(f"case {name}", width=16) for name in names),
            Column("notes", width=78),
        ]
        sheet = self._write_sheet("Settings", columns, laid, "what is analysed, how, and for how long")
        form_settings.part_optional(
            sheet, 1, 2 + len(given.keys() - {"format"}), [row[-1] for row in laid], self.format(top=2)
        )
        for index, row in enumerate(laid, start=1):
            words = known[str(row[0])].choices
            for column in (1, *range(3, 3 + len(names))) if words else ():
                sheet.data_validation(index, column, index, column, self._offer(f"settings_{row[0]}", words))

    def table(self, name: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], about: str) -> None:
        """A sheet of elements with all its columns. A row whose first cell begins with # is shown as an example."""
        sheet = self._write_sheet(name, columns, rows, about)
        places = {column.header: number for number, column in enumerate(self.laid_out(name, columns))}
        for index, row in enumerate(rows, start=self.first[name]):
            for column, cell in zip(columns, row if str(row[0]).startswith("#") else (), strict=False):
                side = {"indent": 1} if places[column.header] and isinstance(cell, str) else {}
                sheet.write(index, places[column.header], cell, self.format(**COMMENT, **side))
        for column in _columns(DECLARED[fold(name)], self.models):
            offer = self._drop_down(name, column)
            if offer and column.name in places:
                number = places[column.name]
                sheet.data_validation(self.first[name], number, self.rows, number, offer)

    def laid_out(self, name: str, columns: Sequence[Column]) -> Sequence[Column]:
        """All columns of a table; those that a script has written keep their units and formats.

        The others get the unit that their kind of quantity has elsewhere in the workbook, or SI. Raises ValueError for a column
        that the sheet does not have.
        """
        declared = DECLARED.get(fold(name))
        if declared is None or declared.layout is not SheetLayout.TABLE or name == "Settings":
            return columns
        given = {column.header: column for column in columns}
        known = _columns(declared, self.models)
        strange = given.keys() - {column.name for column in known}
        if strange:
            raise ValueError(f"{name} has no column {', '.join(strange)}")
        units = [column.si for column in known]
        for column, unit in zip(known, units, strict=True):
            if unit not in ("", "1") and column.name in given and given[column.name].unit:
                self._units.setdefault(unit, given[column.name].unit)
        return [
            given.get(column.name) or Column(column.name, self._units.get(unit, unit))
            for column, unit in zip(known, units, strict=True)
        ]

    def texts(self, name: str, texts: Mapping[str, Sequence[str]], about: str) -> None:
        """A sheet of texts, which is then no empty one."""
        super().texts(name, texts, about)
        sheet, self.headers[name] = self._sheet(name), list(texts)
        sheet.set_tab_color(FILLED)
        self._colour_problems(sheet, DECLARED[fold(name)], len(texts))

    def finish(self, text: str, lines: Sequence[sketch.Line] = (), unit: str = "") -> Path:
        """Write what is left: empty sheets, lists, the README with the picture of the conventions, the file; return its path.

        text, lines, unit: as for a `Handout`; a blank form has no lines.
        """
        for sheet in self.sheets:
            if sheet.name not in self.headers:
                self._write_empty(sheet)
                if sheet.name not in ALWAYS_SHOWN:
                    self._sheet(sheet.name).hide()
                    self.hidden.append(sheet.name)
        if lines:
            lookup = self._sheet(LOOKUP)
            lookup.set_tab_color(LINE)
            lookup.hide()
            self._points_of_sketch(lookup, lines, rows=1)
        self._write_lists()
        self._write_readme(text)
        below = 0
        if lines:
            chart = sketch.chart(self.book, lines, unit)
            self._readme.insert_chart(3, 4, chart, {"object_position": 2})
            below = chart.height + 16
        for picture, words in self.shown:
            options = {"y_offset": below, "object_position": 2, "description": words}
            self._readme.insert_image(3, 4, str(picture), options)
            below += pictures.height(picture) + 16
        self.book.close()
        pictures.keep_sizes(self.path)
        print(f"made {self.path.name}")
        return self.path

    def _sheet(self, name: str) -> Any:
        sheet = self.book.get_worksheet_by_name(name)
        if sheet is None:
            sheet = super()._sheet(name)
            if fold(name) in DECLARED:
                sheet.hide_gridlines(1)
        return sheet

    def _write_sheet(self, name: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], about: str) -> Any:
        sheet = super()._write_sheet(name, columns, rows, about)
        declared = DECLARED.get(fold(name))
        if declared is None:
            sheet.set_tab_color(TAB_OWN)
            return sheet
        laid = self.laid_out(name, columns)
        given = {column.header for column in columns}
        self.headers[name] = [column.header for column in laid]
        if any(not str(row[0]).startswith("#") for row in rows):
            sheet.set_tab_color(FILLED)
        for number, column in enumerate(laid):
            known = _declared(declared, column.header)
            if known is not None:
                _annotate(sheet, number, form_notes.note(declared, known, self.models, column.unit))
            elif column.header.startswith("case "):
                _annotate(sheet, number, f"Value in the {column.header}.\nBlank: the one in the column value.")
            if column.header not in given:
                for index, _row in enumerate(rows, start=self.first[name]):
                    self._write_cell(sheet, index, number, column, None)
        if declared.layout is SheetLayout.TABLE and name != "Settings":
            self._set_columns(sheet, name, laid, given)
        self._colour_problems(sheet, declared, len(laid))
        return sheet

    def _has_units(self, name: str, columns: Sequence[Column]) -> bool:
        declared = DECLARED.get(fold(name))
        return super()._has_units(name, columns) or (
            declared is not None and any(column.is_numeric for column in _columns(declared, self.models))
        )

    def _head(self, name: str, column: Column) -> dict[str, Any]:
        declared = DECLARED.get(fold(name))
        known = _declared(declared, column.header) if declared else None
        return REQUIRED if known is not None and known.required else HEAD

    def _side(self, name: str, number: int, column: Column, cells: Sequence[Cell]) -> dict[str, Any]:
        declared = DECLARED.get(fold(name))
        known = _declared(declared, column.header) if declared else None
        if known is None or name in OF_SETTINGS:
            return super()._side(name, number, column, cells)
        is_number = known.is_numeric and not any(isinstance(cell, str) for cell in cells)
        return {"align": "right"} if is_number else {"indent": 1} if number else {}

    def _set_print_area(self, sheet: Any, row: int, column: int) -> None:
        """Print whatever is there: formats belong to columns here and fill no spare rows."""

    def _set_columns(self, sheet: Any, name: str, laid: Sequence[Column], filled: set[str]) -> None:
        """Widths and formats; columns that few models need are folded away unless the model has filled them."""
        hidden = form_notes.folded(name, filled)
        options: dict[int, dict[str, Any]] = {}
        for number, column in enumerate(laid):
            if column.header in hidden:
                options[number] = {"level": 1, "hidden": hidden[column.header]}
            elif number and hidden.get(laid[number - 1].header):
                options[number] = {"collapsed": True}
        for number, column in enumerate(laid):
            width = column.width or max(WIDE.get(column.header, NARROW), *(len(text) + 3 for text in _texts(column)))
            if number == 0:
                look = self.format(bold=True)
            elif column.header == "notes":
                look = self.format(font_color=GREY, indent=1, text_wrap=True)
            elif not DECLARED[fold(name)].column(column.header).is_numeric:
                look = self.format(indent=1)
            else:
                look = self.format(font_color=INPUT, num_format=column.numbers)
            sheet.set_column(number, number, width, look, options.get(number, {}))

    def _colour_problems(self, sheet: Any, declared: Sheet, columns: int) -> None:
        """Colour the cells that the sheet mbs Problems lists; where there is no such sheet the formula gives FALSE."""
        is_table = declared.layout is SheetLayout.TABLE
        last_row, last_column = (self.rows, columns) if is_table else (SERIES_ROWS, max(columns, SERIES_COLUMNS))
        place = f'MATCH("{declared.name}!"&ADDRESS(ROW(),COLUMN(),4),{PROBLEM_CELLS},0)'
        rule = {"type": "formula", "criteria": f"=ISNUMBER({place})", "format": self.book.add_format(WRONG)}
        sheet.conditional_format(0, 0, last_row, last_column, rule)

    def _drop_down(self, name: str, column: schema.Column) -> dict[str, Any]:
        """Drop-down and hint of a column, ``{}`` for neither."""
        hint = form_notes.hint(name, column)
        asked = {"input_title": column.name, "input_message": hint} if hint else {}
        words = form_notes.choices(name, column, self.models)
        if column.sheets:
            source = f"={GROUND_LIST if column.ground else LISTS[column.sheets[0]]}"
            return {"validate": "list", "source": source, "show_error": False, **asked}
        if column.name == "active":
            return self._offer("active_or_cases" if self.case_names else "yes_no", (*words, *self.case_names)) | asked
        if words:
            return (
                self._offer(
                    "yes_no" if column.kind is ColumnKind.FLAG else f"{name}_{column.name}".lower().replace(" ", "_"),
                    words,
                )
                | asked
            )
        return {"validate": "any", **asked} if asked else {}

    def _offer(self, name: str, words: tuple[str, ...]) -> dict[str, Any]:
        """A drop-down that offers words but takes others too: sheetmbs takes upper case too, and says more of a wrong one."""
        return {"validate": "list", "source": self.lists.words(name, words), "show_error": False}

    def _write_empty(self, sheet: Sheet) -> None:
        """A sheet for which the model has nothing."""
        if sheet.layout is SheetLayout.TABLE:
            self.table(sheet.name, (), (), sheet.doc)
            return
        page = self._sheet(sheet.name)
        self.about.append((sheet.name, sheet.doc))
        self.headers[sheet.name] = []
        is_text = sheet.layout is SheetLayout.TEXTS
        page.set_column(0, EMPTY_SERIES - 1, 15)
        for number in range(EMPTY_SERIES):
            page.write_blank(0, number, None, self.format(**HEAD, align="right"))
            if not is_text:
                page.write_blank(1, number, None, self.format(**UNITS, align="right"))
        if sheet.layout is SheetLayout.SERIES:
            ahead = sheet.columns[0]
            page.write(0, 0, ahead.name, self.format(**REQUIRED, align="right"))
            page.write(1, 0, ahead.si or None, self.format(**UNITS, align="right"))
            _annotate(page, 0, form_notes.note(sheet, ahead, self.models, ahead.si))
        first = 1 if sheet.layout is SheetLayout.SERIES else 0
        hint = {"input_title": "header", "input_message": form_series.hint(sheet, self.models)}
        page.data_validation(0, first, 0, SERIES_COLUMNS, {"validate": "any", **hint})
        form_series.explain(page, EMPTY_SERIES + 1, sheet, self.models)
        page.freeze_panes(*((1, 0) if is_text else (2, 1)))
        page.set_landscape()
        page.fit_to_pages(1, 0)
        self._colour_problems(page, sheet, EMPTY_SERIES)

    def _write_lists(self) -> None:
        there: dict[str, list[str]] = {}
        for sheet, row, header in self.cells:
            if header == "name" and not row.startswith("#"):
                there.setdefault(sheet, []).append(row)
        in_form = {sheet.name for sheet in self.sheets}
        columns = [column for sheet in self.sheets for column in sheet.columns if column.sheets]
        targets = {column.sheets: column.sheets[0] for column in columns if column.sheets[0] != "Curves"}
        for sheets, target in targets.items():
            sources = [(name, self.first[name] + 1, there.get(name, [])) for name in sheets if name in in_form]
            self.lists.elements(LISTS[target], sources)
            if target == "Bodies":
                self.lists.elements(GROUND_LIST, sources, first=("ground",))
        self.lists.curves(LISTS["Curves"], "Curves", self.headers["Curves"], SERIES_COLUMNS)

    def _write_readme(self, text: str) -> None:
        order = [sheet.get_name() for sheet in self.book.worksheets()]
        shown = [entry for entry in self.about if entry[0] not in self.hidden]
        about = sorted(shown, key=lambda entry: order.index(entry[0]))
        text = text.replace(f"workbooks/{self.path.name}", "BOOK") + self.steps
        if self.hidden:
            text += form_readme.MORE_SHEETS.format(", ".join(sorted(self.hidden, key=order.index)))
        self._readme.set_default_row(
            form_readme.ROW
        )  # pictures hang on rows: other programs must not choose heights of their own
        self._readme.set_column(4, 20, NARROW)
        row = readme.write(self._readme, self.format, self.title, readme.parse(text, form_readme.RUN), about)
        form_readme.write_legend(self._readme, self.format, row + 1, LEGEND)
        self._readme.set_tab_color(INK)


def _columns(sheet: Sheet, models: Dimensionality) -> list[schema.Column]:
    return [column for column in sheet.columns if models in column.models]


def _declared(sheet: Sheet, header: str) -> schema.Column | None:
    """The column that a header stands for; that of a series is headed by element and column."""
    return sheet.by_fold.get(fold(header)) or sheet.by_fold.get(fold(header.rpartition(".")[2]))


def _texts(column: Column) -> tuple[str, ...]:
    return column.header, column.unit, column.numbers if column.numbers != "General" else ""


def _annotate(sheet: Any, column: int, text: str) -> None:
    """A note on a header, high enough for its text."""
    lines = sum(1 + len(line) // NOTE_LETTERS for line in text.splitlines())
    sheet.write_comment(0, column, text, NOTE | {"height": NOTE_LINE * lines + 8})
