"""Every kernel that Python calls is an entry point: the library has it, and no run compiles anything."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "sheetmbs"
TEXTS = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("*.py"))
    if PACKAGE / "compiled" not in path.parents
}
HOMES = [module for module, text in TEXTS.items() if "kernel\ndef " in text]
TREES = {
    module: ast.parse(text)
    for module, text in TEXTS.items()
    if module in HOMES or any(f"from {home} import" in text for home in HOMES)
}
"""the modules in which kernels stand, and those that import from them"""


def is_kernel(node):
    decorators = getattr(node, "decorator_list", ())
    return any(isinstance(each, ast.Name) and each.id in ("kernel", "inline_kernel") for each in decorators)


def functions(tree):
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and is_kernel(node)]


KERNELS = {(module, node.name): node for module, tree in TREES.items() for node in functions(tree)}


def named(module):
    """Kernels by the names under which a module knows them."""
    known = {name: (home, name) for home, name in KERNELS if home == module}
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.ImportFrom):
            pairs = [(each.asname or each.name, (node.module, each.name)) for each in node.names]
            known |= {name: kernel for name, kernel in pairs if kernel in KERNELS}
    return known


def used(tree, known):
    """Names of kernels that stand in code which is no kernel itself: called there, or handed on to be called."""
    for child in ast.iter_child_nodes(tree):
        if is_kernel(child):
            continue
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load) and child.id in known:
            yield known[child.id]
        yield from used(child, known)


FROM_PYTHON = sorted({kernel for module, tree in TREES.items() for kernel in used(tree, named(module))})


def test_there_are_kernels_that_python_calls():
    assert ("sheetmbs.engine.evaluate", "evaluate") in FROM_PYTHON
    assert len(FROM_PYTHON) > 20


@pytest.mark.parametrize("kernel", FROM_PYTHON, ids=".".join)
def test_a_kernel_that_python_calls_declares_all_that_it_takes(kernel):
    arguments = KERNELS[kernel].args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    assert [each.arg for each in every if each.annotation is None] == []
