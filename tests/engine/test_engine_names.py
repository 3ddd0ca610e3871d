"""Kernels say what they mean: columns have names, and what has a name is used."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from sheetmbs.analysis.integrators.interface import Status
from sheetmbs.elements.forces import FORCE_ELEMENTS
from sheetmbs.engine import codes
from sheetmbs.engine.arrays import Arrays, ForceElements, Loads
from sheetmbs.engine.forces import all_forces
from sheetmbs.engine.work import Work

PACKAGE = Path(__file__).parents[2] / "sheetmbs"
SOURCES = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
NUMBERED = re.compile(r"\b(?:pose|place)\[[^\]]*, \d")
ENUMS = (Status, codes.BodyKind, codes.RowKind, codes.MotionKind, codes.Count)


def test_no_column_of_a_pose_or_place_is_a_number():
    numbered = [
        f"{path.relative_to(PACKAGE)}: {line.strip()}"
        for path, text in SOURCES.items()
        if path.is_relative_to(PACKAGE / "engine")
        for line in text.splitlines()
        if NUMBERED.search(line)
    ]
    assert numbered == []


def test_columns_of_poses_and_places_are_counted_without_a_gap():
    values = {name: value for name, value in vars(codes).items() if name.isupper() and isinstance(value, int)}
    pose = values.pop("POSE_COLUMNS"), [v for n, v in values.items() if re.fullmatch(r"[RP]\d\d|O.|V.|W.|PHI", n)]
    place = values.pop("PLACE_COLUMNS"), [v for n, v in values.items() if re.fullmatch(r"S.|[XYZ]D{0,2}", n)]
    for count, columns in (pose, place):
        assert sorted(columns) == list(range(count))
    assert len(pose[1]) + len(place[1]) == len(values)


@pytest.mark.parametrize(
    ("bundle", "called"), [(Work, "W|work"), (Arrays, "A|arrays"), (ForceElements, "elements"), (Loads, "loads")]
)
def test_every_field_of_a_bundle_is_used(bundle, called):
    used = {name for text in SOURCES.values() for name in re.findall(rf"\b(?:{called})\.(\w+)", text)}
    assert {field.name for field in fields(bundle)} <= used


@pytest.mark.parametrize("enum", ENUMS)
def test_every_code_is_used(enum):
    used = {
        member for member in enum.__members__ if any(f"{enum.__name__}.{member}" in text for text in SOURCES.values())
    }
    assert used == set(enum.__members__)


def test_kinds_of_forces_are_counted_alike_in_both_lists():
    """A declaration's place in its list is the number by which kernels know it."""
    numbered = {name: value for name, value in vars(all_forces).items() if name.isupper() and isinstance(value, int)}
    assert [element.name.upper() for element in FORCE_ELEMENTS] == sorted(
        (name for name in numbered if name != "ENERGY"), key=numbered.get
    )
