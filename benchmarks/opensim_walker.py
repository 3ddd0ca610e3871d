"""The exact walker in OpenSim: a planar model of seven segments, solved by its tools for inverse kinematics and dynamics."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import opensim
from numpy.typing import NDArray

from tests.support import gait_walker as walker

Vector = NDArray[np.float64]
JOINTS = ("hip", "knee", "ankle")
SEGMENTS: Mapping[str, tuple[str, float]] = {
    "thigh": ("thigh", walker.THIGH_LENGTH),
    "shank": ("shank", walker.SHANK_LENGTH),
    "foot": ("foot", float(np.hypot(*(walker.MT5 - walker.ANKLE)))),
}
MARKERS = ("knee", "ankle", "heel", "mt5", "toe")

opensim.Logger.setLevelString("Off")
opensim.Logger.removeFileSink()


@dataclass(frozen=True)
class PeerMoments:
    """time: (n,) in s. moments: (n, coordinates) in N m by label, on the distal segment. seconds: of processor time."""

    time: Vector
    moments: Mapping[str, Vector]
    seconds: float


def walker_model() -> opensim.Model:
    """The model: a trunk free in the plane, and two legs on pins."""
    model = opensim.Model()
    model.setName("walker")
    model.setGravity(opensim.Vec3(0.0, -walker.GRAVITY, 0.0))
    fraction, com, gyration = walker.TABLE["hat"]
    trunk = _body("trunk", fraction, (0.0, com * walker.TRUNK_LENGTH), gyration * walker.TRUNK_LENGTH)
    model.addBody(trunk)
    root = opensim.PlanarJoint("root", model.getGround(), trunk)
    for coordinate, name in enumerate(("root_angle", "root_x", "root_y")):
        root.upd_coordinates(coordinate).setName(name)
    model.addJoint(root)
    _mark(model, "shoulder", trunk, (0.0, walker.TRUNK_LENGTH, 0.0))
    for side, across in (("right", walker.WIDTH), ("left", -walker.WIDTH)):
        _mark(model, f"{side}_hip", trunk, (0.0, 0.0, across))
        _leg(model, trunk, side, across)
    model.finalizeConnections()
    return model


def _leg(model: opensim.Model, trunk: opensim.Body, side: str, across: float) -> None:
    above, place = trunk, (0.0, 0.0, across)
    for joint, (name, (table, length)) in zip(JOINTS, SEGMENTS.items(), strict=True):
        fraction, com, gyration = walker.TABLE[table]
        end = walker.MT5 - walker.ANKLE if name == "foot" else np.array([0.0, -length])
        body = _body(f"{side}_{name}", fraction, com * end, gyration * length)
        model.addBody(body)
        zero = opensim.Vec3(0.0)
        pin = opensim.PinJoint(f"{side}_{joint}", above, opensim.Vec3(*place), zero, body, zero, zero)
        pin.upd_coordinates(0).setName(f"{side}_{joint}_angle")
        model.addJoint(pin)
        if name == "foot":
            for marker, point in (("heel", walker.HEEL), ("mt5", walker.MT5), ("toe", walker.TOE)):
                _mark(model, f"{side}_{marker}", body, (*(point - walker.ANKLE), 0.0))
        else:
            _mark(model, f"{side}_{'knee' if name == 'thigh' else 'ankle'}", body, (*end, 0.0))
        above, place = body, (0.0, -length, 0.0)


def _body(name: str, fraction: float, com: Vector | tuple[float, float], gyration: float) -> opensim.Body:
    mass = walker.MASS * fraction
    inertia = opensim.Inertia(mass * gyration**2, mass * gyration**2, mass * gyration**2)
    return opensim.Body(name, mass, opensim.Vec3(float(com[0]), float(com[1]), 0.0), inertia)


def _mark(model: opensim.Model, name: str, body: opensim.Body, place: tuple[float, float, float]) -> None:
    model.addMarker(opensim.Marker(name, body, opensim.Vec3(*map(float, place))))


def solve(
    model: opensim.Model,
    coordinates: Sequence[str],
    times: Vector,
    markers: Mapping[str, Vector],
    forces: Vector,
    loads: Vector,
    cutoff: float,
    folder: Path,
) -> PeerMoments:
    """Inverse kinematics and inverse dynamics of a recording.

    coordinates: of each joint, whose generalised forces are wanted: ``angle`` of ``right_hip_angle``. times: (n,). markers:
    (n, 3) in m by the workbook's names. forces: (k,) times. loads: (k, 2, 9) of right and left foot: force, point and moment
    there. cutoff: in Hz, of coordinates.
    """
    model_file, marker_file, motion_file = folder / "walker.osim", folder / "walker.trc", folder / "ik.mot"
    model.printToXML(str(model_file))
    _write_markers(marker_file, times, markers)
    _write_loads(folder / "loads.mot", forces, loads)
    external = _external_loads(folder)
    began = time.process_time()
    kinematics = opensim.InverseKinematicsTool()
    kinematics.set_model_file(str(model_file))
    kinematics.setMarkerDataFileName(str(marker_file))
    kinematics.setStartTime(float(times[0]))
    kinematics.setEndTime(float(times[-1]))
    kinematics.setOutputMotionFileName(str(motion_file))
    kinematics.set_report_errors(False)
    kinematics.setResultsDir(str(folder))
    kinematics.run()
    dynamics = opensim.InverseDynamicsTool()
    dynamics.setModelFileName(str(model_file))
    dynamics.setCoordinatesFileName(str(motion_file))
    dynamics.setLowpassCutoffFrequency(cutoff)
    dynamics.setExternalLoadsFileName(str(external))
    dynamics.setStartTime(float(times[0]))
    dynamics.setEndTime(float(times[-1]))
    dynamics.setResultsDir(str(folder))
    dynamics.setOutputGenForceFileName("id.sto")
    dynamics.run()
    seconds = time.process_time() - began
    table = opensim.TimeSeriesTable(str(folder / "id.sto"))
    moments = {
        f"{side} {joint}": np.column_stack(
            [table.getDependentColumn(f"{side}_{joint}_{each}_moment").to_numpy() for each in coordinates]
        )
        for side in ("right", "left")
        for joint in JOINTS
    }
    return PeerMoments(np.array(table.getIndependentColumn()), moments, seconds)


def _write_markers(path: Path, times: Vector, markers: Mapping[str, Vector]) -> None:
    table = opensim.TimeSeriesTableVec3()
    table.setColumnLabels([name.replace(" ", "_") for name in markers])
    for number, moment in enumerate(times.tolist()):
        row = opensim.RowVectorVec3([opensim.Vec3(*map(float, each[number])) for each in markers.values()])
        table.appendRow(moment, row)
    table.addTableMetaDataString("DataRate", f"{1.0 / (times[1] - times[0]):.10g}")
    table.addTableMetaDataString("Units", "m")
    opensim.TRCFileAdapter.write(table, str(path))


def _write_loads(path: Path, times: Vector, loads: Vector) -> None:
    names = [f"{side}_{kind}{axis}" for side in ("right", "left") for kind in ("v", "p", "m") for axis in "xyz"]
    with path.open("w", encoding="utf-8") as file:
        file.write(f"loads\nversion=1\nnRows={len(times)}\nnColumns={len(names) + 1}\ninDegrees=no\nendheader\n")
        file.write("\t".join(("time", *names)) + "\n")
        rows = np.column_stack((times, loads.reshape(len(times), -1)))
        file.writelines("\t".join(f"{value:.17g}" for value in row) + "\n" for row in rows.tolist())


def _external_loads(folder: Path) -> Path:
    loads = opensim.ExternalLoads()
    loads.setDataFileName(str(folder / "loads.mot"))
    for side in ("right", "left"):
        force = opensim.ExternalForce()
        force.setName(side)
        force.set_applied_to_body(f"{side}_foot")
        force.set_force_expressed_in_body("ground")
        force.set_point_expressed_in_body("ground")
        force.set_force_identifier(f"{side}_v")
        force.set_point_identifier(f"{side}_p")
        force.set_torque_identifier(f"{side}_m")
        loads.cloneAndAppend(force)
    path = folder / "loads.xml"
    loads.printToXML(str(path))
    return path
