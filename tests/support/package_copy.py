"""A copy of the package to which a recipe of docs/architecture.md adds something, and commands that it runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]


def package_with(
    folder: Path, files: Mapping[str, str], edits: Mapping[str, Sequence[tuple[str, str]]], others: Sequence[str] = ()
) -> Path:
    """Copy the package and change it. files: new ones. edits: anchors, each there once, and what is written in their place.

    ``{}`` stands for the anchor. Paths are below ``sheetmbs/``. others: folders beside the package that are copied too.
    """
    for name in ("sheetmbs", *others):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in files.items():
        assert not (folder / "sheetmbs" / name).exists(), f"{name} is not new"
        (folder / "sheetmbs" / name).write_text(text, encoding="utf-8")
    for name, changes in edits.items():
        text = (folder / "sheetmbs" / name).read_text(encoding="utf-8")
        for anchor, put in changes:
            assert text.count(anchor) == 1, anchor
            text = text.replace(anchor, put.format(anchor))
        (folder / "sheetmbs" / name).write_text(text, encoding="utf-8")
    return folder


def run_python(package: Path, *arguments: str) -> str:
    """What Python prints with the changed package in place of the installed one."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=package,
        env=os.environ | {"PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_command(package: Path, *arguments: str) -> str:
    """What the command sheetmbs of the changed package prints."""
    return run_python(package, "-m", "sheetmbs", *arguments)
