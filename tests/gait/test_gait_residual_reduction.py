"""Residual reduction shares out what nobody applies by the sizes of errors, beside plain curves and never in their place."""

import numpy as np
import pytest
from scipy.interpolate import BSpline

from sheetmbs.gait.gait_results import believed_courses
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.uncertainty.reduced_tables import residual_rms
from sheetmbs.gait.uncertainty.residual_reduction import reduce_residual
from sheetmbs.gait.uncertainty.smooth_changes import SmoothChanges, spline_pieces
from tests.gait.gait_space_trials import trial as space_trial
from tests.gait.test_gait_dynamic_consistency import heavier
from tests.gait.test_gait_uncertainty import knee_swing, moved, shank_axes, sheets_with
from tests.support.gait_books import gait_book
from tests.support.opened import sheet_values

REDUCED = {"residual_reduction": "yes", "bands": "no"}
BY = 0.05
"""part by which the mass of the subject is typed too large"""
SKIN = 8e-3
"""m by which skin moves the right knee, with its flexion"""


def solved_with(path, sheets):
    """A solved workbook, and its residual shared out."""
    found = run_gait(gait_book(path, sheets))
    gait = GaitPresentation(found.solved.book, found.solved.courses)
    return found, reduce_residual(believed_courses(found.solved, gait))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reduced")


@pytest.fixture(scope="module")
def exact(folder):
    return solved_with(folder / "exact.xlsx", sheets_with(None, {"bands": "no"}))


@pytest.fixture(scope="module")
def overweight(folder):
    return solved_with(folder / "heavy.xlsx", heavier(sheets_with(None, REDUCED), BY))


def skin_moves(sheets, by=SKIN):
    along, _ = shank_axes()
    return moved(sheets, "right knee", by * knee_swing()[:, None] * along)


def missed(found, reduced, exact, label):
    """rms by which the moment of a joint misses that of the exact walk: plain, and with the residual shared out."""
    truth = exact[0].solved.courses[0]
    inside = ~truth.edge
    courses = found.solved.courses[0], reduced.courses[0]
    return [
        float(np.sqrt(np.nanmean((each.joints[label]["moment"] - truth.joints[label]["moment"])[inside] ** 2)))
        for each in courses
    ]


def test_an_exact_walk_stays_as_it_is(exact):
    found, reduced = exact
    assert reduced.marker_change < 0.3e-3
    assert max(map(abs, reduced.masses.values())) < 2e-3
    for label, course in found.solved.courses[0].joints.items():
        second = reduced.courses[0].joints[label]
        inside = ~found.solved.courses[0].edge
        assert np.nanmax(np.abs(second["moment"] - course["moment"])[inside]) < 0.6
        assert np.nanmax(np.abs(second["angle"] - course["angle"])[inside]) < np.deg2rad(0.15)


def test_a_mass_that_is_too_large_is_taken_off_again(exact, overweight):
    found, reduced = overweight
    (force, moment), (force_left, moment_left) = residual_rms(reduced.before[0]), residual_rms(reduced.after[0])
    assert force_left < 0.01 * force
    assert moment_left < 0.05 * moment
    masses = {each.row.name: each.mass.mass for each in found.solved.trials[0].segments}
    taken = sum(part * masses[name] for name, part in reduced.masses.items()) / sum(masses.values())
    # a small rest goes to markers, which can fall a little more slowly
    assert taken == pytest.approx(-(1.0 - 1.0 / (1.0 + BY)), rel=0.05)
    for label in ("right hip", "left hip", "right knee", "left knee"):
        plain, second = missed(found, reduced, exact, label)
        assert second < 0.65 * plain


def test_skin_that_moves_is_told_in_part_and_on_its_side(folder, exact):
    found, reduced = solved_with(folder / "skin.xlsx", skin_moves(sheets_with(None, REDUCED)))
    plain, second = missed(found, reduced, exact, "right hip")
    assert second < 0.6 * plain
    assert missed(found, reduced, exact, "left hip")[1] < 0.15 * plain
    assert max(reduced.moved, key=reduced.moved.get) == ("", "right knee")


