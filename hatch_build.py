"""Builds the library of kernels into wheels and editable installs; see `sheetmbs/compiled/build.py`."""

from __future__ import annotations

import importlib.util
import os
import platform
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
OLDEST_GLIBC = {"x86_64": "2_5", "aarch64": "2_17"}
"""version of glibc that the library of kernels needs on each processor: the oldest that has a tag, for it names none"""
OLDEST_MACOS_ARM64 = "11.0"
"""the first macOS for these processors"""


class KernelsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles and links the kernels; an installation that is not for editing fails where that fails."""

    def dependencies(self) -> list[str]:
        """Requirements of this build beyond those of pyproject.toml: a linker, where the machine has none."""
        linker = _linker(Path(self.root))
        return [] if linker.linkers() else [linker.ZIGLANG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library, and name the wheel after the machines for which it is.

        Ends the build with a sentence where that fails.
        """
        folder = Path(self.root, COMPILED)
        for path in folder.glob("kernels.*"):
            path.unlink()
        self.app.display_info("Compiling kernels, which takes up to a minute")
        command = [sys.executable, "-m", "sheetmbs.compiled.build"]
        environment = os.environ | linker_settings()
        done = subprocess.run(  # noqa: S603 - our own
            command, cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            said = done.stderr.strip()[-MAX_REPORTED:]
            if version != "editable":
                self.app.abort(said)
            self.app.display_warning(f"Kernels are compiled when sheetmbs is first used. {said}")
            return
        build_data["tag"] = f"py3-none-{platform_tag()}"
        build_data["pure_python"] = False
        if version != "editable":
            build_data["artifacts"] += [(COMPILED / path.name).as_posix() for path in folder.glob("kernels.*")]


def platform_tag() -> str:
    """The tag of wheels with a library for this machine, which serves all machines of its system and processor."""
    name, machine = sysconfig.get_platform(), platform.machine()
    if name.startswith("macosx"):
        name = f"macosx-{oldest_macos()}-{machine}"
    elif name == f"linux-{machine}" and machine in OLDEST_GLIBC and platform.libc_ver()[0] == "glibc":
        name = f"manylinux-{OLDEST_GLIBC[machine]}-{machine}"
    return name.replace("-", "_").replace(".", "_")


def oldest_macos() -> str:
    """The oldest macOS on which a library of this build loads: that for which this Python was built."""
    version = sysconfig.get_platform().split("-")[1]
    return OLDEST_MACOS_ARM64 if platform.machine() == "arm64" and version.startswith("10.") else version


def linker_settings() -> dict[str, str]:
    """Variables that let the linker make a library as old as the tag of the wheel says."""
    return {"MACOSX_DEPLOYMENT_TARGET": oldest_macos()} if sys.platform == "darwin" else {}


def _linker(root: Path) -> ModuleType:
    """The module that knows linkers, by itself: what the package imports is not installed yet."""
    spec = importlib.util.spec_from_file_location("linker", root / COMPILED / "linker.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(COMPILED / "linker.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
