"""Writes the column tables of the guide from the column tables of the program: `python docs/tables.py`.

A table stands between the lines ``<!-- table NAME -->`` and ``<!-- end -->``. Every sheet has a page of its own in
`docs/sheets/`; a sheet without a page gets one with what is declared of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from sheetmbs.elements import ELEMENTS
from sheetmbs.elements.forces import FORCE_ELEMENTS
from sheetmbs.elements.result_column import ANY_NUMBER, Models, ResultColumn, ResultKind, ResultQuantity
from sheetmbs.gait.formats.all_formats import FORMATS
from sheetmbs.gait.sheets.gait_columns import GAIT_RESULT_SHEETS, OVER_STRIDES
from sheetmbs.results.columns.declared import RESULT_SHEETS
from sheetmbs.schema import gait_inputs, measured_inputs, study_inputs, suspension_inputs
from sheetmbs.schema.column import Column, Setting, SettingRule, Sheet
from sheetmbs.schema.gait_anthropometry import ANTHROPOMETRY_SETTINGS
from sheetmbs.schema.gait_inputs import PROCESSING_SETTINGS, SUBJECT_SETTINGS
from sheetmbs.schema.input_columns import SHEETS
from sheetmbs.schema.settings import SETTINGS
from sheetmbs.suspension.layout.program_names import POINT_NAMES, PROGRAMS, SHORT
from sheetmbs.suspension.layout.student_names import POINTS as STUDENT_POINTS
from sheetmbs.suspension.layout.types import TYPES_BY_NAME
from sheetmbs.suspension.metrics.all_metrics import METRIC_GROUPS, PREFIXES
from sheetmbs.suspension.metrics.metric import Metric

DOCS = Path(__file__).parent
SHEET_PAGES = "sheets"
"""folder of the pages of sheets"""
EVERYWHERE = ("active", "notes")
"""columns that the page explains once"""
MOST_UNITS = 3
RESULTS = {sheet.name: sheet for sheet in RESULT_SHEETS}
GAIT_RESULTS = {sheet.name: sheet for sheet in GAIT_RESULT_SHEETS}
RULES = {
    "Subject": SUBJECT_SETTINGS,
    "Anthropometry": ANTHROPOMETRY_SETTINGS,
    "Processing": PROCESSING_SETTINGS,
    study_inputs.STUDY.name: study_inputs.STUDY_SETTINGS,
    suspension_inputs.SUSPENSION.name: suspension_inputs.SUSPENSION_SETTINGS,
}
"""sheets that hold settings"""
GROUPS: dict[str, tuple[Sheet, ...]] = {
    "Mechanisms": tuple(sheet for sheet in SHEETS if sheet.readable),
    "Suspensions": suspension_inputs.SUSPENSION_SHEETS,
    "Gait": tuple(gait_inputs.GAIT_SHEETS),
    "Studies": tuple(study_inputs.STUDY_SHEETS),
    "Measured data": (measured_inputs.MEASUREMENTS,),
}
"""input sheets by what they describe"""
RESULT_GROUPS = {
    "Results": (*(sheet.name for sheet in RESULT_SHEETS), "mbs Equilibrium", "mbs Animation"),
    "Results of gait": tuple(sheet.name for sheet in GAIT_RESULT_SHEETS),
}
PRODUCT_SHEETS = {sheet.name: sheet for group in list(GROUPS)[1:] for sheet in GROUPS[group]}
INPUTS = {sheet.name: sheet for sheets in GROUPS.values() for sheet in sheets}
BOTH_SETS, FULL_SET = "short, full", "full"
TABLE = re.compile(r"(<!-- table ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _program_names() -> tuple[tuple[str, ...], Iterator[tuple[str, ...]]]:
    """The names of programs for each hardpoint."""
    columns = (*PROGRAMS, SHORT)
    rows = (
        (f"`{point}`", *(", ".join(f"`{name}`" for name in known.of(each)) for each in columns))
        for point, known in POINT_NAMES.items()
    )
    return ("here", *columns), rows


def _student_names() -> tuple[tuple[str, ...], Iterator[tuple[str, ...]]]:
    """The words of which students' tools make names."""
    return ("here", "words that a name has", "words that it may have too"), (
        (f"`{point}`", must, may) for point, must, may in STUDENT_POINTS
    )


NAME_TABLES = {"names of hardpoints": _program_names, "names of students": _student_names}


