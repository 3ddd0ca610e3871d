"""Workbooks judged by others: the schemas of ISO 29500 (transitional) and Microsoft's own validator, its Open XML SDK.

Neither belongs to the project. The schemas are read from a folder `shared` where there is one; the validator is the npm
package that `tests/validator/package-lock.json` pins, which ``npm ci --prefix tests/validator`` installs as `.ci/run` does.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from lxml import etree

from tests.support.excel_rules import broken_rules, contents
from tests.support.shared import shared

SCHEMAS = shared("ooxml") / "xsd"
COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
XML_SCHEMA = "{http://www.w3.org/2001/XMLSchema}"
OPEN_XML = "http://schemas.openxmlformats.org"
BY_NAMESPACE = {
    f"{OPEN_XML}/spreadsheetml/2006/main": "sml.xsd",
    f"{OPEN_XML}/drawingml/2006/spreadsheetDrawing": "dml-spreadsheetDrawing.xsd",
    f"{OPEN_XML}/drawingml/2006/chart": "dml-chart.xsd",
    f"{OPEN_XML}/package/2006/content-types": "opc-contentTypes.xsd",
    f"{OPEN_XML}/package/2006/relationships": "opc-relationships.xsd",
    f"{OPEN_XML}/officeDocument/2006/extended-properties": "shared-documentPropertiesExtended.xsd",
}
"""the schema of a part by the namespace of its root, for all kinds of parts that a run writes"""
SLIP_OF_THE_SCHEMA = "{http://www.w3.org/XML/1998/namespace}space' is not allowed"
"""the standard's text allows it on texts of cells, and every program writes it"""

VALIDATOR = Path(__file__).parents[1] / "validator"
_SYSTEM = {"linux": "linux", "darwin": "darwin", "win32": "win32"}.get(sys.platform, sys.platform)
_MACHINE = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(
    platform.machine().lower(), platform.machine().lower()
)
_PROGRAM = VALIDATOR / "node_modules" / "@xarsh" / f"ooxml-validator-{_SYSTEM}-{_MACHINE}" / "ooxml-validator"
PROGRAM = _PROGRAM.with_suffix(".exe") if sys.platform == "win32" else _PROGRAM
BRIEF = {"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1", "DOTNET_TieredPGO": "0", "DOTNET_gcConcurrent": "0"}
"""a process of .NET that ends within a second: without languages, and without what pays off later"""

needs_schemas = pytest.mark.skipif(not SCHEMAS.is_dir(), reason="the schemas of ISO 29500 are not at hand")
needs_validator = pytest.mark.skipif(
    not PROGRAM.is_file(), reason="Microsoft's validator is not installed: npm ci --prefix tests/validator"
)


def broken_by_a_run(path: Path, before: Path | bytes | None = None) -> list[str]:
    """Rules of Excel that the workbook breaks and the one before did not."""
    found = broken_rules(path)
    known = set(broken_rules(before)) if found and before else set()
    return [each for each in found if each not in known]


def against_schemas(path: Path, before: Path | bytes | None = None) -> list[str]:
    """What the schemas find in the parts that a run wrote, and did not find in them before."""
    old = contents(before) if before else {}
    found = []
    for name, part in contents(path).items():
        if old.get(name) != part and name.endswith((".xml", ".rels")):
            errors = _errors(part)
            known = set(_errors(old[name])) if errors and name in old else set()
            found += [f"{name}: {error}" for error in errors if error not in known]
    return found


def _errors(part: bytes) -> list[str]:
    root = etree.fromstring(part)
    root = _as_known(root) if COMPATIBILITY.strip("{}").encode() in part else root
    schema = BY_NAMESPACE.get(str(etree.QName(root).namespace))
    if schema is None:
        return []
    judge = _schema(schema)
    judge.validate(root)
    return [error.message for error in judge.error_log if SLIP_OF_THE_SCHEMA not in error.message]


@cache
def _schema(name: str) -> etree.XMLSchema:
    root = etree.parse(SCHEMAS / name)
    for element in root.iter(f"{XML_SCHEMA}import"):
        if element.get("schemaLocation", "").startswith("http"):  # nothing is fetched
            del element.attrib["schemaLocation"]
    return etree.XMLSchema(root)


def _as_known(root: etree._Element) -> etree._Element:
    """The part as it is read by who knows no extension (ECMA-376 part 3): choices fall back, what may be ignored goes."""
    ignored = {
        element.nsmap[prefix]
        for element in root.iter("*")
        for prefix in element.get(f"{COMPATIBILITY}Ignorable", "").split()
    }
    for choice in list(root.iter(f"{COMPATIBILITY}AlternateContent")):
        fallback = choice.find(f"{COMPATIBILITY}Fallback")
        place, parent = choice.getparent().index(choice), choice.getparent()
        parent[place : place + 1] = [] if fallback is None else list(fallback)
    for element in list(root.iter("*")):
        for attribute in element.attrib:
            if etree.QName(attribute).namespace in {*ignored, COMPATIBILITY.strip("{}")}:
                del element.attrib[attribute]
        if etree.QName(element).namespace in ignored and element.getparent() is not None:
            element.getparent().remove(element)
    return etree.fromstring(etree.tostring(root))


def against_microsoft(books: Mapping[Path, Path | None] | Sequence[Path]) -> dict[str, list[str]]:
    """What Microsoft's validator finds in workbooks, by their names; {} if all are sound.

    books: each with the one before the run, whose findings do not count. One process a workbook is all that it can do, so two
    at a time.
    """
    pairs = dict(books) if isinstance(books, Mapping) else dict.fromkeys(books)
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(pairs, pool.map(_microsoft, pairs), strict=True))
        doubtful = {path: before for path, before in pairs.items() if before and found[path]}
        known = dict(zip(doubtful, pool.map(_microsoft, doubtful.values()), strict=True))
    left = {path.name: [each for each in found[path] if each not in known.get(path, [])] for path in pairs}
    return {name: lines for name, lines in left.items() if lines}


def _microsoft(path: Path) -> list[str]:
    done = subprocess.run([PROGRAM, path], capture_output=True, encoding="utf-8", env=os.environ | BRIEF, check=False)
    answer = json.loads(done.stdout)
    found = [f"{error['path']}: {error['description']}" for error in answer["errors"]]
    assert answer["ok"] == (not found)
    return list(dict.fromkeys(found))
