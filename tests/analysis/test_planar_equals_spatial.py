"""A planar model is the same model in space with its plane fixed: every planar workbook, every analysis."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.model.model import Beam, Driver, Force, Formula, Joint, Quadratic, Series
from sheetmbs.schema.expression import parse
from tests.support.example_books import EXAMPLES

WORKBOOKS = Path(__file__).parents[2] / "workbooks"


def has_counterpart(model):
    """Whether a model moves in the plane, and what is in it can be in space, too; beams cannot."""
    moves_in_plane = model.settings.dimension == "2D" and model.settings.t_end is not None
    return moves_in_plane and not any(isinstance(body, Beam) for body in model.bodies)


MODELS = {path.stem: sheetmbs.read(path) for path in EXAMPLES}
BOOKS = [name for name, model in MODELS.items() if has_counterpart(model)]
SMOOTH = {"four-bar-windows": 0.6, "compressor": 0.08, "slider-crank-clearance": 0.002}
"""seconds until a singular position is passed, the gas force bends, or knocks have told: then each run errs in its own way"""
RENAMED = (("phi", "yaw"), ("omega", "wz"), ("alpha", "alphaz"), (".m", ".mz"))


def about_z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def in_space(model):
    """The model with every body on a planar joint to ground; what else its joints hold twice is redundant."""
    angle = {body.name: float(body.angles[2]) for body in model.bodies} | {GROUND: 0.0}
    bodies = tuple(
        replace(
            body,
            angles=np.array([body.angles[2], 0.0, 0.0]),
            euler=np.array([np.cos(body.angles[2] / 2), 0.0, 0.0, np.sin(body.angles[2] / 2)]),
            inertia=None if body.inertia is None else np.diag([1.0, 2.0, body.inertia[2, 2]]),
        )
        for body in model.bodies
    )
    planes = tuple(
        Joint(
            f"plane of {body.name}",
            "planar",
            Marker(GROUND, body.position),
            Marker(body.name, np.zeros(3), about_z(-angle[body.name])),
        )
        for body in model.bodies
    )
    joints, held = [], []
    for joint in model.joints:
        if joint.type == "coordinate" and joint.coordinate == "phi":
            value = joint.values.get("value", angle[joint.i.body]) - angle[joint.i.body]
            held.append(Driver(joint.name, None, f"plane of {joint.i.body}", "angle", Quadratic(value, 0.0, 0.0)))
        else:
            joints.append(joint)
    drivers = tuple(turned(driver, angle) if driver.coordinate == "phi" else driver for driver in model.drivers)
    springs = []
    for spring in model.springs:
        if spring.type == "rotational":
            i, j = (replace(marker, axes=about_z(-angle[marker.body])) for marker in (spring.i, spring.j))
            start = angle[j.body] - angle[i.body]
            relative = {name: value - (start if name == "angle0" else 0.0) for name, value in spring.values.items()}
            springs.append(replace(spring, i=i, j=j, values=relative))
        else:
            springs.append(spring)
    return replace(
        model,
        settings=replace(model.settings, dimension="3D"),
        bodies=bodies,
        joints=(*joints, *planes),
        drivers=(*held, *drivers),
        springs=tuple(springs),
        forces=tuple(renamed(force) for force in model.forces),
        charts=(),
    )


def turned(driver, angle):
    """A driver of phi as one of the planar joint, whose angle is 0 at the start."""
    start, motion = angle[driver.body], driver.motion
    if isinstance(motion, Quadratic):
        motion = replace(motion, position=motion.position - start)
    elif isinstance(motion, Series):
        motion = Series(motion.times, motion.values - start)
    else:
        motion = replace(motion, expression=parse(f"({motion.expression.text}) - ({start / motion.scale!r})"))
    return replace(driver, body=None, joint=f"plane of {driver.body}", coordinate="angle", motion=motion)


def renamed(force: Force):
    """A force whose expressions read yaw and wz instead of phi and omega."""

    def component(value):
        if not isinstance(value, Formula):
            return value
        text = value.expression.text.replace(".phi", ".yaw").replace(".omega", ".wz")
        return replace(value, expression=parse(text, lambda _name: True))

    return replace(force, force=tuple(map(component, force.force)), moment=tuple(map(component, force.moment)))


def agree(planar, spatial, tolerance):
    """Columns that both have, to the tolerance times the size of all of their kind."""
    compared = 0
    for name in planar.columns:
        there = next(
            (
                other
                for old, new in (("", ""), *RENAMED)
                if (other := renamed_column(name, old, new)) in spatial.columns
            ),
            None,
        )
        if there is None or name == "time":
            continue
        kind = name.rpartition(".")[2].rstrip("xy")
        size = max(
            float(np.nanmax(np.abs(planar[each])))
            for each in planar.columns
            if each.rpartition(".")[2].rstrip("xy") == kind
        )
        scale = max(size, 1e-3)
        assert np.nanmax(np.abs(planar[name] - spatial[there])) < tolerance * scale, name
        compared += 1
    return compared


def renamed_column(name, old, new):
    return name if not old else name.removesuffix(old) + new if name.endswith(old) else "-"


@pytest.mark.parametrize("analysis", ["kinematic", "inverse dynamic", "dynamic"])
@pytest.mark.parametrize("name", BOOKS)
def test_planar_workbook_is_the_same_in_space(name, analysis):
    model = sheetmbs.read(WORKBOOKS / f"{name}.xlsx")
    settings = model.settings
    if analysis == "dynamic" and any(body.mass is None for body in model.bodies):
        pytest.skip("a workbook without masses")
    if analysis != "dynamic" and settings.analysis == "dynamic" and not model.drivers:
        pytest.skip("nothing is driven")
    if analysis == "inverse dynamic" and any(body.mass is None for body in model.bodies):
        pytest.skip("a workbook without masses")
    if analysis != "dynamic" and model.clearances:
        pytest.skip("clearances count in a dynamic analysis")
    rows = 20
    t_end = SMOOTH.get(name, settings.t_end) if analysis == "dynamic" else settings.t_end
    settings = replace(
        settings,
        analysis=analysis,
        t_end=t_end,
        t_step=(t_end - settings.t_start) / rows,
        integrator="auto",
        formulation="auto",
        rtol=1e-12,
        initial_conditions="correct",
    )
    made = replace(model, settings=settings)
    planar, spatial = sheetmbs.run(made), sheetmbs.run(in_space(made))
    assert planar.status == spatial.status == "done"
    assert planar.summary["degrees of freedom"] == spatial.summary["degrees of freedom"]
    tolerance = 1e-10 if analysis != "dynamic" else 1e-9
    assert agree(planar.bodies, spatial.bodies, tolerance) >= 9
    if analysis != "kinematic":
        # at t = 0 the compressor's slider rests: rounding says whether it moves on, and whether 0.11 N of gas push it
        first = 1 if name == "compressor" else 0
        joints = planar.joints.iloc[first:], spatial.joints.iloc[first:]
        assert agree(*joints, tolerance) >= 6 * len(model.joints)
    for part in ("drivers", "springs", "points", "clearances"):
        agree(getattr(planar, part), getattr(spatial, part), tolerance)
