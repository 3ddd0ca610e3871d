"""What the templates of suspensions hold that no example workbook shows: an axle of every other type, in mm."""

from __future__ import annotations

from pathlib import Path

from car_sheets import Car, Row, write
from make_formula_student import RANGES
from style import Layout

AXES = ("axes", ("ISO 8855",), "", "x forward, y to the left, z up; the origin is on the road under the front axle")
SPRING_HEADERS = "name axle kind k:N/mm c:N*s/mm gap:mm design notes"
DESIGNS: tuple[Row, ...] = (("base", "blue", ""), ("B", "orange", "rows with B in the column design"))

README = """
{about}

# How to run
{{run}}

mbs Suspension is the page, mbs Sweep heave and the others have a row for each pose, mbs Suspension Metrics says what every
column is.

# Two designs
Two rows have B in the column design. They count in design B alone, where they take the place of the rows without a design. Both
designs are run together and lie over each other in every chart. Delete them, or write your own.
"""


def _settings(
    kind: str,
    *,
    angles: tuple[float, float],
    tyre: tuple[float, float],
    car: tuple[float, float, float, float],
    corner: float,
    brake: float,
    more: tuple[tuple[str, tuple[str | float, ...], str, str], ...] = (),
) -> tuple[tuple[str, tuple[str | float, ...], str, str], ...]:
    """Settings of a car with one axle.

    angles: camber, toe, deg. tyre: radius, mm, and rate, N/mm. car: wheelbase, cg height, mm, mass, kg, weight front, %.
    corner: unsprung mass, kg. brake: share of the front, %.
    """
    return (
        ("type", (kind,), "", "how the wheels are guided"),
        AXES,
        ("camber", (angles[0],), "deg", "+ top outboard"),
        ("toe", (angles[1],), "deg", "+ front inboard"),
        ("tyre radius", (tyre[0],), "mm", "loaded: the height of the wheel centre above the road"),
        ("tyre rate", (tyre[1],), "N/mm", "vertical stiffness of a tyre"),
        ("wheelbase", (car[0],), "mm", ""),
        ("cg height", (car[1],), "mm", "of the whole car, above the road"),
        ("mass", (car[2],), "kg", "with its driver"),
        ("weight front", (car[3],), "%", ""),
        ("unsprung mass", (corner,), "kg", "of one corner"),
        ("brake front", (brake,), "%", "share of the brake force"),
        *more,
    )


def _sweeps(travel: float, step: float, roll: float, rack: float = 0.0) -> tuple[Row, ...]:
    """Heave, single wheel and roll, and steer and heave at full lock where there is a rack. mm and deg."""
    ranges: list[Row] = [
        ("heave", "heave", -travel, travel, step, *(None,) * 7),
        ("single wheel", "single wheel", -travel, travel, step, *(None,) * 7),
        ("roll", "roll", None, None, None, -roll, roll, roll / 20, *(None,) * 4),
    ]
    if rack:
        ranges.append(("steer", "steer", *(None,) * 6, -rack, rack, rack / 10, None))
        ranges.append(("full lock", "heave", -travel, travel, step, *(None,) * 6, rack))
    return tuple(ranges)


def _car(
    settings: tuple[tuple[str, tuple[str | float, ...], str, str], ...],
    axle: str,
    points: dict[str, tuple[float, float, float]],
    *,
    changed: Row,
    springs: tuple[Row, ...],
    sweeps: tuple[Row, ...],
    headers: str = SPRING_HEADERS,
) -> Car:
    tables = {
        "Suspension springs": (headers, springs),
        "Sweeps": (RANGES, sweeps),
        "Designs": ("name colour notes", DESIGNS),
    }
    return Car(settings, {axle: points}, (changed,), tables)