def table(name: str) -> str:  # noqa: C901 - one branch for each kind of table
    """The table of that name in Markdown."""
    if name == "settings":
        head, rows = ("setting", "meaning", "values, default first", "SI unit"), map(_setting, SETTINGS)
    elif name in RULES:
        head, rows = ("setting", "meaning", "values, default first", "SI unit"), map(_rule, RULES[name])
    elif name in PRODUCT_SHEETS:
        head = ("column", "meaning", "blank means", "SI unit")
        rows = ((cells[0], *cells[2:]) for cells in map(_column, PRODUCT_SHEETS[name].columns))
    elif name == "joint types":
        head = ("type", "in", "what it does")
        rows = ((f"`{element.name}`", _models(element.dimensions), element.doc) for element in ELEMENTS)
    elif name == "suspension types":
        head = ("type", "what it is", "its points")
        points = {word: ", ".join(point.name for point in each.points) for word, each in TYPES_BY_NAME.items()}
        rows = ((f"`{word}`", each.doc, points[word]) for word, each in TYPES_BY_NAME.items())
    elif name == "recording formats":
        head = ("file", "what is read")
        rows = ((re.sub(r"\.\w+", r"`\g<0>`", each.files), each.holds) for each in FORMATS)
    elif name in RESULTS:
        head = ("column", "in", "meaning", "unit", "drawn in", "results")
        first, kinds = RESULTS[name].first, RESULTS[name].kinds
        own = (f"`{first.name}`", "", first.doc, first.quantities[0].si, "", BOTH_SETS)
        rows = (own, *(row for kind in kinds for row in _result_rows(kind)))
    elif name in GAIT_RESULTS:
        head = ("column", "in", "meaning", "unit")
        first = GAIT_RESULTS[name].first
        own = (f"`{first.name}`", "", first.doc, first.quantities[0].si)
        over_strides = [each for each in OVER_STRIDES if each[0] == name]
        rows = (own, *(map(_over_strides, over_strides) if over_strides else _gait_rows(GAIT_RESULTS[name].kinds)))
    elif name.removesuffix(" metrics") in METRIC_GROUPS:
        group = name.removesuffix(" metrics")
        head = ("column", "definition", "+ is", "unit", "relative to", "others call it", "needs")
        rows = (_metric(metric, PREFIXES[group]) for metric in METRIC_GROUPS[group])
    elif name in NAME_TABLES:
        head, rows = NAME_TABLES[name]()
    elif name == "force types":
        head = ("type", "what it is")
        rows = ((f"`{element.name}`", element.doc) for element in FORCE_ELEMENTS)
    else:
        sheet = next(sheet for sheet in SHEETS if sheet.name == name)
        columns = [column for column in sheet.columns if column.name not in EVERYWHERE]
        head, rows = ("column", "in", "meaning", "blank means", "SI unit"), map(_column, columns)
    return _markdown([head, ("---",) * len(head), *rows])


def sheet_page(name: str) -> Path:
    """The page of a sheet."""
    return DOCS / SHEET_PAGES / f"{name.lower().replace(' ', '-')}.md"


def pages() -> list[Path]:
    """All pages of the guide that hold tables."""
    return [page for page in sorted(DOCS.rglob("*.md")) if TABLE.search(page.read_text(encoding="utf-8"))]


def _listed(group: str) -> str:
    """The sheets of a group with what they are for."""
    rows = [(f"[{sheet.name}]({sheet_page(sheet.name).name})", _escaped(sheet.doc)) for sheet in GROUPS[group]]
    return f"\n## {group}\n\n{_markdown([('sheet', 'what it holds'), ('---', '---'), *rows])}"


def _escaped(doc: str) -> str:
    return doc.replace("<", "&lt;")


def _sentence(doc: str) -> str:
    return f"{doc[0].upper()}{_escaped(doc[1:])}."


def _new_page(sheet: Sheet) -> str:
    return f"# {sheet.name}\n\n<!-- table about {sheet.name} -->\n<!-- end -->\n\n<!-- table {sheet.name} -->\n<!-- end -->\n"


def filled(page: str) -> str:
    """The page with every table as the program has it now."""
    return TABLE.sub(lambda found: f"{found[1]}{_block(found[2])}{found[3]}", page)


def _block(name: str) -> str:
    """What stands under a name: a table, the list of all sheets, or what a sheet is for."""
    if name == "all sheets":
        return "".join(map(_listed, GROUPS))
    if name.startswith("about "):
        return f"{_sentence(INPUTS[name.removeprefix('about ')].doc)}\n"
    return table(name)


