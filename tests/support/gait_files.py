"""The synthetic recording as texts and C3D files, after the layouts that laboratories' programs write."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.support.gait_recordings import AXES, CORNERS, PLATES, Walk, own_wrench

CORNER_KEYS = ("POSX_POSY", "NEGX_POSY", "NEGX_NEGY", "POSX_NEGY")


def printed(value, decimals=4, missing="") -> str:
    return missing if np.isnan(value) else f"{value:.{decimals}f}"


def in_mm(made: Walk, frame: int, missing="") -> list[str]:
    return [printed(1e3 * value, missing=missing) for value in made.markers[:, frame].ravel()]


def text(rows, sign="\t") -> str:
    return "\n".join(sign.join(row) for row in rows) + "\n"


def trc(made: Walk, *, blank_row=True, more_than_told=0, missing="") -> str:
    count = len(made.labels)
    rows = [
        ["PathFileType", "4", "(X/Y/Z)", "walk.trc"],
        ["DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units", "OrigDataRate"],
        [f"{made.rate:.2f}", f"{made.rate:.2f}", str(len(made.times)), str(count - more_than_told), "mm", "100"],
        ["Frame#", "Time", *(part for label in made.labels for part in (label, "", ""))],
        ["", "", *(f"{axis}{at}" for at in range(1, count + 1) for axis in "XYZ")],
    ]
    rows += [[]] if blank_row else []
    rows += [[str(at + 1), printed(time, 3), *in_mm(made, at, missing)] for at, time in enumerate(made.times)]
    return text(rows)


def cortex_forces(made: Walk) -> str:
    names = ("FX", "FY", "FZ", "X", "Y", "Z", "MZ")
    rows = [
        ["[Force Data]"],
        ["NumberOfForcePlates=2"],
        [f"SampleRate={made.force_rate:.6f}"],
        [f"NumberOfSamples={made.force.shape[1]}"],
        ["#Sample", *(f"{name}{at}" for at in (1, 2) for name in names)],
    ]
    for at in range(made.force.shape[1]):
        row = [str(at + 1)]
        for plate in range(2):
            numbers = [*made.force[plate, at], *1e3 * made.pressure[plate, at], 1e3 * made.torque[plate, at]]
            row += [printed(value, 2) for value in numbers]
        rows.append(row)
    return text(rows)


def opensim_forces(made: Walk, names=("ground_force_", "1_ground_force_"), *, old=False) -> str:
    columns = ["time"]
    for name in names:
        columns += [f"{name}{kind}{axis}" for kind in "vp" for axis in "xyz"]
        columns += [f"{name.replace('force', 'torque')}{axis}" for axis in "xyz"]
    count = made.force.shape[1]
    head = (
        [["name walk_grf.mot"], [f"datacolumns {len(columns)}"], [f"datarows {count}"]]
        if old
        else [["walk_grf.mot"], ["version=1"], [f"nRows={count}"], [f"nColumns={len(columns)}"], ["inDegrees=yes"]]
    )
    rows = [*head, ["endheader"], columns]
    for at, time in enumerate(made.force_times):
        row = [f"{time:.6f}"]
        for plate in range(2):
            numbers = [*made.force[plate, at], *made.pressure[plate, at], 0.0, 0.0, made.torque[plate, at]]
            row += [printed(value, 5) for value in numbers]
        rows.append(row)
    return text(rows)


def opensim_markers(made: Walk) -> str:
    columns = ["time", *(f"{label}_{axis}" for label in made.labels for axis in "xyz")]
    rows = [["markers"], ["version=3"], ["DataType=double"], ["endheader"], columns]
    for at, time in enumerate(made.times):
        rows.append([f"{time:.4f}", *(printed(value, 6, "nan") for value in made.markers[:, at].ravel())])
    return text(rows)


def vicon(made: Walk, sign=",", decimal=".", subject="Sam:", *, devices=True, first=1) -> str:
    rows = [["Trajectories"], [f"{made.rate:g}"]]
    rows.append(["", "", *(part for label in made.labels for part in (subject + label, "", ""))])
    rows.append(["Frame", "Sub Frame", *["X", "Y", "Z"] * len(made.labels)])
    rows.append(["", "", *["mm"] * (3 * len(made.labels))])
    rows += [[str(at + first), "0", *in_mm(made, at)] for at in range(len(made.times))]
    if devices:
        rows += [[], ["Devices"], [f"{made.force_rate:g}"]]
        device = "Imported AMTI OR6 Series Force Plate #{} - {}"
        kinds = ("Force", "Moment", "CoP")
        rows.append(
            ["", "", *(part for at in (1, 2) for kind in kinds for part in (device.format(at, kind), "", "")), "EMG"]
        )
        rows.append(["Frame", "Sub Frame", *[f"{kind}{axis}" for kind in "FMC" for axis in "xyz"] * 2, "Voltage.1"])
        rows.append(["", "", *[*["N"] * 3, *["mm.N"] * 3, *["mm"] * 3] * 2, "V"])
        per_frame = round(made.force_rate / made.rate)
        for at in range(made.force.shape[1]):
            row = [str(at // per_frame + first), str(at % per_frame)]
            for plate in range(2):
                force, moment = own_wrench(made, plate, (0.0, 0.0, 0.0))
                numbers = [*-force[at], *-1e3 * moment[at], 0.0, 0.0, 0.0]
                row += [printed(value, 6) for value in numbers]
            rows.append([*row, "0.01"])
    joined = text(rows, "\0")
    return joined.replace(".", decimal).replace("\0", sign) if decimal != "." else joined.replace("\0", sign)


def qualisys(made: Walk, *, counters=True, headers=True, version=False, missing="0.000") -> str:
    rows = [["FILE_VERSION", "2.0.0"]] if version else []
    rows += [
        ["NO_OF_FRAMES", str(len(made.times))],
        ["NO_OF_CAMERAS", "8"],
        ["NO_OF_MARKERS", str(len(made.labels))],
        ["FREQUENCY", f"{made.rate:g}"],
        ["NO_OF_ANALOG", "0"],
        ["ANALOG_FREQUENCY", "0"],
        ["DESCRIPTION", "--"],
        ["TIME_STAMP", "2026-11-22, 18:00:00.000", "12345.67"],
        ["DATA_INCLUDED", "3D"],
        ["MARKER_NAMES", *made.labels],
        ["TRAJECTORY_TYPES", *["Measured"] * len(made.labels)],
    ]
    ahead = ["Frame", "Time"] if counters else []
    if headers:
        rows.append([*ahead, *(f"{label} {axis}" for label in made.labels for axis in "XYZ")])
    for at, time in enumerate(made.times):
        stamp = [str(at + 1), f"{time:.5f}"] if counters else []
        rows.append([*stamp, *in_mm(made, at, missing)])
    return text(rows)


def qualisys_forces(
    made: Walk, plate: int, *, world=True, counters=True, unit=1.0, offset=(0.0, 0.0, 0.0), sign=1
) -> str:
    rows = [
        ["NO_OF_SAMPLES", str(made.force.shape[1])],
        ["FREQUENCY", f"{made.force_rate:g}"],
        ["DESCRIPTION", f"Force data in {'world' if world else 'local (force plate)'} coordinates"],
        ["TIME_STAMP", "2026-11-22, 18:00:00.000"],
        ["FIRST_SAMPLE", "1"],
        ["FORCE_PLATE_TYPE", "AMTI"],
        ["FORCE_PLATE_NAME", PLATES[plate]],
    ]
    for key, corner in zip(CORNER_KEYS, CORNERS[plate], strict=True):
        rows += [
            [f"FORCE_PLATE_CORNER_{key}_{axis}", printed(1e3 * value)]
            for axis, value in zip("XYZ", corner, strict=True)
        ]
    rows += [[f"FORCE_PLATE_OFFSET_{axis}", printed(1e3 * value)] for axis, value in zip("XYZ", offset, strict=True)]
    names = [f"{kind}_{axis}" for kind in ("Force", "Moment", "COP") for axis in "XYZ"]
    rows.append([*(["SAMPLE", "TIME"] if counters else []), *names])
    if world:
        force, moment, pressure = made.force[plate], made.moment[plate], made.pressure[plate]
    else:
        force, moment = own_wrench(made, plate, offset)
        pressure = (made.pressure[plate] - CORNERS[plate].mean(axis=0)) @ AXES[plate]
    for at, time in enumerate(made.force_times):
        stamp = [str(at + 1), f"{time:.5f}"] if counters else []
        numbers = [*sign * force[at], *sign * moment[at] / unit, *1e3 * pressure[at]]
        rows.append([*stamp, *(printed(value, 6) for value in numbers)])
    return text(rows)


def own_csv(made: Walk) -> str:
    """With decimal commas, columns separated by semicolons, a minus of printers, and markers and plates in one file."""
    names = ("fx", "fy", "fz", "px", "py", "pz", "tz")
    rows = [["time", *(f"{label}.{axis}" for label in made.labels for axis in "xyz")]]
    rows.append(["s", *["mm"] * (3 * len(made.labels))])
    rows[0] += [f"{plate}.{name}" for plate in PLATES for name in names]
    rows[1] += [*["N"] * 3, *["mm"] * 3, "N*m"] * len(PLATES)
    for at, time in enumerate(made.times):
        row = [printed(time, 4), *in_mm(made, at)]
        for plate in range(2):
            numbers = [*made.force[plate, at], *1e3 * made.pressure[plate, at], made.torque[plate, at]]
            row += [printed(value) for value in numbers]
        rows.append(row)
    head = text(rows[:2], ";")
    return head + text(rows[2:], ";").replace(".", ",").replace("-", "\u2212")


def plate_channels(made: Walk, plate: int, kind: int, origin, matrix) -> np.ndarray:
    """What the channels of a plate give, N and N mm, (channels, m). origin: as the file tells it, mm."""
    if kind == 1:
        force, _moment = own_wrench(made, plate, (0.0, 0.0, 0.0))
        pressure = (made.pressure[plate] - CORNERS[plate].mean(axis=0)) @ AXES[plate]
        torque = made.torque[plate] * AXES[plate][2, 2]
        return np.stack([*force.T, *1e3 * pressure.T[:2], 1e3 * torque])
    if kind == 3:
        a, b, depth = origin
        force, moment = own_wrench(made, plate, (0.0, 0.0, -1e-3 * depth))
        (fx, fy, fz), (mx, my, mz) = force.T, 1e3 * moment.T
        quarter, roll, pitch = fz / 4, mx / (4 * b), my / (4 * a)
        return np.stack(
            [
                fx / 2 - mz / (2 * b),
                fx / 2 + mz / (2 * b),
                fy / 2,
                fy / 2,
                quarter + roll - pitch,
                quarter + roll + pitch,
                quarter - roll + pitch,
                quarter - roll - pitch,
            ]
        )
    force, moment = own_wrench(made, plate, -1e-3 * np.asarray(origin))
    wrench = np.concatenate([force.T, 1e3 * moment.T])
    return np.linalg.solve(matrix, wrench) if kind == 4 else wrench


def write_c3d(
    path: Path,
    made: Walk,
    kinds=(2, 2),
    *,
    sign=1.0,
    first=1,
    residual_gaps=True,
    unit=("mm", 1e-3),
    labels=None,
    subjects=(),
) -> Path:
    """unit: of points as the file says it, and its size in m, which counts without plates (kinds = ()) only."""
    import ezc3d

    file = ezc3d.c3d()
    count = made.markers.shape[1]
    point = file["parameters"]["POINT"]
    point["RATE"]["value"] = [made.rate]
    point["UNITS"]["value"] = [unit[0]]
    point["LABELS"]["value"] = labels or tuple(f"Sam:{label}" for label in made.labels)
    points = np.ones((4, len(made.labels), count))
    points[:3] = made.markers.transpose(2, 0, 1) / unit[1]
    gaps = np.isnan(points[0])
    residuals = np.zeros((1, *gaps.shape))
    if residual_gaps:
        points[:3, gaps] = 77.0
        residuals[0, gaps] = -1.0
        file["data"]["meta_points"]["residuals"] = residuals
    file["data"]["points"] = points
    file["header"]["points"]["first_frame"] = first - 1
    if subjects:
        file.add_parameter("SUBJECTS", "NAMES", list(subjects))
    if not kinds:
        file.write(str(path))
        return path
    random = np.random.default_rng(3)
    matrix = np.eye(6) + 0.1 * random.uniform(-1.0, 1.0, (6, 6))
    matrix[:3, 3:] *= 1e-3  # N from N mm: single precision would blur what is larger
    origins = [(120.0, 200.0, -50.0) if kind == 3 else (1.5, -2.0, -40.0) for kind in kinds]
    channels = [sign * plate_channels(made, at, kind, origins[at], matrix) for at, kind in enumerate(kinds)]
    if 1 in kinds:
        channels = [_action(c, sign) if kind == 1 else c for c, kind in zip(channels, kinds, strict=True)]
    file["parameters"]["ANALOG"]["RATE"]["value"] = [made.force_rate]
    total = sum(len(each) for each in channels)
    file["parameters"]["ANALOG"]["LABELS"]["value"] = tuple(f"channel {at}" for at in range(total))
    units = [unit for kind in kinds for unit in (["N"] * 8 if kind == 3 else ["N"] * 3 + ["Nmm"] * 3)]
    file["parameters"]["ANALOG"]["UNITS"]["value"] = tuple(units)
    file["data"]["analogs"] = np.concatenate(channels)[None]
    plates = file["parameters"]["FORCE_PLATFORM"]
    plates["USED"]["value"] = np.array([2])
    plates["TYPE"]["value"] = np.array(kinds)
    plates["ZERO"]["value"] = np.array([1, 0])
    plates["CORNERS"]["value"] = 1e3 * CORNERS.transpose(2, 1, 0)
    plates["ORIGIN"]["value"] = np.array(origins).T
    size = max(len(each) for each in channels)
    table, begin = np.zeros((size, 2), int), 1
    for at, each in enumerate(channels):
        table[: len(each), at] = np.arange(begin, begin + len(each))
        begin += len(each)
    plates["CHANNEL"]["value"] = table
    if 4 in kinds:
        plates["CAL_MATRIX"]["value"] = np.stack([matrix, matrix], axis=2)
    file.write(str(path))
    return path


def _action(channels: np.ndarray, sign: float) -> np.ndarray:
    """Channels of type 1 with the other sign: centres of pressure stay."""
    turned = channels / sign
    turned[[0, 1, 2, 5]] *= sign
    return turned
