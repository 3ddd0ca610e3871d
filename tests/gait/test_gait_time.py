"""The time of a recording: rounded stamps mean uniform ones, jumps of frames are gaps, anything else is wrong at a stamp."""

import numpy as np
import pytest

from sheetmbs.gait.signals.uniform_time import UniformTime, WrongStamp, uniform_time
from tests.support.shared import shared

TRIAL = shared("gait-data") / "walk2.trc"


def used(times, frames=None, **said):
    times = np.asarray(times, dtype=float)
    frames = np.arange(1, len(times) + 1) if frames is None else np.asarray(frames)
    found = uniform_time(times, frames, **said)
    assert isinstance(found, UniformTime), found
    return found


def wrong(times, frames=None, **said):
    times = np.asarray(times, dtype=float)
    frames = np.arange(1, len(times) + 1) if frames is None else np.asarray(frames)
    found = uniform_time(times, frames, **said)
    assert isinstance(found, WrongStamp), found
    return found


def test_exact_times_are_used_without_a_word():
    found = used(np.arange(500) * 0.01)
    assert (found.rate, found.note) == (pytest.approx(100.0, rel=1e-12), "")
    assert np.allclose(found.time, np.arange(500) * 0.01, rtol=0, atol=1e-12)


@pytest.mark.parametrize("start", [0.0, 0.28, 3.1234])
def test_150_hz_in_milliseconds_is_150_hz_by_the_header(start):
    exact = start + np.arange(300) / 150.0
    found = used(np.round(exact, 3), rate=150.0, printed=0.001)
    assert found.rate == 150.0
    assert np.ptp(np.diff(found.time)) < 1e-12
    assert np.max(np.abs(found.time - exact)) <= 0.0005
    assert "0.001 s" in found.note
    assert "150 frames" in found.note


def test_without_a_header_the_rate_runs_from_end_to_end():
    stamps = np.round(np.arange(68) / 69.95, 3)
    found = used(stamps)
    assert found.rate == pytest.approx(69.95, rel=1e-3)
    assert (found.time[0], found.time[-1]) == (stamps[0], pytest.approx(stamps[-1], rel=1e-12))
    assert "0.001 s" in found.note


def test_stamps_one_unit_off_are_still_uniform_and_two_units_off_are_not():
    stamps = np.round(np.arange(200) * 0.01, 3)
    stamps[100] += 0.001
    assert used(stamps, printed=0.001).rate == pytest.approx(100.0)
    stamps[100] += 0.001
    assert wrong(stamps, printed=0.001).sample == 100


def test_steps_may_differ_by_a_thousandth():
    steps = np.full(100, 0.01)
    steps[::2] *= 1.0009
    assert used(np.concatenate(([0.0], np.cumsum(steps))), printed=1e-9).rate == pytest.approx(100.0, rel=1e-3)
    steps[::2] *= 1.002
    assert wrong(np.concatenate(([0.0], np.cumsum(steps))), printed=1e-9).sample > 0


@pytest.mark.parametrize("start", [0.0, 0.0333])
def test_times_with_two_decimals_need_the_rate_and_are_well_with_it(start):
    stamps = np.round(start + np.arange(200) / 150.0, 2)
    assert wrong(stamps, setting="force_rate").mend.endswith("or write force_rate on Processing")
    found = used(stamps, rate=150.0)
    assert found.rate == 150.0
    assert np.max(np.abs(found.time - start - np.arange(200) / 150.0)) <= 0.005
    assert wrong(np.delete(stamps, 100), rate=150.0).sample > 0


def test_a_header_that_the_times_contradict_is_named_and_not_believed():
    found = used(np.arange(100) * 0.005, rate=100.0)
    assert found.rate == pytest.approx(200.0)
    assert "100 Hz" in found.note
    assert "200 Hz" in found.note


@pytest.mark.parametrize(("rate", "decimals"), [(100.0, 2), (100.0, 3), (150.0, 3), (150.0, 9)])
@pytest.mark.parametrize("said", [True, False])
@pytest.mark.parametrize("missing", [1, 40, 98])
def test_a_missing_row_is_found_where_it_is_missing(rate, decimals, said, missing):
    stamps = np.delete(np.round(np.arange(100) / rate, decimals), missing)
    found = wrong(stamps, rate=rate if said else None, printed=10.0**-decimals)
    assert found.sample == missing


def test_a_jump_of_frames_is_a_gap():
    frames = np.array([*range(11, 31), *range(35, 61)])
    found = used(np.round((frames - 1) / 150.0, 3), frames, rate=150.0, printed=0.001)
    assert len(found.time) == 50
    assert list(found.frames) == list(range(11, 61))
    spread = found.spread(np.array([frames, 2.0 * frames]))
    assert list(np.flatnonzero(np.isnan(spread[0]))) == [20, 21, 22, 23]
    assert spread[1, 24] == 70.0


def test_a_jump_of_frames_without_one_of_times_is_wrong():
    assert wrong(np.arange(40) * 0.01, [*range(1, 21), *range(25, 45)]).sample == 20


def test_frames_without_times_need_a_rate():
    frames, none = np.arange(101, 141), np.full(40, np.nan)
    assert wrong(none, frames).mend == "write rate on Processing"
    assert wrong(none, frames, setting="force_rate").mend == "write force_rate on Processing"
    found = used(none, frames, rate=100.0)
    assert (found.time[0], found.rate) == (1.0, 100.0)


def test_every_second_frame_is_half_the_rate():
    found = used(np.full(40, np.nan), np.arange(1, 81, 2), rate=100.0)
    assert (found.rate, len(found.time)) == (50.0, 40)
    assert found.time[-1] == pytest.approx(78 / 100.0)


@pytest.mark.parametrize(
    ("times", "frames", "sample", "said"),
    [
        ([0.0, 0.01, 0.01, 0.02, 0.03], None, 2, "0.01 s after 0.01 s"),
        ([0.0, 0.01, 0.02, 0.015, 0.03], None, 3, "0.015 s after 0.02 s"),
        ([0.0, 0.01, np.nan, 0.03], None, 2, "no time"),
        ([0.0, 0.01, 0.02], [1, 2, 2], 2, "frame 2 after frame 2"),
        ([0.5, 0.5], None, 1, "0.5 s after 0.5 s"),
        ([0.5], None, 0, "1 frame"),
    ],
)
def test_what_is_wrong_is_named(times, frames, sample, said):
    found = wrong(times, frames)
    assert (found.sample, found.found) == (sample, said)


@pytest.mark.skipif(not TRIAL.exists(), reason="the real trial is not beside this folder")
def test_the_time_of_a_real_trial_is_that_of_its_header():
    rows = [line.split("\t") for line in TRIAL.read_text(encoding="latin-1").splitlines()[5:] if line.strip()]
    times, frames = np.array([float(row[1]) for row in rows]), np.array([int(row[0]) for row in rows])
    found = used(times, frames, rate=150.0, printed=0.001)
    assert (found.rate, len(found.time)) == (150.0, 251)
    assert "0.001 s" in found.note