DOUBLE_WISHBONE = _car(
    _settings(
        "double wishbone",
        angles=(-0.8, 0.05),
        tyre=(300, 220),
        car=(2450, 470, 1050, 50),
        corner=30,
        brake=65,
        more=(("rack per turn", (-45,), "mm", "negative: the rack lies behind the axle"),),
    ),
    "front",
    {
        "lower arm front": (160.0, 330.0, 168.0),
        "lower arm rear": (-190.0, 345.0, 182.0),
        "lower ball joint": (6.0, 690.0, 170.0),
        "upper arm front": (110.0, 420.0, 447.0),
        "upper arm rear": (-150.0, 430.0, 437.0),
        "upper ball joint": (-22.0, 655.0, 470.0),
        "tie rod inner": (-125.0, 335.0, 246.0),
        "tie rod outer": (-138.0, 670.0, 252.0),
        "wheel centre": (0.0, 740.0, 300.0),
        "damper outer": (10.0, 575.0, 185.0),
        "damper chassis": (0.0, 455.0, 640.0),
        "bar link suspension": (60.0, 560.0, 190.0),
        "bar link bar": (62.0, 556.0, 330.0),
        "bar axis": (260.0, 380.0, 330.0),
    },
    changed=("front", "upper arm rear", -150.0, 430.0, 429.0, "B", "design B: this bracket 8 mm lower"),
    headers="name axle kind k:N/mm c:N*s/mm gap:mm on design notes",
    springs=(
        ("spring", "front", "spring", 48, None, None, None, None, "on the damper: between its points"),
        ("damper", "front", "damper", None, 3.5, None, None, None, ""),
        ("bump stop", "front", "bump stop", 150, None, 30, None, None, "acts after 30 mm of damper travel"),
        ("bar", "front", "U bar", "900 N*m/rad", None, None, "lower arm", None, "per radian of twist between its ends"),
        ("spring", "front", "spring", 55, None, None, None, "B", "design B: a stiffer spring"),
    ),
    sweeps=_sweeps(60, 5, 3, 60),
)
MULTILINK = _car(
    _settings("multilink", angles=(-1.0, 0.1), tyre=(315, 240), car=(2700, 560, 1500, 52), corner=38, brake=68),
    "rear",
    {
        "link 1 inner": (-2440.0, 455.0, 272.0),
        "link 1 outer": (-2650.0, 742.0, 236.0),
        "link 2 inner": (-2790.0, 300.0, 254.0),
        "link 2 outer": (-2725.0, 745.0, 232.0),
        "link 3 inner": (-2560.0, 470.0, 462.0),
        "link 3 outer": (-2668.0, 690.0, 486.0),
        "link 4 inner": (-2770.0, 440.0, 478.0),
        "link 4 outer": (-2722.0, 700.0, 497.0),
        "link 5 inner": (-2880.0, 330.0, 292.0),
        "link 5 outer": (-2850.0, 735.0, 280.0),
        "wheel centre": (-2700.0, 790.0, 315.0),
        "damper outer": (-2712.0, 700.0, 300.0),
        "damper chassis": (-2690.0, 620.0, 780.0),
    },
    changed=("rear", "link 5 inner", -2880.0, 330.0, 296.0, "B", "design B: the toe link 4 mm higher inside"),
    springs=(
        ("spring", "rear", "spring", 40, None, None, None, "on the damper: between its points"),
        ("damper", "rear", "damper", None, 2.2, None, None, ""),
        ("bump stop", "rear", "bump stop", 120, None, 45, None, "acts after 45 mm of damper travel"),
        ("spring", "rear", "spring", 46, None, None, "B", "design B: a stiffer spring"),
    ),
    sweeps=_sweeps(60, 5, 3),
)
TRAILING_ARM = _car(
    _settings(
        "semi-trailing arm",
        angles=(-0.8, 0.15),
        tyre=(290, 200),
        car=(2550, 530, 1000, 55),
        corner=26,
        brake=70,
    ),
    "rear",
    {
        "arm inner": (-2280.0, 230.0, 300.0),
        "arm outer": (-2170.0, 640.0, 308.0),
        "wheel centre": (-2550.0, 720.0, 290.0),
        "damper outer": (-2570.0, 600.0, 250.0),
        "damper chassis": (-2510.0, 555.0, 640.0),
        "spring rocker": (-2430.0, 540.0, 270.0),
        "spring chassis": (-2430.0, 540.0, 480.0),
    },
    changed=("rear", "arm outer", -2170.0, 640.0, 320.0, "B", "design B: this bush 12 mm higher"),
    springs=(
        (
            "spring",
            "rear",
            "spring",
            65,
            None,
            None,
            None,
            "between spring rocker, on the arm, and spring chassis",
        ),
        ("damper", "rear", "damper", None, 1.5, None, None, ""),
        ("bump stop", "rear", "bump stop", 80, None, 50, None, "acts after 50 mm of damper travel"),
        ("spring", "rear", "spring", 75, None, None, "B", "design B: a stiffer spring"),
    ),
    sweeps=_sweeps(60, 5, 3),
)
THREE_LINK = _car(
    _settings(
        "three-link",
        angles=(-1.0, 0.1),
        tyre=(270, 110),
        car=(1500, 480, 290, 42),
        corner=17,
        brake=60,
    ),
    "rear",
    {
        "trailing arm pivot": (-900.0, 330.0, 330.0),
        "upper camber link inner": (-1490.0, 190.0, 320.0),
        "upper camber link outer": (-1490.0, 560.0, 335.0),
        "lower camber link inner": (-1480.0, 170.0, 195.0),
        "lower camber link outer": (-1485.0, 560.0, 205.0),
        "wheel centre": (-1500.0, 620.0, 270.0),
        "damper outer": (-1350.0, 480.0, 275.0),
        "damper chassis": (-1270.0, 330.0, 720.0),
    },
    changed=("rear", "upper camber link inner", -1490.0, 190.0, 305.0, "B", "design B: this bracket 15 mm lower"),
    springs=(
        ("spring", "rear", "spring", 22, None, None, None, "on the damper: between its points"),
        ("damper", "rear", "damper", None, 1.4, None, None, ""),
        ("bump stop", "rear", "bump stop", 60, None, 70, None, "acts after 70 mm of damper travel"),
        ("spring", "rear", "spring", 26, None, None, "B", "design B: a stiffer spring"),
    ),
    sweeps=_sweeps(80, 5, 3),
)
SOLID_AXLE = _car(
    _settings(
        "solid axle",
        angles=(0.0, 0.0),
        tyre=(345, 260),
        car=(2800, 650, 1900, 54),
        corner=70,
        brake=68,
        more=(("drive", ("outboard",), "", "the axle takes the torque of the drive"),),
    ),
    "rear",
    {
        "link 1 inner": (-2250.0, 470.0, 330.0),
        "link 1 outer": (-2790.0, 500.0, 290.0),
        "link 2 inner": (-2330.0, 430.0, 520.0),
        "link 2 outer": (-2780.0, 130.0, 540.0),
        "wheel centre": (-2800.0, 780.0, 345.0),
        "damper outer": (-2880.0, 520.0, 290.0),
        "damper chassis": (-2860.0, 460.0, 720.0),
        "spring rocker": (-2790.0, 470.0, 430.0),
        "spring chassis": (-2790.0, 470.0, 700.0),
    },
    changed=("rear", "link 1 inner", -2250.0, 470.0, 300.0, "B", "design B: the lower links 30 mm lower on the body"),
    springs=(
        (
            "spring",
            "rear",
            "spring",
            38,
            None,
            None,
            None,
            "between spring rocker, on the axle, and spring chassis",
        ),
        ("damper", "rear", "damper", None, 3, None, None, ""),
        ("bump stop", "rear", "bump stop", 150, None, 55, None, "acts after 55 mm of damper travel"),
        ("spring", "rear", "spring", 44, None, None, "B", "design B: a stiffer spring"),
    ),
    sweeps=_sweeps(60, 5, 3),
)
CARS = {
    "suspension-double-wishbone": (DOUBLE_WISHBONE, "The front axle of a sports car on double wishbones."),
    "suspension-multilink": (MULTILINK, "The rear axle of a car on five links a side."),
    "suspension-trailing-arm": (TRAILING_ARM, "The rear axle of a small car on semi-trailing arms."),
    "suspension-three-link": (THREE_LINK, "The rear axle of a buggy on trailing arms with two camber links a side."),
    "suspension-solid-axle": (SOLID_AXLE, "The rear axle of a pick-up: a solid axle on four links."),
}
"""template -> car, what it is"""


def make(folder: Path, layout: Layout, name: str) -> Path:
    """Write the template of this name into ``folder``, laid out so, and return its path."""
    car, about = CARS[name]
    path = folder / f"{name}.xlsx"
    book = layout(path, name.replace("-", " ").capitalize(), space=True)
    write(book, car)
    book.finish(README.format(about=about), [], "")
    return path
