"""Which sources the machine code of a kernel depends on, and digests of them."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
NAME = __name__.partition(".")[0]
SHAPING = (
    "array_struct",
    "compat",
    "compiling",
    "kinds",
    "linking",
    "numba_types",
    "plain",
    "processor",
)
"""modules here that decide what code a kernel becomes"""


def kernel_modules() -> list[str]:
    """Names of the modules of the package in which kernels or bundles stand."""
    mark = re.compile(rf"^from {NAME}\.compiled import .*\b(Bundle|inline_kernel|kernel)\b", re.MULTILINE)
    own = PACKAGE / "compiled"
    paths = sorted(path for path in PACKAGE.rglob("*.py") if own not in path.parents)
    return [_module_of(path) for path in paths if mark.search(path.read_text(encoding="utf-8"))]


def digest_of(files: Iterable[str], *more: str) -> str:
    """Digest of the contents of files, named by their places in the package, and of more. Raises OSError."""
    digest = hashlib.sha256("\0".join(more).encode())
    for name in sorted(files):
        digest.update(f"\0{name}\0".encode())
        digest.update(_content(name))
    return digest.hexdigest()


def needed_by(module: str) -> frozenset[str]:
    """Files on which the code of the kernels of a module depends: its own and all that it imports of the package."""
    return _closure(module) | {f"compiled/{name}.py" for name in SHAPING}


@cache
def _closure(module: str) -> frozenset[str]:
    found: set[str] = set()
    ahead = [module]
    while ahead:
        path = _path_of(ahead.pop())
        if path is None or (name := path.relative_to(PACKAGE).as_posix()) in found:
            continue
        found.add(name)
        ahead += _imports(name)
    return frozenset(name for name in found if not name.startswith(("compiled/", "files/")))


@cache
def _imports(name: str) -> tuple[str, ...]:
    found: list[str] = []
    for node in ast.walk(ast.parse(_content(name))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(found)


def _path_of(module: str) -> Path | None:
    package, *parts = module.split(".")
    if package != NAME or not parts:
        return None
    path = PACKAGE.joinpath(*parts)
    return next((each for each in (path.with_suffix(".py"), path / "__init__.py") if each.is_file()), None)


def _module_of(path: Path) -> str:
    return ".".join((NAME, *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


@cache
def layouts() -> str:
    """Text of all that decides how bundles and records lie in memory.

    A kernel without annotations takes them from its callers and knows them by their names alone, so that its own sources need
    not name the module in which the order of their fields stands. A declaration may be spelled in many ways, and may use
    constants and classes of other modules; so this takes all statements but functions of the modules with bundles or kernels
    and of all that these import.
    """
    files = sorted(frozenset().union(*map(_closure, kernel_modules())))
    return "\n".join(_without_functions(name) for name in files)


def _without_functions(name: str) -> str:
    """The statements of a module and of its classes, without functions, docstrings and comments."""
    tree = ast.parse(_content(name))
    left_out = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Expr)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef):
            node.body = [part for part in node.body if not isinstance(part, left_out)]
    return f"{name}\n{ast.unparse(tree)}"


@cache
def _content(name: str) -> bytes:
    return (PACKAGE / name).read_bytes()
