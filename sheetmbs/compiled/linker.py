"""The linker that turns object files into a shared library: that of a C compiler, or the one in the package `ziglang`.

The build hook runs this file by itself, before anything else is installed: it imports only the standard library.

A library for Linux is linked against stand-ins for libm and libc, whose functions have no versions. A linker that sees the
real ones writes the newest version of each function into the library, which then asks for that age of glibc, although the
kernels need nothing that glibc 2.2.5 has not.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
ZIGLANG = "ziglang>=0.13"
"""requirement of the build where no linker is found; later versions have the same command line"""
NO_LINKER = (
    "No linker was found, which the solver's kernels need: install a C compiler (on Debian and Ubuntu `apt install gcc`, on"
    " macOS `xcode-select --install`), or `pip install ziglang` where you build."
)
MAX_REPORTED = 2000
"""characters of what a failing linker says that are repeated"""

LIBC = ("memcpy", "memmove", "memset")
LIBM = (
    *("acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "exp", "exp2", "expm1", "fabs", "floor", "fma", "fmod"),
    *("hypot", "ldexp", "log", "log10", "log1p", "log2", "pow", "sin", "sincos", "sinh", "sqrt"),
    *("tan", "tanh", "trunc"),
)
"""functions of the C library that object code may call"""


class LinkError(Exception):
    """The library could not be linked; the text says why."""


def linkers(platform: str = sys.platform) -> list[list[str]]:
    """The linkers of this machine as commands that make a shared library, best first; an empty list where there are none."""
    return list(_linkers(platform))


def _linkers(platform: str) -> Iterator[list[str]]:
    through_compiler = {
        "darwin": ["-dynamiclib"],
        "win32": ["-shared", "-Wl,--export-all-symbols"],
    }.get(platform, ["-shared", "-nostdlib", "-Wl,-Bsymbolic", "-Wl,--strip-debug"])
    for name in ("cc", "gcc", "clang"):
        if path := shutil.which(name):
            yield [path, *through_compiler]
    if platform not in ("darwin", "win32"):
        for name in ("ld", "ld.lld"):
            if path := shutil.which(name):
                yield [path, "-shared", "-Bsymbolic", "--strip-debug"]
    if importlib.util.find_spec("ziglang") is not None:
        zig = [sys.executable, "-m", "ziglang"]
        if platform in ("darwin", "win32"):
            yield [*zig, "cc", *through_compiler]
        else:
            yield [*zig, "ld.lld", "-shared", "-Bsymbolic", "--strip-debug"]


def link(objects: Sequence[bytes], stand_ins: Mapping[str, bytes]) -> bytes:
    """Link object files into one shared library.

    objects: contents of the object files. stand_ins: object files that stand for system libraries, by the names under which
    the library shall ask for these when it is loaded (`libm.so.6`). Returns the contents of the library. Raises LinkError.
    """
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for number, content in enumerate(objects):
            path = Path(folder, f"{number}.o")
            path.write_bytes(content)
            names.append(str(path))
        listed = Path(folder, "objects")
        listed.write_text("\n".join(f'"{Path(name).as_posix()}"' for name in names), encoding="utf-8")
        target = Path(folder, f"kernels{SUFFIX}")
        for command in linkers():
            try:
                libraries = [_stand_in(command, Path(folder), name, stand_ins[name]) for name in stand_ins]
                _run([*command, "-o", str(target), f"@{listed}", *libraries])
                return target.read_bytes()
            except LinkError as error:
                failures.append(str(error))
            except OSError as error:
                failures.append(f"{command[0]}: {error}")
    raise LinkError("\n".join(failures) or NO_LINKER)


def _stand_in(command: list[str], folder: Path, name: str, content: bytes) -> str:
    """Link what stands for a system library; returns its path."""
    source, target = folder / f"{name}.o", folder / name
    source.write_bytes(content)
    soname = ["-Wl,-soname," + name] if "-nostdlib" in command else ["-soname", name]
    _run([*command, *soname, "-o", str(target), str(source)])
    return str(target)


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)  # noqa: S603 - our own
    if done.returncode:
        raise LinkError(f"{command[0]} ended with status {done.returncode}: {done.stderr.strip()[-MAX_REPORTED:]}")
