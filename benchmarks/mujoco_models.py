"""A model in mujoco: joint coordinates, loops closed by equality constraints, its rk4.

mujoco's constraints give way: an error x goes as x'' + 2 x'/T + x/T^2 = 0, nearly. T, a multiple of the step, is what one
chooses; the least that stays stable is most accurate. Its loop runs in C: one call takes all steps.
"""

from __future__ import annotations

import time

import mujoco
import numpy as np
from numpy.typing import NDArray

from benchmarks.cases import Case
from benchmarks.mechanism import Order, forest, poses
from sheetmbs.elements.marker import GROUND
from sheetmbs.model.model import Model

Vector = NDArray[np.float64]
SPARSE_FROM = 50
"""coordinates from which the sparse Jacobian is faster"""


class Mujoco:
    """A case with a step and T over the step, ready to be solved again and again.

    Raises RuntimeError where the simulation becomes unstable.
    """

    def __init__(self, case: Case, step: float, softness: float, *, order: Order = "breadth") -> None:
        self._end = case.t_end
        model = case.model()
        links = forest(model, order)[0]
        self._model = mujoco.MjModel.from_xml_string(_described(model, case, step, softness * step, order))
        self._data = mujoco.MjData(self._model)
        self._steps = round(case.t_end / step)
        self._rates = np.zeros(len(links))
        for link in links:
            self._rates[self._model.joint(link.body).dofadr[0]] = link.rate
        self.solve()
        mujoco.mj_kinematics(self._model, self._data)
        self.error = case.error(self._data.site_xpos[0])

    def solve(self) -> float:
        """Seconds of one solution from the start."""
        mujoco.mj_resetData(self._model, self._data)
        self._data.qvel[:] = self._rates
        began = time.perf_counter()
        mujoco.mj_step(self._model, self._data, self._steps)
        passed = time.perf_counter() - began
        if abs(self._data.time - self._end) > 0.5 * self._model.opt.timestep:
            raise RuntimeError("MuJoCo restarted, because the simulation was unstable")
        return passed


def _described(model: Model, case: Case, step: float, period: float, order: Order) -> str:
    """The model in mujoco's XML: all frames are parallel to the global one at the start."""
    links, closing = forest(model, order)
    at = poses(model)
    bodies = {body.name: body for body in model.bodies}
    origins = {GROUND: np.zeros(3)} | {link.body: link.origin for link in links}

    def body(name: str) -> str:
        inside = ""
        for link in links:
            if link.parent != name:
                continue
            pose, own = at[link.body], bodies[link.body]
            tensor = pose.turn @ own.inertia @ pose.turn.T
            if model.settings.dimension == "2D":  # mujoco wants an inertia that a body can have about all axes
                tensor = np.diag([0.5, 0.5, 1.0]) * tensor[2, 2]
            site = f'<site name="measured" pos="{_text(pose.point(case.place) - link.origin)}"/>'
            inside += (
                f'<body name="{link.body}" pos="{_text(link.origin - origins[name])}">'
                f'<joint name="{link.body}" type="{"slide" if link.slides else "hinge"}" axis="{_text(link.axes[:, 2])}"/>'
                f'<inertial pos="{_text(pose.position - link.origin)}" mass="{own.mass!r}"'
                f' fullinertia="{_text(tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]])}"/>'
                f"{site if link.body == case.body else ''}{body(link.body)}</body>"
            )
        return inside

    loops = ""
    for joint in closing:
        names = [f'body{k}="{m.body}"' for k, m in ((1, joint.i), (2, joint.j)) if m.body != GROUND]
        first = joint.i if joint.i.body != GROUND else joint.j
        names = names if len(names) == 2 else [f'body1="{first.body}"']
        point = at[first.body].point(first)
        # two points on its axis make a hinge
        axis = at[first.body].turn @ first.axes[:, 2]
        points = [point] if model.settings.dimension == "2D" else [point, point + axis]
        for each in points:
            loops += f'<connect {" ".join(names)} anchor="{_text(each - origins[first.body])}"/>'
    sparse = len(links) >= SPARSE_FROM
    return f"""<mujoco>
      <compiler boundmass="0" balanceinertia="false"/>
      <option integrator="RK4" timestep="{step!r}" gravity="{_text(np.array(model.settings.gravity))}"
        solver="Newton" iterations="3" tolerance="1e-15" jacobian="{"sparse" if sparse else "dense"}">
        <flag contact="disable" limit="disable" frictionloss="disable"/>
      </option>
      <default><equality solref="{-1 / period**2!r} {-2 / period!r}" solimp="0.9999 0.9999 0.001"/></default>
      <worldbody>{body(GROUND)}</worldbody>
      <equality>{loops}</equality>
    </mujoco>"""


def _text(values: Vector) -> str:
    return " ".join(repr(float(value)) for value in values)
