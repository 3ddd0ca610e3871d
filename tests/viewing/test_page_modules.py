"""The modules of the page: linted, typed by their JSDoc, and the libraries as their authors released them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "sheetmbs" / "page"
TOOLS = ROOT / "tests" / "page"
OURS = sorted([*PAGE.glob("*.js"), *PAGE.glob("boot/*.js")])
LONGEST = 400


def tool(name):
    """A program of npm; skips in words where it is not installed."""
    path = TOOLS / "node_modules" / ".bin" / name
    if shutil.which("node") is None or not path.exists():
        pytest.skip(f"{name} is not installed: npm ci --prefix tests/page")
    return path


def found_by_eslint(path, stdin=None):
    command = [tool("eslint"), "--config", TOOLS / "eslint.config.js", *path]
    return subprocess.run(command, cwd=ROOT, input=stdin, capture_output=True, text=True, check=False)


def test_the_linter_finds_nothing():
    done = found_by_eslint(["sheetmbs/page"])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_linter_sees_what_must_not_be():
    wrong = "document.body.innerHTML = 'a';\neval('1');\nconst unused = 1;\n"
    done = found_by_eslint(["--stdin", "--stdin-filename", "sheetmbs/page/wrong.js"], stdin=wrong)
    assert done.returncode == 1
    for rule in ("no-restricted-properties", "no-eval", "no-unused-vars"):
        assert rule in done.stdout


def test_types_fit():
    done = subprocess.run(
        [tool("tsc"), "--project", TOOLS / "tsconfig.json"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_modules_of_the_page_are_short_and_begin_with_what_they_are_for(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LONGEST
    assert lines[0].startswith("// ")


def test_modules_import_only_each_other_and_the_libraries():
    names = {f"sheetmbs/{path.name}" for path in OURS} | {"three", "uplot"}
    for path in OURS:
        text = path.read_text(encoding="utf-8")
        assert set(re.findall(r'^import .* from "([^"]+)";$', text, re.MULTILINE)) <= names, path.name
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), path.name


@pytest.mark.parametrize("name", ["three", "uplot"])
def test_libraries_come_with_their_licences(name):
    assert "MIT License" in (PAGE / "vendor" / f"LICENSE.{name}").read_text(encoding="utf-8")


def test_the_chart_library_is_as_its_authors_released_it():
    released = TOOLS / "node_modules" / "uplot" / "dist"
    if not released.exists():
        pytest.skip("uplot is not installed: npm ci --prefix tests/page")
    for name in ("uPlot.esm.js", "uPlot.min.css"):
        assert (PAGE / "vendor" / name).read_bytes() == (released / name).read_bytes()
