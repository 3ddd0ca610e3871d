"""The form of a planar model: as its script makes it, and ready to run."""

import importlib.util
from pathlib import Path

import numpy as np

import sheetmbs

FOLDER = Path(__file__).parent.parent / "templates"


def test_committed_template_is_what_its_script_makes(tmp_path):
    spec = importlib.util.spec_from_file_location("make_planar", FOLDER / "make_planar.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.make(tmp_path).read_bytes() == (FOLDER / "planar.xlsx").read_bytes()


def test_template_runs_as_it_is():
    """One rod on a hinge, let go from the horizontal: alpha = (3/2) g/l at first."""
    result = sheetmbs.run(sheetmbs.read(FOLDER / "planar.xlsx"))
    assert result.model.warnings == ()
    assert np.isclose(result.bodies["rod.alpha"][0], -1.5 * 9.81, rtol=1e-3)
