"""Make kc-rig.xlsx: an axle that gives way beside what a K&C rig has measured of it, whose rack mount is softer than drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import readme
from car_sheets import Car, sketched, write
from kc_readings import Load, RigCar, readings
from make_macpherson import VIEW
from style import Handout, Layout, column_list, run_script

POINTS = {
    "lower arm front": (160.0, 350.0, 190.0),
    "lower arm rear": (-190.0, 355.0, 195.0),
    "lower ball joint": (5.0, 700.0, 180.0),
    "upper arm front": (110.0, 420.0, 470.0),
    "upper arm rear": (-150.0, 425.0, 462.0),
    "upper ball joint": (-18.0, 655.0, 490.0),
    "tie rod inner": (-120.0, 340.0, 232.0),
    "tie rod outer": (-135.0, 690.0, 228.0),
    "wheel centre": (0.0, 750.0, 305.0),
    "damper outer": (10.0, 640.0, 260.0),
    "damper chassis": (0.0, 520.0, 640.0),
}
TOE, CAMBER, RADIUS, LOAD, SPRING = 0.10, -0.8, 305.0, 3600.0, 40.0
"""deg, deg, mm, N, N/mm"""
LOWER, UPPER, ROD, MOUNT = 60.0, 30.0, 25.0, 9.0
"""kN/mm, of each leg of the arms, of the tie rods and of the mount of the rack as drawn"""
SOFT_MOUNT = 5.0
"""kN/mm, of the mount of the car on the rig"""
STIFFER = 52.0
"""N/mm, of the spring of design B"""
SETTINGS = (
    ("type", ("double wishbone",), "", "how the wheels are guided"),
    ("damper on", ("upright",), "", "body on which spring and damper stand"),
    ("axes", ("ISO 8855",), "", "x forward, y to the left, z up; the origin is on the road under the axle"),
    ("camber", (CAMBER,), "deg", "+ top outboard"),
    ("toe", (TOE,), "deg", "+ front inboard"),
    ("tyre radius", (RADIUS,), "mm", "loaded: the height of the wheel centre above the road"),
    ("corner load", (LOAD,), "N", "on the contact of a wheel at design"),
    ("wheelbase", (2500,), "mm", ""),
    ("brakes", ("outboard",), "", "their torque reaches the upright"),
    ("ride height", ("solve preload",), "", "the preload is found at which the car stands as drawn"),
    ("rack per turn", (-48,), "mm", "+ to the left per turn to the left: this rack lies behind the axle"),
)
COMPLIANCE = (
    ("front", "lower arm legs", LOWER, "of each leg; an arm is rigid across its plane"),
    ("front", "upper arm legs", UPPER, ""),
    ("front", "tie rod", ROD, "along the rod"),
    ("front", "rack mount", MOUNT, "as drawn; the car on the rig has 5 kN/mm"),
)
SWEEPS = (
    ("heave", "heave", -40, 40, 10, None, None, None, None, None),
    (
        "lateral",
        "lateral force",
        None,
        None,
        None,
        "-2 kN",
        "2 kN",
        "0.25 kN",
        "parallel",
        "both pads push to the left",
    ),
    ("opposed", "lateral force", None, None, None, "-2 kN", "2 kN", "0.5 kN", "opposed", "+ pulls both outboard"),
    ("braking", "longitudinal force", None, None, None, "-3 kN", "3 kN", "0.5 kN", "parallel", "wheels locked"),
    (
        "aligning",
        "aligning torque",
        None,
        None,
        None,
        "-200 N*m",
        "200 N*m",
        "25 N*m",
        "parallel",
        "about the vertical",
    ),
)
FORCES, TORQUES = np.linspace(0.0, 2.0, 9), np.linspace(0.0, 200.0, 9)
"""kN and N m, of a quarter of a loop"""
HYSTERESIS, NOISE, SD = 0.004, 0.0008, 0.002
"""deg: half the width of the loops, one standard deviation of a reading, and of the mean of both ways"""
MEASUREMENTS = (
    (
        "toe left",
        "FL.toe",
        "Measured lateral",
        "toe left",
        "lateral",
        "pad force",
        1,
        "mean",
        SD,
        "the mean of both ways",
    ),
    ("toe right", "FR.toe", "Measured lateral", "toe right", "lateral", "pad force", 1, "mean", SD, ""),
    ("camber left", "FL.camber", "Measured lateral", "camber left", "lateral", "pad force", 1, "mean", SD, ""),
    ("way up", "FL.toe", "Measured lateral", "toe left", "lateral", "pad force", 1, "up", None, "one edge of the loop"),
    (
        "toe by torque",
        "FL.toe",
        "Measured aligning",
        "toe out",
        "aligning",
        "pad torque",
        -1,
        "mean",
        SD,
        "shown as toe out",
    ),
)


def rig_car(mount: float) -> RigCar:
    """The axle of the readings. mount: of the rack, kN/mm."""
    legs = [1e3 * k for k in (LOWER, LOWER, UPPER, UPPER, ROD)]
    return RigCar(POINTS, TOE, CAMBER, RADIUS, [*legs, SPRING], 1e3 * mount, LOAD)


def lateral(forces: Sequence[float]) -> list[Load]:
    """Both pads push to the left. forces: kN."""
    return [Load(force=np.tile([0.0, 1e3 * each, 0.0], (2, 1))) for each in forces]


def aligning(torques: Sequence[float]) -> list[Load]:
    """Both pads turn about the vertical. torques: N m."""
    return [Load(moment=np.tile([0.0, 0.0, 1e3 * each], (2, 1))) for each in torques]


def _loop(quarter: np.ndarray) -> np.ndarray:
    """Up, down, and up again to where it began."""
    top = quarter[-1]
    return np.concatenate((quarter[:-1], top - quarter[:-1], -quarter[:-1], quarter[:-1] - top, [0.0]))


def _read(values: np.ndarray, x: np.ndarray, seed: int) -> np.ndarray:
    """What a rig shows of curves (rows, columns): loops and noise."""
    ways = np.sign(np.append(np.diff(x), 1.0))[:, None]
    noise = NOISE * np.random.default_rng(seed).standard_normal(values.shape)
    return np.round(values + HYSTERESIS * ways + noise, 4)


def lateral_rows() -> list[tuple[float, ...]]:
    """Force of each pad in kN, toe left and right and camber left in deg."""
    forces = _loop(FORCES)
    shown = _read(readings(rig_car(SOFT_MOUNT), lateral(list(forces)))[:, [0, 2, 1]], forces, 3901)
    return [(float(x), *map(float, row)) for x, row in zip(forces, shown, strict=True)]


def aligning_rows() -> list[tuple[float, ...]]:
    """Torque of each pad in N m and toe out of the left wheel in deg."""
    torques = _loop(TORQUES)
    shown = _read(-readings(rig_car(SOFT_MOUNT), aligning(list(torques)))[:, [0]], torques, 3902)
    return [(float(x), float(row[0])) for x, row in zip(torques, shown, strict=True)]


def make(folder: Path, layout: Layout = Handout, name: str = "kc-rig") -> Path:
    """Write the workbook into ``folder``, laid out so and so called, and return its path."""
    book = layout(folder / f"{name}.xlsx", "An axle on a K&C rig", space=True)
    tables = {
        "Suspension springs": (
            "name axle kind k:N/mm design notes",
            (
                ("spring", "front", "spring", SPRING, None, ""),
                ("spring", "front", "spring", STIFFER, "B", "design B: the next spring in the box"),
            ),
        ),
        "Compliance": ("axle part k:kN/mm notes", COMPLIANCE),
        "Sweeps": (
            "name type travel_from:mm travel_to:mm travel_step:mm force_from force_to force_step sense notes",
            SWEEPS,
        ),
        "Measurements": ("name of sheet column sweep over_column sign branch sd notes", MEASUREMENTS),
        "Designs": ("name colour notes", (("base", "blue", ""), ("B", "orange", "a stiffer spring"))),
        "Targets": (
            "metric sweep value min max notes",
            (
                ("FL.toe_per_lateral", None, None, "-0.03 deg/kN", "0.03 deg/kN", "steers little under side forces"),
                ("measured(toe left)", None, None, None, "0.005 deg", "model and rig agree"),
            ),
        ),
    }
    car = Car(SETTINGS, {"front": POINTS}, tables=tables)
    write(book, car)
    headers = (
        "pad force [kN] 0.00 :12, toe left [deg] 0.0000 :12, toe right [deg] 0.0000 :12, camber left [deg] 0.0000 :14"
    )
    book.series(
        "Measured lateral", column_list(headers), lateral_rows(), "what the rig gave while its pads pushed sideways"
    )
    headers = "pad torque [N*m] 0.0 :12, toe out [deg] 0.0000 :12"
    book.series("Measured aligning", column_list(headers), aligning_rows(), "what it gave while they turned")
    return book.finish(readme.text("kc-rig"), sketched(book, car, VIEW), "")


if __name__ == "__main__":
    run_script(make)
