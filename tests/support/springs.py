"""Springs and bushings for tests, with all numbers by name."""

import numpy as np

from sheetmbs.elements.forces.bushing_force import AXES
from sheetmbs.model.model import Spring


def make_spring(
    name, kind, i, j, k=0.0, c=0.0, force=0.0, natural=None, curve_k=None, curve_c=None, *, stiffness=None, damping=None
):
    """A force element. natural: natural length or angle; stiffness, damping: (6,) of a bushing, for the columns kx .. crz."""
    values = {"k": k, "c": c, "force": force} if kind != "bushing" else {}
    if natural is not None:
        values["angle0" if kind == "rotational" else "length0"] = natural
    for letter, six in (("k", stiffness), ("c", damping)):
        for axis, value in zip(AXES, np.zeros(6) if six is None else six, strict=True):
            values |= {f"{letter}{axis}": float(value)} if kind == "bushing" else {}
    curves = {column: curve for column, curve in (("curve_k", curve_k), ("curve_c", curve_c)) if curve is not None}
    return Spring(name, kind, i, j, values, curves)
