"""A form for suspensions: the sheets of hardpoints in place of bodies and joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import form_readme
from car_sheets import WHAT, words_of
from form import Form
from form_settings import blank_settings, part_optional, setting_weight
from look import LINE, Cell
from sketch import Line
from style import Column

from sheetmbs.schema import column as schema
from sheetmbs.schema.input_columns import CURVES
from sheetmbs.schema.suspension_inputs import AXLES, SUSPENSION_SETTINGS, SUSPENSION_SHEETS

ORDER = (
    *("Suspension", "Hardpoints", "Suspension springs", "Steering", "Sweeps", "Load cases", "Members", "Packaging"),
    *("Targets", "Designs", "Adjustments"),
)
DESIGN_LIST = "design_names"
USUAL_UNITS = {"m": "mm", "rad": "deg", "N": "N", "N/m": "N/mm", "N*s/m": "N*s/mm", "Pa": "GPa"}
"""what teams have instead of SI"""
IN_G = ("ax", "ay", "az", "ay_from", "ay_to", "ay_step")
"""columns of Load cases and Handling that are in g"""
OWN_UNITS = {
    ("Members", "yield"): "MPa",
    ("Steering", "k"): "N*m/deg",
    **{("Compliance", column): "N*m/deg" for column in ("k_torsion", "k_conical")},
    ("Tyres", "pressure"): "kPa",
    **{("Tyre data", column): "kPa" for column in ("pressure", "P")},
    **{("Tyre data", column): "km/h" for column in ("speed", "V")},
    **{(sheet, "speed"): "km/h" for sheet in ("Handling", "Load cases", "Path")},
    ("Handling", "radius"): "m",
    **{("Path", column): "m" for column in ("s", "x", "y", "radius", "width_left", "width_right")},
    ("Roads", "x"): "m",
}
"""columns of which teams have another one"""
RODS = (
    *("tie rod", "push-rod", "pull-rod", "drop link", "upper arm front leg", "upper arm rear leg"),
    *("lower arm front leg", "lower arm rear leg"),
)
"""members that most cars have"""
CARRIERS = ("lower arm", "upper arm", "upright", "rocker", "chassis")
OFFERED: dict[tuple[str, str], tuple[str, ...]] = {
    ("Hardpoints", "point"): tuple(WHAT),
    ("Hardpoints", "on"): CARRIERS,
    ("Suspension springs", "on"): ("rocker", "lower arm", "upper arm", "upright"),
    ("Adjustments", "item"): (
        *("tie rod length", "push-rod length", "pull-rod length", "drop link length", "upper arm front leg length"),
        *("camber shim", "spring perch", "rack height", "camber", "toe", "tie rod inner.z"),
    ),
    ("Adjustments", "unit"): ("mm", "deg"),
    ("Members", "member"): RODS,
    ("Compliance", "part"): (
        *("lower arm front", "lower arm rear", "upper arm front", "upper arm rear", "lower ball joint"),
        *("upper ball joint", "lower arm legs", "upper arm legs", "tie rod", "tie rod inner", "tie rod outer"),
        *("rack mount", "rack", "column", "wheel bearing", "tyre", "chassis"),
    ),
    **{("Members", bolt): ("x", "y", "z") for bolt in ("inner_bolt", "outer_bolt")},
    **{("Packaging", column): (*RODS, "damper") for column in ("member", "to")},
    ("Designs", "colour"): (
        "blue",
        "orange",
        "green",
        "pink",
        "yellow",
        "cyan",
        "grey",
        "red",
        "purple",
        "brown",
        "black",
    ),
}
"""what is offered where other words count too"""


def _place(sheet: schema.Sheet) -> int:
    return ORDER.index(sheet.name) if sheet.name in ORDER else len(ORDER)


class SuspensionForm(Form):
    """A template of a suspension in the making. Its pictures say what the points are called."""

    sheets_of_all = (*sorted(SUSPENSION_SHEETS, key=_place), CURVES)
    steps = form_readme.SUSPENSION_STEPS

    def table(self, name: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], about: str) -> None:
        """As of a form; the sheet Suspension gets all settings, with the words that each may be."""
        if name != "Suspension":
            super().table(name, columns, rows, about)
            return
        given = {row[0] for row in rows}
        laid = [*rows, *blank_settings(SUSPENSION_SETTINGS, columns, given, USUAL_UNITS)]
        super().table(name, columns, laid, about)
        sheet = self._sheet(name)
        places = [number for number, column in enumerate(self.laid_out(name, columns)) if column.header in AXLES]
        first = self.first[name]
        part_optional(sheet, first, first + len(rows), [row[-1] for row in laid], self.format(top=2))
        for index, row in enumerate(laid, start=self.first[name]):
            setting = str(row[0])
            offer = (
                self._offer(f"suspension_{setting.replace(' ', '_')}", words_of(setting)) if words_of(setting) else {}
            )
            for place in places if offer else ():
                sheet.data_validation(index, place, index, place, offer)
            sheet.write(index, 0, setting, self.format(bottom=1, bottom_color=LINE, **setting_weight(setting, given)))

    def laid_out(self, name: str, columns: Sequence[Column]) -> Sequence[Column]:
        """As of a form; the column of an axle that the car has not is left out."""
        laid = super().laid_out(name, columns)
        given = {column.header for column in columns}
        laid = [replace(each, unit=USUAL_UNITS.get(each.unit, each.unit)) for each in laid]
        laid = [replace(each, unit=OWN_UNITS.get((name, each.header), each.unit)) for each in laid]
        laid = [
            replace(each, unit="g") if each.header in IN_G and name in ("Load cases", "Handling") else each
            for each in laid
        ]
        return [each for each in laid if name != "Suspension" or each.header not in AXLES or each.header in given]

    def finish(self, text: str, lines: Sequence[Line] = (), unit: str = "") -> Path:  # noqa: ARG002 - pictures are there instead
        """Write what is left, without a sketch, and the file, whose path it returns."""
        return super().finish(text)

    def _drop_down(self, name: str, column: schema.Column) -> dict[str, Any]:
        if column.name in ("design", "based_on"):
            return {"validate": "list", "source": f"={DESIGN_LIST}", "show_error": False}
        words = OFFERED.get((name, column.name))
        if words:
            return self._offer(f"{name}_{column.name}".lower().replace(" ", "_"), words)
        return super()._drop_down(name, column)

    def _write_lists(self) -> None:
        super()._write_lists()
        there = [row for sheet, row, header in self.cells if (sheet, header) == ("Designs", "name")]
        self.lists.elements(DESIGN_LIST, [("Designs", self.first["Designs"] + 1, there)])
