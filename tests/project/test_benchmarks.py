"""How the benchmarks match rows, describe mechanisms for the peers and keep tables.

Only the nightly tests need the peers themselves: `pip install -e ".[test,bench]"`, then `pytest -m nightly`.
"""

import shutil
import subprocess
import sys
from importlib import import_module, util

import numpy as np
import pytest

from benchmarks import tables
from benchmarks.__main__ import STUDIES
from benchmarks.cases import CASES
from benchmarks.mechanism import forest, poses
from benchmarks.options import Options
from benchmarks.ratio import Row, best_near, cheapest_as_good, sure_errors
from benchmarks.suspension import BOOK, with_cases
from sheetmbs.elements.marker import GROUND
from sheetmbs.suspension.solved_design import solve_designs
from sheetmbs.suspension.suspension_results import read_suspension
from sheetmbs.workbook.cells.cells import open_book


def rows(*pairs):
    """A series from coarse to fine. pairs: seconds and error."""
    errors = [error for _, error in pairs]
    return [
        Row("A01", "peer", "", "", "", 1.0, seconds, error, sure)
        for (seconds, error), sure in zip(pairs, sure_errors(errors), strict=True)
    ]


def test_an_error_that_passes_zero_by_chance_counts_with_the_largest_of_the_finer_ones():
    assert sure_errors([1e-2, 1e-9, 1e-4, 1e-6]) == [1e-2, 1e-4, 1e-4, 1e-6]


def test_best_row_near_an_error_is_the_cheapest_that_is_surely_near():
    series = rows((1.0, 1e-3), (2.0, 1e-9), (3.0, 1.5e-5), (9.0, 1e-7))
    assert best_near(series, 1e-5).seconds == 2.0
    assert best_near(series, 1e-6).seconds == 9.0
    assert best_near(series, 1e-12).seconds == 9.0


def test_a_row_is_as_good_only_if_it_is_surely_no_worse():
    series = rows((1.0, 1e-9), (2.0, 1e-4), (3.0, 1e-6))
    assert cheapest_as_good(series, 1e-5).seconds == 3.0
    assert cheapest_as_good(series, 1e-7) is None


@pytest.mark.parametrize(
    ("name", "trees", "closing"), [("A01", 1, 0), ("A02-2", 3, 2), ("A03", 4, 3), ("A04", 2, 1), ("A05", 1, 0)]
)
def test_forest_hangs_every_body_once_and_leaves_as_many_joints_as_there_are_loops(name, trees, closing):
    model = CASES[name].model()
    links, left = forest(model)
    assert sorted(link.body for link in links) == sorted(body.name for body in model.bodies)
    assert sum(link.parent == GROUND for link in links) == trees
    assert len(left) == closing == len(model.joints) - len(model.bodies)
    before = {GROUND}
    for link in links:
        assert link.parent in before
        before.add(link.body)


def test_tree_in_depth_is_one_chain_around_a_loop():
    links, (closing,) = forest(CASES["A04"].model(), "depth")
    assert [link.parent for link in links] == [GROUND, *(link.body for link in links[:-1])]
    assert closing.name == "hinge 6"


def test_velocities_of_bodies_follow_from_the_rates_of_their_joints():
    for name in ("A02-40", "A05"):
        model = CASES[name].model()
        at = poses(model)
        for link in forest(model)[0]:
            spin = at[link.body].spin - at[link.parent].spin
            assert np.abs(spin - (0.0 if link.slides else link.rate * link.axes[:, 2])).max() < 1e-12
            parent = at[link.parent]
            carried = parent.velocity + np.cross(parent.spin, link.origin - parent.position)
            own = at[link.body].velocity + np.cross(at[link.body].spin, link.origin - at[link.body].position)
            assert np.abs(own - carried - (link.rate * link.axes[:, 2] if link.slides else 0.0)).max() < 1e-12


def test_table_is_read_as_it_was_saved_and_names_the_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "RESULTS", tmp_path)
    path = tables.save("study", [{"name": "a, b", "ms": 1.23456}, {"name": "c", "ms": None, "more": 7}])
    assert "# cpu: " in path.read_text(encoding="utf-8")
    assert tables.read("study") == [{"name": "a, b", "ms": "1.235", "more": ""}, {"name": "c", "ms": "", "more": "7"}]


def test_text_goes_between_its_marks_and_nowhere_else(tmp_path, monkeypatch):
    page = tmp_path / "README.md"
    page.write_text("before\n<!-- one -->\nold\n<!-- end one -->\nafter\n", encoding="utf-8")
    monkeypatch.setattr(tables, "README", page)
    tables.into_readme("one", "new")
    assert page.read_text(encoding="utf-8") == "before\n<!-- one -->\nnew\n<!-- end one -->\nafter\n"
    with pytest.raises(ValueError, match="two"):
        tables.into_readme("two", "text")


def test_page_has_a_place_for_every_study():
    page = tables.README.read_text(encoding="utf-8")
    for name in ("iftomm", "andrews"):
        assert page.count(f"<!-- {name} -->") == page.count(f"<!-- end {name} -->") == 1


def test_the_design_of_the_suspension_benchmark_has_twenty_load_cases_that_rest_somewhere():
    read = read_suspension(open_book(BOOK)).designs[0]
    found = solve_designs([with_cases(read)])[0].loads
    assert len(found.cases) == 20
    assert found.cases[: len(read.cases)] == read.cases
    assert len({(case.ax, case.ay, case.az, case.rack) for case in found.cases}) == 20, "no case stands there twice"
    assert not any(found.failed)


class QuickAndSaved(Options):
    """A part of the rows, with everything written that a whole study writes."""

    save = True


@pytest.mark.nightly
@pytest.mark.filterwarnings("default")  # those of the peers are theirs
@pytest.mark.parametrize("name", STUDIES)
def test_every_study_runs_in_its_quick_form_and_writes_its_tables_and_pictures(name, tmp_path, monkeypatch):
    missing = [peer for peer in ("exudyn", "mujoco", "opensim") if util.find_spec(peer) is None]
    assert not missing, f'{", ".join(missing)} missing: pip install -e ".[test,bench]"'
    plots = import_module("benchmarks.plots")
    results, page = tmp_path / "results", tmp_path / "README.md"
    shutil.copytree(tables.RESULTS, results)
    shutil.copy(tables.README, page)
    for module in (tables, plots):
        monkeypatch.setattr(module, "RESULTS", results)
    monkeypatch.setattr(tables, "README", page)
    before = {path.name: path.stat().st_mtime_ns for path in results.iterdir()}
    import_module(STUDIES[name][0]).study(QuickAndSaved(runs=1, quick=True))
    written = {path.name for path in results.iterdir() if path.stat().st_mtime_ns != before.get(path.name)}
    assert any(file.startswith(name) and file.endswith(".csv") for file in written)
    assert f"<!-- {name} -->" in page.read_text(encoding="utf-8")


@pytest.mark.nightly
def test_the_benchmark_of_a_whole_run_prints_its_table():
    script = tables.HERE / "startup.py"
    done = subprocess.run([sys.executable, script, "--runs", "1"], check=True, capture_output=True, text=True)
    assert "sheetmbs run" in done.stdout
