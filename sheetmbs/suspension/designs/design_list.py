"""The designs of a workbook: those on its sheet Designs, or those that its rows name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sheetmbs.schema.names import fold, name_fault
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.suspension_inputs import DESIGNS, SUSPENSION_SHEETS, TARGETS
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.input_table import InputTable, Record

BASE = "base"
"""what the design of rows without a name is called where it must be named"""
TARGET = "target"
"""what columns of targets begin with, as those of designs do with their names"""
DESIGN_SEPARATOR = "/"
"""what parts the name of a design from its column"""
COLOURS = {
    "blue": "0072B2",
    "orange": "D55E00",
    "green": "009E73",
    "pink": "CC79A7",
    "yellow": "E69F00",
    "cyan": "56B4E9",
    "grey": "555555",
    "red": "C0302B",
    "purple": "7A4FA3",
    "brown": "8A5A2B",
    "black": "000000",
}
"""names that the column colour knows; the first seven, told apart by colour-blind people too, are those of other designs"""
USUAL = tuple(COLOURS.values())[:7]
HEXADECIMAL = re.compile(r"#?([0-9A-Fa-f]{6})")


@dataclass(frozen=True)
class Design:
    """A variant. name: ``""`` of the first. colour: in charts, six hexadecimal digits. place: where it is named.

    based_on: folded, ``""`` the blank rows. file: as written, ``""`` where its rows are in this workbook.
    """

    name: str
    colour: str
    place: Place
    based_on: str = ""
    file: str = ""
    is_active: bool = True

    @property
    def shown(self) -> str:
        """Name of the design where it must be named."""
        return self.name or BASE


class DesignList:
    """The designs of a workbook by folded name, base first. sheets: suspension sheets by their names in the format."""

    def __init__(self, sheets: Mapping[str, CellSheet], report: ProblemList) -> None:
        self._report = report
        self.designs: dict[str, Design] = {BASE: Design("", USUAL[0], Place("Designs"))}
        listed = InputTable(DESIGNS, sheets.get(DESIGNS.name), report, "3D")
        self.is_listed = listed.cells is not None
        if self.is_listed:
            for record in listed.records():
                self._add_listed(record)
            self._check_bases(listed)
        else:
            self._add_named(sheets)

    def lineage(self, design: Design) -> list[str]:
        """Folded names of a design and of those it is based on, itself first; blank rows stand behind all of them."""
        found = [fold(design.shown)]
        while (base := self.designs[found[-1]].based_on) and base not in found:
            found.append(base)
        return found

    def known(self, text: str, place: Place) -> str:
        """The folded name of a design that a row names; ``""`` where there is none such, which is reported."""
        if fold(text) in self.designs:
            return fold(text)
        names = [design.shown for design in self.designs.values()]
        otherwise = f"name one of {', '.join(names)}, or add it to the sheet Designs"
        mend = self._report.did_you_mean(text, names, otherwise)
        rule = (
            "there is no such design on the sheet Designs" if self.is_listed else "no row of the car is of this design"
        )
        self._report.error("unknown-design", place, f"design: {quoted(text)}", rule, mend)
        return ""

    def _add_named(self, sheets: Mapping[str, CellSheet]) -> None:
        """Designs that rows of the car name."""
        for schema in SUSPENSION_SHEETS:
            if schema is TARGETS or "design" not in schema.by_fold or schema.name not in sheets:
                continue
            table = InputTable(schema, sheets[schema.name], ProblemList(()), "3D")
            for record in table.records():
                name = record.raw_text("design")
                if name and record.is_active and fold(name) not in self.designs:
                    self._enter(name, record.place("design"))

    def _enter(self, name: str, place: Place, based_on: str = "", file: str = "") -> bool:
        """Enter a design under a name that can be one."""
        fault = name_fault(name)
        if fault is None and DESIGN_SEPARATOR in name:
            rule = "the name of a design holds no /, for it parts the name from its column"
            fault = ("name-with-stroke", rule, "leave it out")
        if fault is None and fold(name) == TARGET:
            rule = f"columns of targets begin with {TARGET}{DESIGN_SEPARATOR}"
            fault = ("name-reserved", rule, "call it otherwise; what is aimed at stands on the sheet Targets")
        if fault:
            self._report.error(fault[0], place, quoted(name), fault[1], fault[2])
            return False
        colour = USUAL[len(self.designs) % len(USUAL)]
        self.designs[fold(name)] = Design(name, colour, place, based_on, file)
        return True

    def _add_listed(self, record: Record) -> None:
        name, place = record.text("name"), record.place("name")
        if not name:
            return
        is_base = fold(name) == BASE
        if not is_base and fold(name) in self.designs:
            self._report.error(
                "duplicate-name", place, quoted(name), "a design of this name is given already", "rename one"
            )
            return
        based_on, file = fold(record.text("based_on")), record.text("file")
        if is_base:
            self._check_base(record)
        elif not self._enter(name, place, "" if based_on == BASE else based_on, file):
            return
        found = self.designs[fold(name)]
        colour = self._colour(record) or found.colour
        place = record.place("file") if found.file else place
        is_active = is_base or record.is_active
        self.designs[fold(name)] = replace(found, colour=colour, place=place, is_active=is_active)
        record.finish()

    def _check_base(self, record: Record) -> None:
        for column in ("based_on", "file"):
            if record.given(column):
                rule = "the design base is made of the rows of this workbook that name no design"
                record.refuse("base-design", column, rule, "clear the cell, or give the design another name")
        if not record.is_active:
            rule = "the design base is what the others are compared with"
            record.refuse("base-design", "active", rule, "write yes")

    def _colour(self, record: Record) -> str:
        text = record.text("colour")
        match = HEXADECIMAL.fullmatch(text)
        if match or not text:
            return match[1].upper() if match else ""
        if fold(text) in COLOURS:
            return COLOURS[fold(text)]
        mend = self._report.did_you_mean(
            text, tuple(COLOURS), f"write one of {', '.join(COLOURS)}, or digits such as D9731A"
        )
        rule = "a colour is one of a few names, or six hexadecimal digits"
        self._report.error("unknown-value", record.place("colour"), f"colour: {quoted(text)}", rule, mend)
        return ""

    def _check_bases(self, table: InputTable) -> None:
        """Report designs that are based on none there is, on themselves, or on a file besides."""
        for record in table.records():
            design = self.designs.get(fold(record.raw_text("name")))
            if design is None or not record.given("based_on") or design.name == "":
                continue
            text, place = record.raw_text("based_on"), record.place("based_on")
            if design.file:
                rule = "a design is the sheets of another workbook or based on one of this workbook, not both"
                self._report.error("two-bases", place, f"based_on: {quoted(text)}", rule, "clear one of the two cells")
            elif design.based_on and not self.known(text, place):
                self.designs[fold(design.name)] = replace(design, based_on="")
            elif design.based_on and self.designs[self.lineage(design)[-1]].based_on:
                rule = "its designs are based on one another in a circle"
                self._report.error(
                    "circle-of-designs", place, f"based_on: {quoted(text)}", rule, "clear one of these cells"
                )


def folded_sheets(book: Mapping[str, CellSheet], names: Iterable[str]) -> dict[str, CellSheet]:
    """The sheets of a workbook that have these names but for case, blanks and strokes, by these names."""
    known = {fold(name): name for name in names}
    return {known[fold(tab)]: book[tab] for tab in book if fold(tab) in known}
