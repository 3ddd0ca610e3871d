"""What README and docs show works: code runs, links lead somewhere, pinned versions fit."""

import ast
import importlib
import itertools
import math
import re
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest

from tests.support import shell

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")])
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SET_UP = "python3 -m venv"
SESSION = ROOT / "docs" / "session.md"
"""whose steps build on each other: `test_session.py` runs them"""
SUSPENSION = ROOT / "docs" / "suspension.md"
"""the same"""
PAGES_BY_THEMSELVES = [page for page in PAGES if page not in (SESSION, SUSPENSION)]
DECISIONS = ROOT / "docs" / "decisions"
BUILT = [ROOT / "docs" / "architecture.md", *sorted(DECISIONS.glob("*.md"))]
"""pages that say how the program is built"""
WIDEST = 100
"""characters of a line of prose or Python"""
NAMED_FILE = re.compile(r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|md|sh|toml)|(?:[\w.-]+/)+)`")


def page_name(path):
    return path.relative_to(ROOT).as_posix()


def blocks(path, language):
    return [code for found, code in BLOCK.findall(path.read_text(encoding="utf-8")) if found == language]


def anchors(path):
    """Anchors of the headings, as code hosts form them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def shell_lines():
    return [
        (path, line)
        for path in PAGES_BY_THEMSELVES
        for code in blocks(path, "bash")
        for line in code.splitlines()
        if line
    ]


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A folder with the example workbooks, as a reader of the docs stands in one."""
    shutil.copytree(ROOT / "workbooks", tmp_path / "workbooks")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", PAGES, ids=page_name)
def test_every_block_says_what_it_is(path):
    assert {language for language, _code in BLOCK.findall(path.read_text(encoding="utf-8"))} <= {
        "python",
        "bash",
        "powershell",
        "text",
    }


@pytest.mark.parametrize("path", [page for page in PAGES_BY_THEMSELVES if blocks(page, "python")], ids=page_name)
def test_python_blocks_run_one_after_the_other(path, clone):
    assert clone == Path.cwd()
    names = {"__name__": "__main__"}
    for code in blocks(path, "python"):
        exec(compile(code, page_name(path), "exec"), names)  # noqa: S102 - our own documentation


def shell_blocks():
    """Blocks of lines of ours, which are typed one after the other."""
    for path in PAGES_BY_THEMSELVES:
        for code in blocks(path, "bash"):
            lines = [line for line in code.splitlines() if line]
            if not lines[0].startswith((SET_UP, ".ci/", "python benchmarks/")):
                yield "; ".join(lines)


@pytest.mark.parametrize("lines", list(shell_blocks()))
def test_blocks_of_shell_lines_run(lines, clone):
    for line in lines.split("; "):
        done = shell.run(line, clone)
        assert done.returncode == 0, (line, done.stderr)


def test_the_readme_sets_up_with_two_commands_which_ci_runs():
    set_ups = [page_name(path) for path, line in shell_lines() if line.startswith(SET_UP)]
    assert set_ups == ["README.md", "README.md"]


def test_the_readme_is_a_page_that_is_read_first():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 150


def test_the_readme_says_the_same_for_windows():
    """Line by line, for the PowerShell of Windows knows no `&&`; quotes that cmd knows too; its own places and slashes."""
    page = ROOT / "README.md"
    for_windows = []
    for _path, line in shell_lines():
        if line.startswith(SET_UP):
            windows = (
                line.replace("python3", "py")
                .replace(".venv/bin/", ".venv\\Scripts\\")
                .replace("workbooks/", "workbooks\\")
            )
            for_windows.append(windows.split(" && "))
    assert [code.splitlines() for code in blocks(page, "powershell")] == for_windows
    assert "'" not in "".join(blocks(page, "powershell"))


def test_extras_are_quoted_as_every_shell_knows():
    """cmd of Windows knows no single quotes, zsh takes brackets without any for a pattern."""
    sources = [*PAGES, *(ROOT / "sheetmbs").rglob("*.py")]
    installed = [
        line for path in sources for line in path.read_text(encoding="utf-8").splitlines() if "pip install" in line
    ]
    with_extras = [line for line in installed if re.search(r"(sheetmbs|\.)\[\w+", line)]
    assert len(with_extras) > 10
    assert [line for line in with_extras if not re.search(r'"(sheetmbs|\.)\[[\w,]+\]"', line)] == []


def lines_of_prose(path):
    """Lines of a page but for rows of tables, and for commands and output, which are shown as they are."""
    verbatim = re.compile(r"^```(?:bash|powershell|text)\n.*?^```$", re.MULTILINE | re.DOTALL)
    text = verbatim.sub("", path.read_text(encoding="utf-8"))
    return [line for line in text.splitlines() if not line.lstrip().startswith("|")]


@pytest.mark.parametrize("path", PAGES, ids=page_name)
def test_lines_of_prose_are_short(path):
    assert [line for line in lines_of_prose(path) if len(line) > WIDEST] == []


def is_there(name):
    """Whether a file or folder that a page names is in the project: from its root or the package's, or by its mere name."""
    places = [ROOT / name, ROOT / "sheetmbs" / name]
    modules = () if "/" in name else (path.name for path in (ROOT / "sheetmbs").rglob("*.py"))
    return any(place.exists() for place in places) or name in modules


@pytest.mark.parametrize("path", BUILT, ids=page_name)
def test_files_that_are_named_exist(path):
    names = set(NAMED_FILE.findall(path.read_text(encoding="utf-8")))
    assert {name for name in names if not is_there(name)} == set()
    assert names or path.parent == DECISIONS


def test_a_file_that_does_not_exist_is_seen():
    assert NAMED_FILE.findall("`engine/evaluate.py`, `study.py`, `a/b/`: `q.x`, `x/y`") == [
        "engine/evaluate.py",
        "study.py",
        "a/b/",
    ]
    assert is_there("engine/evaluate.py")
    assert is_there("evaluate.py")
    assert not is_there("engine/no_such.py")


def test_the_architecture_page_names_every_room():
    package = ROOT / "sheetmbs"
    rooms = [path.parent.relative_to(package).as_posix() for path in package.rglob("__init__.py")]
    outer = [room for room in rooms if room != "." and not room.startswith("analysis/integrators/")]
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert [room for room in outer if f"`{room}/`" not in page] == []


def test_decisions_are_numbered_without_gaps_and_listed_once():
    notes = sorted(path.name for path in DECISIONS.glob("0*.md"))
    assert [int(name[:4]) for name in notes] == list(range(1, len(notes) + 1))
    index = (DECISIONS / "README.md").read_text(encoding="utf-8").replace("\n  ", " ")
    listed = re.findall(r"^- \[(\d{4})\]\((.+?)\) (.+?)$", index, re.MULTILINE)
    assert sorted(name for _number, name, _title in listed) == notes
    for number, name, title in listed:
        text = (DECISIONS / name).read_text(encoding="utf-8")
        assert text.startswith(f"# {int(number)}. {title}\n")
        assert [part for part in ("Context", "Decision", "Consequence") if f"**{part}.** " not in text] == []


@pytest.mark.parametrize("path", PAGES, ids=page_name)
def test_links_lead_somewhere(path):
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        linked = path.parent / name if name else path
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


def test_tables_of_the_guide_are_those_of_the_program(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    import tables

    for path in tables.pages():
        page = path.read_text(encoding="utf-8")
        assert tables.filled(page) == page, "run: python docs/tables.py"


def test_every_sheet_has_a_page_with_all_its_columns_or_settings(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    import tables

    names = [*tables.INPUTS, *itertools.chain(*tables.RESULT_GROUPS.values())]
    assert len(names) > 50
    assert [name for name in names if not tables.sheet_page(name).exists()] == []
    for name, sheet in tables.INPUTS.items():
        page = tables.sheet_page(name).read_text(encoding="utf-8")
        assert page.startswith(f"# {name}\n")
        rows = tables.RULES.get(name) or (tables.SETTINGS if name == "Settings" else sheet.columns)
        missing = [row.name for row in rows if f"| `{row.name}` |" not in page]
        assert set(missing) <= {*tables.EVERYWHERE, "design"}, name


def test_how_to_pages_fit_on_a_screen_and_are_all_listed():
    folder = ROOT / "docs" / "howto"
    pages = sorted(path.name for path in folder.glob("*.md") if path.name != "index.md")
    index = (folder / "index.md").read_text(encoding="utf-8")
    assert len(pages) >= 20
    assert sorted(re.findall(r"\]\((\w[\w-]*\.md)\)", index)) == pages
    for name in pages:
        text = (folder / name).read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 40, name
        assert f"[{text.splitlines()[0][2:]}]({name})" in index, name


def test_messages_on_the_page_of_troubleshooting_exist():
    page = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`[a-z]+(?:-[a-z]+)*`(?:, )?)+) \|", page, re.MULTILINE)
    codes = set(re.findall(r"`([a-z-]+)`", " ".join(rows)))
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "sheetmbs").rglob("*.py"))
    assert len(codes) > 20
    made_of_parts = {"unknown-body", "zero-mass", "zero-inertia"}  # f"unknown-{what}", f"zero-{what}"
    assert {code for code in codes - made_of_parts if f'"{code}"' not in sources} == set()


def test_the_page_of_types_names_every_hardpoint():
    from sheetmbs.suspension.layout import aliases

    page = (ROOT / "docs" / "suspension-types.md").read_text(encoding="utf-8")
    known = {name for name in aliases.STANDARD.values() if not re.search("^link [6-9] | bracket$", name)}
    assert len(known) > 40
    assert {name for name in known if f"`{name}`" not in page} == set()


@pytest.mark.parametrize("name", ["rooms", "wheel-from-behind", "wheel-from-above", "points-macpherson-front"])
def test_drawings_are_those_that_their_scripts_make(name, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(ROOT / "docs")
    import drawings
    import rooms

    path = tmp_path / f"{name}.svg"
    if name == "rooms":
        path.write_text(rooms.drawing(), encoding="utf-8")
    elif name in drawings.WHEEL_DRAWINGS:
        drawings.WHEEL_DRAWINGS[name]().save(path)
    else:
        [chosen] = [each for each in drawings.axles() if each[0] == "suspension-macpherson"]
        drawings.draw_points(chosen[2], chosen[4], f"{chosen[3]}, left side").save(path)
    made = path.read_text(encoding="utf-8")
    script = "rooms" if name == "rooms" else "drawings"
    assert made == (ROOT / "docs" / "images" / f"{name}.svg").read_text(encoding="utf-8"), (
        f"run: python docs/{script}.py"
    )


def test_the_wheel_is_drawn_as_the_metrics_define_it(monkeypatch):
    """The drawing's own angles and offsets, measured by the formulas of the page."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    import drawings

    wheel = drawings.Wheel()
    w, k = wheel.w, wheel.k
    assert -math.asin(w[2]) == pytest.approx(drawings.CAMBER)
    assert math.atan2(w[0], w[1]) == pytest.approx(drawings.TOE)
    assert math.atan2(-k[0], k[2]) == pytest.approx(drawings.CASTER)
    assert math.atan2(-k[1], k[2]) == pytest.approx(drawings.KPI)
    across = wheel.contact - wheel.centre
    assert across @ w == pytest.approx(0.0, abs=1e-9)
    assert wheel.contact[2] == pytest.approx(0.0, abs=1e-9)
    caster_offset = (wheel.p - wheel.contact) @ wheel.heading
    kingpin_offset = (wheel.contact - wheel.p) @ wheel.outboard
    assert min(caster_offset, kingpin_offset) > 0.0
    assert math.hypot(caster_offset, kingpin_offset) == pytest.approx(float(np.linalg.norm(wheel.p - wheel.contact)))


def shown_in_the_reference():
    """Dotted names of what the reference shows, each with its source."""
    names = re.findall(r"^::: ([\w.]+)$", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.MULTILINE)
    for name in names:
        is_module = (ROOT / f"{name.replace('.', '/')}.py").is_file()
        module = name if is_module else name.rpartition(".")[0]
        tree = ast.parse((ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))
        for node in tree.body:
            is_public = isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
            if is_public and "overload" in map(ast.unparse, node.decorator_list):
                continue  # the last one is the function
            if is_public and (is_module or name == f"{module}.{node.name}"):
                yield f"{module}.{node.name}", node


def fields_without_a_word(node):
    """Fields of a class behind which no docstring stands."""
    pairs = zip(node.body, [*node.body[1:], None], strict=True)
    return [
        field.target.id
        for field, after in pairs
        if isinstance(field, ast.AnnAssign)
        and not (isinstance(after, ast.Expr) and isinstance(getattr(after.value, "value", None), str))
    ]


def test_the_reference_shows_all_that_the_package_offers():
    import sheetmbs

    shown = {name for name, _node in shown_in_the_reference()}
    offered = {getattr(sheetmbs, name) for name in sheetmbs.__all__}
    homes = {f"{each.__module__}.{each.__qualname__}" for each in offered}
    assert homes <= shown
    assert all(getattr(importlib.import_module(name.rpartition(".")[0]), name.rpartition(".")[2]) for name in shown)


@pytest.mark.parametrize(
    ("name", "node"),
    [pytest.param(*each, id=each[0]) for each in shown_in_the_reference()],
)
def test_the_reference_says_what_each_field_and_parameter_is(name, node):
    doc = ast.get_docstring(node)
    assert doc
    if isinstance(node, ast.ClassDef):
        assert fields_without_a_word(node) == []
    else:
        parameters = [each.arg for each in (*node.args.args, *node.args.kwonlyargs)]
        assert [each for each in parameters if not re.search(rf"^{each}\n    \w", doc, re.MULTILINE)] == [], name
        assert "Returns\n-------" in doc


def test_a_field_without_a_word_is_seen():
    [node] = ast.parse('class A:\n    x: int\n    """m"""\n    y: int\n    z: int = 1\n    """s"""').body
    assert fields_without_a_word(node) == ["y"]


def test_the_lock_file_pins_every_requirement():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *itertools.chain(*project["optional-dependencies"].values())]
    names = {re.match(r"[\w.-]+", requirement)[0].lower() for requirement in wanted}
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pinned = {line.split("==")[0] for line in lock if "==" in line}
    assert names <= pinned


def test_the_lock_file_names_no_machine_or_registry():
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert not re.search(r"https?:|file:|^-|@", lock, re.MULTILINE)


def test_the_version_is_the_same_everywhere():
    import sheetmbs

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert sheetmbs.__version__ == project["version"]
    assert f"Version {project['version']};" in (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"sheetmbs-([\d.]+)-py3", (ROOT / "docs" / "install.md").read_text(encoding="utf-8"))
    assert set(shown) == {project["version"]}


def test_the_changelog_begins_with_this_version():
    """Ten lines for users stand above everything that changed."""
    import sheetmbs

    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.split(r"^## \[([\d.]+)\].*\n", page, flags=re.MULTILINE)[1:]
    assert versions[2::2] == ["0.1.0"]
    assert versions[0] == sheetmbs.__version__
    summary = versions[1].partition("### ")[0]
    assert len(re.findall(r"^- ", summary, re.MULTILINE)) == 10
