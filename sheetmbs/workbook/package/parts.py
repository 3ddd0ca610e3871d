"""Edits of the parts that list the others: the workbook, its relationships, content types, document properties.

Each function changes a parsed part in place and touches nothing that it does not name, so that everything unknown in
it stays. Order of elements: ECMA-376 part 1, A.2 (CT_Workbook).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from string import ascii_uppercase

from lxml import etree

from sheetmbs.workbook.package.formats import index
from sheetmbs.workbook.package.ownership import COPY_MARK, mark_name, marks, name_in_mark
from sheetmbs.workbook.package.package import CONTENT_TYPES, MAIN, OFFICE_RELATIONSHIPS, PACKAGE_RELATIONSHIPS

RELATIONSHIPS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
PROPERTIES = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
VARIANTS = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"
DECLARATION = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
RELATIONSHIP_ID = f"{{{OFFICE_RELATIONSHIPS}}}id"

FILTERED, PRINT_TITLES, PRINT_AREA = "_xlnm._FilterDatabase", "_xlnm.Print_Titles", "_xlnm.Print_Area"
"""built-in names (ECMA-376 part 1, 18.2.5); LibreOffice shows no filter without the first"""
LAST_SHEET_ID = 65_534
"""that Excel opens"""
BEFORE_VIEWS = ("fileVersion", "fileSharing", "workbookPr", "workbookProtection")
BEFORE_DEFINED_NAMES = ("sheets", "functionGroups", "externalReferences")
BEFORE_CALCULATION = (*BEFORE_DEFINED_NAMES, "definedNames")


def serialised(root: etree._Element) -> bytes:
    """The part as it is stored; comments beside the root stay."""
    text: bytes = etree.tostring(root.getroottree(), encoding="UTF-8", xml_declaration=False)
    return DECLARATION + text


def sheet_names(workbook: etree._Element) -> list[str]:
    """Names of all sheets in the order of their tabs."""
    return [str(sheet.get("name", "")) for sheet in _sheets(workbook)]


def _sheets(workbook: etree._Element) -> list[etree._Element]:
    return list(workbook.iterfind(f"{{{MAIN}}}sheets/{{{MAIN}}}sheet"))


def add_sheet(workbook: etree._Element, name: str, relationship: str, before: str | None = None) -> None:
    """List a sheet before one of those that are there, or after all others; everything that counts sheets counts on."""
    listing = workbook.find(f"{{{MAIN}}}sheets")
    if listing is None:
        raise ValueError("a workbook part without a list of sheets passed the checks")
    used = {index(sheet.get("sheetId", "")) for sheet in _sheets(workbook)}
    sheet_id = max(used, default=0) + 1
    if sheet_id > LAST_SHEET_ID:
        sheet_id = next(free for free in range(1, LAST_SHEET_ID) if free not in used)
    sheet = etree.SubElement(listing, f"{{{MAIN}}}sheet")
    sheet.set("name", name)
    sheet.set("sheetId", str(sheet_id))
    sheet.set(RELATIONSHIP_ID, relationship)
    if before is None:
        return
    at = sheet_names(workbook).index(before)
    listing.insert(list(listing).index(_sheets(workbook)[at]), sheet)
    for local in workbook.iterfind(f"{{{MAIN}}}definedNames/{{{MAIN}}}definedName[@localSheetId]"):
        _count_on(local, "localSheetId", at)
    for view in workbook.iterfind(f"{{{MAIN}}}bookViews/{{{MAIN}}}workbookView"):
        for attribute in ("activeTab", "firstSheet"):
            _count_on(view, attribute, at)


def _count_on(holder: etree._Element, attribute: str, at: int) -> None:
    """Let the number of a sheet follow it where another one has come before it."""
    number = index(holder.get(attribute, ""))
    if number >= at:
        holder.set(attribute, str(number + 1))


def drop_sheets(workbook: etree._Element, names: Iterable[str]) -> None:
    """Take sheets off the list; everything that counts sheets counts on, and the active one stays active."""
    dropped = set(names)
    if not dropped:
        return
    before = sheet_names(workbook)
    left = [name for name in before if name not in dropped]
    for sheet in _sheets(workbook):
        if sheet.get("name") in dropped:
            detach(sheet)

    def place(old: int) -> int:
        """The present number of a sheet; of one that is gone, that of the sheet left of it."""
        kept = [name for name in before[: old + 1] if name not in dropped]
        return min(max(len(kept) - 1, 0), len(left) - 1)

    _renumber_local_names(workbook, before, dropped, place)
    for view in workbook.iterfind(f"{{{MAIN}}}bookViews/{{{MAIN}}}workbookView"):
        for attribute in ("activeTab", "firstSheet"):
            if view.get(attribute) is not None:
                view.set(attribute, str(place(max(index(view.get(attribute, "")), 0))))


def _renumber_local_names(
    workbook: etree._Element, before: Sequence[str], dropped: Collection[str], place: Callable[[int], int]
) -> None:
    """Names that belong to one sheet go with it, or follow it to its new place."""
    for name in list(workbook.iterfind(f"{{{MAIN}}}definedNames/{{{MAIN}}}definedName")):
        local = index(name.get("localSheetId", ""))
        if not 0 <= local < len(before):
            continue
        if before[local] in dropped:
            detach(name)
        else:
            name.set("localSheetId", str(place(local)))


def active_sheet(workbook: etree._Element) -> str:
    """The name of the sheet that is shown when the workbook opens."""
    view = workbook.find(f"{{{MAIN}}}bookViews/{{{MAIN}}}workbookView")
    active = index(view.get("activeTab", "0")) if view is not None else 0
    names = sheet_names(workbook)
    return names[active] if 0 <= active < len(names) else ""


def activate(workbook: etree._Element, sheet: str) -> None:
    """Have a sheet shown when the workbook opens."""
    views = workbook.find(f"{{{MAIN}}}bookViews")
    if views is None:
        views = _insert_after(workbook, "bookViews", BEFORE_VIEWS)
    view = views.find(f"{{{MAIN}}}workbookView")
    if view is None:
        view = etree.SubElement(views, f"{{{MAIN}}}workbookView")
    view.set("activeTab", str(sheet_names(workbook).index(sheet)))


def set_marks(workbook: etree._Element, sheets: Mapping[str, str], copy_of: str | None) -> None:
    """Mark exactly these sheets as ours, and the workbook as a copy of another one or as none.

    sheets: the cells that we wrote on each, or "" where its mark stays as it is.
    """
    before = {mark.get("name"): mark.text for mark in marks(workbook)}
    for mark in marks(workbook):
        detach(mark)
    wanted = {
        mark_name(sheet): f"'{sheet}'!{_fixed(cells)}" if cells else before[mark_name(sheet)]
        for sheet, cells in sheets.items()
    }
    if copy_of is not None:
        wanted[COPY_MARK] = '"' + name_in_mark(copy_of).replace('"', '""') + '"'
    for name, text in wanted.items():
        mark = etree.SubElement(defined_names(workbook), f"{{{MAIN}}}definedName")
        mark.set("name", name)
        mark.set("hidden", "1")
        mark.text = text
    listing = workbook.find(f"{{{MAIN}}}definedNames")
    if listing is not None and not len(listing):
        detach(listing)


def _fixed(cells: str) -> str:
    """``$A$1:$K$53`` of ``A1:K53``."""
    return ":".join(f"${end.rstrip('0123456789')}${end.lstrip(ascii_uppercase)}" for end in cells.split(":"))


def name_ranges(workbook: etree._Element, sheet: str, ranges: Mapping[str, str]) -> None:
    """Give ranges of a sheet names that count on it alone, in place of all earlier ones that say what programs do with it.

    ranges: by name, several ranges with ``,`` between them.
    """
    local = str(sheet_names(workbook).index(sheet))
    for known in list(workbook.iterfind(f"{{{MAIN}}}definedNames/{{{MAIN}}}definedName")):
        if known.get("name") in (FILTERED, PRINT_TITLES, PRINT_AREA) and known.get("localSheetId") == local:
            detach(known)
    for name, cells in ranges.items():
        _add_range(workbook, sheet, name, cells)


def add_print_area(workbook: etree._Element, sheet: str, cells: str) -> None:
    """Give a sheet that has no print area one."""
    _add_range(workbook, sheet, PRINT_AREA, cells)


def _add_range(workbook: etree._Element, sheet: str, name: str, cells: str) -> None:
    added = etree.SubElement(defined_names(workbook), f"{{{MAIN}}}definedName")
    added.set("name", name)
    added.set("localSheetId", str(sheet_names(workbook).index(sheet)))
    if name == FILTERED:
        added.set("hidden", "1")
    quoted = sheet.replace("'", "''")
    added.text = ",".join(f"'{quoted}'!{part}" for part in cells.split(","))


def defined_names(workbook: etree._Element) -> etree._Element:
    """The list of defined names, made where there is none."""
    listing = workbook.find(f"{{{MAIN}}}definedNames")
    return _insert_after(workbook, "definedNames", BEFORE_DEFINED_NAMES) if listing is None else listing


def calculate_on_load(workbook: etree._Element) -> None:
    """Have the formulas calculated when the workbook is opened."""
    calculation = workbook.find(f"{{{MAIN}}}calcPr")
    if calculation is None:
        calculation = _insert_after(workbook, "calcPr", BEFORE_CALCULATION)
    calculation.set("fullCalcOnLoad", "1")


def _insert_after(root: etree._Element, name: str, earlier: Sequence[str]) -> etree._Element:
    before = (root.index(child) for tag in earlier for child in root.iterfind(f"{{{MAIN}}}{tag}"))
    place = max(before, default=-1)
    created = etree.Element(f"{{{MAIN}}}{name}", nsmap=root.nsmap)
    root.insert(place + 1, created)
    return created


def detach(element: etree._Element) -> None:
    """Take an element out of what holds it."""
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def new_id(used: Collection[str]) -> str:
    """A relationship id that is not in use."""
    number = 1
    while f"rId{number}" in used:
        number += 1
    return f"rId{number}"


def add_relationship(relationships: etree._Element, kind: str, target: str, key: str = "") -> str:
    """Append a relationship and return its id. key: that id, or "" for a new one."""
    key = key or new_id({str(known.get("Id", "")) for known in relationships})
    added = etree.SubElement(relationships, f"{{{PACKAGE_RELATIONSHIPS}}}Relationship")
    added.set("Id", key)
    added.set("Type", f"{OFFICE_RELATIONSHIPS}/{kind}")
    added.set("Target", target)
    return key


def drop_relationships(relationships: etree._Element, ids: Iterable[str]) -> None:
    """Remove relationships by id."""
    dropped = set(ids)
    for known in list(relationships):
        if known.get("Id") in dropped:
            relationships.remove(known)


def set_content_types(types: etree._Element, dropped: Iterable[str], added: Mapping[str, str]) -> None:
    """Forget the types of parts that go, and declare those of parts that come.

    Parts of relationships have their type by their ending in nearly all packages; the few without that are given it.
    """
    endings = {str(known.get("Extension", "")).casefold() for known in types.iterfind(f"{{{CONTENT_TYPES}}}Default")}
    if "rels" not in endings:
        default = etree.Element(f"{{{CONTENT_TYPES}}}Default", nsmap=types.nsmap)
        default.set("Extension", "rels")
        default.set("ContentType", RELATIONSHIPS_TYPE)
        types.insert(0, default)
    names = {name.casefold() for name in (*dropped, *added)}
    for override in list(types.iterfind(f"{{{CONTENT_TYPES}}}Override")):
        if override.get("PartName", "").lstrip("/").casefold() in names:
            types.remove(override)
    for name, content_type in added.items():
        override = etree.SubElement(types, f"{{{CONTENT_TYPES}}}Override")
        override.set("PartName", f"/{name}")
        override.set("ContentType", content_type)


def list_sheet_titles(properties: etree._Element, before: Sequence[str], after: Sequence[str]) -> bool:
    """Bring the list of sheets in the document properties up to date, if it held the sheets as they were; else say False.

    The list holds titles of several kinds one after the other, and a second one how many there are of each.
    """
    counts = list(properties.iterfind(f"{{{PROPERTIES}}}HeadingPairs/{{{VARIANTS}}}vector//{{{VARIANTS}}}i4"))
    titles = properties.find(f"{{{PROPERTIES}}}TitlesOfParts/{{{VARIANTS}}}vector")
    if titles is None:
        return False
    start = 0
    entries = list(titles)
    for count in counts:
        length = max(index(count.text or ""), 0)
        section = entries[start : start + length]
        if before and [entry.text for entry in section] == list(before):
            for entry in section:
                titles.remove(entry)
            for place, name in enumerate(after, start):
                added = etree.Element(f"{{{VARIANTS}}}lpstr")
                added.text = name
                titles.insert(place, added)
            count.text = str(len(after))
            titles.set("size", str(len(titles)))
            return True
        start += length
    return False
