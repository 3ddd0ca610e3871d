"""What must be true of every command, whatever stands in the workbook."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.package.ownership import own_sheets
from sheetmbs.workbook.package.package import Package
from tests.workbook.watched import LARGEST, Outcome, Server

CHANGED = ("[content_types].xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml", "docprops/app.xml")
"""parts that list the others, which a run may change"""
WITH_FORMULAS = "mbs Animation"
"""a sheet whose cells show the frame that its scroll bar chooses"""
NOT_A_NUMBER = re.compile(rb"<v>[^<]*(?:nan|inf)[^<]*</v>", re.IGNORECASE)


def complaints(server: Server, book: Path, *arguments: str) -> list[str]:
    """Everything wrong with what ``sheetmbs arguments`` did: [] is what the suite wants to see.

    book: the workbook among the arguments, alone in its folder.
    """
    before = book.read_bytes()
    outcome = server.obey(*arguments)
    found = _of_words(outcome, arguments)
    after = book.read_bytes()
    written = (arguments[0] == "run" and outcome.status in (0, 1)) or "--mark" in arguments
    if before != after and not written:
        found.append(f"status {outcome.status}, yet the workbook was changed")
    elif before != after:
        try:
            found += _of_sheets(before, book)
        except WorkbookError as error:
            found.append(f"what was written cannot be read: {error}")
    if outcome.status == 0 and before == after and arguments[0] == "run" and "--output" not in arguments:
        found.append("status 0, yet no results")
    beside = [path.name for path in book.parent.iterdir() if path != book and path.name != "copy.xlsx"]
    if beside:
        found.append(f"left beside the workbook: {beside}")
    return found


def _of_words(outcome: Outcome, arguments: tuple[str, ...]) -> list[str]:
    found = []
    allowed = {0, 1, 2, 130} if arguments[0] == "run" else {0, 2}
    if outcome.status not in allowed:
        found.append(f"status {outcome.status} after {outcome.seconds:.1f} s: {outcome.err[-3000:]}")
    if "fault of its own" in outcome.err or "Traceback" in outcome.err or "Warning:" in outcome.err:
        found.append(outcome.err[-1000:])
    if re.search(r"^  [a-z ]+  nan\b", outcome.err, re.MULTILINE):
        found.append(f"a NaN in the summary: {outcome.err[-800:]}")
    if outcome.memory > LARGEST:
        found.append(f"{outcome.memory >> 20} MB of memory")
    if not (outcome.out + outcome.err).strip():
        found.append(f"status {outcome.status} without a word")
    return found


def _of_sheets(before: bytes, book: Path) -> list[str]:
    found = []
    old, new = book.with_name("old.xlsx"), Package(book)
    new.verify()
    try:
        old.write_bytes(before)
        theirs = _users_parts(Package(old))
    finally:
        old.unlink()
    with zipfile.ZipFile(book) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    found += [f"the part {name} was changed" for name, content in theirs.items() if contents.get(name) != content]
    ours = own_sheets(new)
    for name, sheet in ours.items():
        xml = contents[sheet.part]
        if NOT_A_NUMBER.search(xml):
            found.append(f"{name} has {NOT_A_NUMBER.search(xml)[0]!r}")
        if b"<f" in xml and name != WITH_FORMULAS:
            found.append(f"{name} has a formula")
        new.xml(sheet.part)
    return found


def _users_parts(package: Package) -> dict[str, bytes]:
    """Parts that nobody but the user may change: none of those that list others, nor of our sheets and what is theirs."""
    ours, todo = set(), [sheet.part for sheet in own_sheets(package).values()]
    while todo:
        part = todo.pop()
        if part not in ours:
            folder, _, base = part.rpartition("/")
            ours |= {part, f"{folder}/_rels/{base}.rels"}
            todo += [arrow.target for arrow in package.relationships(part).values() if not arrow.external]
    return {
        name: package.read(name)
        for name in package.names
        if name not in ours and name.casefold() not in CHANGED and "calcchain" not in name.casefold()
    }
