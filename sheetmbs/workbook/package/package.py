"""A workbook file as a package of parts: opened safely, or refused with one sentence that says why.

A package is a zip archive whose parts point to each other by relationships (ECMA-376 part 2). Nothing here knows about
cells. The file is read into memory once, so that what was checked is what is read, and no handle stays open on it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.package.archive import (
    MAX_LISTING,
    MAX_PART,
    ZIP_ERRORS,
    damaged,
    open_archive,
    read_file,
    refusal,
    too_large,
    wrong_extension,
)
from sheetmbs.workbook.package.partxml import parse_xml

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE_RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
STRICT = "http://purl.oclc.org/ooxml/"
MAX_FIND_BYTES = 40_000
"""bytes: a formula has at most 8,192 characters"""
WORKBOOK_TYPES = {
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml": ".xlsx",
    "application/vnd.ms-excel.sheet.macroenabled.main+xml": ".xlsm",
}
CHUNK_BYTES = 1 << 20
"""Bytes that are unpacked at once where a part is read piece by piece"""


@dataclass(frozen=True, slots=True)
class Relationship:
    """An arrow from one part to another. type: full URI. target: part name, or the URI as it stands where external."""

    id: str
    type: str
    target: str
    external: bool

    @property
    def kind(self) -> str:
        """Last segment of the type: ``worksheet``, ``styles``, ``sharedStrings``."""
        return self.type.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A sheet as the workbook lists it.

    kind: ``worksheet``, ``chartsheet``, ``dialogsheet``, ``xlMacrosheet``, or ``module``: one of Excel 95, whose text stands
    among the macros now, so that it has no part ("").
    """

    name: str
    sheet_id: str
    relationship: str
    kind: str
    part: str
    hidden: bool


