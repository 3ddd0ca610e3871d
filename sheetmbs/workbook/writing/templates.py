"""The templates that come with sheetmbs, and a new workbook made from one.

A template is a workbook that says in its own properties what it is; `templates/make.py` of the repository makes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.workbook.package.archive import refusal
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.package.replace import SUFFIX, create_book

BLANK = "blank"
PROPERTIES = "docProps/core.xml"


class Template(NamedTuple):
    """A template as it is listed. dimension: 2D or 3D. about: one line."""

    name: str
    dimension: str
    analysis: str
    about: str


def list_templates() -> list[Template]:
    """All templates: the blank forms first, then planar models, then those in space."""
    templates = [_describe(path) for path in _folder().glob(f"*{SUFFIX}")]
    return sorted(templates, key=lambda each: (not each.name.startswith(BLANK), each.dimension, each.name))


def new_book(template: str, book: Path) -> Template:
    """Make a workbook from a template; an existing file is never overwritten.

    Raises WorkbookError where there is no such template or the file cannot be made.
    """
    known = template_files()
    name = _chosen(template, book, list(known))
    create_book(book, known[name].read_bytes(), name)
    return _describe(known[name])


def template_files() -> dict[str, Path]:
    """The files of all templates by their names."""
    return {path.stem: path for path in _folder().glob(f"*{SUFFIX}")}


def _folder() -> Path:
    """The folder of the templates: in the installed package, or beside it in the repository."""
    package = Path(__file__).parents[2]
    return next(folder for folder in (package / "templates", package.parent / "templates") if folder.is_dir())


def _describe(path: Path) -> Template:
    properties = {etree.QName(each).localname: each.text or "" for each in Package(path).xml(PROPERTIES)}
    return Template(path.stem, properties["category"], properties["keywords"], properties["description"])


def _chosen(text: str, book: Path, known: Sequence[str]) -> str:
    """The exact name of a template. Raises WorkbookError."""
    wanted = fold(text.removesuffix(SUFFIX))
    for name in known:
        if fold(name) == wanted:
            return name
    is_swapped = any(fold(name) == fold(book.stem) for name in known) and Path(text).suffix.casefold() == SUFFIX
    otherwise = "see sheetmbs templates"
    mend = f"did you mean sheetmbs new {book.stem} {text}?" if is_swapped else did_you_mean(text, known, otherwise)
    raise refusal("unknown-template", f"the template '{text}'", "there is no template of that name", mend)
