"""Names of hardpoints: upper case, blanks, ``_``, ``-`` and non-breaking spaces do not tell them apart."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import sheetmbs.suspension.layout
from sheetmbs.suspension.layout.aliases import STANDARD, standard_name
from sheetmbs.suspension.layout.types import TYPES_BY_NAME
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import ROCKER, SETTINGS, STRUT, WISHBONES, hardpoint_book

WRITTEN = [str.title, str.upper, lambda text: text.replace(" ", "_"), lambda text: f" {text.replace(' ', chr(160))} "]


def declared() -> set[str]:
    """Every point that a type, or something added to it, names in its declaration."""
    layout = Path(sheetmbs.suspension.layout.__file__).parent
    text = "".join(path.read_text(encoding="utf-8") for path in layout.rglob("*.py"))
    named = {role.name for each in TYPES_BY_NAME.values() for role in each.points}
    return named | {*re.findall(r'PointRole\(\s*"([^"]+)"', text)}


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("name", sorted(declared() | {*STANDARD.values()}))
def test_every_standard_point_is_known_in_any_spelling(name, written):
    assert standard_name(written(name)) == (name, "")


@pytest.mark.parametrize("written", WRITTEN)
def test_a_list_in_any_spelling_gives_the_same_axle(tmp_path, written):
    settings = [*SETTINGS[1:], ("type", "macpherson")]
    heave = [("name", "type", "travel_from", "travel_to", "travel_step"), ("s", "heave", "-9 mm", "9 mm", "9 mm")]
    found, expected = (
        run_suspension(hardpoint_book(tmp_path / name, points, settings, sweeps=heave))
        for name, points in (("a.xlsx", {written(each): point for each, point in STRUT.items()}), ("b.xlsx", STRUT))
    )
    assert np.array_equal(found.table("s").values, expected.table("s").values, equal_nan=True)


@pytest.mark.parametrize("written", WRITTEN)
def test_the_drop_link_of_a_bar_finds_its_bearer_in_any_spelling(tmp_path, written):
    bar = {"bar link suspension": (8, 495, 160), "bar link bar": (-60, 500, 60), "bar axis": (-160, 400, 60)}
    heads = [("name", "axle", "kind", "k", "on"), ("bar", "front", "U bar", 60, written("lower arm"))]
    path = hardpoint_book(tmp_path / "b.xlsx", {**WISHBONES, **bar}, others={"Suspension springs": heads})
    assert "FL.bar_angle" in run_suspension(path).table("heave").columns


def test_a_spring_finds_its_point_and_a_row_of_bodies_its_body_in_any_spelling(tmp_path):
    settings = [*SETTINGS, ("actuation", "push-rod"), ("corner load", "700 N")]
    head = ("name", "axle", "kind", "k", "point_i")
    heave = [("name", "type", "travel_from", "travel_to", "travel_step"), ("s", "heave", "-9 mm", "9 mm", "9 mm")]
    found, expected = (
        run_suspension(
            hardpoint_book(
                tmp_path / name,
                {**WISHBONES, **ROCKER},
                settings,
                sweeps=heave,
                others={
                    "Suspension springs": [
                        head,
                        ("s", "front", "spring", "30 N/mm"),
                        ("t", "front", "third spring", "9 N/mm", point),
                    ],
                    "Bodies": [("name", "mass"), (body, 4.0)],
                },
            )
        )
        for name, point, body in (("a.xlsx", "Damper_Rocker", "fl_Upright"), ("b.xlsx", "damper rocker", "FL upright"))
    )
    assert np.array_equal(found.table("s").values, expected.table("s").values, equal_nan=True)
