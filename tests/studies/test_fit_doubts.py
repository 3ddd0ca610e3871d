"""What a fit says of readings that can hardly be meant, and of a search that cannot go on."""

import numpy as np
import pytest

from tests.studies.fit_books import TIMES, run_fit, slider_crank, torque_columns, torque_fit

TORQUE = torque_columns() @ np.array([1.8, 0.9, 1.4, 2.0, 1.0])
ROD = [("name", "cell", "low", "high", "sd"), ("rod", "Bodies!B3", None, None, 0.3)]


def remarks(path, torque, more=None):
    fit = run_fit(torque_fit(path, torque, ROD, more=more)).fit
    return fit, " / ".join(fit.remarks)


def data(times, torque):
    return {
        "Measured": [
            ["time", "torque"],
            ["s", "N*m"],
            *([float(t), float(m)] for t, m in zip(times, torque, strict=True)),
        ]
    }


def test_readings_that_run_against_the_model_have_a_wrong_sign_and_no_answer(tmp_path):
    """The search runs towards a mass below 0, which cannot be solved: it ends there, and is no solution."""
    fit, told = remarks(tmp_path / "sign.xlsx", -TORQUE)
    assert not fit.converged
    assert "run against motor.moment" in told
    assert "cannot be solved any farther" in told


def test_rows_that_were_pasted_twice_are_counted_and_told(tmp_path):
    noisy = TORQUE + 0.01 * np.random.default_rng(1).standard_normal(len(TORQUE))
    twice = data(np.append(TIMES, TIMES[:10]), np.append(noisy, noisy[:10]))
    fit, told = remarks(tmp_path / "twice.xlsx", noisy, twice)
    assert fit.converged
    assert "10 readings" in told
    assert "repeat" in told


def test_readings_beyond_what_is_computed_are_counted_and_told(tmp_path):
    times = TIMES + 0.1
    fit, told = remarks(tmp_path / "late.xlsx", TORQUE, data(times, TORQUE))
    outside = int(np.sum(times > TIMES[-1] + 1e-9))
    assert fit.measurements[0].n == len(TIMES) - outside
    assert f"{outside} of {len(TIMES)} readings" in told


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_sound_readings_raise_no_doubt(tmp_path, noise):
    readings = TORQUE + noise * np.random.default_rng(2).standard_normal(len(TORQUE))
    fit, told = remarks(tmp_path / "sound.xlsx", readings)
    assert fit.converged
    assert told == ""
    assert slider_crank(rod=float(fit.values[0]))["Bodies"][2][1] == pytest.approx(0.9, abs=0.02)