def test_errors_that_are_nearly_none_leave_all_as_it_was(folder):
    sources = [(word, 1e-6, unit, None) for word, unit in (("marker placement", "mm"), ("mass", "%"), ("com", "%"))]
    found, reduced = solved_with(folder / "none.xlsx", heavier(sheets_with(sources, REDUCED), BY))
    assert reduced.marker_change < 1e-9
    assert reduced.after[0] == pytest.approx(reduced.before[0], rel=1e-4, abs=1e-4)
    (warning,) = [each for each in found.sheets.problems if each.code == "doubtful-reduction"]
    assert "more than half of a residual stays" in warning.problem


def test_masses_alone_move_no_marker_and_stop_at_their_limit(folder):
    sheets = heavier(sheets_with([("mass", 500, "%", None)], REDUCED), 0.15)
    found, reduced = solved_with(folder / "masses.xlsx", sheets)
    assert reduced.marker_change == 0.0
    assert min(reduced.masses.values()) == pytest.approx(-0.10)
    (warning,) = [each for each in found.sheets.problems if each.code == "doubtful-reduction"]
    assert "mass of trunk would change more than is allowed" in warning.problem
    assert warning.cell.startswith("Processing!")


def test_where_the_laboratory_has_its_origin_changes_nothing(folder, overweight):
    sheets = heavier(sheets_with(None, REDUCED), BY)
    for name in ("Markers", "Force plates"):
        shifted = [k for k, head in enumerate(sheets[name][0]) if head.endswith((".x", ".px"))]
        for row in sheets[name][2:]:
            for column in shifted:
                row[column] = None if row[column] is None else row[column] + 1.7
    _, reduced = solved_with(folder / "shifted.xlsx", sheets)
    assert reduced.masses == pytest.approx(overweight[1].masses, rel=1e-3, abs=1e-5)
    assert reduced.moved == pytest.approx(overweight[1].moved, rel=1e-3, abs=1e-7)


def test_second_curves_stand_beside_the_plain_ones(folder, overweight):
    found, reduced = overweight
    path = folder / "heavy.xlsx"
    found.save()
    head, units, *rows = sheet_values(path, "mbs Gait series")
    values = np.array(rows, dtype=float)
    plain, second = head.index("right hip.moment"), head.index("right hip.moment.reduced")
    assert units[plain] == units[second]
    mass, moments = (
        found.solved.book.subject.mass,
        [each.joints["right hip"]["moment"] for each in (found.solved.courses[0], reduced.courses[0])],
    )
    for column, moment in zip((plain, second), moments, strict=True):
        assert np.abs(values[:, column]) * mass == pytest.approx(np.abs(moment), abs=1e-6, nan_ok=True)
    # without bands there is no u, and the plain curves are those of a run without all this
    assert not any(str(name).endswith(".u") for name in head)
    quality = {(row[0], row[1]): row for row in sheet_values(path, "mbs Gait quality")}
    assert quality["mass, change", "trunk"][3] == pytest.approx(100.0 * reduced.masses["trunk"])
    assert quality["marker change, rms", "all"][3] == pytest.approx(1e3 * reduced.marker_change)
    (item,) = [each for each in found.items if each.item == "residual reduction, marker change rms"]
    assert item.value == pytest.approx(reduced.marker_change)


def test_a_body_without_trunk_has_no_residual_to_share_out(folder):
    sheets = sheets_with(None, REDUCED)
    sheets["Segments"] = [row for row in sheets["Segments"] if row[0] != "trunk"]
    found = run_gait(gait_book(folder / "legs.xlsx", sheets))
    (warning,) = [each for each in found.sheets.problems if each.code == "no-residual"]
    assert "the whole body is not measured" in warning.problem
    assert warning.cell.startswith("Processing!")


