"""The build of kernels with other versions of numba, and with one that has not what we use beyond its public interface."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from sheetmbs.compiled.compat import NAMES
from tests.compiled.mini_package import MiniPackage

ROOT = Path(__file__).parents[2]
PENDULUM = """
import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from mini.compiled import Array, Bundle, inline_kernel, kernel

ROD = np.dtype([("length", "f8"), ("mass", "f8"), ("kind", "u4")])


@dataclass(frozen=True, eq=False)
class Scratch(Bundle):
    rate: Annotated[Any, Array("f8", 2)]


@dataclass(frozen=True, eq=False)
class Pendulum(Bundle):
    rod: Annotated[Any, ROD]
    scratch: Scratch
    gravity: float
    steps: int
    is_damped: bool


@inline_kernel
def torque(P, phi, rate):
    rod = P.rod[0]
    drag = 0.5 * rate if P.is_damped and rod.kind == 7 else 0.0
    return -P.gravity / rod.length * math.sin(phi) - drag


@kernel
def evaluate(P, phi, rate, stage) -> None:
    P.scratch.rate[stage, 0] = rate
    P.scratch.rate[stage, 1] = torque(P, phi, rate)


@kernel
def swing(P: Pendulum, y: Annotated[Any, Array("f8", 1)], h: float) -> tuple[int, float, bool]:
    rate = P.scratch.rate
    largest = 0.0
    for _ in range(P.steps):
        evaluate(P, y[0], y[1], 0)
        evaluate(P, y[0] + 0.5 * h * rate[0, 0], y[1] + 0.5 * h * rate[0, 1], 1)
        for k in range(2):
            y[k] += h * rate[1, k]
        largest = max(largest, abs(y[0]))
    return P.steps, largest, y[0] > 0.0
"""
SWING = """
import json, sys
import numpy as np
from mini.engine.pendulum import ROD, Pendulum, Scratch, swing
rod = np.array([(2.0, 3.0, 7)], dtype=ROD).view(np.recarray)
found = []
for is_damped in (False, True):
    y = np.array([1.0, 0.0])
    found.append((*swing(Pendulum(rod, Scratch(np.zeros((2, 2))), 9.81, 500, is_damped), y, 0.002), *y))
print(json.dumps(found, default=bool))
"""
TAKES_MINUTES = 900


@pytest.fixture
def mini(tmp_path):
    package = MiniPackage(tmp_path)
    package.write("engine/pendulum", PENDULUM)
    return package


def swung(mini, **settings):
    """What the pendulum does, compiled and as plain Python, in which it must do the same."""
    (compiled, said), (plain, _) = mini.run(SWING, **settings), mini.run(SWING, NUMBA_DISABLE_JIT="1")
    compiled, plain = (json.loads(" ".join(words)) for words in (compiled, plain))
    assert compiled == [pytest.approx(run, rel=1e-12) for run in plain]
    assert 0.9 < compiled[0][1] <= 1.0
    assert abs(compiled[1][4]) < abs(compiled[0][4])  # damping takes speed
    return said


@pytest.mark.parametrize("name", [None, *NAMES])
def test_kernels_are_built_where_numba_has_not_what_we_use_beyond_its_public_interface(mini, name):
    compat = mini.folder / "compiled" / "compat.py"
    asked = "return getattr("
    assert compat.read_text().count(asked) == 1
    compat.write_text(compat.read_text().replace(asked, f"return None if name == {name!r} else getattr("))
    swung(mini)
    script = "from mini.compiled import compiling; print(compiling.links_by_name())"
    assert mini.run(script)[0] == [str(name is None)]


def test_what_pip_builds_with_imports_all_modules_with_kernels():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    there = {re.match(r"[\w-]+", text)[0] for text in project["build-system"]["requires"]} | {"llvmlite", "sheetmbs"}
    script = f"""
import importlib, sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        first = name.partition(".")[0]
        if first not in {there} | sys.stdlib_module_names and not first.startswith("_"):
            raise ImportError(name)
sys.meta_path.insert(0, Absent())
from sheetmbs.compiled import sources
names = sources.kernel_modules()
for name in names:
    importlib.import_module(name)
print(len(names))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50


def bounds() -> tuple[str, str]:
    """The oldest version of numba that is allowed, and the first that is not."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    texts = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    (found,) = {re.sub(r"\s", "", text) for text in texts if text.startswith("numba")}
    return re.fullmatch(r"numba>=([\d.]+),<([\d.]+)", found).groups()


def test_the_version_that_is_installed_here_is_allowed():
    import numba

    low, high = ([int(part) for part in version.split(".")] for version in bounds())
    assert low <= [int(part) for part in numba.__version__.split(".")[:2]] < high


@pytest.mark.nightly
@pytest.mark.parametrize("which", ["oldest", "newest"])
def test_kernels_are_built_with_the_oldest_and_the_newest_numba_that_is_allowed(mini, tmp_path, which):
    low, high = bounds()
    wanted = f"numba=={low}.*" if which == "oldest" else f"numba>={low},<{high}"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True, timeout=TAKES_MINUTES)
    python = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", wanted], check=True, timeout=TAKES_MINUTES)
    mini.python = str(python)
    swung(mini)
    script = "from mini.compiled import compiling; print(compiling.links_by_name())"
    assert mini.run(script)[0] == ["True"]
