"""The machine and the versions a result was measured with."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("sheetmbs", "numba", "llvmlite", "numpy", "scipy", "exudyn", "mujoco", "python-calamine")


def cpu_name() -> str:
    """Name of the processor as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def describe() -> dict[str, str]:
    """Processor, cores, system, Python and the packages that matter, by their names. Nothing that names the machine."""
    found = {
        "cpu": cpu_name(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def sentence() -> str:
    """The same in one line."""
    found = describe()
    versions = ", ".join(f"{name} {found[name]}" for name in ("python", *PACKAGES) if name in found)
    return f"{found['cpu']}, {found['cores']} cores, {found['system']}; {versions}"


def measured_on(runs: int, of: str = "medians") -> str:
    """Where and how a table was measured, for the page."""
    return f"Measured on {sentence()}; {of} of {runs} rounds."
