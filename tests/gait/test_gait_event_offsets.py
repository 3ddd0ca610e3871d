"""Estimated events: corrected by the own offset of walker and laboratory, with how well each is known."""

import re
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

from sheetmbs import WorkbookError
from sheetmbs.gait.events.event_offsets import Estimation, EventOffset, own_offsets
from sheetmbs.gait.events.trial_events import trial_events
from sheetmbs.gait.run_gait import run_gait
from tests.gait.test_gait_estimated_strides import results, sheets_of
from tests.gait.test_gait_events import FRAMES, TIME, contacts, feet, given
from tests.gait.walked_trials import event
from tests.support.gait_books import gait_book
from tests.support.gait_walker import PERIOD

PLATES = (2, 3, 4, 5, 6)


def compared(offset):
    """A strike that plates and motion tell."""
    return replace(event("heel strike", "right", 1.0), offset=offset)


def events_of(found):
    return found.solved.courses[0].events


def test_an_own_offset_puts_estimates_where_the_plates_would():
    """All strides of the walker are equal, so that what the force tells of one event it tells of all of its kind."""
    for each in events_of(results(PLATES)):
        same = [e for e in events_of(results(PLATES)) if (e.kind, e.source) == (each.kind, "force")]
        phase = (each.time - same[0].time) / (0.5 * PERIOD)
        assert phase == pytest.approx(round(phase), abs=1e-3), each
    words = {e.source for e in events_of(results(PLATES)) if e.is_estimated}
    assert words == {
        "kinematic (estimated, own offset -41 ms, n 5)",
        "kinematic (estimated, own offset 38 ms, n 5)",
    }


def test_offsets_of_other_words_are_taken_as_they_stand():
    plain = [e for e in events_of(results(PLATES, event_offset="none")) if e.is_estimated]
    assert {e.source for e in plain} == {"kinematic (estimated)"}
    assert {e.u for e in plain} == {0.025}
    typed = [e for e in events_of(results(PLATES, event_offset="-0.030; 0.010")) if e.is_estimated]
    shifts = {e.kind: 0.030 if e.kind == "heel strike" else -0.010 for e in plain}
    for before, after in zip(plain, typed, strict=True):
        assert after.time - before.time == pytest.approx(shifts[before.kind], abs=1e-12)
        assert after.u == 0.015
    assert "kinematic (estimated, offset -30 ms)" in {e.source for e in typed}


def test_plates_are_known_to_half_a_sample_over_the_root_of_three():
    forces = [e for e in events_of(results(PLATES)) if e.source == "force"]
    assert [e.u for e in forces] == pytest.approx([0.5 / 1000.0 / np.sqrt(3.0)] * len(forces))


def test_the_own_offset_is_a_median_and_its_uncertainty_the_deviation_of_at_least_three():
    def told(*offsets):
        return own_offsets([compared(off) for off in offsets])["heel strike"]

    assert told(-0.062, -0.050, -0.039).value == -0.050
    assert told(-0.062, -0.050, -0.039).u == pytest.approx(np.std([0.062, 0.050, 0.039], ddof=1))
    assert told(-0.062, -0.050).u == 0.015
    assert told(-0.062).words == "own offset -62 ms, n 1"
    how = Estimation({"heel strike": told(-0.062, -0.050)})
    assert how.u("toe off", "kinematic") == 0.025
    assert {how.u("heel strike", source) for source in ("given", "file", "kinematic")} == {0.015}


def test_five_measured_offsets_leave_what_was_measured():
    """Estimates of a person 62, 50, 39, 30 and 35 ms early lie within 25 ms after the correction by their median."""
    early = [-0.062, -0.050, -0.039, -0.030, -0.035]
    found = own_offsets([compared(off) for off in early])["heel strike"]
    assert found.value == -0.039
    assert [round(1e3 * (off - found.value)) for off in early] == [-23, -11, 0, 9, 4]


@pytest.mark.parametrize("text", ["early", "0.01", "a; b", "1;2;3"])
def test_another_offset_is_refused_at_its_cell(text, tmp_path):
    with pytest.raises(WorkbookError) as stopped:
        run_gait(gait_book(tmp_path / "walk.xlsx", sheets_of((2, 3), event_offset=text)))
    (told,) = stopped.value.problems
    assert (told.code, told.cell) == ("unknown-value", "Processing!B4")


def test_plates_far_from_markers_are_warned_of():
    """Forces that come 0.1 s late make strikes look 141 ms early, and toe offs 62 ms."""
    sheets = sheets_of(PLATES, force_delay=0.1)
    found = run_gait(gait_book(Path(mkdtemp()) / "walk.xlsx", sheets))
    told = [each for each in found.sheets.problems if each.code == "event-offset"]
    assert [re.sub(r"\D+", " ", each.found).strip() for each in told] == ["141", "62"]
    assert all("plates and markers are" in each.found for each in told)
    assert not [each for each in results(PLATES).sheets.problems if each.code == "event-offset"]


# of the file


def rows_of_file(*events):
    return [
        replace(each, source="file")
        for each in (given(kind, side, time, "", "Events!C2") for kind, side, time in events)
    ]


