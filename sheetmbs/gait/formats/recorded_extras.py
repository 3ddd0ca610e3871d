"""What a C3D holds beside markers and plates: results of its program's model, and analog channels of no plate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sheetmbs.gait.formats.c3d_parameters import c3d_stamps, length_of, texts_of
from sheetmbs.gait.formats.c3d_plates import channels_of_plate, plate_count
from sheetmbs.gait.formats.model_points import is_axis_point
from sheetmbs.gait.formats.sampled_cells import plain_label
from sheetmbs.gait.trial.recorded import RecordedColumn, RecordedColumns

KINDS = {"ANGLES": "deg", "FORCES": "N", "MOMENTS": "N*mm", "POWERS": "W", "SCALARS": "mm"}
"""parameters of POINT that list results of a model, and the unit that they have where the file tells none"""


def output_columns(path: Path, file: Any) -> RecordedColumns | None:
    """Angles, forces, moments, powers and axis points of the program that made the file, under its own names."""
    labels = texts_of(file, "POINT", "LABELS")
    units = {name: (texts_of(file, "POINT", f"{name[:-1]}_UNITS") or [unit])[0] or unit for name, unit in KINDS.items()}
    kind_of = {text: name for name in KINDS for text in texts_of(file, "POINT", name)}
    values = np.array(file["data"]["points"][:3], np.float64)
    values[:, file["data"]["meta_points"]["residuals"][0] < 0.0] = np.nan
    found = []
    for at, label in enumerate(labels[: values.shape[1]]):
        if label in kind_of:
            unit = units[kind_of[label]]
        elif is_axis_point(label):
            unit = length_of(path, file)[0]
        else:
            continue
        found += [RecordedColumn(f"{plain_label(label)}.{axis}", unit, values[k, at]) for k, axis in enumerate("xyz")]
    head = file["header"]["points"]
    stamps = c3d_stamps(path, int(head["first_frame"]) + 1, values.shape[2], float(head["frame_rate"]))
    return RecordedColumns(stamps, tuple(found)) if found else None


def analog_columns(path: Path, file: Any) -> RecordedColumns | None:
    """Analog channels that belong to no plate that is read."""
    samples = np.asarray(file["data"]["analogs"][0], np.float64)
    used = {
        int(each)
        for at in range(plate_count(file))
        if (channels := channels_of_plate(file, at)) is not None
        for each in channels
    }
    labels, units = texts_of(file, "ANALOG", "LABELS"), texts_of(file, "ANALOG", "UNITS")
    others = [at for at in range(len(samples)) if at not in used]
    taken: dict[str, int] = {}
    found = []
    for at in others:
        label = (labels[at] if at < len(labels) else "") or f"channel {at + 1}"
        taken[label] = taken.get(label, 0) + 1
        name = label if taken[label] == 1 else f"{label} {taken[label]}"
        found.append(RecordedColumn(name, units[at] if at < len(units) else "", samples[at]))
    head = file["header"]["analogs"]
    stamps = c3d_stamps(path, int(head["first_frame"]) + 1, samples.shape[1], float(head["frame_rate"]))
    return RecordedColumns(stamps, tuple(found)) if found and samples.shape[1] else None
