"""What a type checker of a user's program sees of ours."""

import subprocess
import sys

import pytest

import sheetmbs

PROGRAM = """
import sheetmbs

model = sheetmbs.read("car.xlsx")
result = sheetmbs.run(model)
reveal_type(model)
reveal_type(result)
reveal_type(result.bodies)
reveal_type(sheetmbs.run_suspension("car.xlsx"))
reveal_type(sheetmbs.run_gait("anna.xlsx"))
"""
MISTAKES = """
import sheetmbs

sheetmbs.read(3)
sheetmbs.run(sheetmbs.read("car.xlsx"), analysis=7)
sheetmbs.no_such_name
"""


def checked(folder, text):
    """What mypy says of a program, line by line, where nothing of ours is on its path but what is installed."""
    (folder / "program.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "program.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One for all programs, so that they share what mypy keeps."""
    return tmp_path_factory.mktemp("programs")


def test_results_have_their_types(folder):
    shown = [line.rpartition(".")[2].strip('"') for line in checked(folder, PROGRAM)]
    assert shown == ["Model", "Results", "DataFrame", "SuspensionResults", "GaitResults"]


def test_every_public_name_has_a_type(folder):
    asked = [f"reveal_type(sheetmbs.{name})" for name in sheetmbs.__all__]
    shown = checked(folder, "\n".join(["import sheetmbs", *asked]))
    kinds = [line.partition("Revealed type is ")[2] for line in shown]
    assert len(kinds) == len(asked)
    assert all(
        kind.startswith(('"def ', '"Overload(def ')) and '"Any"' not in kind and "-> Any" not in kind for kind in kinds
    ), kinds


def test_wrong_calls_are_seen(folder):
    errors = [line.rpartition("[")[2] for line in checked(folder, MISTAKES) if ": error: " in line]
    assert errors == [
        "arg-type]",
        "call-overload]",
        "attr-defined]",
    ]
