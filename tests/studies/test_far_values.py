"""A limit or target in another unit than its response is 100 times off all values, and gets a warning at its cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.studies.study_books import RESPONSES, VARIABLES, run, save_weight, study

HEAD = ["name", "of", "case", "goal", "value", "unit"]


def far(tmp_path: Path, goal: str, value: float) -> list[tuple[str, str]]:
    """Severity and cell of each such warning of a study whose response has this goal."""
    name, of = RESPONSES[1][:2]
    sheets = {"Study": study("grid"), "Variables": VARIABLES, "Responses": [HEAD, [name, of, None, goal, value, "mm"]]}
    found = run(save_weight(tmp_path / "weight.xlsx", sheets))  # type: ignore[arg-type]
    return [(each.severity, each.cell) for each in found.warnings if each.code == "far-from-all-values"]


@pytest.fixture
def sizes(tmp_path: Path) -> tuple[float, float]:
    """The smallest and the largest size of the response in all variants."""
    sheets = {"Study": study("grid"), "Variables": VARIABLES, "Responses": [RESPONSES[0], RESPONSES[1]]}
    found = run(save_weight(tmp_path / "sizes.xlsx", sheets))  # type: ignore[arg-type]
    values = abs(found.variants.responses[:, 0])
    return float(values.min()), float(values.max())


@pytest.mark.parametrize("goal", ["at most", "at least", "target"])
def test_a_value_in_another_unit_is_warned_of_at_its_cell(
    tmp_path: Path, goal: str, sizes: tuple[float, float]
) -> None:
    low, high = sizes
    for value in (low / 1000.0, high * 1000.0, low / 100.0, high * 100.0):
        assert far(tmp_path, goal, value) == [("warning", "Responses!E2")], value


@pytest.mark.parametrize("goal", ["at most", "at least", "target"])
def test_a_value_among_or_near_those_of_variants_is_not(tmp_path: Path, goal: str, sizes: tuple[float, float]) -> None:
    low, high = sizes
    for value in (low / 99.0, low, (low + high) / 2.0, high, high * 99.0, 0.0):
        assert far(tmp_path, goal, value) == [], value