def test_events_of_the_file_replace_estimates_and_plates_tell_theirs():
    loads, recorded = contacts()
    kept = [each for each in loads if each.side == "left" or each.start < 0.0]
    rows = rows_of_file(("heel strike", "right", 1.11), ("heel strike", "left", 0.57))
    found = trial_events("", TIME, FRAMES, feet(), kept, recorded, rows)
    right = [(e.kind, round(e.time, 2), e.source) for e in found.events if e.side == "right" and 0.8 < e.time < 2.0]
    assert right == [("heel strike", 1.11, "file"), ("toe off", 1.81, "kinematic (estimated)")]
    assert {e.source for e in found.events if e.side == "left"} == {"force"}
    assert next(e.u for e in found.events if e.source == "file") == 0.015


def test_typed_events_switch_detection_off_and_leave_those_of_the_file():
    loads, recorded = contacts()
    typed = [given("heel strike", "right", 0.02, "", "Events!C2")]
    rows = [*typed, *rows_of_file(("toe off", "right", 0.67), ("heel strike", "right", 0.05))]
    found = trial_events("", TIME, FRAMES, feet(), loads, recorded, rows)
    assert [(e.kind, e.time, e.source) for e in found.events if e.side == "right"] == [
        ("heel strike", 0.02, "given"),
        ("toe off", 0.67, "file"),
    ]


def test_given_events_are_never_shifted():
    rows = [given("heel strike", "right", 1.0, "", "Events!C2"), *rows_of_file(("heel strike", "left", 0.6))]
    how = Estimation({"heel strike": EventOffset(-0.05, 4, 0.01)})
    found = trial_events("", TIME, FRAMES, feet(), given=rows, how=how)
    times = {e.source: e.time for e in found.events if not e.is_estimated}
    assert times == {"given": 1.0, "file": 0.6}


# on the summary


def items_of(found):
    return {(each.item, each.side): each for each in found.items if not each.joint}


def test_times_have_the_uncertainty_of_their_events():
    """Two right strides between measured strikes: u of a stride is that of two events, and of the mean over root two less."""
    of_plate = 0.5 / 1000.0 / np.sqrt(3.0)
    found = items_of(results(PLATES))
    assert found["stride time", "right"].n == 2
    assert found["stride time", "right"].u == pytest.approx(of_plate * np.sqrt(2.0) / np.sqrt(2.0))
    stance = found["stance", "right"]
    one = np.hypot((1.0 - stance.value) * of_plate, of_plate), stance.value * of_plate
    assert stance.u == pytest.approx(np.hypot(*one) / PERIOD / np.sqrt(stance.n))
    assert found["swing", "right"].u == stance.u
    cadence = found["cadence", ""]
    assert cadence.u == pytest.approx(2.0 * of_plate * np.sqrt(2.0) / PERIOD**2 / np.sqrt(cadence.n), rel=1e-3)
    assert all(each.u is not None and each.u >= 0.0 for each in found.values())


def test_the_error_of_a_method_does_not_shrink_with_the_number_of_strides():
    found = items_of(results(PLATES, events="kinematic", event_offset="none"))
    assert found["stride time", "right"].n >= 2
    assert found["stride time", "right"].u == pytest.approx(0.025 * np.sqrt(2.0))
    assert found["stride time", "right"].is_estimated


def test_estimated_parts_of_the_stride_stand_in_grey_italics_and_are_named():
    found = results(PLATES, events="kinematic", event_offset="none")
    (page,) = [each for each in found.sheets.pages if each.name == "mbs Gait summary"]
    rows = {}
    for cell in page.cells:
        rows.setdefault(cell.row, []).append(cell)
    stances = [row for row in rows.values() if row[0].value in ("stance", "swing", "double support")]
    assert len(stances) == 6
    assert all(cell.look.startswith("pale ") for row in stances for cell in row)
    assert {row[-1].value for row in stances} == {"e"}
    (report,) = [each for each in found.sheets.pages if each.name == "mbs Gait report"]
    assert any(cell.look.startswith("pale page decimals") for cell in report.cells)
    (told,) = [each for each in found.sheets.problems if each.code == "estimated-times"]
    assert "stance right" in told.found
    assert "double support left" in told.found
    assert not [each for each in results(PLATES).sheets.problems if each.code == "estimated-times"]


def test_rows_of_the_file_are_read_from_the_sheet(tmp_path):
    sheets = sheets_of((2, 3, 4, 5), start=-0.4, end=3.6)
    sheets["Events"] = [
        ("event", "side", "time", "trial", "source", "notes"),
        ("toe off", "left", 0.12, None, "file", "from the file"),
        ("heel strike", "right", 1.11, None, "file", "from the file"),
    ]
    found = run_gait(gait_book(tmp_path / "walk.xlsx", sheets))
    told = {(e.kind, e.side, e.source) for e in events_of(found)}
    assert ("toe off", "left", "file") in told
    assert ("heel strike", "right", "file") not in told, "the plate tells it"
    assert ("heel strike", "right", "force") in told
    assert not [each for each in found.sheets.problems if each.code == "unused-value"], "source counts in every row"