def test_in_space_nearly_nothing_is_left(folder):
    sheets = space_trial(0.0)
    sheets["Processing"] = [*sheets["Processing"], ["bands", "no"]]
    heavier(sheets, BY)
    found, reduced = solved_with(folder / "space.xlsx", sheets)
    (force, moment), (force_left, moment_left) = residual_rms(reduced.before[0]), residual_rms(reduced.after[0])
    assert force_left < 0.03 * force
    assert moment_left < 0.3 * moment
    masses = {each.row.name: each.mass.mass for each in found.solved.trials[0].segments}
    taken = sum(part * masses[name] for name, part in reduced.masses.items()) / sum(masses.values())
    assert taken == pytest.approx(-(1.0 - 1.0 / (1.0 + BY)), rel=0.1)


def test_pieces_of_splines_are_those_of_b_splines():
    part = np.linspace(0.0, 0.999, 7)
    pieces = spline_pieces(part)
    for number in range(4):
        spline = BSpline.basis_element(np.arange(number - 3.0, number + 2.0), extrapolate=False)
        shifted = part + 0.0
        for order in range(3):
            own = spline.derivative(order) if order else spline
            assert pieces[order, number] == pytest.approx(own(shifted), abs=1e-12)


def test_banded_elimination_is_the_whole_least_squares_problem():
    random, time = np.random.default_rng(3), np.arange(40) / 100.0
    responses = {name: random.standard_normal((2, 3, 3, 40)) * np.array([1, 0.1, 0.01])[:, None, None] for name in "ab"}
    known = np.ones(40, bool)
    known[:6] = False
    smooth = SmoothChanges(time, 0.05, known, np.array([1.0, 2.0, 0.5]), {"a": 0.3, "b": 0.1}, responses)
    residual = smooth.rows(random.standard_normal((3, 40)))
    dense = np.zeros((len(residual), 0))
    for _, rows, does in smooth._splines():
        block = np.zeros((len(residual), does.shape[1]))
        block[rows] = does
        dense = np.hstack((dense, block))
    together = np.vstack((dense, np.eye(dense.shape[1])))
    coefficients = np.linalg.lstsq(together, np.concatenate((-residual, np.zeros(dense.shape[1]))), rcond=None)[0]
    assert smooth.solve(residual) == pytest.approx(residual + dense @ coefficients, abs=1e-9)
    moved_by = smooth.courses(smooth.solve(residual))
    # the largest change of a marker is near one of its coefficients, and never beyond the largest of them
    assert np.abs(moved_by["a"]).max() <= 0.3 * np.abs(coefficients).max()
    assert (moved_by["a"][:, 2] == 0.0).all()


def test_smooth_changes_leave_what_they_say_they_leave():
    """With y = r + U c left of a residual r, the courses of c change the residual by y - r: here by their values alone."""
    random, count, parts = np.random.default_rng(3), 120, 3
    time = np.arange(count) / 100.0
    responses = {}
    for label in ("heel", "toe"):
        responses[label] = np.zeros((2, 3, parts, count))
        responses[label][:, 0] = random.normal(0.0, 4e3, (2, parts, count))
    known = (time > 0.1) & (time < 1.0)
    sizes = {"heel": 5e-3, "toe": 8e-3}
    smooth = SmoothChanges(time, 0.05, known, np.array([2.0, 2.0, 0.2]), sizes, responses)
    residual = random.normal(0.0, 20.0, (parts, count))
    y = smooth.solve(smooth.rows(residual))
    courses = smooth.courses(y)
    changed = residual + sum(np.einsum("apn,na->pn", responses[label][:, 0], courses[label][:, :2]) for label in sizes)
    assert smooth.rows(changed) == pytest.approx(y, rel=1e-9, abs=1e-9)
    assert np.linalg.norm(y) < 0.5 * np.linalg.norm(smooth.rows(residual))


def test_pieces_of_splines_have_their_derivatives():
    u, h = np.linspace(0.1, 0.9, 9), 1e-4
    value, first, second = spline_pieces(u)
    above, below = spline_pieces(u + h), spline_pieces(u - h)
    assert value.sum(axis=0) == pytest.approx(1.0, abs=1e-14)
    assert first == pytest.approx((above[0] - below[0]) / (2 * h), abs=1e-7)
    assert second == pytest.approx((above[1] - below[1]) / (2 * h), abs=1e-7)
