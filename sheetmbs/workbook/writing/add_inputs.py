"""Input cells that a command fills in, and input sheets that it adds or replaces if it has written them itself.

A hidden defined name marks each sheet that a command has written, such as ``_mbs_imported.Markers_walk`` for
``'Markers walk'!$A$1``: spreadsheet programs keep it, it goes with a sheet that is deleted, and a sheet that was renamed or
copied has none that agrees, so that it belongs to the user. Everything else in the workbook stays as it is packed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from lxml import etree

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.cell import address
from sheetmbs.schema.names import fold
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.archive import refusal
from sheetmbs.workbook.package.destination import destination_of
from sheetmbs.workbook.package.ownership import own_sheets
from sheetmbs.workbook.package.package import MAIN, Package
from sheetmbs.workbook.package.replace import replace_file
from sheetmbs.workbook.package.zipcopy import ZipCopy
from sheetmbs.workbook.sheets.newsheet import NewSheet
from sheetmbs.workbook.sheets.sheet_cells import cell_at, place_in_sheet, set_extent, write_number, write_text
from sheetmbs.workbook.sheets.sheetxml import SheetSetting
from sheetmbs.workbook.writing.merge import LEVEL, WORKSHEET, WorkbookEdit
from sheetmbs.workbook.writing.write import check_writable

Filling = Mapping[tuple[int, int], str | float]
"""contents by row and column"""
IMPORTED = "_mbs_imported."
REFERENCE = re.compile(r"'?((?:[^']|'')+?)'?!.*")


def fill_cells(path: Path, fillings: Mapping[str, Filling], check: Callable[[Path], None]) -> None:
    """Put texts and numbers into cells of sheets. Formulas elsewhere are calculated when the workbook is opened next.

    check: looks at the new file before it takes the place of the old one.

    Raises WorkbookError where a cell holds a formula or the workbook cannot be written or is open; it is then as it was.
    """
    is_open = check_writable(path, None)
    if is_open is not None:
        raise WorkbookError(is_open)
    package = Package(path)
    parts_of = {each.name: each.part for each in package.sheets}
    changed = {
        parts_of[sheet]: filled_part(package.xml(parts_of[sheet]), sheet, filling)
        for sheet, filling in fillings.items()
    }
    workbook = package.xml(package.workbook)
    parts.calculate_on_load(workbook)
    changed[package.workbook] = parts.serialised(workbook)
    replace_file(destination_of(path, None), path, lambda file: store_changed(package, changed, {}, file), check)


def filled_part(root: etree._Element, sheet: str, filling: Filling) -> bytes:
    """The part of a sheet with some cells filled in. Raises WorkbookError where one of them holds a formula."""
    cells = root.findall(f"{{{MAIN}}}sheetData/{{{MAIN}}}row/{{{MAIN}}}c")
    if any(place_in_sheet(cell) == (0, 0) for cell in cells):
        mend = "save the workbook again from Excel or LibreOffice"
        raise refusal("cells-without-place", f"cells of {sheet} without their addresses", "none can be filled in", mend)
    formulas = [
        place for cell in cells if (place := place_in_sheet(cell)) in filling and cell.find(f"{{{MAIN}}}f") is not None
    ]
    if formulas:
        rule, mend = "it would be lost", "clear the cell first, or import into another workbook"
        raise refusal("formula-in-the-way", "a formula", rule, mend, address(sheet, *formulas[0]))
    for (row, column), content in sorted(filling.items()):
        cell = cell_at(root, row, column)
        if isinstance(content, str):
            write_text(cell, content)
        else:
            write_number(cell, content)
    set_extent(root)
    return parts.serialised(root)


def store_changed(package: Package, changed: Mapping[str, bytes], added: Mapping[str, bytes], file: IO[bytes]) -> None:
    """Store a workbook with some parts changed and some added; all others as they are packed."""
    with ZipCopy(file, "w", ZIP_DEFLATED, compresslevel=LEVEL) as target, ZipFile(BytesIO(package.content)) as source:
        target.comment = source.comment
        for entry in source.infolist():
            if entry.filename in changed:
                target.writestr(ZipInfo(entry.filename), changed[entry.filename], ZIP_DEFLATED, LEVEL)
            else:
                target.take(package.content, entry)
        for name, content in added.items():
            target.writestr(ZipInfo(name), content, ZIP_DEFLATED, LEVEL)


def imported_sheets(path: Path) -> frozenset[str]:
    """The sheets of a workbook that `add_inputs` has written and that nobody has renamed since."""
    package = Package(path)
    found = set()
    for name in package.xml(package.workbook).iterfind(f"{{{MAIN}}}definedNames/{{{MAIN}}}definedName"):
        match = REFERENCE.fullmatch((name.text or "").strip())
        if match and name.get("name") == _mark(match[1].replace("''", "'")):
            found.add(match[1].replace("''", "'"))
    return frozenset(found & {sheet.name for sheet in package.sheets})


def _mark(sheet: str) -> str:
    return IMPORTED + re.sub(r"\W", "_", sheet)


def add_inputs(
    path: Path,
    sheets: Sequence[NewSheet],
    fillings: Mapping[str, Filling],
    check: Callable[[Path], None],
) -> None:
    """Add sheets to a workbook, in place of those of the same name, and fill in cells of others.

    check: looks at the new file before it takes the place of the old one.

    Raises WorkbookError where something of the user's would be lost or the workbook cannot be written; it is as it was then.
    """
    _write_additions(path, None, lambda package: _Additions(package, sheets, fillings), check)


def add_sheets(path: Path, output: Path | None, sheets: Sequence[NewSheet], check: Callable[[Path], None]) -> None:
    """Add new sheets, which are the user's own from then on, to a workbook or to a copy of it.

    check: looks at the new file before it takes its place. Raises WorkbookError where it cannot be written; every file is as
    it was then.
    """
    _write_additions(path, output, lambda package: _Additions(package, sheets, {}, are_imported=False), check)


def _write_additions(
    path: Path, output: Path | None, add: Callable[[Package], _Additions], check: Callable[[Path], None]
) -> None:
    is_open = check_writable(path, output)
    if is_open is not None:
        raise WorkbookError(is_open)
    package = Package(path)
    additions = add(package)

    def check_written(written: Path) -> None:
        new = Package(written)
        new.verify(new.names)
        check(written)

    replace_file(
        destination_of(path, output),
        path,
        lambda file: store_changed(package, additions.changed, additions.added, file),
        check_written,
    )


class _Additions(WorkbookEdit):
    """The parts of a workbook that change, and those that come.

    are_imported: whether a later import may replace the sheets; formulas may refer to them then, and are calculated again.
    """

    def __init__(
        self,
        package: Package,
        sheets: Sequence[NewSheet],
        fillings: Mapping[str, Filling],
        *,
        are_imported: bool = True,
    ) -> None:
        super().__init__(package)
        self.changed = self._changed
        self.added: dict[str, bytes] = {}
        new: set[str] = set()
        formats, _full = self._append_styles(count(1))
        setting = SheetSetting(formats)
        known = {fold(sheet.name): sheet for sheet in package.sheets}
        for sheet in sheets:
            content = b"".join(sheet.rows(setting))
            if fold(sheet.name) in known:
                self.changed[self._replaceable(known[fold(sheet.name)].part, sheet.name)] = content
            else:
                self._add(self._list_sheet(sheet.name, self._first_result()), WORKSHEET, partial(iter, [content]))
                new.add(sheet.name)
        for name, filling in fillings.items():
            part = known[fold(name)].part
            self.changed[part] = filled_part(package.xml(part), name, filling)
        if are_imported:
            self._set_marks([*(sheet.name for sheet in sheets), *fillings])
            parts.calculate_on_load(self._workbook)
        self._list_titles(new)
        self._store_listings(())

    def _add(self, name: str, content_type: str, chunks: Callable[[], Iterable[bytes]]) -> None:
        self.added[name], self._types[name] = b"".join(chunks()), content_type

    def _replaceable(self, part: str, sheet: str) -> str:
        """The part of a sheet to be replaced. Raises WorkbookError where the user has put something more onto it."""
        has_formulas = any(re.search(rb"<(\w+:)?f[ >/]", piece) for piece in self._package.pieces(part))
        if has_formulas or self._package.relationships(part):
            found = "formulas" if has_formulas else "a drawing, table or comment"
            mend = "move them to a sheet of their own, or import under another name with --trial"
            raise refusal(
                "more-on-sheet", f"{sheet} has {found}", "they would be lost with what is replaced", mend, sheet
            )
        return part

    def _first_result(self) -> str | None:
        """The first of the result sheets that stand behind all others; None where there are none."""
        names, results = parts.sheet_names(self._workbook), own_sheets(self._package)
        last = max((at for at, name in enumerate(names) if name not in results), default=-1)
        return names[last + 1] if last + 1 < len(names) else None

    def _set_marks(self, sheets: Sequence[str]) -> None:
        listing = parts.defined_names(self._workbook)
        wanted = {_mark(sheet): sheet for sheet in sheets}
        for known in list(listing):
            if known.get("name") in wanted:
                listing.remove(known)
        for mark, sheet in wanted.items():
            name = etree.SubElement(listing, f"{{{MAIN}}}definedName")
            name.set("name", mark)
            name.set("hidden", "1")
            quoted = sheet.replace("'", "''")
            name.text = f"'{quoted}'!$A$1"
