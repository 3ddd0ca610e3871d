"""The finished file, read back before it takes its place."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipInfo

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.package.archive import damaged, refusal, unzip
from sheetmbs.workbook.package.ownership import own_sheets
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.package.parts import RELATIONSHIPS_TYPE
from sheetmbs.workbook.package.partxml import check_xml
from sheetmbs.workbook.writing.merge import Merge

PARSED = 1 << 20
"""Bytes up to which a new part is parsed; larger ones are rows of numbers, which their checksum vouches for"""


def check_written(merge: Merge, source: Package, written: Path) -> None:
    """Raises WorkbookError unless every part unpacks, the user's parts and sheets are as they were, and ours are sound.

    source: the workbook as it was. written: the new file.
    """
    try:
        package = Package(written)
        package.verify(set(package.names) - merge.new_parts.keys())
        _check_parts(merge, source, package)
    except WorkbookError as error:
        found = error.problems[0].found.replace(written.name, source.path.name)
        raise refusal(
            "not-written",
            f"the new file is not sound: {found}",
            "it was read back before it took its place; the workbook is as it was",
            "run again; if that does not help, report it as the README says",
        ) from None


def _check_parts(merge: Merge, source: Package, package: Package) -> None:
    with unzip(package.content) as archive:
        entries = {entry.filename: entry for entry in archive.infolist()}
    changed = [entry.filename for entry in merge.untouched() if _differs(entry, entries.get(entry.filename))]
    if changed:
        raise damaged(f"it does not hold {', '.join(changed)} as before")
    ours, users = set(merge.sheets), [sheet.name for sheet in source.sheets if sheet.name not in own_sheets(source)]
    listed = [sheet.name for sheet in package.sheets]
    if not ours.issubset(listed) or [name for name in listed if name not in ours] != users:
        raise damaged(f"it lists the sheets {', '.join(listed)}")
    for part, content_type in merge.new_parts.items():
        by_ending = RELATIONSHIPS_TYPE if part.endswith(".rels") else ""
        if package.content_type(part) != (content_type or source.content_type(part) or by_ending):
            raise damaged(f"it does not say what {part} is")
        if package.size(part) <= PARSED:
            check_xml(package.stream(part), part)
        else:
            package.verify([part])
        astray = _astray(package, part) - _astray(source, part)
        if astray:
            raise damaged(f"it lacks {', '.join(sorted(astray))}, to which {part} leads")


def _differs(entry: ZipInfo, now: ZipInfo | None) -> bool:
    return now is None or (now.CRC, now.file_size) != (entry.CRC, entry.file_size)


def _astray(package: Package, part: str) -> set[str]:
    """Relationships of a part whose targets are missing."""
    targets = (arrow.target for arrow in package.relationships(part).values() if not arrow.external)
    return {target for target in targets if package.find(target) is None}
