"""What a new force element costs: its declaration, its kernel, a line in one list and a branch in each chain of the other."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "sheetmbs"
DECLARATION = '''
"""Two magnets that attract each other by strength/l^2."""

from sheetmbs.elements.force_type import Deformation, ForceNumber, ForceType
from sheetmbs.elements.force_type import LINE_AT_REST, LINE_VALUES, part_charts
from sheetmbs.elements.result_column import ChartPlace

MAGNET = ForceType(
    name="magnet",
    called="magnet",
    doc="two magnets",
    ends="line",
    numbers=(ForceNumber("strength", "bending_stiffness", "force times length squared", "elastic", required=True),),
    curves=(),
    values=LINE_VALUES,
    fields=lambda given, start: (given["strength"],),
    deformations=lambda given: (Deformation(turns=False, stiffness=2.0 * given["strength"], damping=0.0),),
    charts=part_charts("force", ChartPlace.FORCES),
    at_rest=LINE_AT_REST,
)
'''
KERNEL = '''
"""f = s/l^2,  U = -s/l,  df/dl = -2 s/l^3."""

from sheetmbs.engine.forces.translational_spring import LENGTH, RATE, TOTAL, length_and_rate, pull_together
from sheetmbs.compiled import inline_kernel


@inline_kernel
def apply_magnet(A, W, e, force):
    """Values and forces. Returns no power."""
    length, rate, ux, uy, uz = length_and_rate(W.place, e.frame_i, e.frame_j)
    W.element[e.value + LENGTH] = length
    W.element[e.value + RATE] = rate
    W.element[e.value + TOTAL] = A.elements.number[e.number] / length**2
    pull_together(A, W, e, W.element[e.value + TOTAL], ux, uy, uz, force)
    return 0.0


@inline_kernel
def magnet_energy(A, W, e):
    """Energy."""
    return -A.elements.number[e.number] / W.element[e.value + LENGTH]


@inline_kernel
def magnet_slopes(A, W, e):
    """Derivatives of the force."""
    return -2.0 * A.elements.number[e.number] / W.element[e.value + LENGTH] ** 3, 0.0
'''
CHOICE = """    if e.kind == MAGNET:
        length_gradient(W, e, gradient, n)
        stiffness, damping = magnet_slopes(A, W, e)
{}"""
LISTS = {
    "elements/forces/__init__.py": (
        ("from sheetmbs.elements.forces.rot", "from sheetmbs.elements.forces.magnet_force import MAGNET\n{}"),
        ("BUSHING, GAS)", "BUSHING, GAS, MAGNET)"),
    ),
    "engine/forces/all_forces.py": (
        ("from sheetmbs.engine.forces.rot", "from sheetmbs.engine.forces.magnet import *\n{}"),
        ("GAS = range(4)", "GAS, MAGNET = range(5)"),
        (
            "    if A.clearance.shape",
            "        if e.kind == MAGNET:\n            power += apply_magnet(A, W, e, force)\n{}",
        ),
        (
            "        else:\n            energy",
            "        elif e.kind == MAGNET:\n            energy += magnet_energy(A, W, e)\n{}",
        ),
        (
            "    return stiffness, damping",
            CHOICE,
        ),
    ),
}
RUN = """
import sys
import numpy as np
import sheetmbs
from tests.support.spatial_books import at, axis, body, joint, space_book

rail = joint("translational", point="P", **axis(0, 0, 1))
pull = {"name": "pull", "type": "magnet", "body_i": "ground", "body_j": "b", "point_i": "P", "point_j": "Q", "strength": 90}
sheets = {"Bodies": [body(z=1, vz=7)], "Points": [at(), at(z=1, name="Q")], "Joints": [rail], "Springs": [pull]}
settings = {"gravity_z": 0, "t_end": 0.2, "integrator": sys.argv[2]}
result = sheetmbs.run(sheetmbs.read(space_book(sys.argv[1], settings, **sheets)))
length, rate = (result.springs[f"pull.{name}"].to_numpy() for name in ("length", "rate"))
assert np.allclose(result.springs["pull.force"], 90.0 / length**2, rtol=1e-12)
assert np.allclose(rate**2 - 90.0 / length, 49.0 - 90.0, rtol=1e-6), rate**2 - 90.0 / length
assert result.summary["energy drift"] < 1e-6
assert "Spring forces" in [chart.title for chart in result.sheets.charts]
still = sheetmbs.run(sheetmbs.read(space_book(sys.argv[1], settings | {"analysis": "modes"}, **sheets)))
print("found", sheetmbs.__file__, result.springs.shape)
"""


def test_magnet_is_added_by_its_files_and_the_two_lists(tmp_path):
    """A copy of the package with one element more reads, moves, keeps energy and is drawn. Kernels run as plain Python."""
    copy = tmp_path / "sheetmbs"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PACKAGE.parent / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "elements" / "forces" / "magnet_force.py").write_text(DECLARATION)
    (copy / "engine" / "forces" / "magnet.py").write_text(KERNEL)
    for name, edits in LISTS.items():
        text = (copy / name).read_text(encoding="utf-8")
        for anchor, put in edits:
            assert text.count(anchor) == 1, anchor
            text = text.replace(anchor, put.format(anchor))
        (copy / name).write_text(text, encoding="utf-8")
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(tmp_path)}
    for integrator in ("dop853", "radau"):
        command = [sys.executable, "-c", RUN, str(tmp_path / f"{integrator}.xlsx"), integrator]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert str(tmp_path) in done.stdout
