"""Lines of a page that a reader types into a shell."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(line, folder):
    """Run one line of ours in a folder: what became of it, with its outputs as text."""
    program, *arguments = line.split("#")[0].split()
    assert program == "sheetmbs", "this knows how to run no other program"
    return subprocess.run(
        [sys.executable, "-m", "sheetmbs", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
