"""Imports point one way, and each foreign library has one home."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "sheetmbs"
LAYERS = (
    ("command", "__main__"),
    ("live", "design_study"),
    ("studies",),
    ("all_products",),
    ("mechanism", "suspension", "gait"),
    ("viewing",),
    ("results", "products"),
    ("measured",),
    ("workbook", "analysis"),
    ("formulas", "lower", "importing", "tyres"),
    ("schema", "model"),
    ("elements",),
    ("engine",),
    ("compiled",),
    ("files", "problems", "bounded"),
)
ROOMS: dict[str, dict[str, set[str]]] = {
    "workbook": {
        "writing": {"cells", "charts", "sheets", "package"},
        "charts": {"sheets", "package"},
        "sheets": {"cells", "package"},
        "reading": {"cells", "package"},
        "cells": {"package"},
        "package": set(),
    },
    "results": {
        "pictures": {"columns"},
        "text": {"judging", "columns"},
        "sheets": {"charting", "judging", "columns"},
        "charting": {"columns"},
        "judging": {"columns"},
        "columns": set(),
    },
    "analysis": {
        "modes": {"start"},
        "diagnosis": {"integrators", "start"},
        "start": set(),
        "integrators": set(),
    },
    "suspension": {
        "sheets": {
            "adjusting",
            "compliance",
            "designs",
            "handling",
            "targets",
            "loads",
            "sensitivity",
            "sizing",
            "metrics",
            "elastic",
            "kinematics",
            "generated",
            "layout",
        },
        "reading": {"adjusting", "elastic", "kinematics", "layout", "sizing"},
        "designs": {"layout"},
        "adjusting": {"elastic", "kinematics", "layout"},
        "targets": {"designs", "elastic", "metrics"},
        "sensitivity": {"elastic", "kinematics", "layout", "metrics"},
        "hardpoint_lists": {"designs", "layout", "reading"},
        "sizing": {"adjusting", "elastic", "kinematics", "layout", "loads"},
        "handling": {"compliance", "elastic", "kinematics", "layout", "loads"},
        "limits": {"metrics", "elastic", "kinematics", "layout"},
        "metrics": {"compliance", "elastic", "kinematics", "layout"},
        "loads": {"compliance", "elastic", "kinematics", "generated", "layout"},
        "compliance": {"elastic", "kinematics", "layout"},
        "elastic": {"kinematics", "layout"},
        "kinematics": {"generated", "layout"},
        "generated": {"layout"},
        "layout": set(),
    },
    "gait": {
        "formats": {"trial"},
        "importing": {"formats", "marker_sets", "signals", "trial"},
        "marker_sets": {"trial"},
        "exporting": {"sheets", "trial"},
        "events": {"signals", "trial"},
        "conventional": {"body", "kinematics", "kinetics", "trial"},
        "reading": {"body", "conventional", "formats", "trial"},
        "kinematics": {"body", "kinetics", "signals", "trial"},
        "body": {"kinetics", "trial"},
        "kinetics": {"trial"},
        "quality": {"body", "conventional", "kinematics", "kinetics", "signals", "strides", "trial"},
        "signals": set(),
        "strides": {"signals", "trial"},
        "sheets": {"body", "signals", "strides", "trial"},
        "uncertainty": {"body", "conventional", "kinematics", "kinetics", "sheets", "signals", "strides", "trial"},
        "collecting": {"sheets", "trial"},
        "trial": set(),
    },
    "studies": {
        "running": {"derived", "methods", "responses", "solving"},
        "derived": {"fitting", "methods", "reading", "responses", "solving"},
        "solving": {"reading", "responses"},
        "reading": {"methods"},
        "methods": {"fitting", "statistics"},
        "responses": set(),
        "sheets": {"fitting", "statistics"},
        "statistics": set(),
        "fitting": set(),
    },
    "workbook.reading": {"elements": {"samples"}, "samples": set(), "plausible": set()},
}
"""of packages with rooms: which others each may import"""
BESIDE = {
    "workbook": set(),
    "results": set(),
    "analysis": {"solution", "horizon", "equilibrium"},
    "suspension": {"solved_design"},
    "studies": {"goals", "study_book", "study_results"},
    "gait": {
        "arrays",
        "signs",
        "feet",
        "force_plate_assignment",
        "joint_centres",
        "joint_courses",
        "laboratory_axes",
        "prepare_trial",
        "solve_trial",
    },
}
"""what rooms may import of what stands beside them; the rest of that is above them"""
PHYSICS = {
    "suspension": {
        "layout",
        "kinematics",
        "elastic",
        "metrics",
        "loads",
        "limits",
        "sensitivity",
        "adjusting",
        "sizing",
        "handling",
        "compliance",
    },
}
"""rooms of mechanics alone: none of them knows what a workbook is"""
HEIGHT = {name: len(LAYERS) - level for level, names in enumerate(LAYERS) for name in names}
MODULES = sorted(PACKAGE.rglob("*.py"))
KNOW_NUMBA = {f"sheetmbs.compiled.{name}" for name in ("compiling", "linking", "numba_types", "plain")}
KNOW_LLVM = KNOW_NUMBA | {f"sheetmbs.compiled.{name}" for name in ("loader", "processor", "stand_ins")}
KNOW_FORMUALIZER = {f"sheetmbs.formulas.{name}" for name in ("engine_child", "engine_functions")}
XLSX = {"openpyxl", "xlsxwriter", "lxml", "python_calamine"}
LONGEST = 600
LONGEST_KERNEL = 90


ON_DEMAND = {
    "sheetmbs.command.cli": "somebody may press Ctrl-C while it is loaded",
    "sheetmbs.all_products": "help pages need only the declarations of products",
    "sheetmbs.schema.study_inputs": "the same",
    "sheetmbs.workbook.cells.cells": "the same",
    "sheetmbs.workbook.reading.read_workbook": "the same",
    "sheetmbs.workbook.package.destination": "the same",
    "sheetmbs.workbook.writing": "who only reads a workbook writes nothing",
    "sheetmbs.formulas": "most files hold the values of their formulas",
    "sheetmbs.workbook.cells.written_book": "the same",
    "sheetmbs.workbook.cells.set_cells": "few runs change cells",
    "sheetmbs.workbook.cells.plain_numbers": "small workbooks have no long series",
    "sheetmbs.engine.shortest_decimals": "a sheet of problems prints no numbers, and needs no machine code for it",
    "sheetmbs.schema.cad_": "few workbooks hold texts of CAD programs",
    "sheetmbs.viewing": "few commands show a page",
    "sheetmbs.measured": "few workbooks hold what was measured",
    "sheetmbs.live": "the same",
    "sheetmbs.suspension": "most workbooks hold no suspension",
    "sheetmbs.gait": "most workbooks hold no gait",
    "sheetmbs.lower": "who only reads a workbook needs no solver",
    "sheetmbs.analysis": "the same; and each analysis, and what explains a failure, where it is asked for",
    "sheetmbs.results": "the same; and further files where they are asked for",
    "llvmlite": "only benchmarks ask for code for this very processor",
    "sheetmbs.compiled": "what only reads a workbook loads no machine code, and what runs it compiles none",
    "concurrent.futures": "only results of some megabytes are packed by several threads",
    "sheetmbs.live.watched_run": "the same",
    "sheetmbs.live.workbook_page": "the same",
    "sheetmbs.design_study": "the same",
    "sheetmbs.studies": "few commands run a study",
    "pymoo": "it is optional",
    "asyncio": "few commands serve a page, and a second would be lost for nothing",
    "fcntl": "Windows has none",
    "msvcrt": "only Windows has it",
    "numpy": "few formulas multiply matrices, and the child process that computes formulas starts faster without it",
    "resource": "Windows has none",
    "matplotlib": "it is optional",
    "pyarrow": "the same",
    "pandas": "it takes half a second",
    "rich.progress": "most runs end before a bar is due",
    "scipy": "few runs need it",
    "xlsxwriter": "results without charts need none",
}
"""what functions import, and why not the whole module that they stand in"""


DECLARATIONS = {
    "sheetmbs.all_products",
    "sheetmbs.gait.gait_product",
    "sheetmbs.mechanism.mechanism_product",
    "sheetmbs.suspension.suspension_product",
    "sheetmbs.suspension.tyre_product",
}
"""modules of products that help pages read; their functions import what they do"""


def layer(module: str) -> str:
    """The layer of a dotted module name of ours; the package itself only hands on what `all_products` and others offer."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "design_study"


