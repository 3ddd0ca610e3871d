"""The kernel of a car on its tyres balances forces, also as plain Python, which raises where an index is out of range."""

import numpy as np
import pytest

from tests.support.handling_books import CORNERS, MASS, column, handled, on_path, single_track_book

G = 9.81
ROW = ("d", "yaw moment", "60 km/h", None, None, "1 deg", "2 deg", "1 deg", "0 mm", "5 mm", "5 mm")


def test_forces_of_a_few_states_are_mass_times_acceleration(tmp_path):
    found = handled(single_track_book(tmp_path / "car.xlsx", [ROW], friction=1.2))["d"]
    ax, ay = (column(found, name) for name in ("ax", "ay"))
    assert np.isfinite(ay).sum() >= 4
    for k in np.flatnonzero(np.isfinite(ay)):
        total = sum(on_path(found, k, corner) for corner in CORNERS)
        assert total == pytest.approx(MASS * np.array([ax[k], ay[k], G]), abs=1e-9 * MASS * G)
