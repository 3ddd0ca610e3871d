"""Builds the library of kernels into wheels and editable installs; see `sheetmbs/compiled/build.py`."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = Path("sheetmbs", "compiled")
MAX_REPORTED = 4000
"""characters of what a failing build says that are repeated"""


class KernelsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles and links the kernels; an installation that is not for editing fails where that fails."""

    def dependencies(self) -> list[str]:
        """Requirements of this build beyond those of pyproject.toml: a linker, where the machine has none."""
        linker = _linker(Path(self.root))
        return [] if linker.linkers() else [linker.ZIGLANG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library, and name the wheel after the machine for which it is. Raises RuntimeError."""
        folder = Path(self.root, COMPILED)
        for path in folder.glob("kernels.*"):
            path.unlink()
        self.app.display_info("Compiling kernels, which takes up to a minute")
        command = [sys.executable, "-m", "sheetmbs.compiled.build"]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)  # noqa: S603 - our own
        if done.returncode:
            said = done.stderr.strip()[-MAX_REPORTED:]
            if version != "editable":
                raise RuntimeError(said)
            self.app.display_warning(f"Kernels are compiled when sheetmbs is first used. {said}")
            return
        build_data["tag"] = f"py3-none-{platform_tag()}"
        build_data["pure_python"] = False
        if version != "editable":
            build_data["artifacts"] += [(COMPILED / path.name).as_posix() for path in folder.glob("kernels.*")]


def platform_tag() -> str:
    """The tag of wheels for this machine."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _linker(root: Path) -> ModuleType:
    """The module that knows linkers, by itself: what the package imports is not installed yet."""
    spec = importlib.util.spec_from_file_location("linker", root / COMPILED / "linker.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(COMPILED / "linker.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
