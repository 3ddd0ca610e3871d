"""Make gait-walk.xlsx: a real trial of walking, from markers and seven force plates to a report."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import readme
from gait_sheets import (
    CENTRE_HEADERS,
    JOINT_HEADERS,
    SEGMENT_HEADERS,
    Gait,
    GaitHandout,
    Row,
    centre_rows,
    joint_rows,
    samples,
    segment_rows,
    stick_figure,
    write,
)
from sketch import Line
from style import Layout, run_script
from walks import Samples, read_samples

RATE, FORCE_RATE = 150.0, 450.0
SUBJECT = (
    ("mass", 76.5, "kg", "what the plates carry over whole strides"),
    ("id", "walk1", "", ""),
    ("condition", "overground, own speed", "", ""),
)
PROCESSING = (
    ("cutoff", 6, "Hz", "-3 dB of the complete zero-lag filter"),
    ("force_cutoff", "same", "", "forces are filtered like the markers"),
    (
        "exchange_sides",
        "yes",
        "",
        "the labels of this file say right for left: without this row the run stops and says so",
    ),
)
LABELS = {
    "asis": "ASIS",
    "psis": "PSIS",
    "knee": "Knee",
    "knee medial": "Knee_Medial",
    "ankle": "Ankle",
    "ankle medial": "Ankle_Medial",
    "heel": "Heel",
    "mt5": "MT5",
}
"""marker of the model -> label of the laboratory behind R_ or L_"""
UNITS_OF_PLATE = ("N", "N", "N", "mm", "mm", "mm", "N*mm")


def make(folder: Path, layout: Layout = GaitHandout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "gait-walk.xlsx", "Walking over force plates")
    markers, plates = read_samples("walk1-markers"), read_samples("walk1-forces")
    write(book, _gait(markers, plates))
    return book.finish(readme.text("gait-walk"), _sketch(markers), "m")


def _gait(markers: Samples, plates: Samples) -> Gait:
    time = (markers.values[:, :1] - 1.0) / RATE
    units = ["mm"] * (len(markers.headers) - 1)
    tracked = samples(
        ("time", "s", "0.0000"), markers.headers[1:], units, np.hstack((time, markers.values[:, 1:])), "0.00"
    )
    force_time = (plates.values[:, :1] - 1.0) / FORCE_RATE
    force_units = [UNITS_OF_PLATE[k % len(UNITS_OF_PLATE)] for k in range(len(plates.headers) - 1)]
    forces = samples(
        ("time", "s", "0.0000"), plates.headers[1:], force_units, np.hstack((force_time, plates.values[:, 1:])), "0.00"
    )
    names: list[Row] = [
        (f"{side} {model}", f"{side[0].upper()}_{label}")
        for side in ("right", "left")
        for model, label in LABELS.items()
    ]
    return Gait(
        (
            ("title", "Walking over force plates", "", ""),
            ("dimension", "2D", "", "the sagittal plane; z of the markers counts for joint centres"),
            ("analysis", "gait", "", ""),
        ),
        SUBJECT,
        PROCESSING,
        {"Markers": tracked, "Force plates": forces},
        {
            "Marker names": ("model label", names),
            "Joint centres": (CENTRE_HEADERS, centre_rows()),
            "Segments": (SEGMENT_HEADERS, segment_rows(trunk="")),
            "Gait joints": (JOINT_HEADERS, joint_rows(trunk="")),
        },
    )


def _sketch(markers: Samples) -> list[Line]:
    seen = {
        f"{side} {name}": markers.point(f"{letter}_{label}")
        for side, letter in (("right", "L"), ("left", "R"))  # the labels of the file are exchanged
        for name, label in {**LABELS, "hip": "GTR"}.items()
    }
    chains = {
        f"{side} leg": [f"{side} {name}" for name in ("hip", "knee", "ankle", "heel", "mt5", "ankle")]
        for side in ("left", "right")
    }
    return stick_figure(seen, chains, (40, 100, 160, 220), 1000.0)


if __name__ == "__main__":
    run_script(make)
