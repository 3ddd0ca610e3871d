"""The rms residuals of measurements as what targets may aim at, of every design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sheetmbs.measured.known_columns import KnownCase, KnownSheet
from sheetmbs.measured.read_measurements import has_measurements, read_measurements
from sheetmbs.measured.residuals import RMS_PREFIX, rms_name
from sheetmbs.measured.tyre_measurements import tyre_units
from sheetmbs.suspension.case_tables import case_tables
from sheetmbs.suspension.measured_sweeps import compared, known_cases
from sheetmbs.suspension.measured_tyre_forces import compared_tyres
from sheetmbs.suspension.metrics.columns import SWEPT
from sheetmbs.suspension.read_design import ReadDesign
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.suspension.targets.target_rows import Known, Target
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.sheets.sheet_contents import LOADS


def with_measured(known: Known, book: Book) -> Known:
    """What targets may name, with the residuals of measurements. book: the rows of the first design."""
    if not has_measurements(book):
        return known
    cases = [KnownCase(name, (_sheet(name, swept, known.units),)) for name, swept in known.sweeps.items()]
    cases += [KnownCase(name, (_row(units),)) for name, units in known.loads.items() if units]
    measurements = read_measurements(book, cases, is_part=True).measurements
    units = {**{each.name: each.unit for each in measurements}, **tyre_units(book)}
    return replace(known, units={**known.units, **{rms_name(name): unit for name, unit in units.items()}})


def _sheet(sweep: str, swept: Sequence[str], units: Mapping[str, str]) -> KnownSheet:
    return KnownSheet(f"mbs Sweep {sweep}", {**units, **{name: SWEPT[name] for name in swept}}, tuple(swept))


def _row(units: Mapping[str, str]) -> KnownSheet:
    """The one row of a load case."""
    return KnownSheet(LOADS, units, tuple(units)[:1], is_one_row=True)


def measured_values(
    targets: Mapping[str, Sequence[Target]], read: Sequence[ReadDesign], designs: Sequence[SolvedDesign]
) -> dict[str, dict[str, tuple[float, str]]]:
    """The rms residuals of designs with their units, by name of the design; none where no target aims at any."""
    if not any(each.metric.startswith(RMS_PREFIX) for own in targets.values() for each in own):
        return {}
    base = case_tables(designs[0])
    measurements = read_measurements(designs[0].book, known_cases(designs[0], base), is_part=True).measurements
    found = {}
    for each, design in zip(read, designs, strict=True):
        residuals = compared(measurements, each, design, case_tables(design))
        residuals += compared_tyres(each.book, each.tyres, is_part=True)
        found[design.name] = {rms_name(one.measurement.name): (one.rms, one.measurement.unit) for one in residuals}
    return found
