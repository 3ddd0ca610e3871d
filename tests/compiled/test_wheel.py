"""The wheel that the standard front end makes, installed from nothing; ``pytest -m wheel``, as `.ci/run` does.

It takes a minute or two and packages from an index, so that ordinary runs leave it out.
"""

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import openpyxl
import pytest

import sheetmbs

ROOT = Path(__file__).parents[2]
PROGRAMS = "Scripts" if os.name == "nt" else "bin"
TAKES_MINUTES = 900
END_OF_PENDULUM = {"x": -0.2750874626, "y": -0.9614192051}
"""m at 10 s, as the sheet README of the template states it from elliptic functions"""

pytestmark = pytest.mark.wheel


def succeeds(*command, **settings):
    """What a program prints that ends well."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, timeout=TAKES_MINUTES, **settings
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def builds(source, target, *options):
    """The only wheel that the standard front end makes of a folder."""
    succeeds(sys.executable, "-m", "build", *options, "--outdir", target, source)
    (wheel,) = target.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A clone as it would be if everything here were committed."""
    folder = tmp_path_factory.mktemp("source")
    listed = succeeds("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def wheel(source, tmp_path_factory):
    """The wheel made of the sdist, which the front end makes first."""
    return builds(source, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A Python with nothing but the wheel and what it requires, all of it as wheels."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=True)
    python = folder / PROGRAMS / Path(sys.executable).name
    pinned = "--no-compile", "--only-binary", ":all:", "-c", ROOT / "requirements.lock"
    succeeds(python, "-m", "pip", "install", "-q", *pinned, wheel, env=bare(folder))
    return folder


def bare(folder, **settings):
    """The environment of a machine that has no program but those in a folder, and no kernels that were kept."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "PIP_INDEX_URL") if name in os.environ}
    home = folder / "home"
    return kept | {"PATH": str(folder / PROGRAMS), "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), **settings}


def contents(path):
    with zipfile.ZipFile(path) as packed:
        return {entry.filename: entry.CRC for entry in packed.infolist()}


def test_the_wheel_of_the_sdist_is_that_of_the_clone(source, wheel, tmp_path):
    directly = builds(source, tmp_path, "--wheel")
    assert directly.name == wheel.name
    assert contents(directly) == contents(wheel)
    assert len(contents(wheel)) > 900


def test_the_wheel_holds_the_kernels_the_templates_and_the_mark_of_types(wheel):
    names = set(contents(wheel))
    assert len([name for name in names if name.startswith("sheetmbs/compiled/kernels.")]) == 2
    assert {"sheetmbs/py.typed", "sheetmbs/templates/pendulum.xlsx"} <= names
    assert not [name for name in names if name.startswith("tests/")]


def test_the_wheel_is_of_the_version_of_the_package(wheel):
    assert wheel.name.startswith(f"sheetmbs-{sheetmbs.__version__}-py3-none-")


@pytest.mark.skipif(sys.platform != "linux", reason="auditwheel knows Linux")
def test_the_wheel_bears_the_tag_that_auditwheel_finds(wheel):
    said = " ".join(succeeds(sys.executable, "-m", "auditwheel", "show", wheel).split())
    (tag,) = re.findall(r'consistent with the following platform tag: "(\w+)"', said)
    assert wheel.stem.endswith(f"-{tag}")


def test_a_wheel_runs_where_there_is_no_compiler_and_no_numba(installed, tmp_path):
    settings = {"cwd": tmp_path, "env": bare(installed)}
    python, program = installed / PROGRAMS / Path(sys.executable).name, installed / PROGRAMS / "sheetmbs"
    absent = "from importlib.util import find_spec; import shutil"
    absent += "; print([*map(find_spec, ('numba', 'llvmlite')), *map(shutil.which, ('cc', 'gcc', 'clang', 'ld'))])"
    assert succeeds(python, "-c", absent, **settings) == f"{[None] * 6}\n"
    succeeds(program, "new", "pendulum", "pendulum.xlsx", **settings)
    succeeds(program, "run", "pendulum.xlsx", **settings)
    rows = list(openpyxl.load_workbook(tmp_path / "pendulum.xlsx")["mbs Bodies"].values)
    headers = next(row for row in rows if row[0] == "time")
    end = dict(zip(headers, next(row for row in rows if row[0] == pytest.approx(10.0)), strict=True))
    for axis, place in END_OF_PENDULUM.items():
        assert end[f"bob.{axis}"] == pytest.approx(place, abs=1e-8)
    assert not list((installed / "home").rglob("*.kernels")), "the kernels of the wheel were not used"
