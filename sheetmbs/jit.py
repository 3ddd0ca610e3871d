"""Decorators of kernels, where their machine code is kept, and what compiling cost; `compiler.py` is how it is made.

numba's own cache looks at one source file at a time and misses an edit of a callee in another. Here the cache folder is
named by a hash of all kernel sources and of everything else that shapes the machine code, so that it is right or new.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba
import numba.core.config
import numba.core.event
import numpy as np
from llvmlite.binding import get_host_cpu_name

from sheetmbs.compiler import Passes, called, placed

Function = TypeVar("Function", bound=Callable[..., Any])

njit: Any = numba.njit
config: Any = numba.core.config
event: Any = numba.core.event

PACKAGE = Path(__file__).parent
KEPT_FOLDERS = 5
KEPT_SECONDS = 86400.0
# No kernel makes an array, so none needs numba's counting of references, which took two fifths of the time of a small model.
OPTIONS = {"pipeline_class": Passes, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
SWITCHES = ("BOUNDSCHECK", "CPU_FEATURES", "DEBUGINFO_DEFAULT", "ENABLE_AVX", "LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE")


def kernel(function: Function) -> Function:
    """Compile a function on first use: no Python objects, no lock held, divisions by zero give inf or nan."""
    if config.DISABLE_JIT:
        return function
    if _FOLDER is None:
        return called(njit(**OPTIONS)(function))  # type: ignore[no-any-return]
    users = config.CACHE_DIR
    config.CACHE_DIR = str(_FOLDER)  # for just this moment: numba's setting is everyone's
    try:
        return called(njit(cache=True, **OPTIONS)(function))  # type: ignore[no-any-return]
    except RuntimeError:  # the folder has become unwritable
        return called(njit(**OPTIONS)(function))  # type: ignore[no-any-return]
    finally:
        config.CACHE_DIR = users


def inline_kernel(function: Function) -> Function:
    """As `kernel`, but its code is placed inside every kernel that calls it, and kept only there: for leaf kernels."""
    if config.DISABLE_JIT:
        return function
    inside = njit(forceinline=True, no_cpython_wrapper=True, **OPTIONS)(function)
    return placed(inside, alone=njit(**OPTIONS)(function))  # type: ignore[no-any-return]


def cache_folder() -> Path | None:
    """Folder of the machine code of exactly these sources on this machine; None if nothing can be kept."""
    return _FOLDER


def is_cold(*kernels: Callable[..., Any]) -> bool:
    """Whether a call is about to compile.

    kernels: entry points about to be called; without any, whether no kernel at all has been kept.
    """
    if config.DISABLE_JIT:
        return False
    if not kernels:
        return _FOLDER is None or not any(_FOLDER.rglob("*.nbi"))
    return any(not _is_kept(function) for function in kernels)


def compile_seconds() -> float:
    """Seconds spent compiling in this process so far; loading kept code does not count."""
    return float(_COMPILING.duration) if _COMPILING.done else 0.0


def is_preparing() -> bool:
    """Whether machine code is being compiled or loaded at this moment."""
    return bool(_PREPARING.is_running)


class Stopwatch:
    """Seconds since it was made, without those in which machine code was compiled or loaded."""

    def __init__(self) -> None:
        self._began = self._now()

    def seconds(self) -> float:
        """Seconds until now."""
        return self._now() - self._began

    @staticmethod
    def _now() -> float:
        return time.perf_counter() - (float(_PREPARING.duration) if _PREPARING.done else 0.0)


def cache_key() -> str:
    """Hash of the kernel sources, the versions of numba, numpy and Python, the processor and numba's switches."""
    digest = hashlib.sha256()
    for path in _sources():
        digest.update(f"{path.relative_to(PACKAGE).as_posix()}\0".encode())
        digest.update(path.read_bytes())
        digest.update(b"\0")
    cpu = config.CPU_NAME or get_host_cpu_name()
    switches = [str(getattr(config, name, None)) for name in SWITCHES]
    about = (numba.__version__, np.__version__, platform.python_version(), sys.platform, cpu, *switches)
    digest.update("\0".join(about).encode())
    return digest.hexdigest()[:16]


def _is_kept(function: Any) -> bool:
    if function.signatures:
        return True
    folder = function.stats.cache_path
    code = function.py_func.__code__
    name = f"{Path(code.co_filename).stem}.{code.co_qualname.replace('<', '').replace('>', '')}-{code.co_firstlineno}"
    return folder is not None and any(path.name.startswith(f"{name}.") for path in Path(folder).glob("*.nbi"))


def _sources() -> Iterator[Path]:
    yield from (PACKAGE / f"{name}.py" for name in ("bundle", "compiler", "jit", "keeping", "seldom"))
    for package in ("analysis", "engine"):
        yield from sorted((PACKAGE / package).rglob("*.py"))


def _find_folder() -> Path | None:
    try:
        key = cache_key()
    except OSError:  # not installed as plain files
        return None
    for base in _bases():
        folder = base / key
        is_new = not folder.exists()
        if not _is_usable(folder):
            continue
        if is_new:
            _remove_old(base, keep=folder)
        return folder
    return None


def _bases() -> Iterator[Path]:
    """Folders that may hold ours, best first."""
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR) / "sheetmbs"
    users = _user_cache()
    if users is not None:
        yield users / "sheetmbs"
    temporary = _temporary()
    if temporary is not None:
        yield temporary


def _user_cache() -> Path | None:
    """The platform's cache folder of this user, None without a home."""
    named = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", "")
    if named and Path(named).is_absolute():
        return Path(named)
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where there is none
    if not Path(home).is_absolute():
        return None
    parts = {"win32": ("AppData", "Local"), "darwin": ("Library", "Caches")}.get(sys.platform, (".cache",))
    return Path(home, *parts)


def _temporary() -> Path | None:
    """A folder for this user alone: kept code is run, so nobody else may have put it there."""
    if not hasattr(os, "getuid"):  # Windows: the temporary folder is the user's own
        return Path(tempfile.gettempdir()) / "sheetmbs"
    try:
        folder = Path(tempfile.gettempdir()) / f"sheetmbs-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    is_private = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
    return folder if is_private else None


def _is_usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        os.utime(folder)
    except OSError:
        return False
    return True


def _remove_old(base: Path, keep: Path) -> None:
    """Remove code of earlier sources, but not the last few folders, nor one that a running process may be using."""
    try:
        old = [path for path in base.iterdir() if re.fullmatch(r"[0-9a-f]{16}", path.name) and path != keep]
        ages = sorted((time.time() - path.stat().st_mtime, path) for path in old)
    except OSError:  # another process is tidying up
        return
    for age, path in ages[KEPT_FOLDERS - 1 :]:
        if age > KEPT_SECONDS:
            shutil.rmtree(path, ignore_errors=True)


class _Preparing(event.TimingListener):  # type: ignore[misc]
    """Measures, and tells whether it is measuring now."""

    @property
    def is_running(self) -> bool:
        return bool(self._depth)


_COMPILING = event.TimingListener()
event.register("numba:compile", _COMPILING)
_PREPARING = _Preparing()
event.register("numba:compiler_lock", _PREPARING)  # held while code is compiled, and while kept code is loaded
_FOLDER = None if config.DISABLE_JIT else _find_folder()
