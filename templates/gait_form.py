"""A form for gait: the sheets of subject, markers, plates and segments in place of bodies and joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import form_readme
from form import Form
from form_settings import blank_settings, setting_weight
from look import LINE, Cell
from style import Column, Handout

from sheetmbs.schema import column as schema
from sheetmbs.schema.gait_inputs import GAIT_SHEETS, PROCESSING_SETTINGS, SIDES, SUBJECT_SETTINGS
from sheetmbs.schema.settings import FORMAT, SETTINGS_SHEET
from sheetmbs.workbook.writing.new_workbook import FILLED

RULES = {"Subject": SUBJECT_SETTINGS, "Processing": PROCESSING_SETTINGS}
UNITS = {
    rule.dimension.si: "" if rule.dimension.si == "1" else rule.dimension.si
    for rules in RULES.values()
    for rule in rules
    if rule.dimension
}
"""units of settings without a value, in which their defaults are shown; plain numbers have none"""
DIMENSIONS = ("2D", "3D")
SEGMENT_LIST, ABOVE_LIST = "segment_names", "segments_and_ground"
LISTED = {
    ("Segments", "parent"): SEGMENT_LIST,
    ("Gait joints", "proximal"): ABOVE_LIST,
    ("Gait joints", "distal"): SEGMENT_LIST,
    ("Anatomical frames", "segment"): SEGMENT_LIST,
}
"""columns that name a segment, and the list that they offer"""
OF_A_LEG = ("asis", "psis", "hip", "knee", "knee medial", "ankle", "ankle medial", "heel", "mt5", "toe")
OFFERED: dict[tuple[str, str], tuple[str, ...]] = {
    ("Plates", "foot"): ("auto", "right", "left", "right; left", "left; right"),
    ("Plates", "offset"): ("none", "start"),
    ("Segments", "length"): ("mean", "static"),
    ("Gait joints", "name"): ("hip", "knee", "ankle"),
    ("Gait joints", "neutral"): ("static",),
    ("Marker names", "model"): (
        *(f"{side} {name}" for side in SIDES for name in OF_A_LEG),
        "sacrum",
        "shoulder",
    ),
}
"""what is offered where other words count too"""


class GaitForm(Form):
    """A template of a walk in the making."""

    sheets_of_all = (SETTINGS_SHEET, *GAIT_SHEETS)
    further: ClassVar = {"Markers": ("Markers static",)}
    steps = form_readme.GAIT_STEPS

    def settings(self, rows: Sequence[tuple[str, Cell, str, str]]) -> None:
        """The sheet Settings with what counts in a workbook of gait. rows: (setting, value, unit, notes)."""
        columns = [Column("setting", width=20), Column("value", width=26), Column("unit", width=8)]
        columns.append(Column("notes", width=78))
        laid = [("format", FORMAT, "", "version of the format of this workbook"), *rows]
        sheet = self._write_sheet("Settings", columns, laid, "what is analysed, and in how many dimensions")
        row = next(index for index, each in enumerate(laid, start=1) if each[0] == "dimension")
        sheet.data_validation(row, 1, row, 1, self._offer("dimensions", DIMENSIONS))

    def table(self, name: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], about: str) -> None:
        """As of a form; the sheets Subject and Processing get all settings, with the words that each may be."""
        if name not in RULES:
            super().table(name, columns, rows, about)
            return
        given = {row[0] for row in rows}
        laid = [*rows, *blank_settings(RULES[name], columns, given, UNITS)]
        super().table(name, columns, laid, about)
        sheet = self._sheet(name)
        words = {rule.name: rule.choices for rule in RULES[name]}
        place = [column.header for column in self.laid_out(name, columns)].index("value")
        for index, row in enumerate(laid, start=self.first[name]):
            setting = str(row[0])
            if words[setting]:
                sheet.data_validation(index, place, index, place, self._offer(f"gait_{setting}", words[setting]))
            sheet.write(index, 0, setting, self.format(bottom=1, bottom_color=LINE, **setting_weight(setting, given)))

    def series(self, name: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], about: str) -> None:
        """As of a workbook, without notes on headers: an import may take the place of the sheet."""
        Handout._write_sheet(self, name, columns, rows, about).set_tab_color(FILLED)  # noqa: SLF001 - what a form builds on
        self.headers[name] = [column.header for column in columns]

    def _drop_down(self, name: str, column: schema.Column) -> dict[str, Any]:
        listed = LISTED.get((name, column.name))
        if listed:
            return {"validate": "list", "source": f"={listed}", "show_error": False}
        words = OFFERED.get((name, column.name))
        if words:
            return self._offer(f"{name}_{column.name}".lower().replace(" ", "_"), words)
        return super()._drop_down(name, column)

    def _write_lists(self) -> None:
        there = [row for sheet, row, header in self.cells if (sheet, header) == ("Segments", "name")]
        source = [("Segments", self.first["Segments"] + 1, there)]
        self.lists.elements(SEGMENT_LIST, source)
        self.lists.elements(ABOVE_LIST, source, first=("ground",))