def name_of(path: Path) -> str:
    parts = ("sheetmbs", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(node: ast.AST, *, for_types: bool = False) -> Iterator[tuple[str, bool]]:
    """Every module imported anywhere in a source tree, inside functions too, and whether only for types."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((alias.name, for_types) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, "imports are absolute, so that this test can read them"
            for alias in child.names:
                is_module = (PACKAGE.parent / child.module.replace(".", "/") / f"{alias.name}.py").exists()
                is_package = (PACKAGE.parent / child.module.replace(".", "/") / alias.name).is_dir()
                yield (f"{child.module}.{alias.name}" if is_module or is_package else child.module), for_types
        else:
            yield from imports(child, for_types=for_types or is_type_checking(child))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports_of(path: Path) -> list[tuple[str, bool]]:
    return list(imports(parsed(path)))


def breaches(importer: str, imported: str, *, for_types: bool) -> bool:
    """Whether an import points up, or sideways into another layer of the same height at run time."""
    here, there = layer(importer), layer(imported)
    if imported == "sheetmbs":
        return HEIGHT[here] < HEIGHT["design_study"]
    if here == there:
        return False
    return HEIGHT[there] > HEIGHT[here] or (HEIGHT[there] == HEIGHT[here] and here not in LAYERS[0] and not for_types)


def test_no_two_classes_have_the_same_name():
    classes = [
        node.name
        for path in MODULES
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert sorted(name for name in classes if classes.count(name) > 1) == []


def test_every_module_has_a_layer():
    assert {layer(name_of(path)) for path in MODULES} <= set(HEIGHT)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_downwards(path):
    ours = [(name, for_types) for name, for_types in imports_of(path) if name.split(".")[0] == "sheetmbs"]
    assert [name for name, for_types in ours if breaches(name_of(path), name, for_types=for_types)] == []


def of_functions(path: Path) -> set[str]:
    """What the functions of a module import."""
    functions = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.FunctionDef)]
    return {name for function in functions for name, _for_types in imports(function)}


def test_functions_import_only_what_few_runs_need():
    found = {
        f"{name_of(path)}: {name}": name
        for path in MODULES
        if name_of(path) not in DECLARATIONS
        for name in of_functions(path)
    }
    assert [where for where, name in found.items() if not name.startswith(tuple(ON_DEMAND))] == []
    assert [name for name in ON_DEMAND if not any(each.startswith(name) for each in found.values())] == []


def own_imports(path: Path) -> set[str]:
    """The modules and packages of ours that a module imports, for types too."""
    return {name for name, _for_types in imports_of(path) if name.startswith("sheetmbs.")}


def room(module: str, within: str) -> str:
    """The room in which a module stands, of those within a package; "" where it stands beside them or elsewhere."""
    parts = module.removeprefix(f"{within}.").split(".")
    is_room = (PACKAGE.parent / within.replace(".", "/") / parts[0]).is_dir()
    return parts[0] if module.startswith(f"{within}.") and is_room else ""


def broken_walls(importer: str, imported: set[str], within: str, rooms: dict[str, set[str]]) -> set[str]:
    """Imports of a module in one room from another room that it may not know."""
    here = room(importer, within)
    there = {name: room(name, within) for name in imported}
    return {name for name in imported if there[name] and there[name] != here and there[name] not in rooms[here]}


def in_rooms(within: str) -> list[Path]:
    """The modules that stand in the rooms of a package."""
    return [path for path in MODULES if room(name_of(path), f"sheetmbs.{within}")]


HOUSED = [(within, path) for within in ROOMS for path in in_rooms(within)]


@pytest.mark.parametrize(("within", "path"), HOUSED, ids=[f"{within}: {name_of(path)}" for within, path in HOUSED])
def test_each_module_keeps_to_its_room(within, path):
    assert broken_walls(name_of(path), own_imports(path), f"sheetmbs.{within}", ROOMS[within]) == set()


@pytest.mark.parametrize("within", ROOMS)
def test_every_room_has_its_walls(within):
    assert {room(name_of(path), f"sheetmbs.{within}") for path in in_rooms(within)} == set(ROOMS[within])


@pytest.mark.parametrize("within", BESIDE)
def test_rooms_know_little_of_what_stands_above_them(within):
    beside = {
        name.removeprefix(f"sheetmbs.{within}.")
        for path in in_rooms(within)
        for name in own_imports(path)
        if name.startswith(f"sheetmbs.{within}.") and not room(name, f"sheetmbs.{within}")
    }
    assert beside == BESIDE[within]


@pytest.mark.parametrize("product", PHYSICS)
def test_rooms_of_physics_know_no_workbook(product):
    physics = [path for path in in_rooms(product) if room(name_of(path), f"sheetmbs.{product}") in PHYSICS[product]]
    assert {room(name_of(path), f"sheetmbs.{product}") for path in physics} == PHYSICS[product]
    assert [
        name_of(path) for path in physics if any(name.startswith("sheetmbs.workbook") for name in own_imports(path))
    ] == []


def test_no_module_of_the_workbook_stands_outside_a_room():
    outside = [name_of(path) for path in MODULES if name_of(path).startswith("sheetmbs.workbook.")]
    assert [name for name in outside if not room(name, "sheetmbs.workbook")] == []


def test_one_module_of_the_result_sheets_reads_cells():
    readers = {
        name_of(path)
        for path in in_rooms("workbook")
        if room(name_of(path), "sheetmbs.workbook") == "sheets"
        and any(room(name, "sheetmbs.workbook") == "cells" for name in own_imports(path))
    }
    assert readers == {"sheetmbs.workbook.sheets.previous_results"}


@pytest.mark.parametrize(
    ("importer", "imported", "is_broken"),
    [
        ("reading.build", "writing.write", True),
        ("charts.chartsheet", "writing.merge", True),
        ("cells.cells", "reading.report", True),
        ("package.package", "cells.cells", True),
        ("writing.rerun", "charts.moves", False),
        ("sheets.before", "cells.cells", False),
        ("cells.cells", "cells.tags", False),
    ],
)
def test_walls_are_seen(importer, imported, is_broken):
    workbook = "sheetmbs.workbook"
    names = {f"{workbook}.{imported}", "sheetmbs.model.model"}
    found = broken_walls(f"{workbook}.{importer}", names, workbook, ROOMS["workbook"])
    assert found == ({f"{workbook}.{imported}"} if is_broken else set())


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """Sets of modules, each of which leads to all others of its set, and back."""
    reached = {name: _reached(graph, name) for name in graph}
    around = {name: frozenset(other for other in reached[name] if name in reached[other]) for name in graph}
    return sorted((set(circle) for circle in set(around.values()) if circle), key=sorted)


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    """All that a module imports, and what that imports, and so on: itself only where a way leads back."""
    found: set[str] = set()
    ahead = list(graph[start])
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += graph.get(name, ())
    return found


def test_modules_import_each_other_in_no_circles():
    graph = {name_of(path): own_imports(path) for path in MODULES}
    assert circles(graph) == []


def test_circles_are_found():
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": set(), "e": {"f", "a"}, "f": {"e"}, "g": {"g"}}
    assert circles(graph) == [{"a", "b", "c"}, {"e", "f"}, {"g"}]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_the_workbook_layer_knows_xlsx(path):
    foreign = {name.split(".")[0] for name, _for_types in imports_of(path)}
    assert layer(name_of(path)) == "workbook" or not foreign & XLSX


def test_few_modules_know_the_library_of_formulas():
    assert {name_of(path) for path in MODULES if "formualizer" in third_party([path])} == KNOW_FORMUALIZER


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_what_compiles_knows_numba_and_only_what_compiles_or_loads_knows_llvm(path):
    foreign = {name.split(".")[0] for name, _for_types in imports_of(path)}
    assert name_of(path) in KNOW_NUMBA or "numba" not in foreign
    assert name_of(path) in KNOW_LLVM or "llvmlite" not in foreign


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


def kernels_of(path: Path) -> Iterator[tuple[str, int]]:
    """Names of the kernels of a module, and how many lines each has."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef):
            decorators = {
                name.id for each in node.decorator_list for name in ast.walk(each) if isinstance(name, ast.Name)
            }
            if any(name.endswith("kernel") for name in decorators):
                yield f"{name_of(path)}.{node.name}", (node.end_lineno or 0) - node.lineno + 1


def test_kernels_are_short_enough_to_be_held_against_their_books():
    lines = {name: count for path in MODULES for name, count in kernels_of(path)}
    assert "sheetmbs.engine.evaluate.evaluate" in lines, "kernels are found"
    assert not {name: count for name, count in lines.items() if count >= LONGEST_KERNEL}


@pytest.mark.parametrize(
    ("importer", "imported", "for_types", "is_breach"),
    [
        ("sheetmbs.engine.rows", "sheetmbs.model.model", False, True),
        ("sheetmbs.engine.rows", "sheetmbs.model.model", True, True),
        ("sheetmbs.workbook.reading.read_workbook", "sheetmbs.results.results", False, True),
        ("sheetmbs.workbook.reading.read_workbook", "sheetmbs.analysis.analyse", True, False),
        ("sheetmbs.workbook.reading.read_workbook", "sheetmbs.schema.table", False, False),
        ("sheetmbs.studies", "sheetmbs.command.cli", False, True),
        ("sheetmbs.lower", "sheetmbs", False, True),
        ("sheetmbs.command.cli", "sheetmbs", False, False),
    ],
)
def test_the_rule_itself_tells_up_from_down(importer, imported, for_types, is_breach):
    assert breaches(importer, imported, for_types=for_types) == is_breach


def test_lazy_and_type_only_imports_are_seen():
    source = "if TYPE_CHECKING:\n    import a\ndef f():\n    from b.c import d\n"
    assert list(imports(ast.parse(source))) == [("a", True), ("b.c", False)]


def third_party(paths):
    """Distributions that files import; for those we use, named as their modules but for the sign between words."""
    names = {name.split(".")[0] for path in paths for name, _for_types in imports_of(path)}
    own = {"sheetmbs", "tests", "benchmarks", *(path.stem for path in paths)}
    return {name.replace("_", "-") for name in names - own - set(sys.stdlib_module_names)}


def declared():
    """Required distributions, those that the tests need besides, and those that the benchmarks need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    sides = project["dependencies"], extras["test"], extras["bench"]
    return [{re.match(r"[\w-]+", requirement)[0] for requirement in side} for side in sides]


def test_the_package_requires_what_it_imports():
    for_the_build = {"llvmlite", "numba"}
    optional = {"distributed", "matplotlib", "pyarrow", "pymoo"}
    assert third_party(MODULES) <= declared()[0] | for_the_build | optional


@pytest.mark.parametrize(
    ("library", "home"),
    [
        ("matplotlib", "results.pictures."),
        ("pyarrow", "results.export"),
        ("distributed", "studies.running.dask_workers"),
        ("pymoo", "studies.methods.pareto"),
        *((library, "live.") for library in ("starlette", "uvicorn", "watchfiles")),
    ],
)
def test_a_library_that_few_runs_need_has_one_home(library, home):
    users = {name_of(path) for path in MODULES if library in third_party([path])}
    assert users
    assert all(user.startswith(f"sheetmbs.{home}") for user in users)


def test_tests_and_scripts_import_only_what_is_declared():
    required, for_tests, for_benchmarks = declared()
    scripts = [path for folder in ("tests", "templates", "workbooks", "docs") for path in (ROOT / folder).rglob("*.py")]
    comes_with_matplotlib = {"PIL"}
    assert third_party(scripts) <= required | for_tests | comes_with_matplotlib | {"mkdocs"}  # extra docs
    assert third_party(list((ROOT / "benchmarks").glob("*.py"))) <= required | for_benchmarks
