"""Make half-hat-leg.xlsx: half of head, arms and trunk on a leg, guided through one measured stride."""

from __future__ import annotations

from math import cos, sin
from pathlib import Path

import readme
from look import Formula
from sketch import Line
from style import Handout, Layout, column_list, run_script
from walks import read_samples

BODIES = (
    (
        "hat",
        19.2213,
        1.03923,
        0.47266,
        1.07997,
        1.48527,
        1.38137,
        0.05727,
        0.73275,
        "half of head, arms and trunk, right side",
    ),
    ("thigh", 5.67, 0.05836, 0.43026, 0.65208, 1.44339, 2.0547, -0.01989, 3.3998, "right thigh"),
    ("shank", 2.6365, 0.04005, 0.27187, 0.36231, 0.69464, 2.42049, 0.18498, -2.07573, "right shank"),
    ("foot", 0.8222, 0.00273, 0.08941, 0.15333, 1.494, 1.87062, 0.57264, -3.98255, "right foot"),
)
JOINTS = (
    ("hip", "hat", "thigh", -0.294065, 0.136005),
    ("knee", "thigh", "shank", -0.178095, 0.176707),
    ("ankle", "shank", "foot", -0.231393, 0.06105),
)


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "half-hat-leg.xlsx", "Half of head, arms and trunk on a leg")
    _settings(book)
    _bodies(book)
    _joints(book)
    _points(book)
    _series(book)
    book.charts(
        [
            ("Vertical reactions on the upper bodies", "time", "hip.i.fy; knee.i.fy; ankle.i.fy", "line"),
            ("Horizontal reactions on the upper bodies", "time", "hip.i.fx; knee.i.fx; ankle.i.fx", "line"),
            (
                "Moments that guide the segments",
                "time",
                "hat.phi.moment; thigh.phi.moment; shank.phi.moment; foot.phi.moment",
                "line",
            ),
            ("Angles of the joints", "time", "hip.angle; knee.angle; ankle.angle", "line"),
            ("Angular velocities of the segments", "time", "hat.omega; thigh.omega; shank.omega; foot.omega", "line"),
            ("Path of the hip", "hip centre.x", "hip centre.y", "xy"),
            ("Path of the ankle", "ankle centre.x", "ankle centre.y", "xy"),
            ("Violation of the constraints", "time", "position_violation; velocity_violation", "line"),
        ],
        title=46,
        x=20,
        y=72,
    )
    return book.finish(readme.text("half-hat-leg"), _sketch(book), "m")


def _settings(book: Handout) -> None:
    book.settings(
        [
            ("title", "Half of head, arms and trunk on a leg", "", ""),
            ("dimension", "2D", "", "the sagittal plane: x forward, y up"),
            (
                "analysis",
                "dynamic",
                "",
                "as in the printed output that this reproduces; see README for inverse dynamic",
            ),
            ("gravity_x", 0, "m/s^2", ""),
            ("gravity_y", -9.81, "m/s^2", ""),
            ("t_start", 0, "s", ""),
            ("t_end", 0.957, "s", "one stride"),
            ("t_step", 0.00145, "s", "a row for each step: t = 0.47995 s is step 331, the end is step 660"),
            ("integrator", "rk4", "", "fixed step"),
            ("step", 0.00145, "s", "a twentieth of the spacing of the measured samples"),
            ("formulation", "baumgarte", "", "violations fade instead of being projected away"),
            ("alpha", 5, "1/s", ""),
            ("beta", 5, "1/s", ""),
            (
                "initial_conditions",
                "given",
                "",
                "used as measured, though they contradict the guiding series by up to 0.012 m/s",
            ),
            ("guiding_spline", "natural", "", ""),
        ]
    )


def _bodies(book: Handout) -> None:
    book.table(
        "Bodies",
        column_list(
            "name :12, mass [kg] 0.0000, inertia [kg*m^2] 0.00000 :11, x [m] 0.00000, y [m] 0.00000, "
            "phi [rad] 0.00000, vx [m/s] 0.00000, vy [m/s] 0.00000, omega [rad/s] 0.00000, notes :42"
        ),
        BODIES,
        "four segments: mass, inertia about the centre of mass, pose and velocity at the start",
    )


