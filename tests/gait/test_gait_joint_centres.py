"""Joint centres and masses of segments: places on a pelvis and a leg whose numbers can be worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sheetmbs.gait.body.anthropometry import body_parts, segment_mass
from sheetmbs.gait.joint_centres import centre_of_spheres, with_centres
from sheetmbs.gait.trial.gait_book import CentreRow, SegmentRow, Subject

LEVEL = {  # m: spines 240 mm apart, their middles 160 mm
    "rasis": (0.10, 1.00, 0.12),
    "lasis": (0.10, 1.00, -0.12),
    "rpsis": (-0.06, 1.00, 0.05),
    "lpsis": (-0.06, 1.00, -0.05),
}
SPINES = ("rasis", "lasis", "rpsis", "lpsis")
SUBJECT = Subject(70.0, 1.75, "female", "winter", ("right", "left"), {}, {})


def segment(name, proximal, distal, table, **given):
    blank = {"mass": None, "mass_fraction": None, "com": None, "gyration": None, "inertia": None, "length": "mean"}
    rest = {"parent": None, "line": (distal, proximal), "markers": (), "weights": (), "cells": {}}
    return SegmentRow(
        name=name, side="right", proximal=proximal, distal=distal, table=table, **{**blank, **rest, **given}
    )


THIGH = segment("right thigh", "hip", "knee", "thigh")
SHANK = segment("right shank", "knee", "ankle", "shank")


def centre(kind, markers, *, offset=(0.0, 0.0, 0.0), side="right", name="centre"):
    return CentreRow(name, kind, markers, np.array(offset), side, {})


def held(points):
    """Points over four frames, (n, 3)."""
    return {name: np.tile(place, (4, 1)) for name, place in points.items()}


def found(row, points, segments=(), dimension="3D"):
    return with_centres(points, [row], segments, dimension)[row.name][0]


@pytest.mark.parametrize(("side", "sign"), [("right", 1.0), ("left", -1.0)])
def test_harringtons_hip_of_a_level_pelvis_is_where_his_numbers_put_it(side, sign):
    place = found(centre("harrington", SPINES, side=side), held(LEVEL))
    assert place == pytest.approx([0.10 - 0.0483, 1.0 - 0.0829, sign * 0.0865], abs=1e-12)


@pytest.mark.parametrize(("side", "sign"), [("right", 1.0), ("left", -1.0)])
def test_bells_hip_is_below_inside_and_behind_its_spine_by_parts_of_the_width(side, sign):
    place = found(centre("bell", SPINES, side=side), held(LEVEL))
    assert place == pytest.approx([0.10 - 0.0528, 1.0 - 0.072, sign * (0.12 - 0.0336)], abs=1e-12)


@pytest.mark.parametrize("kind", ["harrington", "bell"])
def test_a_pelvis_takes_its_hips_along(kind):
    turn, way = Rotation.from_euler("zyx", [20.0, -35.0, 12.0], degrees=True), np.array([0.3, -0.1, 0.7])
    moved = held({name: turn.apply(place) + way for name, place in LEVEL.items()})
    still = found(centre(kind, SPINES), held(LEVEL))
    assert found(centre(kind, SPINES), moved) == pytest.approx(turn.apply(still) + way, abs=1e-12)


def test_a_sacrum_serves_for_the_middle_of_the_posterior_spines():
    with_sacrum = held(LEVEL | {"sacrum": (-0.06, 1.00, 0.0)})
    place = found(centre("harrington", ("rasis", "lasis", "sacrum")), with_sacrum)
    assert place == pytest.approx(found(centre("harrington", SPINES), held(LEVEL)), abs=1e-12)


def test_a_mean_lies_between_its_markers_and_a_marker_on_itself():
    points = held({"lateral": (0.1, 0.5, 0.16), "medial": (0.12, 0.5, 0.06)})
    assert found(centre("mean", ("lateral", "medial")), points) == pytest.approx([0.11, 0.5, 0.11])
    assert found(centre("marker", ("medial",)), points) == pytest.approx([0.12, 0.5, 0.06])


@pytest.mark.parametrize(("dimension", "z"), [("2D", 0.1), ("2D", np.nan), ("3D", 0.1)])
def test_an_offset_counts_along_the_segment_below_forward_and_to_the_right(dimension, z):
    lean = np.radians(30.0)  # the shank leans forward
    knee, ankle = np.array([0.4 * np.sin(lean), 0.5, z]), np.array([0.0, 0.5 - 0.4 * np.cos(lean), z])
    row = centre("offset", ("marker",), offset=(0.02, -0.03, -0.05), name="knee")
    place = found(row, held({"marker": knee, "ankle": ankle}), [SHANK], dimension)
    along, ahead = np.array([np.sin(lean), np.cos(lean)]), np.array([np.cos(lean), -np.sin(lean)])
    assert place[:2] == pytest.approx(knee[:2] + 0.02 * ahead - 0.03 * along, abs=1e-12)
    assert np.isnan(z) or place[2] == pytest.approx(z - 0.05, abs=1e-12)


def test_markers_that_turn_about_a_point_find_it():
    centre_point = np.array([0.2, 0.9, 0.1])
    turns = Rotation.from_euler("zxy", np.random.default_rng(3).uniform(-0.6, 0.6, (50, 3)))
    arms = np.array([[0.1, -0.2, 0.05], [-0.05, -0.3, 0.08], [0.02, -0.25, -0.1]])
    markers = np.stack([centre_point + turns.apply(arm) for arm in arms])
    assert centre_of_spheres(markers) == pytest.approx(centre_point, abs=1e-10)
    markers[1, 7] = np.nan
    assert centre_of_spheres(markers) == pytest.approx(centre_point, abs=1e-10)


def test_markers_that_turn_about_one_axis_alone_tell_no_centre():
    turns = Rotation.from_euler("z", np.linspace(-0.6, 0.6, 50)[:, None])
    arms = np.array([[0.1, -0.2, 0.05], [-0.05, -0.3, 0.08], [0.02, -0.25, -0.1]])
    assert centre_of_spheres(np.stack([turns.apply(arm) for arm in arms])) is None


def test_winters_segments_make_a_whole_body():
    parts = body_parts("winter", "")
    assert 2.0 * sum(parts[name].mass for name in ("foot", "shank", "thigh")) + parts["hat"].mass == pytest.approx(1.0)


@pytest.mark.parametrize("sex", ["female", "male"])
def test_de_levas_trunk_is_what_the_legs_leave(sex):
    parts = body_parts("de leva", sex)
    assert 2.0 * sum(parts[name].mass for name in ("foot", "shank", "thigh")) + parts["hat"].mass == pytest.approx(1.0)
    assert parts["thigh"].mass == {"female": 0.1478, "male": 0.1416}[sex]


def test_a_centre_of_mass_counts_from_the_end_that_the_table_names_whichever_column_holds_it():
    upper, lower = (segment_mass(THIGH, SUBJECT, is_proximal_first=first) for first in (True, False))
    assert (upper.mass, upper.com, upper.gyration) == (7.0, 0.433, 0.323)
    assert lower.com == pytest.approx(0.567)


def test_cells_of_a_row_go_before_the_table():
    own = segment("thigh", "hip", "knee", "thigh", mass=8.0, com=0.4, inertia=0.11)
    made = segment_mass(own, SUBJECT, is_proximal_first=False)
    assert (made.mass, made.com, made.gyration, made.inertia) == (8.0, 0.4, None, 0.11)
    part = segment("thigh", "hip", "knee", "thigh", mass_fraction=0.12)
    assert segment_mass(part, SUBJECT, is_proximal_first=True).mass == pytest.approx(8.4)
    assert segment_mass(THIGH, replace(SUBJECT, anthropometry="custom"), is_proximal_first=True) is None
