"""A small package with our `compiled/` and `files/`: an entry point and, in another file, the kernels it calls."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Self

import sheetmbs

CALLER = """
from mini.compiled import kernel
from mini.engine.callee import minus, squared, twice

@kernel
def entry(x: float) -> float:
    return twice(squared(x=x)) + minus(1.0, a=2.0)
"""
OTHER = """
from mini.compiled import kernel

@kernel
def other(x: float) -> float:
    return -x
"""
CALLEE = """
from mini.compiled import inline_kernel, kernel

@inline_kernel
def twice(x):
    return 2.0 * x

@kernel
def minus(b, a) -> float:
    return a - b

@kernel
def squared(x) -> float:
    return x * x

@kernel
def squared_count(n) -> int:
    return n * n
"""
RUN = """
import sys
from mini.analysis.caller import entry
from mini.analysis.other import other
print(entry(3.0), other(1.0), "numba" in sys.modules)
"""
RESULT = ["19.0", "-1.0", "False"]


class MiniPackage:
    """The package in a folder, and Python in a world of its own to run it in."""

    def __init__(self, folder: Path) -> None:
        self._stand_in(folder)
        self.home.mkdir()
        ours = Path(sheetmbs.__file__).parent
        for room in ("compiled", "files"):
            shutil.copytree(ours / room, self.folder / room, ignore=shutil.ignore_patterns("kernels.*", "__pycache__"))
            for path in (self.folder / room).glob("*.py"):
                path.write_text(path.read_text().replace("sheetmbs.", "mini."))
        for name, text in {"analysis/caller": CALLER, "analysis/other": OTHER, "engine/callee": CALLEE}.items():
            self.write(name, text)
        for name in ("", "analysis", "engine"):
            (self.folder / name / "__init__.py").touch()

    def _stand_in(self, folder: Path) -> None:
        self.folder = folder / "code" / "mini"
        self.home = folder / "home"
        self.python = sys.executable

    def copied(self, folder: Path) -> Self:
        """The package as it is now, in another folder with a home of its own: what was compiled need not be so again."""
        other = object.__new__(type(self))
        other._stand_in(folder)
        for ours, its in ((self.folder, other.folder), (self.home, other.home)):
            shutil.copytree(ours, its)
        return other

    def write(self, module: str, text: str) -> None:
        """Write a module."""
        path = self.folder / f"{module}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def begin(self, *command: str, **settings: object) -> subprocess.Popen[str]:
        """Start a command of Python's; settings of None are unset."""
        nothing = {name: None for name in os.environ if name.startswith(("NUMBA_", "XDG_"))}
        world = os.environ | nothing | {"HOME": str(self.home), "PYTHONPATH": str(self.folder.parent)} | settings
        world = {name: str(setting) for name, setting in world.items() if setting is not None}
        pipe = subprocess.PIPE
        return subprocess.Popen([self.python, "-B", *command], env=world, stdout=pipe, stderr=pipe, text=True)

    def run(self, script: str = RUN, **settings: object) -> tuple[list[str], str]:
        """What a script that ends well prints, word by word, and what it says on standard error."""
        process = self.begin("-c", script, **settings)
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        return out.split(), err

    def build(self, **settings: object) -> str:
        """Build the library of the package as installing does. Returns what went wrong."""
        process = self.begin("-m", "mini.compiled.build", **settings)
        return process.communicate(timeout=300)[1]

    def kept(self) -> list[Path]:
        """Libraries in the user's cache folder."""
        return sorted(self.home.rglob("*.kernels"))

    def units(self) -> dict[str, int]:
        """Units in the user's cache folder and when they were written."""
        return {path.name: path.stat().st_mtime_ns for path in self.home.rglob("objects/*")}