class Package:
    """The parts of a workbook that passed every check of this module but the checksums of parts not read yet.

    path: the file. content: its bytes, read now unless given. names: its parts in the order of the archive, as written
    there, no folders. Names are compared without regard to case, as the format prescribes. Raises WorkbookError with one
    problem.
    """

    def __init__(self, path: str | PathLike[str], content: bytes | None = None) -> None:
        self.path = Path(path)
        self.content = read_file(self.path) if content is None else content
        self._archive = open_archive(self.path, self.content)
        self.names = tuple(name for name in self._archive.namelist() if not name.endswith("/"))
        self._by_folded_name = {name.casefold(): name for name in self.names}
        self._relationships: dict[str, dict[str, Relationship]] = {}
        _check_kind_of_package(self)
        _check_workbook(self)

    def find(self, name: str) -> str | None:
        """The part's name as written in the archive, or None where there is no such part."""
        return self._by_folded_name.get(name.lstrip("/").casefold())

    def read(self, name: str, most: int = MAX_PART) -> bytes:
        """The part's bytes, unpacked and compared with its checksum. most: how many a sound workbook may have there."""
        return b"".join(self.stream(name, most))

    def stream(self, name: str, most: int = MAX_PART) -> Iterator[bytes]:
        """The same piece by piece; the checksum is compared behind the last one."""
        entry = self._archive.getinfo(self._existing(name))
        if entry.file_size > most:
            raise too_large(f"the part {entry.filename} unpacks to {entry.file_size:,} bytes")
        try:
            with self._archive.open(entry) as part:
                while piece := part.read(CHUNK_BYTES):
                    yield piece
        except ZIP_ERRORS:
            raise damaged(f"the part {entry.filename} of {self.path.name} cannot be unpacked") from None

    def top(self, name: str, *tags: str) -> Iterator[etree._Element]:
        """Elements of a large part as `stream_xml` gives them, unpacked no further than they are asked for.

        Ends where the part is no sound XML or cannot be unpacked.
        """
        try:
            with self._archive.open(self._existing(name)) as part:
                events = etree.iterparse(part, tag=tags, resolve_entities=False, no_network=True, load_dtd=False)
                for _, element in events:
                    yield element
                    element.clear(keep_tail=True)
        except (etree.XMLSyntaxError, *ZIP_ERRORS):
            return

    def checksum(self, name: str) -> tuple[int, int]:
        """CRC-32 of a part's bytes and their number, as the archive lists them."""
        entry = self._archive.getinfo(self._existing(name))
        return entry.CRC, entry.file_size

    def size(self, name: str) -> int:
        """Bytes of the part when it is unpacked, as the archive says."""
        return self._archive.getinfo(self._existing(name)).file_size

    def pieces(self, name: str) -> Iterator[bytes]:
        """The part's bytes in pieces, for a search: each begins with the end of the one before, in case that cut something."""
        kept = b""
        try:
            with self._archive.open(self._existing(name)) as part:
                while piece := part.read(CHUNK_BYTES):
                    yield kept + piece
                    kept = (kept + piece)[-MAX_FIND_BYTES:]
        except ZIP_ERRORS:
            raise damaged(f"the part {name} of {self.path.name} cannot be unpacked") from None

    def verify(self, names: Iterable[str] | None = None) -> None:
        """Unpack parts, all unless named, compare each with its checksum and forget it."""
        for name in self.names if names is None else names:
            try:
                with self._archive.open(name) as part:
                    while part.read(1 << 20):
                        pass
            except ZIP_ERRORS:
                raise damaged(f"the part {name} of {self.path.name} cannot be unpacked") from None

    def xml(self, name: str) -> etree._Element:
        """Root element of a small part."""
        return parse_xml(self.read(name, MAX_LISTING), name)

    def content_type(self, name: str) -> str:
        """The part's content type, or '' where none is declared."""
        overrides, defaults = self._content_types
        folded = name.lstrip("/").casefold()
        return overrides.get(folded) or defaults.get(posixpath.splitext(folded)[1].lstrip("."), "")

    def relationships(self, name: str = "") -> dict[str, Relationship]:
        """Relationships of a part by id, in the order of the file; '' stands for the package as a whole."""
        source = name.lstrip("/")
        if source not in self._relationships:
            self._relationships[source] = self._read_relationships(source)
        return self._relationships[source]

    def related(self, name: str, kind: str) -> str | None:
        """The first part that a part points to with this kind of relationship, or None."""
        for relationship in self.relationships(name).values():
            if relationship.kind == kind and not relationship.external:
                return self._existing(relationship.target)
        return None

    @cached_property
    def workbook(self) -> str:
        """Name of the part that lists the sheets."""
        name = self.related("", "officeDocument")
        if name is None:
            raise damaged(f"{self.path.name} does not say which of its parts is the workbook")
        return name

    @cached_property
    def sheets(self) -> tuple[SheetPart, ...]:
        """Every sheet in the order of its tabs, chart and dialog sheets too."""
        relationships = self.relationships(self.workbook)
        sheets = []
        for element in self.xml(self.workbook).iterfind(f"{{{MAIN}}}sheets/{{{MAIN}}}sheet"):
            name, key = str(element.get("name", "")), str(element.get(f"{{{OFFICE_RELATIONSHIPS}}}id", ""))
            if element.get(f"{{{OFFICE_RELATIONSHIPS}}}id") == "":
                sheets.append(SheetPart(name, str(element.get("sheetId", "")), "", "module", "", hidden=True))
                continue
            if key not in relationships or relationships[key].external:
                raise damaged(f"the workbook lists the sheet {name} but not the part that holds it", name)
            target, kind = self._existing(relationships[key].target), relationships[key].kind
            hidden = element.get("state", "visible") != "visible"
            sheets.append(SheetPart(name, str(element.get("sheetId", "")), key, kind, target, hidden))
        seen: set[str] = set()
        for sheet in sheets:
            if sheet.name.casefold() in seen:
                raise damaged(f"two sheets have the name {sheet.name}", sheet.name)
            seen.add(sheet.name.casefold())
        return tuple(sheets)

    @cached_property
    def _content_types(self) -> tuple[dict[str, str], dict[str, str]]:
        overrides, defaults = {}, {}
        root = self.xml("[Content_Types].xml")
        for element in root.iterfind(f"{{{CONTENT_TYPES}}}Override"):
            part = element.get("PartName", "").lstrip("/").casefold()
            overrides[part] = str(element.get("ContentType", ""))
        for element in root.iterfind(f"{{{CONTENT_TYPES}}}Default"):
            defaults[element.get("Extension", "").casefold()] = str(element.get("ContentType", ""))
        return overrides, defaults

    def _existing(self, name: str) -> str:
        found = self.find(name)
        if found is None:
            raise refusal(
                "missing-part",
                f"{self.path.name} has no part {name.lstrip('/')}",
                "the workbook needs it",
                "open it in Excel or LibreOffice, let that repair it, and save it again",
            )
        return found

    def _read_relationships(self, source: str) -> dict[str, Relationship]:
        folder, base = posixpath.split(source)
        part = self.find(posixpath.join(folder, "_rels", f"{base}.rels"))
        if part is None:
            return {}
        relationships = {}
        for element in self.xml(part).iterfind(f"{{{PACKAGE_RELATIONSHIPS}}}Relationship"):
            key, target = str(element.get("Id", "")), str(element.get("Target", ""))
            external = element.get("TargetMode") == "External" or target.startswith("#")
            resolved = target if external else self._resolve(folder, target)
            relationships[key] = Relationship(key, str(element.get("Type", "")), resolved, external)
        return relationships

    def _resolve(self, folder: str, target: str) -> str:
        # some writers use backslashes, and some write spaces as %20 in the target but not in the archive
        path = target.partition("#")[0].replace("\\", "/")
        name = posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")
        return self.find(name) or self.find(unquote(name)) or name


def check_package(path: str | PathLike[str]) -> None:
    """Refuse a file that is not a workbook which can be read and written back, or is damaged anywhere.

    Raises WorkbookError with one problem.
    """
    package = Package(path)
    package.verify()
    _ = package.sheets


