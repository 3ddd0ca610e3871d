"""Input files of MUBODYNA for tests: the gait example with the data of its workbook, and a model with every section."""

from pathlib import Path

import numpy as np

TRIALS = Path(__file__).parents[2] / "workbooks" / "trials"
COUNTS = (
    "Rigid bodies", "Ideal revolute joints", "Clearance revolute joints", "Translational joints", "Ground constraints",
    "Simple constraints", "Driving constraints", "Guiding constraints", "Guiding data for the guiding constraints",
    "Translational spring-damper-actuator elements", "Rotational spring-damper elements",
    "Bodies subjected to external applied forces", "Force data of the external applied forces", "Points of interest",
)  # fmt: skip

CRANK, ROD, SPEED, ANGLE = 0.1, 0.3, 12.0, 0.4
"""of the model with every section: a slider-crank on a frame, m, rad/s, rad"""
TIMES = np.linspace(0.0, 0.5, 11)


def text(counts, sections):
    """An input file: counts of the first section, then headings with their lines."""
    lines = [
        "GENERIC_INFORMATION - Number of elements",
        *(f"{n:3} {what}" for n, what in zip(counts, COUNTS, strict=True)),
    ]
    for name, rows in sections.items():
        lines += [
            "",
            name,
            *(row if isinstance(row, str) else " ".join(f"{number!r}" for number in row) for row in rows),
        ]
    return "\n".join(lines) + "\n"


def gait():
    """The example of section 8 of the manual."""
    guiding, ground = (
        np.loadtxt(TRIALS / f"half-hat-leg-{name}.csv.gz", delimiter=",", skiprows=1).tolist()
        for name in ("guiding", "ground-force")
    )
    force = [(t, fx, fy, x, 0) for t, fx, fy, x in ground]
    sections = {
        "INITIAL_CONDITIONS - of all bodies": [
            (0.47266, 1.07997, 1.48527, 1.38137, 0.05727, 0.73275),
            (0.43026, 0.65208, 1.44339, 2.05470, -0.01989, 3.39980),
            (0.27187, 0.36231, 0.69464, 2.42049, 0.18498, -2.07573),
            (0.08941, 0.15333, 1.49400, 1.87062, 0.57264, -3.98255),
        ],
        "INERTIA_PROPERTIES": [(19.2213, 1.03923), (5.67, 0.05836), (2.6365, 0.04005), (0.8222, 0.00273)],
        "CONSTANT_APPLIED_FORCES": [(0.0, 0.0, 0.0)] * 4,
        "IDEAL_REVOLUTE_JOINTS": [
            (1, 2, -0.294065, 0.0, 0.136005, 0.0),
            (2, 3, -0.178095, 0.0, 0.176707, 0.0),
            (3, 4, -0.231393, 0.0, 0.061050, 0.0),
        ],
        "GUIDING_CONSTRAINTS": [(1, 1), (1, 2), (1, 3), (2, 3), (3, 3), (4, 3), *guiding],
        "EXTERNAL_APPLIED_FORCES": [(4,), *force],
        "TIME_PARAMETERS": ["0.0000 0.9570 0.00145 1 0 0"],
    }
    counts = (4, 3, 0, 0, 0, 0, 0, len("xypppp"), len(guiding), 0, 0, 1, len(force), 0)
    return text(counts, sections)


def slider_crank(
    *, clearances=(), materials=(), offsets=None, rates=None, time="0.0 0.5 0.0005 1 5 5", with_wrist_pin=True
):
    """Frame 1, crank 2, rod 3 and slider 4 driven at constant speed, and a block 5, guided along x, on a spring along y.

    offsets, rates: (5, 3) added to the consistent positions and velocities. with_wrist_pin: whether an ideal joint ties rod and
    slider.
    """
    states = consistent()
    states[:, :3] += 0.0 if offsets is None else offsets
    states[:, 3:] += 0.0 if rates is None else rates
    guided = [(float(t), float(0.4 + 0.05 * np.sin(4 * t))) for t in TIMES]
    load = [(float(t), 3.0, 0.0, 0.4, 0.5) for t in TIMES]
    sections = {
        "INITIAL CONDITIONS": [tuple(map(float, row)) for row in states],
        "Inertia properties": [(1.0, 1.0), (0.5, 0.002), (0.4, 0.003), (0.8, 0.001), (2.0, 0.01)],
        "(d) CONSTANT_APPLIED_FORCES": [(0.0, 0.0, 0.0)] * 3 + [(-20.0, 0.0, 0.0), (0.0, 5.0, 0.0)],
        "IDEAL_REVOLUTE_JOINTS: bodies and points": [
            "1 2  0.0 0.0  -0.05 0.0   ! main bearing",
            "2 3  0.05 0.0  -0.15 0.0  crank pin",
            *(["3, 4, 0.15D0, 0.0, 0.0, 0.0"] if with_wrist_pin else []),
        ],
        "CLEARANCE_REVOLUTE_JOINTS": clearances,
        "MECHANICAL_PROPERTIES": materials,
        "TRANSLATIONAL_JOINTS": [(1, 4, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0)],
        "GROUND_CONSTRAINTS": [(1,)],
        "SIMPLE_CONSTRAINTS": [(5, 3)],
        "DRIVING_CONSTRAINTS": [(2, 3, ANGLE, SPEED, 0.0)],
        "GUIDING_CONSTRAINTS": [(5, 1), *guided],
        "TRANSLATIONAL_SPRINGS": [
            (1, 5, 0.4, 0.0, 0.0, 0.0, 400.0, 6.0, 2.0, 0.5),
            (1, 4, -0.2, 0.0, 0.0, 0.0, 50.0, 0.0, 0.0, 0.3),
        ],
        "ROTATIONAL_SPRINGS": [(1, 2, 3.0, 0.1)],
        "EXTERNAL_APPLIED_FORCES": [(5,), *load],
        "POINTS_OF_INTEREST": [(3, 0.0, 0.02)],
        "TIME_PARAMETERS": [time],
    }
    counts = (5, 3 if with_wrist_pin else 2, len(clearances), 1, 1, 1, 1, 1, len(guided), 2, 1, 1, len(load), 1)
    return text(counts, sections)


def consistent(t=0.0):
    """(5, 6) X Y PHI XD YD PHID of the slider-crank on its constraints; the block is where its spring is vertical."""
    theta = ANGLE + SPEED * t
    psi = -np.arcsin(CRANK / ROD * np.sin(theta))
    psi_rate = -CRANK * SPEED * np.cos(theta) / (ROD * np.cos(psi))
    pin = CRANK * np.array([np.cos(theta), np.sin(theta)])
    pin_rate = CRANK * SPEED * np.array([-np.sin(theta), np.cos(theta)])
    half = 0.5 * ROD * np.array([np.cos(psi), np.sin(psi)])
    half_rate = 0.5 * ROD * psi_rate * np.array([-np.sin(psi), np.cos(psi)])
    slider, slider_rate = pin + 2 * half, pin_rate + 2 * half_rate
    return np.array(
        [
            [0.0] * 6,
            [*(pin / 2), theta, *(pin_rate / 2), SPEED],
            [*(pin + half), psi, *(pin_rate + half_rate), psi_rate],
            [slider[0], 0.0, 0.0, slider_rate[0], 0.0, 0.0],
            [0.4, 0.6, 0.0, 0.2, 0.0, 0.0],
        ]
    )
