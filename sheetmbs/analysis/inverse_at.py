"""Inverse dynamics of a motion that is given frame by frame: what joints carry, and what nobody applies.

Joints, bodies and ground form a tree. With w_b the wrench that body b needs beyond applied forces, about the global origin,
a joint hands on the sum of all bodies behind it: reaction and drive together, whatever moves the joint. The sum of all
bodies of a tree that does not stand on the ground is its residual. Nothing is integrated, differentiated or assembled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.engine.inverse_loads import InverseLoads, find_inverse_loads
from sheetmbs.engine.records import Floats
from sheetmbs.lower import Lowered, lower
from sheetmbs.model.model import Beam, Formula, Joint, Model
from sheetmbs.problems.errors import Problem, WorkbookError

SKEW = 1e-6
"""by which R^T R may differ from 1"""


class InverseResult(NamedTuple):
    """Loads of n frames. A wrench is (n, 3) with fx, fy, m in the plane, (n, 6) with force and moment in space, global, SI."""

    reactions: dict[str, Floats]
    """by joint, the wrench that it exerts on its body j, the moment about its point there: reaction, drive and all"""
    residual: dict[str, Floats]
    """by the root of each tree that does not stand on the ground, also a free body, the wrench about the global origin that
    its motion asks for and nothing supplies"""
    violation: dict[str, Floats]
    """by joint, (n,) the largest residual of its equations, m or rad: how far the poses are off it"""


def inverse_at(
    model: Model,
    q: Floats | tuple[Floats, Floats],
    v: Floats,
    a: Floats,
    wrenches: Mapping[str, Floats] | None = None,
    *,
    roots: Sequence[str] = (),
    times: Floats | None = None,
) -> InverseResult:
    """Loads at frames whose motion is known, each frame by itself: what is NaN in it stays so, and no more than that.

    Parameters
    ----------
    model
        Bodies, joints and forces. Its initial poses, drivers and guiding do not count.
    q
        Poses of the centres of mass, bodies in the order of ``model.bodies``. In the plane (n, bodies, 3) with x, y, phi; in
        space a pair of positions (n, bodies, 3) and rotation matrices (n, bodies, 3, 3). SI, as all that follows.
    v
        Velocities, in the plane (n, bodies, 3); in space (n, bodies, 6), linear, then angular ones, global.
    a
        Accelerations, likewise.
    wrenches
        By body, what else acts on it, about the global origin: (n, 3) with fx, fy, m, in space (n, 6) with force and moment.
    roots
        Bodies on which residuals act, at most one of each tree; default its first one.
    times
        Of the frames (n,), where loads depend on time.

    Returns
    -------
    InverseResult
        Loads of joints, residuals, and how far the poses are off the joints.

    Raises
    ------
    WorkbookError
        If joints close a loop; if there are beams, joints with clearance, couplings or blank masses.
    ValueError
        If arrays do not fit.
    """
    _refuse(model, with_times=times is not None)
    tree = _tree_of(model, roots)
    lowered = lower(replace(model, drivers=(), points=()))
    loads = _loads(lowered, q, v, a, times)
    system = lowered.arrange()
    find_inverse_loads(system.arrays, system.work, loads)
    needed, numbers = loads.wrench, lowered.bodies.names
    for name, wrench in (wrenches or {}).items():
        if name not in numbers or name == GROUND:
            raise ValueError(f"wrenches: there is no body '{name}'")
        needed[:, numbers[name]] -= _in_space(_shaped(f"wrenches['{name}']", wrench, (len(needed), _width(model))))
    reactions = {}
    for link in reversed(tree.links):
        carried = needed[:, numbers[link.body]]
        needed[:, numbers[link.parent]] += carried
        point = _point(link.joint.j, numbers, q)
        on_j = carried if link.joint.j.body == link.body else -carried
        reactions[link.joint.name] = _reported(model, on_j, point)
    owners = [constraint.name for constraint in lowered.elements]
    owner = lowered.constraints.owner[system.kept]
    size = np.abs(loads.phi)
    return InverseResult(
        reactions={joint.name: reactions[joint.name] for joint in model.joints},
        residual={root: _reported(model, needed[:, numbers[root]], np.zeros(3)) for root in tree.roots},
        violation={name: np.max(size[:, owner == k], axis=1, initial=0.0) for k, name in enumerate(owners)},
    )


@dataclass(frozen=True)
class _Link:
    """A joint of a tree: the body behind it, and the one before."""

    joint: Joint
    body: str
    parent: str


@dataclass(frozen=True)
class _Tree:
    """links: from the roots on. roots: of trees that do not stand on the ground."""

    links: tuple[_Link, ...]
    roots: tuple[str, ...]


def _tree_of(model: Model, roots: Sequence[str]) -> _Tree:
    """Who hands loads on to whom. Raises WorkbookError where joints close a loop."""
    names = [body.name for body in model.bodies]
    unknown = [name for name in roots if name not in names]
    if unknown:
        raise ValueError(f"roots: there is no body '{unknown[0]}'")
    links: list[_Link] = []
    before: dict[str, _Link | None] = {}
    used: set[str] = set()
    free: list[str] = []
    for root in (GROUND, *roots, *names):
        if root in before:
            continue
        before[root] = None
        if root != GROUND:
            free.append(root)
        ahead = [root]
        while ahead:
            body = ahead.pop(0)
            for joint in model.joints:
                ends = {joint.i.body, joint.j.body}
                if joint.name in used or body not in ends:
                    continue
                used.add(joint.name)
                other = joint.j.body if joint.i.body == body else joint.i.body
                if other in before:
                    raise WorkbookError(_loop(joint, before))
                before[other] = _Link(joint, other, body)
                links.append(before[other])  # type: ignore[arg-type]
                ahead.append(other)
    return _Tree(tuple(links), tuple(free))


def _loop(closing: Joint, before: Mapping[str, _Link | None]) -> Problem:
    """The joint that closes a loop, and the others of the loop."""
    ways = []
    for end in (closing.i.body, closing.j.body):
        way, at = [], end
        while (link := before[at]) is not None:
            way.append(link.joint.name)
            at = link.parent
        ways.append(way)
    others = [name for name in (*ways[0], *reversed(ways[1])) if (name in ways[0]) != (name in ways[1])]
    return Problem(
        "closed-loop",
        "error",
        closing.cell,
        f"joint {closing.name}" + (f" closes a loop with {', '.join(others)}" if others else ""),
        "what each joint of a loop carries depends on which of them is driven",
        "leave one joint of the loop out and give its load as a wrench, or run an inverse dynamic analysis with drivers",
    )


def _refuse(model: Model, *, with_times: bool) -> None:
    """Raise WorkbookError for what has no place in a tree of rigid bodies."""
    problems = []

    def refuse(code: str, cell: str, found: str, rule: str, mend: str) -> None:
        problems.append(Problem(code, "error", cell, found, rule, mend))

    for body in model.bodies:
        if isinstance(body, Beam):
            refuse("flexible-body", body.cell, f"beam {body.name}", "inverse_at knows rigid bodies", "make it a body")
        elif body.mass is None or body.inertia is None:
            refuse("mass", body.cell, f"body {body.name}", "its mass or inertia is blank", "give both")
    for clearance in model.clearances:
        refuse(
            "clearance",
            clearance.cell,
            f"joint {clearance.name}",
            "it has clearance",
            "make it a joint without clearance",
        )
    for joint in model.joints:
        if joint.couples is not None:
            refuse(
                "closed-loop",
                joint.cell,
                f"coupling {joint.name}",
                "it closes a loop between two joints",
                "leave it out",
            )
    timed = any(
        force.curve is not None or any(isinstance(part, Formula) for part in (*force.force, *force.moment))
        for force in model.forces
    )
    if (timed or model.force_series) and not with_times:
        refuse("times", "", "loads that depend on time", "the times of the frames are not known", "give times")
    if problems:
        raise WorkbookError(problems)


def _width(model: Model) -> int:
    """Of a wrench."""
    return 3 if model.settings.dimension == "2D" else 6


def _shaped(name: str, given: Floats, shape: tuple[int, ...]) -> Floats:
    found = np.ascontiguousarray(given, dtype=np.float64)
    if found.shape != shape:
        raise ValueError(f"{name} has the shape {found.shape}; here it must be {shape}")
    return found


def _loads(
    lowered: Lowered, q: Floats | tuple[Floats, Floats], v: Floats, a: Floats, times: Floats | None
) -> InverseLoads:
    """The frames in the coordinates of the engine."""
    bodies = len(lowered.model.bodies)
    width = _width(lowered.model)
    n = len(v)
    v, a = _shaped("v", v, (n, bodies, width)), _shaped("a", a, (n, bodies, width))
    if width == 3:
        if isinstance(q, tuple):
            raise ValueError("q must be one array (n, bodies, 3) in the plane")
        positions = _shaped("q", q, (n, bodies, 3))
    else:
        if not isinstance(q, tuple):
            raise ValueError("q must be a pair of arrays in space: positions and rotation matrices")
        positions, v, a = _spatial(lowered, q, v, a)
    rows = len(lowered.constraints.rows)
    return InverseLoads(
        times=np.zeros(n) if times is None else _shaped("times", times, (n,)),
        q=positions.reshape(n, -1),
        v=v.reshape(n, -1),
        a=a.reshape(n, -1),
        wrench=np.zeros((n, bodies + 1, 6)),
        phi=np.zeros((n, rows)),
    )


def _spatial(lowered: Lowered, q: tuple[Floats, Floats], v: Floats, a: Floats) -> tuple[Floats, Floats, Floats]:
    """Positions with Euler parameters (n, bodies, 7), and rates with angular ones in principal axes (n, bodies, 6)."""
    from scipy.spatial.transform import Rotation

    n, bodies, _ = v.shape
    r, turned = _shaped("q[0]", q[0], (n, bodies, 3)), _shaped("q[1]", q[1], (n, bodies, 3, 3))
    known = np.all(np.isfinite(turned), axis=(2, 3))
    square = np.swapaxes(turned[known], -1, -2) @ turned[known]
    if np.any(np.abs(square - np.eye(3)) > SKEW) or np.any(np.linalg.det(turned[known]) < 0.0):
        raise ValueError("q[1] must hold rotation matrices: orthonormal columns, right-handed")
    euler = np.full((n, bodies, 4), np.nan)
    if np.any(known):
        euler[known] = np.roll(Rotation.from_matrix(turned[known]).as_quat(), 1, axis=-1)
    principal = turned @ lowered.bodies.axes[1 : bodies + 1]
    rates = [
        np.concatenate((each[..., :3], np.einsum("nbij,nbi->nbj", principal, each[..., 3:])), axis=-1)
        for each in (v, a)
    ]
    return np.concatenate((r, euler), axis=-1), rates[0], rates[1]


def _in_space(wrench: Floats) -> Floats:
    """(n, 6) of a wrench that may be planar."""
    if wrench.shape[1] == 6:
        return wrench
    found = np.zeros((len(wrench), 6))
    found[:, [0, 1, 5]] = wrench
    return found


def _reported(model: Model, wrench: Floats, point: Floats) -> Floats:
    """A wrench (n, 6) about the global origin as it is reported, about a point (n, 3) or (3,)."""
    moment = wrench[:, 3:] - np.cross(point, wrench[:, :3])
    found = np.hstack((wrench[:, :3], moment))
    return found if _width(model) == 6 else found[:, [0, 1, 5]]


def _point(marker: Marker, numbers: Mapping[str, int], q: Floats | tuple[Floats, Floats]) -> Floats:
    """(n, 3) or (3,) where a marker stands."""
    if marker.body == GROUND:
        return marker.origin
    at = numbers[marker.body] - 1
    if isinstance(q, tuple):
        return np.asarray(q[0][:, at] + q[1][:, at] @ marker.origin)
    x, y, phi = q[:, at].T
    c, s = np.cos(phi), np.sin(phi)
    xi, eta = marker.origin[:2]
    return np.column_stack((x + c * xi - s * eta, y + s * xi + c * eta, np.zeros(len(x))))
