"""What limits ax of a car that runs straight: friction of its wheels, or springs that give way; a limit is always found."""

import numpy as np
import pytest

from tests.support.car_books import car_book
from tests.support.handling_books import (
    BEHIND,
    FRONT_ARM,
    HANDLING,
    LENGTH,
    UPRIGHT_CAR,
    UPRIGHT_KINGPIN,
    column,
    handled,
    linear_tyres,
    student_book,
)

G = 9.81
HEIGHT = 0.3
FRICTION = 1.1
BRAKE_FRONT = 0.65
HEADS = (*HANDLING, "ay_from", "ay_to", "ay_step")
ROWS = [HEADS, ("e", "g-g", 15, *[None] * 8, -0.1, 0.1, 0.1)]
HARD = [("name", "axle", "kind", "k"), ("f", "front", "spring", "1e7 N/mm"), ("r", "rear", "spring", "1e7 N/mm")]


def driven(word):
    """Settings of a car that is driven at the rear."""
    own = {"drive rear": (1.0,), "differential": (None, word), "brake front": (BRAKE_FRONT,)}
    return {**own, "differential bias": (None, 1.5)} if word == "limited" else own


def limits(found, name):
    """What limits ``ax_max`` or ``ax_min`` in each row."""
    return list(found.table.texts[found.table.columns.index(name)].texts)


@pytest.mark.parametrize("word", ["open", "limited"])
def test_wheels_of_an_axle_that_slide_at_the_same_effort_use_all_of_their_friction(tmp_path, word):
    settings = {**UPRIGHT_CAR, "cg height": (f"{HEIGHT} m",), **driven(word)}
    sheets = {**linear_tyres(FRICTION), "Handling": ROWS}
    book = car_book(tmp_path / "car.xlsx", settings, front=UPRIGHT_KINGPIN, rear=BEHIND, springs=HARD, others=sheets)
    found = handled(book)["e"]
    assert {text.split()[0] for way in ("limit_max", "limit_min") for text in limits(found, way)} == {"wheel"}
    # m ax = mu N_r,  N_r L = m (g a + ax h);   -0.35 m ax = mu N_r: braked, the rear wheels slide first
    most = FRICTION * G * FRONT_ARM / (LENGTH - FRICTION * HEIGHT)
    least = -FRICTION * G * FRONT_ARM / ((1.0 - BRAKE_FRONT) * LENGTH + FRICTION * HEIGHT)
    assert column(found, "ax_max")[1] == pytest.approx(most, rel=1e-6)
    assert column(found, "ax_min")[1] == pytest.approx(least, rel=1e-6)
    for name in ("ax_max", "ax_min"):
        ax = column(found, name)
        assert ax[0] == pytest.approx(ax[2], rel=1e-6)


def test_springs_that_give_way_under_their_rockers_limit_ax_whatever_the_friction(tmp_path):
    """The ratio of these rockers falls so fast that the springs of the front end hold no load of braking beyond some."""
    found = [
        handled(student_book(tmp_path / f"{mu}.xlsx", (), mu, settings=driven("open"), others={"Handling": ROWS}))["e"]
        for mu in (1.5, 1.8)
    ]
    for name, corners in (("ax_max", ["springs RL", "springs RL", "springs RR"]), ("ax_min", ["springs FL"] * 2)):
        assert np.isfinite([column(each, name) for each in found]).all()
        for each in found:
            assert limits(each, f"limit{name[2:]}")[: len(corners)] == corners
        assert column(found[0], name)[1] == pytest.approx(column(found[1], name)[1], rel=1e-9)


def test_a_circle_says_whether_tyres_or_springs_limit_it(tmp_path):
    """With far more friction the same springs give way at the same ay; with little friction an axle slides before."""
    rows = [HANDLING, ("c", "circle", 15)]
    words, most = {}, {}
    for mu in (0.8, 2.6, 3.0):
        book = student_book(tmp_path / f"{mu}.xlsx", (), mu, settings=driven("open"), others={"Handling": rows})
        found = next(each for each in handled(book)["c"].read_offs if each.metric == "max_trimmed_ay")
        words[mu], most[mu] = found.definition, found.value
    assert words[0.8].endswith("axle slides")
    assert most[0.8] == pytest.approx(0.8, abs=0.1)
    assert words[2.6] == words[3.0]
    assert "give way" in words[3.0]
    assert most[2.6] == pytest.approx(most[3.0], rel=2e-3)  # an inner wheel that slides
