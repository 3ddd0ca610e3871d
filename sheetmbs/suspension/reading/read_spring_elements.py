"""The sheet Suspension springs: what acts between body and wheels."""

from __future__ import annotations

from sheetmbs.schema import units as u
from sheetmbs.suspension.layout.car import AxleData, SpringElement
from sheetmbs.workbook.reading.input_table import InputTable, Record
from sheetmbs.workbook.reading.problem_list import ProblemList, quoted

ENDS = ("point_i", "point_j")
NUMBERS: dict[str, tuple[tuple[str, u.Dimension], ...]] = {
    "spring": (("k", u.STIFFNESS), ("free_length", u.LENGTH), ("preload", u.FORCE)),
    "damper": (("preload", u.FORCE),),
    "bump stop": (("k", u.STIFFNESS), ("gap", u.LENGTH)),
    "droop stop": (("k", u.STIFFNESS), ("gap", u.LENGTH)),
    "U bar": (
        ("k", u.ROTATIONAL_STIFFNESS),
        *((name, u.LENGTH) for name in ("d", "di", "length")),
        ("G", u.PRESSURE),
    ),
}
"""what each kind that is served asks for"""
WITHOUT_EFFECT = {"damper": ("c",)}
"""numbers that belong to a kind, but not to poses at rest"""
TUBE = ("d", "length", "G")


def read_spring_elements(
    table: InputTable, axles: tuple[str, ...], report: ProblemList
) -> dict[str, tuple[SpringElement, ...]]:
    """Spring elements by axle. axles: those of which hardpoints are given."""
    found: dict[str, dict[str, SpringElement]] = {axle: {} for axle in axles}
    for record in table.records():
        if not record.is_active:
            continue
        axle, kind, name = record.choice("axle"), record.choice("kind"), record.text("name")
        if not axle or not kind or not name:
            continue
        element = _element(record, kind, name, report)
        if element is None:
            continue
        if axle not in found:
            rule = f"no hardpoints of the {axle} axle are given"
            report.error("unknown-axle", record.place("axle"), f"axle: {axle}", rule, "add them, or take the row away")
        elif name in found[axle]:
            rule = f"the {axle} axle has an element of this name already"
            report.error("duplicate-name", record.place("name"), quoted(name), rule, "rename one of them")
        else:
            found[axle][name] = element
    return {axle: tuple(each.values()) for axle, each in found.items()}


def _element(record: Record, kind: str, name: str, report: ProblemList) -> SpringElement | None:
    """One element; None where it cannot be served, which is reported."""
    if kind not in NUMBERS:
        rule = f"this version knows {', '.join(NUMBERS)}"
        report.error("not-yet", record.place("kind"), f"kind: {kind}", rule, "take the row out")
        return None
    for column in ("curve_k", "curve_c"):
        if record.given(column):
            rule = "this version takes stiffnesses that are numbers, not curves"
            report.error("not-yet", record.place(column), column, rule, "give k, or take the row out")
            return None
    values: dict[str, float | str | None] = {
        column: record.number(column, dimension) for column, dimension in NUMBERS[kind]
    }
    texts = ("on",) if kind == "U bar" else ENDS
    values |= {column: record.raw_text(column) or None for column in texts}
    record.settle("design", *texts, *WITHOUT_EFFECT.get(kind, ()))
    record.finish()
    is_tube = kind == "U bar" and all(values[column] is not None for column in TUBE)
    if kind != "damper" and values["k"] is None and not is_tube:
        rule = f"a {kind} needs k{', or d, length and G' if kind == 'U bar' else ''}"
        report.error("missing-value", record.place("k"), "k is blank", rule, "fill it in")
        return None
    return SpringElement(name, kind, values, {column: record.place(column) for column in ("name", *texts)})


def check_ends(axle: AxleData, report: ProblemList) -> None:
    """Report points between which an element acts and that are not there."""
    for spring in axle.springs:
        for column in ENDS:
            point = spring.values.get(column)
            if point is not None and not axle.has_point(str(point)):
                mend = report.did_you_mean(str(point), list(axle.points["left"]), "add it to Hardpoints")
                rule = f"the {axle.name} axle has no such hardpoint"
                report.error("unknown-point", spring.places[column], quoted(str(point)), rule, mend)
