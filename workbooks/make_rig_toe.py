"""Make rig-toe.xlsx: a strut axle beside the toe that a rig has measured of it, whose tie rods sit 2 mm higher than drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import readme
from car_sheets import Car, sketched, write
from make_bump_steer_study import POINTS, SETTINGS
from make_macpherson import VIEW
from rig_readings import toe_of_strut
from style import Handout, Layout, column_list, run_script

TRAVEL, STEP = 50.0, 2.5
"""mm, of the rig"""
HIGHER = 2.0
"""mm, by which the inner joint of the tie rod of the car sits above that of the drawing"""
HYSTERESIS, NOISE, LEVEL = 0.4, 0.1, 1.5
"""arcmin: half the width of the loop, one standard deviation of a reading, and what the rig shows at toe zero"""
SD = 0.003
"""deg, of the mean of both ways"""
TOE, CAMBER = (next(values[0] for name, values, *_ in SETTINGS if name == angle) for angle in ("toe", "camber"))
SWEEP = ("heave", "heave", -60, 60, 5)


def readings() -> list[tuple[float, float]]:
    """Height of the pad and toe out of the left wheel in arcmin, up, down and up again to where it began."""
    quarter = np.arange(0.0, TRAVEL, STEP)
    heights = np.concatenate((quarter, TRAVEL - quarter, -quarter, quarter - TRAVEL, [0.0]))
    x, y, z = POINTS["tie rod inner"]
    car = {**POINTS, "tie rod inner": (x, y, z + HIGHER)}
    ways = np.sign(np.append(np.diff(heights), 1.0))
    noise = NOISE * np.random.default_rng(39).standard_normal(len(heights))
    shown = LEVEL - 60.0 * toe_of_strut(car, TOE, CAMBER, heights) + HYSTERESIS * ways + noise
    return [(float(height), round(float(toe), 3)) for height, toe in zip(heights, shown, strict=True)]


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "rig-toe.xlsx", "Toe on a rig", space=True)
    tables = {
        "Sweeps": ("name type travel_from:mm travel_to:mm travel_step:mm", (SWEEP,)),
        "Measurements": (
            "name of sheet column over_column sign offset branch sd notes",
            (
                (
                    "rig toe",
                    "FL.toe",
                    "Measured heave",
                    "toe out",
                    "pad",
                    -1,
                    "fit",
                    "mean",
                    SD,
                    "the rig's zero is free",
                ),
                (
                    "way up",
                    "FL.toe",
                    "Measured heave",
                    "toe out",
                    "pad",
                    -1,
                    "fit",
                    "up",
                    None,
                    "the loop's upper edge",
                ),
            ),
        ),
    }
    car = Car(SETTINGS, {"front": POINTS}, tables=tables)
    write(book, car)
    columns = column_list("pad [mm] 0.0 :12, toe out [arcmin] 0.000 :14")
    book.series(
        "Measured heave", columns, readings(), "what the rig gave: height of the pad, toe out of the left wheel"
    )
    return book.finish(readme.text("rig-toe"), sketched(book, car, VIEW), "")


if __name__ == "__main__":
    run_script(make)