def _check_kind_of_package(package: Package) -> None:
    path = package.path
    if package.find("content.xml") and package.find("mimetype"):
        raise refusal(
            "opendocument-workbook",
            f"{path.name} is an OpenDocument file (.ods)",
            "workbooks are .xlsx or .xlsm",
            "save it as .xlsx in LibreOffice",
        )
    if package.find("Index/Document.iwa") or package.find("Index.zip"):
        raise refusal(
            "numbers-document",
            f"{path.name} is a Numbers document",
            "workbooks are .xlsx or .xlsm",
            "export it in Numbers (File, Export To, Excel)",
        )
    if not package.find("[Content_Types].xml") or not package.find("_rels/.rels"):
        raise refusal(
            "not-a-workbook",
            f"{path.name} is a zip archive but no workbook",
            "workbooks are .xlsx or .xlsm",
            "if the workbook is in the archive, unpack it first",
        )
    relationships = package.relationships().values()
    if any(relationship.type.startswith(STRICT) for relationship in relationships):
        raise _strict(path)
    if any("/digital-signature/" in relationship.type for relationship in relationships):
        raise refusal(
            "signed-workbook",
            f"{path.name} is digitally signed",
            "writing results into it would break the signature",
            "remove the signature in Excel (File, Info, View Signatures) and save a copy",
        )
    content_type = package.content_type(package.workbook).casefold()
    if "sheet.binary" in content_type:
        raise refusal(
            "binary-workbook",
            f"{path.name} is a binary workbook (.xlsb)",
            "workbooks are .xlsx or .xlsm",
            "save it as .xlsx in Excel or LibreOffice",
        )
    if content_type not in WORKBOOK_TYPES:
        raise refusal(
            "not-a-workbook",
            f"{path.name} holds {'a template' if 'template' in content_type else 'something else than a workbook'}",
            "workbooks are .xlsx or .xlsm",
            "save it as .xlsx in Excel or LibreOffice",
        )
    extension = WORKBOOK_TYPES[content_type]
    if path.suffix.casefold() != extension:
        macros = "with" if extension == ".xlsm" else "without"
        raise wrong_extension(path, f"this is a workbook {macros} macros: rename it so that it ends in {extension}")


def _strict(path: Path) -> WorkbookError:
    return refusal(
        "strict-workbook",
        f"{path.name} is a Strict Open XML workbook",
        "only the ordinary kind can be read",
        "save it in Excel as 'Excel Workbook (*.xlsx)'",
    )


def _check_workbook(package: Package) -> None:
    path, root = package.path, package.xml(package.workbook)
    if str(root.tag).startswith(f"{{{STRICT}") or root.get("conformance") == "strict":
        raise _strict(path)
    if root.tag != f"{{{MAIN}}}workbook":
        raise damaged(f"the part {package.workbook} of {path.name} is not a workbook")
    if root.find(f"{{{MAIN}}}sheets") is None:
        raise damaged(f"the part {package.workbook} of {path.name} lists no sheets")
    protection = root.find(f"{{{MAIN}}}workbookProtection")
    if protection is not None and protection.get("lockStructure") in ("1", "true"):
        raise refusal(
            "locked-workbook",
            f"the structure of {path.name} is protected",
            "sheetmbs must be able to add its result sheets",
            "switch the protection off (Review, Protect Workbook) and save it",
        )
    kinds = {relationship.kind for relationship in package.relationships(package.workbook).values()}
    if kinds & {"revisionHeaders", "usernames"}:
        raise refusal(
            "shared-workbook",
            f"{path.name} is a shared workbook that tracks its changes",
            "changes by sheetmbs would not be in that record",
            "stop sharing it (Review, Unshare Workbook) and save it",
        )


def relationships_of(part: str) -> str:
    """The name of the part that holds another one's relationships."""
    folder, base = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{base}.rels")


def parts_referred_to(package: Package, part: str, without: Collection[str] = ()) -> list[str]:
    """Parts that a part points to. without: ids of relationships that do not count."""
    arrows = package.relationships(part).values()
    return [arrow.target for arrow in arrows if not arrow.external and arrow.id not in without]


def reachable_parts(package: Package, start: Iterable[str], closed: Collection[str] = ()) -> set[str]:
    """All parts that relationships lead to, without passing through the ``closed`` ones."""
    reached: set[str] = set()
    todo = list(start)
    while todo:
        part = package.find(todo.pop())
        if part is None or part in reached or part in closed:
            continue
        reached.add(part)
        todo += parts_referred_to(package, part)
    return reached


def only_used_by(package: Package, sheets: Collection[str]) -> set[str]:
    """These sheet parts and the parts that can be reached through them alone."""
    inside = reachable_parts(package, [target for sheet in sheets for target in parts_referred_to(package, sheet)])
    return {*sheets, *(inside - reachable_parts(package, parts_referred_to(package, ""), sheets))}


def with_relationships(package: Package, names: Iterable[str]) -> set[str]:
    """These parts and those that hold their relationships."""
    known = set(names)
    return known | {found for part in known if (found := package.find(relationships_of(part)))}
