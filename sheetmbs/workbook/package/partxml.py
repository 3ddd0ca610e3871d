"""XML of parts: parsed without entities and without asking anybody, or refused with one sentence."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from xml.parsers import expat

from lxml import etree

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.package.archive import damaged, refusal


def _entities(part: str) -> WorkbookError:
    return refusal(
        "xml-entities",
        f"the part {part} declares a document type",
        "a workbook has none, and one could make sheetmbs read other files",
        "save the workbook again from Excel or LibreOffice",
    )


def _syntax_error(part: str, xml: bytes, error: etree.XMLSyntaxError) -> WorkbookError:
    return _entities(part) if b"<!DOCTYPE" in xml else damaged(f"the part {part} is not sound XML ({error.msg})")


def parse_xml(xml: bytes, part: str) -> etree._Element:
    """Root of a small part. Entities are never resolved, nothing is fetched; a document type is refused."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(xml, parser)
    except etree.XMLSyntaxError as error:
        raise _syntax_error(part, xml, error) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise _entities(part)
    return root


def sound_xml(xml: bytes) -> etree._Element | None:
    """Parse a part that may be left as it is; None where `parse_xml` would refuse it."""
    try:
        return parse_xml(xml, "")
    except WorkbookError:
        return None


def stream_xml(xml: bytes, part: str, *tags: str) -> Iterator[etree._Element]:
    """Elements of a large part whose tag is one of ``tags``, each freed when the next is asked for.

    As safe as `parse_xml`; ``huge_tree`` stays off, for it lifts a limit of 10 MB on one text and a cell holds 32 kB.
    """
    events = etree.iterparse(
        io.BytesIO(xml), tag=tags, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        for _, element in events:
            if element.getroottree().docinfo.internalDTD is not None:
                raise _entities(part)
            yield element
            element.clear(keep_tail=True)
            parent = element.getparent()
            while parent is not None and element.getprevious() is not None:
                del parent[0]
    except etree.XMLSyntaxError as error:
        raise _syntax_error(part, xml, error) from None
    if events.root is not None and events.root.getroottree().docinfo.internalDTD is not None:
        raise _entities(part)


def check_xml(pieces: Iterable[bytes], part: str) -> None:
    """Refuse what `parse_xml` refuses, of any size, and keep nothing: a third of the time, where the tree is not needed."""

    def refuse(*_declared: object) -> None:
        raise _entities(part)

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = refuse
    try:
        for piece in pieces:
            parser.Parse(piece, False)  # noqa: FBT003 - expat takes its arguments by place alone
        parser.Parse(b"", True)  # noqa: FBT003 - the same
    except expat.ExpatError as error:
        raise damaged(f"the part {part} is not sound XML ({error})") from None