def _markdown(rows: Iterable[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in rows)


def _setting(setting: Setting) -> tuple[str, ...]:
    values = ", ".join(setting.choices) or setting.default
    return f"`{setting.name}`", setting.doc, values, setting.dimension.si if setting.dimension else ""


def _rule(rule: SettingRule) -> tuple[str, ...]:
    words = [rule.default, *(word for word in rule.choices if word != rule.default)]
    values = "**required**" if rule.required else ", ".join(filter(None, words))
    unit = rule.dimension.si if rule.dimension and rule.dimension.si != "1" else ""
    return f"`{rule.name}`", rule.doc, values, unit


def _metric(metric: Metric[Any], prefix: str) -> tuple[str, ...]:
    name = f"`{prefix}{metric.name.format('<element>')}`"
    needs = ", ".join(f"`{setting}`" for setting in metric.needs)
    return name, metric.definition, metric.sign, metric.unit, metric.reference, metric.others, needs


def _column(column: Column) -> tuple[str, ...]:
    choices = f" ({', '.join(column.choices)})" if column.choices else ""
    blank = "**required**" if column.required else column.default
    kinds = list(dict.fromkeys(dimension.si for dimension in column.dimensions if dimension.si != "1"))
    units = " or ".join(kinds) if len(kinds) <= MOST_UNITS else "any"
    return f"`{column.name}`", _models(column.models), column.doc + choices, blank, units


def _result_rows(kind: ResultKind) -> Iterator[tuple[str, ...]]:
    """A row for columns that differ in their names only."""

    def alike(column: ResultColumn) -> tuple[object, ...]:
        return column.doc, column.quantities, column.models, column.aside, _charts(kind, column)

    for _, group in groupby(kind.columns, key=alike):
        columns = list(group)
        numbered = [name for column in columns for name in _numbered(column.name)]
        element = f"<{kind.element}>." if kind.element else ""
        names = [f"{element if place == 0 else element[-1:]}{name}" for place, name in enumerate(numbered)]
        first = columns[0]
        units = " or ".join((quantity.shown_in or quantity.unit) + quantity.per for quantity in first.quantities)
        results = FULL_SET if first.aside else BOTH_SETS
        cells = " ".join(f"`{name}`" for name in names) + (" .." if ANY_NUMBER in first.name else "")
        yield cells, _models(first.models), first.doc, units, _charts(kind, first), results


def _over_strides(declared: tuple[str, str, str, str, tuple[ResultQuantity, ...], Models]) -> tuple[str, ...]:
    """The row of a quantity over strides, whose columns the page explains once."""
    _sheet, owner, quantity, doc, units, models = declared
    names = f"`{owner}.{quantity}.mean` `.sd` `.n` `.1` `.2` .."
    return names, _models(models), doc, " or ".join(unit.si for unit in units)


def _gait_rows(kinds: Iterable[ResultKind]) -> Iterator[tuple[str, ...]]:
    """A row for columns of gait that differ in their names only."""
    for kind in kinds:
        owner = f"{kind.element}." if kind.element else ""
        for (doc, quantities, models), group in groupby(
            kind.columns, lambda each: (each.doc, each.quantities, each.models)
        ):
            names = [column.name for column in group]
            first = f"`{owner}{names[0]}`"
            cells = " ".join((first, *(f"`{'.' if owner else ''}{name}`" for name in names[1:])))
            yield cells, _models(models), doc, " or ".join(unit.si for unit in quantities)


def _numbered(name: str) -> tuple[str, ...]:
    return (name.replace(ANY_NUMBER, "1"), name.replace(ANY_NUMBER, "2")) if ANY_NUMBER in name else (name,)


def _charts(kind: ResultKind, column: ResultColumn) -> str:
    titles = [
        chart.title.format(f"`<{kind.element}>`")
        for chart in kind.charts
        if column.name in (*chart.columns, *chart.beside)
    ]
    return ", ".join(dict.fromkeys(titles))


def _models(dimensions: tuple[str, ...]) -> str:
    """The models in which something counts, ``""`` for all."""
    return "" if len(dimensions) > 1 else dimensions[0]


if __name__ == "__main__":
    for sheet in INPUTS.values():
        if not sheet_page(sheet.name).exists():
            sheet_page(sheet.name).write_text(_new_page(sheet), encoding="utf-8")
    for page in pages():
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
