"""Pictures of the user's in a workbook, by their names."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from struct import unpack

from sheetmbs.schema.names import fold
from sheetmbs.workbook.package.ownership import own_sheets
from sheetmbs.workbook.package.package import Package

PNG = b"\x89PNG\r\n\x1a\n"
USUAL_SHAPE = 3.0
"""width by height of a picture whose file does not say it in a few bytes"""


@dataclass(frozen=True)
class UserPicture:
    """A picture on a sheet of the user's. part: that holds it. shape: width by height."""

    name: str
    part: str
    shape: float


def pictures_of(package: Package) -> list[UserPicture]:
    """All pictures on sheets of the user's, in the order of the sheets, under each of the names that programs show.

    These are the name of the shape, its description and title, and the name of its file.
    """
    found = []
    ours = own_sheets(package)
    for sheet in package.sheets:
        drawing = None if sheet.name in ours or not sheet.part else package.related(sheet.part, "drawing")
        if drawing is None:
            continue
        arrows = package.relationships(drawing)
        for picture in package.xml(drawing).iter("{*}pic"):
            blip, about = next(picture.iter("{*}blip"), None), next(picture.iter("{*}cNvPr"), None)
            keys = () if blip is None else (str(value) for name, value in blip.attrib.items() if "embed" in str(name))
            arrow = next((arrows[key] for key in keys if key in arrows), None)
            if arrow is None or about is None:
                continue
            file = posixpath.splitext(posixpath.basename(arrow.target))[0]
            names = dict.fromkeys((*(str(about.get(each) or "") for each in ("name", "descr", "title")), file))
            part = package.find(arrow.target) or arrow.target
            shape = _shape(package.read(part))
            found += [UserPicture(name, part, shape) for name in names if name]
    return found


def picture_of(package: Package, name: str) -> UserPicture | None:
    """The picture of a name, in whatever case; None where there is none."""
    return next((each for each in pictures_of(package) if fold(each.name) == fold(name)), None)


def _shape(content: bytes) -> float:
    """Width by height, of a PNG or GIF as its head says."""
    if content.startswith(PNG):
        width, height = unpack(">II", content[16:24])
    elif content[:4] == b"GIF8":
        width, height = unpack("<HH", content[6:10])
    else:
        return USUAL_SHAPE
    return float(width) / float(height) if height else USUAL_SHAPE
