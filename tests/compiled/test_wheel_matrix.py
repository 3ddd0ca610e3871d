"""The machines for which wheels are built, as the configuration of cibuildwheel and the workflow name them."""

import fnmatch
import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KINDS = {"manylinux_x86_64", "manylinux_aarch64", "macosx_x86_64", "macosx_arm64", "win_amd64"}
SYSTEMS = {"linux": "manylinux", "macos": "macosx", "windows": "win"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WHEELS = PROJECT["tool"]["cibuildwheel"]
WORKFLOW = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")


def test_wheels_are_built_for_five_kinds_of_machines():
    built = {f"{name}_{arch.lower()}" for system, name in SYSTEMS.items() for arch in WHEELS[system]["archs"]}
    assert built == KINDS


def test_the_workflow_has_a_machine_of_each_kind_and_runs_the_script_there():
    machines = dict(re.findall(r"\{ kind: (\w+), machine: ([\w.-]+) \}", WORKFLOW))
    assert set(machines) == KINDS
    assert len(set(machines.values())) == len(KINDS)
    assert "run: .ci/wheels\n" in WORKFLOW
    assert "--archs native" in (ROOT / ".ci" / "wheels").read_text(encoding="utf-8")  # kernels are for the machine


def test_the_wheel_is_built_with_the_oldest_python_and_tried_with_the_newest():
    pythons = [re.fullmatch(r"cp3(\d+)-\*", build)[1] for build in WHEELS["build"]]
    known = [re.search(r"Python :: 3\.(\d+)", text) for text in PROJECT["project"]["classifiers"]]
    versions = [int(found[1]) for found in known if found]
    assert list(map(int, pythons)) == [min(versions), max(versions)]
    assert PROJECT["project"]["requires-python"] == f">=3.{min(versions)}"


def test_the_wheel_is_tried_by_its_command():
    assert [line.split()[:2] for line in WHEELS["test-command"]] == [["sheetmbs", "new"], ["sheetmbs", "run"]]


def test_what_compiles_the_kernels_is_never_compiled_itself():
    assert set(WHEELS["environment"]["PIP_ONLY_BINARY"].split(",")) == {"llvmlite", "numba"}


@pytest.mark.wheel
@pytest.mark.skipif(os.name == "nt", reason="the script is one of bash")
def test_cibuildwheel_lists_a_build_for_each_of_them():
    done = subprocess.run([ROOT / ".ci" / "wheels", "--list"], capture_output=True, text=True, check=True)
    listed = done.stdout.split()
    assert len(listed) == len(KINDS) * len(WHEELS["build"])
    for kind in KINDS:
        assert len(fnmatch.filter(listed, f"cp3*-{kind}")) == len(WHEELS["build"])
