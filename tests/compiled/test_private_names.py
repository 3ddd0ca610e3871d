"""What is used of numba and llvmlite beyond their manuals is listed in `compiled/compat.py`, all of it and nothing else."""

import ast
import re
from importlib import import_module
from inspect import Signature
from pathlib import Path

import pytest

from sheetmbs.compiled import compat

ROOT = Path(__file__).parents[2]
COMPILED = ROOT / "sheetmbs" / "compiled"
LIBRARIES = ("numba", "llvmlite")
BRIDGES = {"compat", "compiling", "linking", "numba_types", "plain"}
"""modules of ours that hand out objects of numba's"""
DOCUMENTED = {
    # numba, reference manual: types and signatures, compilation
    *("Array", "Type", "boolean", "float64", "from_dtype", "int32", "int64", "njit", "none", "typeof", "types"),
    *("uint32", "uint64", "args", "inspect_llvm", "return_type"),
    # numba, extending
    *("_getvalue", "cgutils", "create_struct_proxy", "intrinsic", "lower_builtin", "models", "overload_attribute"),
    *("register", "register_model", "typeof_impl"),
    # llvmlite, IR layer: types, values, builder
    *("ArrayType", "Constant", "IntType", "Undefined", "add_metadata", "as_pointer", "bitcast", "gep", "icmp_unsigned"),
    *("insert_value", "ir", "load", "module", "mul", "set_metadata", "type"),
    # llvmlite, binding layer: modules, values, targets, passes, object code
    *("Linkage", "Target", "binding", "create_pass_builder", "create_pipeline_tuning_options", "create_target_machine"),
    *(
        "emit_object",
        "external",
        "from_triple",
        "functions",
        "getModulePassManager",
        "get_function",
        "get_host_cpu_name",
    ),
    *("get_process_triple", "initialize_native_asmprinter", "initialize_native_target", "is_declaration", "link_in"),
    *(
        "linkage",
        "name",
        "parse_assembly",
        "run",
        "add_current_process",
        "add_object_img",
        "import_symbol",
        "link",
        "lookup",
    ),
}
ARRAY = {"data", "itemsize", "meminfo", "nitems", "parent", "shape", "strides"}
"""members of `ArrayModel`"""


def use():
    """Any function, for the attributes that functions have."""


ORDINARY = {
    name
    for kind in (str, bytes, list, dict, set, type, Path, re.compile(""), Signature, use, use.__code__)
    for name in dir(kind)
} | {"buffer", "fields", "flush"}
"""Attributes of Python's own values and streams, and a method that `BundleType` adds."""
SOURCES = sorted([*COMPILED.glob("*.py"), ROOT / "hatch_build.py"])


def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(tree):
    """What a module imports, by the names that it has there."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {each.asname or each.name.split(".")[0]: each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    return found


def is_of_a_library(home):
    return home.split(".")[0] in LIBRARIES


def ours():
    """Names that classes and modules of the room define or assign."""
    found = set()
    for path in SOURCES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.AnnAssign | ast.Assign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {each.id for each in targets if isinstance(each, ast.Name)}
                found |= {each.attr for each in targets if ast.unparse(each).startswith("self.")}
    return found


def used(path):
    """Names of numba and llvmlite that a module uses: imported, attributes of these, and of values that are not ours."""
    tree = tree_of(path)
    homes, names = imported(tree), set()
    if not any(is_of_a_library(home) or home.rpartition(".")[2] in BRIDGES for home in homes.values()):
        return names
    for home in homes.values():
        if is_of_a_library(home):
            names |= set(home.split(".")[1:]) - {"core", "extending"}
    own = ours() | ORDINARY
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            root = node.value.id if isinstance(node.value, ast.Name) else ""
            if is_of_a_library(homes.get(root, "")) or (root not in homes and node.attr not in own):
                names.add(node.attr)
        elif isinstance(node, ast.ClassDef) and not {ast.unparse(base) for base in node.bases} <= own | {"Protocol"}:
            names |= {each.name for each in node.body if isinstance(each, ast.FunctionDef)} - {"__init__"} - ORDINARY
    return names


def undeclared(path):
    return used(path) - DOCUMENTED - ARRAY - set(compat.MEMBERS) - set(compat.NAMES)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_every_private_name_is_listed(path):
    assert undeclared(path) == set()


def test_a_private_name_that_is_not_listed_is_seen(tmp_path):
    path = tmp_path / "more.py"
    path.write_text(
        "from numba.core import dispatcher, types\n"
        "from numba.core.typing import templates\n"
        "def use(context):\n"
        "    context.add_dynamic_addr(types.Omitted)\n"
        "class Rule(templates.AbstractTemplate):\n"
        "    def generic(self):\n"
        "        return 0\n",
        encoding="utf-8",
    )
    assert undeclared(path) == {
        *("AbstractTemplate", "Omitted", "add_dynamic_addr", "dispatcher", "generic", "templates", "typing")
    }


@pytest.mark.parametrize("name", [*compat.NAMES, *compat.MEMBERS])
def test_what_is_listed_exists_and_is_used(name):
    home, purpose = (compat.NAMES | compat.MEMBERS)[name]
    module, _, cls = home.partition(":")
    holder = getattr(import_module(module), cls) if cls else import_module(module)
    assert hasattr(holder, name)
    assert purpose
    texts = [path.read_text(encoding="utf-8") for path in SOURCES if path.name != "compat.py"]
    assert any(re.search(rf"\b{name}\b", text) for text in texts) or name == "ArrayModel"


def test_numba_and_llvmlite_are_used_nowhere_else():
    elsewhere = [path for path in (ROOT / "sheetmbs").rglob("*.py") if path.parent != COMPILED]
    assert [path for path in elsewhere if any(map(is_of_a_library, imported(tree_of(path)).values()))] == []
