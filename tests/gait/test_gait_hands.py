"""Rails and crutches: what hands hold acts on the body and on no foot."""

import numpy as np
import pytest

from sheetmbs.gait.run_gait import run_gait
from sheetmbs.problems.errors import WorkbookError
from tests.support.gait_books import Recording, force_rows, gait_book, walker_sheets

HOW = Recording(end=2.6, force_rate=200.0, settings={"bands": "no"})
PART = 0.2
"""of what the feet of the walker get, which a rail takes"""


def walked(path, *, rail=False):
    """The exact walker; with a rail that takes a part of what its feet get."""
    sheets = walker_sheets(HOW)
    if rail:
        heads, units, *rows = force_rows(HOW)
        values = np.array(rows, float)
        columns = list(heads)
        found = {name: np.nan_to_num(values[:, columns.index(name)]) for name in columns}
        taken = {axis: sum(PART * found[f"{side}.{axis}"] for side in ("right", "left")) for axis in ("fx", "fy", "mz")}
        for side in ("right", "left"):
            for axis in ("fx", "fy", "mz"):
                found[f"{side}.{axis}"] = (1.0 - PART) * found[f"{side}.{axis}"]
        found |= {f"rail.{axis}": values for axis, values in taken.items()}
        sheets["Force plates"] = [
            (*columns, "rail.fx", "rail.fy", "rail.mz"),
            (*units, "N", "N", "N*m"),
            *map(tuple, np.column_stack(list(found.values()))),
        ]
        sheets["Plates"] = [("name", "foot", "axes"), ("rail", "right hand", "marker")]
    return run_gait(gait_book(path, sheets))


def test_what_a_rail_carries_is_of_no_foot_and_closes_the_balance_of_the_body(tmp_path):
    """Whatever takes a part of the force of the ground, the whole body needs the same: nothing is left that nobody applies."""
    plain, railed = walked(tmp_path / "plain.xlsx"), walked(tmp_path / "rail.xlsx", rail=True)
    one, two = plain.solved.courses[0], railed.solved.courses[0]
    inside = ~one.edge & np.isfinite(one.residual["fy"]) & np.isfinite(two.residual["fy"])
    assert inside.sum() > 100
    for name in ("fx", "fy", "m"):
        assert two.residual[name][inside] == pytest.approx(one.residual[name][inside], abs=1e-6)
    for side in ("right", "left"):
        assert two.feet[side]["fy"][inside] == pytest.approx((1.0 - PART) * one.feet[side]["fy"][inside], abs=1e-6)
    assert {each.plate for each in two.events} <= {"right", "left", ""}
    codes = {each.code for each in railed.solved.problems if each.severity != "note"}
    assert not codes & {"doubtful-mass", "wrong-mass", "large-residual", "plate-gain", "synchrony", "delayed-forces"}


def test_a_hand_stands_alone_in_its_cell(tmp_path):
    sheets = walker_sheets(HOW)
    sheets["Plates"] = [("name", "foot"), ("right", "right hand; left")]
    with pytest.raises(WorkbookError) as refused:
        run_gait(gait_book(tmp_path / "two.xlsx", sheets))
    assert [each.cell for each in refused.value.problems] == ["Plates!B2"]
    assert "right hand, left hand" in refused.value.problems[0].problem