def _joints(book: Handout) -> None:
    book.table(
        "Joints",
        column_list(
            "name :12, type :13, body_i :12, body_j :12, xi_i [m] 0.000000, eta_i [m] 0.000000, "
            "xi_j [m] 0.000000, eta_j [m] 0.000000, notes :50"
        ),
        [
            (name, "revolute", i, j, xi_i, 0, xi_j, 0, "on the long axis of both segments")
            for name, i, j, xi_i, xi_j in JOINTS
        ],
        "hip, knee and ankle as ideal hinges, in body coordinates",
    )


def _points(book: Handout) -> None:
    book.table(
        "Points",
        column_list("name :16, body :12, x [m] 0.000000, y [m] 0.000000, frame :10, report :10, notes :50"),
        [
            (
                f"{name} centre",
                lower,
                book.link("Joints", name, "xi_j"),
                book.link("Joints", name, "eta_j"),
                "body",
                "yes",
                f"{name} joint, seen from the {lower}",
            )
            for name, _upper, lower, _xi_i, _xi_j in JOINTS
        ],
        "the joint centres, to see their paths",
    )


def _series(book: Handout) -> None:
    book.series(
        "Guiding",
        column_list(
            "time [s] 0.000 :10, hat.x [m] 0.0000000 :13, hat.y [m] 0.0000000 :13, hat.phi [rad] 0.0000000 :13, "
            "thigh.phi [rad] 0.0000000 :13, shank.phi [rad] 0.0000000 :13, foot.phi [rad] 0.0000000 :13"
        ),
        read_samples("half-hat-leg-guiding").values.tolist(),
        "the measured motion: place of the upper body and angles of all segments, 34 samples",
    )
    force = read_samples("half-hat-leg-ground-force").values.tolist()
    touch_down = next(row[3] for row in force if row[3] != 0.0)
    book.series(
        "ForceSeries",
        column_list(
            "time [s] 0.000 :10, foot.fx [N] 0.0 :12, foot.fy [N] 0.0 :12, foot.px [m] 0.000 :12, foot.py [m] 0.000 :12"
        ),
        [(time, fx, fy, place or touch_down, 0) for time, fx, fy, place in force],
        "the measured force of the ground on the foot and where it acts, 34 samples",
    )


def _sketch(book: Handout) -> list[Line]:
    cells = {name: {column: book.at("Bodies", name, column) for column in ("x", "y", "phi")} for name, *_ in BODIES}
    values = {name: (x, y, phi) for name, _mass, _inertia, x, y, phi, *_ in BODIES}

    def point(body: str, xi: float, xi_cell: str) -> tuple[Formula, Formula]:
        cell, (x, y, phi) = cells[body], values[body]
        return (
            Formula(f"={cell['x']}+{xi_cell}*COS({cell['phi']})", x + xi * cos(phi)),
            Formula(f"={cell['y']}+{xi_cell}*SIN({cell['phi']})", y + xi * sin(phi)),
        )

    hip, knee, ankle = (point(i, xi_i, book.at("Joints", name, "xi_i")) for name, i, _j, xi_i, _xi_j in JOINTS)
    return [
        Line("floor", [(-0.2, 0), (0.8, 0)], colour="#9AA7B1", width=1.5, markers="none"),
        Line("foot", [ankle, point("foot", -0.06105, "-0.06105")], colour="#8A6D3B", markers="none"),
        Line("shank", [knee, ankle], ("", "ankle"), colour="#5B8C5A", label_at="right"),
        Line("thigh", [hip, knee], ("hip", "knee"), colour="#3E6A8F", label_at="right"),
        Line("hat", [hip, point("hat", 0.3, "0.3")], colour="#6B5B95", markers="none", width=4.5),
        Line(
            "centres of mass",
            [(book.link("Bodies", name, "x"), book.link("Bodies", name, "y")) for name, *_ in BODIES],
            tuple(name for name, *_ in BODIES),
            colour="#6B7780",
            width=0.0,
            markers="diamond",
            label_at="left",
        ),
    ]


if __name__ == "__main__":
    run_script(make)
