"""Which parts of a package lead to which."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable

from sheetmbs.workbook.package.package import Package


def relationships_of(part: str) -> str:
    """The name of the part that holds another one's relationships."""
    folder, base = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{base}.rels")


def below(package: Package, part: str, without: Collection[str] = ()) -> list[str]:
    """Parts that a part points to. without: ids of relationships that do not count."""
    arrows = package.relationships(part).values()
    return [arrow.target for arrow in arrows if not arrow.external and arrow.id not in without]


def reach(package: Package, start: Iterable[str], closed: Collection[str] = ()) -> set[str]:
    """All parts that relationships lead to, without passing through the ``closed`` ones."""
    reached: set[str] = set()
    todo = list(start)
    while todo:
        part = package.find(todo.pop())
        if part is None or part in reached or part in closed:
            continue
        reached.add(part)
        todo += below(package, part)
    return reached


def only_used_by(package: Package, sheets: Collection[str]) -> set[str]:
    """These sheet parts and the parts that can be reached through them alone."""
    inside = reach(package, [target for sheet in sheets for target in below(package, sheet)])
    return {*sheets, *(inside - reach(package, below(package, ""), sheets))}


def with_relationships(package: Package, names: Iterable[str]) -> set[str]:
    """These parts and those that hold their relationships."""
    known = set(names)
    return known | {found for part in known if (found := package.find(relationships_of(part)))}
