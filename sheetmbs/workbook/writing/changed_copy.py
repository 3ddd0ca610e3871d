"""Other values in some cells of a workbook or of a copy, and those of all formulas that depend on them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

from sheetmbs.formulas.cell_contents import ErrorValue, Stored, Value, WrittenBook
from sheetmbs.formulas.formula_references import whole_sheet
from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.cell import Place, cell_name
from sheetmbs.workbook.cells.cells import Book, in_unit_of, open_book
from sheetmbs.workbook.cells.set_cells import move_cells, refuse_formulas
from sheetmbs.workbook.cells.written_book import written_book
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.archive import refusal
from sheetmbs.workbook.package.destination import check_closed, check_permissions, check_target, destination_of, is_copy
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.package.partxml import parse_xml
from sheetmbs.workbook.package.printing import text
from sheetmbs.workbook.package.replace import replace_file
from sheetmbs.workbook.writing.add_inputs import filled_part, store_changed
from sheetmbs.workbook.writing.write import check_writable

_PREFIX = rb"(?:[A-Za-z0-9]+:)?"
_CELL = re.compile(rb"<(" + _PREFIX + rb")c((?:\s[^<>]*?)?)(/?)>")
_ADDRESS = re.compile(rb"\sr=[\"']([A-Z]{1,3}[0-9]{1,7})[\"']")
_TYPE = re.compile(rb"\st=(?:\"[^\"]*\"|'[^']*')")
_SHOWN = re.compile(rb"<(" + _PREFIX + rb"(?:v|is))(?:\s[^<>]*)?(?:/>|>.*?</\1>)", re.DOTALL)
_FORMULA = re.compile(rb"<(" + _PREFIX + rb"f)(?:\s[^<>]*)?(?:/>|>.*?</\1>)", re.DOTALL)
REPORT = "report it as the README says"


def write_changed_copy(source: Path, target: Path, values: Mapping[Place, Value]) -> tuple[Problem, ...]:
    """Write a copy of a workbook in which some cells hold other values, and formulas those that follow; no other byte differs.

    values: of cells that hold no formula, each in its own unit; None empties a cell.
    Returns warnings of formulas that depend on them but cannot be computed here: they are when the copy is opened.
    Raises WorkbookError where a cell holds a formula or the copy cannot be written; nothing is written then.
    """
    place = destination_of(source, target)
    if not is_copy(source, place):
        raise refusal("output-is-book", f"{target} is the workbook itself", "a copy is another file", "name another")
    for check in (check_closed, check_permissions):
        check(place)
    book = open_book(source)
    before = written_book(book)
    formulas = WorkbookFormulas(before)
    check_target(source, place, is_ours=place.is_file() and _is_earlier_copy(before, formulas, values, place))
    return _write(book, place, before, formulas, values)


def write_cells(path: Path, values: Mapping[Place, Value]) -> tuple[Problem, ...]:
    """Write values into cells of a workbook itself, and into formulas what follows; no other byte differs.

    values, warnings: as in `write_changed_copy`.
    Raises WorkbookError where a cell holds a formula, or the workbook is open or cannot be written; it is then as it was.
    """
    book = open_book(path)
    before = written_book(book)
    formulas = WorkbookFormulas(before)
    refuse_formulas(formulas, values)
    is_open = check_writable(path, None, book.content)
    if is_open is not None:
        raise WorkbookError(is_open)
    return _write(book, destination_of(path, None), before, formulas, values)


def _write(
    book: Book, place: Path, before: WrittenBook, formulas: WorkbookFormulas, values: Mapping[Place, Value]
) -> tuple[Problem, ...]:
    """Write a workbook with other values in some cells to a file. before, formulas: of the workbook."""
    refuse_formulas(formulas, values)
    values = _in_their_units(book, values)
    moved, refused = move_cells(formulas, values)
    new = {**values, **moved}
    package = Package(book.path, book.content)
    changed = _changed_parts(package, new)
    if refused:
        workbook = package.xml(package.workbook)
        parts.calculate_on_load(workbook)
        changed[package.workbook] = parts.serialised(workbook)
    check = partial(_check_copy, before, new)
    replace_file(place, book.path, lambda file: store_changed(package, changed, {}, file), check)
    return tuple(_not_renewed(each, why) for each, why in refused.items())


def _in_their_units(book: Book, values: Mapping[Place, Value]) -> dict[Place, Value]:
    """The values of cells as they are written: a number in place of ``25 N/mm`` keeps that unit."""
    found = {}
    for place, value in values.items():
        old = book.sheets[place.sheet].rows.cell(place.row, place.column)
        found[place] = in_unit_of(old, value) if isinstance(value, float | int) else value
    return found


def _is_earlier_copy(before: WrittenBook, formulas: WorkbookFormulas, values: Collection[Place], place: Path) -> bool:
    """Whether a file differs from the workbook in nothing but the cells that a copy changes."""
    moved = {*values, *formulas.dependents(*values)}
    try:
        there = written_book(open_book(place))
        return _has_same_cells(before, there, moved)
    except WorkbookError:
        return False


def _changed_parts(package: Package, new: Mapping[Place, Value]) -> dict[str, bytes]:
    """The parts of sheets with new values in some cells."""
    found = {sheet.name: sheet.part for sheet in package.sheets}
    changed = {}
    for name in dict.fromkeys(place.sheet for place in new):
        part, xml = found[name], package.read(found[name])
        cells = {(place.row, place.column): value for place, value in new.items() if place.sheet == name}
        there = {match[1] for cell in _CELL.finditer(xml) if (match := _ADDRESS.search(cell[2]))}
        missing = [cell for cell, value in cells.items() if value is not None and _address(*cell) not in there]
        if missing:
            xml = filled_part(parse_xml(xml, part), name, dict.fromkeys(missing, 0.0))
        changed[part] = _with_values(xml, cells)
    return changed


def _with_values(xml: bytes, new: Mapping[tuple[int, int], Value]) -> bytes:
    """The XML of a sheet with other values in some of its cells."""
    wanted = {_address(*place): value for place, value in new.items()}
    pieces: list[bytes] = []
    done = 0
    for match in _CELL.finditer(xml):
        address = _ADDRESS.search(match[2])
        if address is None or address[1] not in wanted:
            continue
        end_tag = b"</" + match[1] + b"c>"
        end = match.end() if match[3] else xml.index(end_tag, match.end())
        pieces += [xml[done : match.start()], _cell(match, xml[match.end() : end], wanted[address[1]])]
        done = end if match[3] else end + len(end_tag)
    return b"".join([*pieces, xml[done:]])


def _address(row: int, column: int) -> bytes:
    return cell_name(row, column).encode()


def _cell(match: re.Match[bytes], body: bytes, value: Value) -> bytes:
    """A cell with another value. match: its tag; body: what stood in it. Its style and formula stay."""
    formula = _FORMULA.search(body)
    rest = _SHOWN.sub(b"", body)
    prefix, attributes = match[1], _TYPE.sub(b"", match[2])
    kind, tag, shown = _content(value, is_formula=formula is not None)
    inside = shown.encode()
    if kind == "inlineStr":
        inside = b'<%bt xml:space="preserve">%b</%bt>' % (prefix, inside, prefix)
    if value is not None:
        inside = b"<%b%b>%b</%b%b>" % (prefix, tag.encode(), inside, prefix, tag.encode())
        attributes += b' t="%b"' % kind.encode() if kind else b""
    after = formula.end() if formula is not None else 0
    content = rest[:after] + inside + rest[after:]
    return b"<%bc%b>%b</%bc>" % (prefix, attributes, content, prefix) if content else b"<%bc%b/>" % (prefix, attributes)


def _content(value: Value, *, is_formula: bool) -> tuple[str, str, str]:
    """The type of a cell, the element that holds its value, and the value as text."""
    if isinstance(value, ErrorValue):
        return "e", "v", value.name
    if isinstance(value, bool):
        return "b", "v", str(int(value))
    if isinstance(value, float):
        return "", "v", repr(value).removesuffix(".0")
    return ("str", "v", text(value or "")) if is_formula else ("inlineStr", "is", text(value or ""))


def _check_copy(before: WrittenBook, new: Mapping[Place, Value], copy: Path) -> None:
    """Raise WorkbookError unless a copy holds the new values, and else what the workbook holds."""
    after = written_book(open_book(copy))
    has_new = all(
        _known(after.sheets[place.sheet].at(place.row, place.column)) == value for place, value in new.items()
    )
    if not has_new or not _has_same_cells(before, after, new):
        rule = "the copy was read back and does not hold the right values; nothing was written"
        raise refusal("not-written", "the copy is not sound", rule, REPORT)


def _has_same_cells(before: WrittenBook, after: WrittenBook, but: Collection[Place]) -> bool:
    """Whether two workbooks hold the same formulas, and the same values but for those of some cells."""
    if after.formulas != before.formulas or list(after.sheets) != list(before.sheets):
        return False
    others = set(but)
    for name in before.sheets:
        one, two = (
            [
                (row, column, _known(value))
                for row, column, value in book.sheets[name].within(whole_sheet(name))
                if Place(name, row, column) not in others
            ]
            for book in (before, after)
        )
        if one != two:
            return False
    return True


def _known(value: Value | Stored) -> Value:
    """A value that was read back: a formula's 0 counts as none where all formulas are going to be computed anyway."""
    return 0.0 if value is Stored.NOTHING else value


def _not_renewed(place: Place, why: Problem) -> Problem:
    where = "" if why.cell == str(place) else f"{why.cell} holds "
    rule = f"it keeps its earlier value: {where}{why.found}; {why.problem}"
    mend = "open the copy in a spreadsheet program, which calculates it, and save it"
    return Problem("not-renewed", "warning", str(place), "a formula that cannot be computed here", rule, mend)
