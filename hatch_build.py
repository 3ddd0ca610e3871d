"""Builds the library of kernels into wheels and editable installs; see `sheetmbs/compiled/build.py`."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIBRARY = Path("sheetmbs", "compiled", "kernels.bin")


class KernelsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the kernels; where that fails, the package is built without and compiles them when it is first used."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library, and name the wheel after the machine for which it is."""
        library = Path(self.root, LIBRARY)
        library.unlink(missing_ok=True)
        self.app.display_info("Compiling kernels, which takes up to a minute")
        command = [sys.executable, "-m", "sheetmbs.compiled.build"]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)  # noqa: S603 - our own
        if done.returncode or not library.exists():
            self.app.display_warning(f"Kernels are compiled when sheetmbs is first used: {done.stderr[-2000:]}")
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"
        build_data["pure_python"] = False
        if version != "editable":
            build_data["artifacts"].append(LIBRARY.as_posix())
