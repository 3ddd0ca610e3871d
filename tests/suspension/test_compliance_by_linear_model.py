"""Every kind of row of Compliance: metrics of K&C rigs against a linear model of the axle that has nothing of the program."""

import numpy as np
import pytest

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.car_books import car_book
from tests.support.hardpoint_books import STRUT, WISHBONES
from tests.support.linear_axle import SIDES, LinearAxle

NODES = ("kxx", "kxy", "kxz", "kyy", "kyz", "kzz")
HEADS = ("axle", "part", "side", "axis", "k", "k_radial", "k_axial", "k_torsion", "k_conical", *NODES)
SWEEPS = [("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "-5 mm", "5 mm", "5 mm")]
AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
STEEL = np.array([[9e3, 2e3, -1e3], [2e3, 7e3, 1.5e3], [-1e3, 1.5e3, 12e3]])
THIN = np.array([[4e3, -1e3, 8e2], [-1e3, 6e3, -2e3], [8e2, -2e3, 3e3]])
LOWER, UPPER = (f"{arm} {{}}" for arm in ("lower arm", "upper arm"))
BUSHING = {"k_radial": 8e3, "k_axial": 2e3}
LINKAGES = {
    "ball joints": {"lower ball joint": {"k": 12e3}, "upper ball joint": {"k_radial": 9e3, "k_axial": 3e3}},
    "a ball joint across x": {"upper ball joint": {"k_radial": 9e3, "axis": "x"}},
    "pivots": {
        LOWER.format("front"): BUSHING | {"k_torsion": 2e5, "k_conical": 5e6},
        LOWER.format("rear"): BUSHING,
        UPPER.format("front"): {"k": 7e3},
    },
    "pivots rigid along the hinge": {UPPER.format(end): {"k_radial": 8e3} for end in ("front", "rear")},
    "pivots along the hinge alone": {LOWER.format(end): {"k_axial": k} for end, k in (("front", 1e3), ("rear", 3e3))},
    "bushings upright": {LOWER.format(end): BUSHING | {"axis": "z"} for end in ("front", "rear")},
    "legs and a ball joint": {
        "lower arm legs": {"k": 40e3},
        "upper arm legs": {"k": 25e3},
        "upper ball joint": {"k": 9e3},
    },
    "a link and its ends": {
        "tie rod": {"k": 20e3},
        "tie rod inner": {"k": 9e3, "node": STEEL},
        "tie rod outer": {"node": THIN},
    },
    "the structure at pickups": {
        LOWER.format("front"): {"k": 9e3, "node": STEEL},
        LOWER.format("rear"): {"node": THIN},
        "lower ball joint": {"k": 20e3, "node": STEEL},
    },
    "rack, tie rod and tyre": {
        "rack": {"k": 20e3},
        "rack mount": {"k": 9e3},
        "tie rod": {"k": 20e3},
        "tyre": {"k_axial": 150.0},
    },
    "wheel bearings": {"wheel bearing": {"k_conical": 3e9}, "lower ball joint": {"k": 12e3}},
    "one side": {"lower ball joint": {"k": 12e3}, "lower ball joint, right": {"k": 6e3}, "tie rod, left": {"k": 20e3}},
}
STRUTS = {
    "a strut top": {"strut top": {"k": 600.0}, "lower ball joint": {"k": 12e3}},
    "a strut top by its line": {"strut top": {"k_radial": 500.0, "k_axial": 900.0}, "tie rod": {"k": 20e3}},
    "a strut top on its tower": {"strut top": {"k": 600.0, "node": THIN}},
}


def row(name, numbers):
    part, _comma, side = name.partition(", ")
    cells = {"axle": "front", "part": part, "side": side or None}
    for column, value in numbers.items():
        if column == "node":
            pairs = zip(NODES, np.triu_indices(3)[0], np.triu_indices(3)[1], strict=True)
            cells |= {head: f"{value[i, j]:.17g} N/mm" for head, i, j in pairs}
        elif column == "axis":
            cells["axis"] = value
        else:
            cells[column] = value * (1e-3 if column in ("k_torsion", "k_conical") else 1e3)
    return tuple(cells.get(head) for head in HEADS)


def by_side(parts):
    found = {side: {} for side in ("", *SIDES)}
    for name, numbers in parts.items():
        part, _comma, only = name.partition(", ")
        given = {key: AXES[value] if key == "axis" else value for key, value in numbers.items()}
        for side in ("",) if part.startswith("rack") else (only,) if only else SIDES:
            found[side][part] = given
    return found


CASES = [(WISHBONES, name, parts) for name, parts in LINKAGES.items()]
CASES += [(STRUT, name, parts) for name, parts in STRUTS.items()]


@pytest.mark.parametrize(("points", "parts"), [case[::2] for case in CASES], ids=[case[1] for case in CASES])
def test_parts_give_way_as_in_a_linear_model(tmp_path, points, parts):
    rear = {name: (x - 1550.0, y, z) for name, (x, y, z) in points.items()}
    types = ("macpherson" if points is STRUT else "double wishbone",) * 2
    others = {"Compliance": [HEADS, *(row(*each) for each in parts.items())], "Sweeps": SWEEPS}
    settings = {"type": types, "actuation": None}
    springs = (("name", "axle", "kind", "k"),)
    book = car_book(tmp_path / "car.xlsx", settings, front=points, rear=rear, springs=springs, others=others)
    found = run_suspension(book).sweeps["heave"].query("travel == 0").iloc[0]
    expected = LinearAxle(points, by_side(parts)).metrics()
    told = {name: value for name, value in expected.items() if name in found.index}
    assert len(told) == 46
    largest = {}
    for name, value in told.items():
        kind = name.partition(".")[2]
        largest[kind] = max(largest.get(kind, 1e-9), abs(value))
    wrong = {
        n: (v, found[n]) for n, v in told.items() if abs(found[n] - v) > 1e-6 * largest[n.partition(".")[2]] + 1e-12
    }
    assert not wrong
