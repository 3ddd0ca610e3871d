"""All rows in one file: every number to the last bit, units kept, nothing of the user's overwritten, nothing half written."""

from __future__ import annotations

import csv
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.results import export as exporting
from sheetmbs.results.export import check_exportable, export, headers
from sheetmbs.schema.table import Table
from sheetmbs.studies import exported
from tests.support.made_studies import BASE, VARIABLES, run_study_book
from tests.support.sample_results import table

KINDS = (".csv", ".parquet")
RNG = np.random.default_rng(11)


def tables(rows=7):
    """Two sheets over the same times, numbers of all sizes, some of them not known."""
    t = np.arange(rows) * 0.1
    odd = RNG.normal(size=(rows, 3)) * 10.0 ** RNG.integers(-300, 300, (rows, 3))
    odd[1:3, 1] = np.nan, np.inf
    bodies = {"time": ("s", t), "rod.x": ("mm", odd[:, 0]), "rod.phi": ("deg", odd[:, 1])}
    constraints = {"time": ("s", t), "position_violation": ("m, rad", odd[:, 2])}
    return (table("mbs Bodies", bodies), table("mbs Constraints", constraints))


def known(values):
    return np.where(np.isfinite(values), values, np.nan)


def expected(given):
    return known(np.column_stack([given[0].values, given[1].values[:, 1:]]))


def read_csv(path):
    with path.open(encoding="utf-8", newline="") as file:
        names, units, *rows = csv.reader(file)
    return names, units, np.array([[float(text or "nan") for text in row] for row in rows])


def refused(path):
    with pytest.raises(WorkbookError) as caught:
        export(tables(), path)
    [problem] = caught.value.problems
    assert problem.found
    assert problem.problem
    assert problem.mend
    return problem


@pytest.fixture(params=KINDS)
def path(request, tmp_path):
    if request.param == ".parquet":
        pytest.importorskip("pyarrow")
    return tmp_path / f"results{request.param}"


def test_csv_holds_names_units_and_every_number_to_the_last_bit(tmp_path):
    given = tables()
    names, units, values = read_csv(export(given, tmp_path / "all.csv"))
    assert names == ["time", "rod.x", "rod.phi", "position_violation"]
    assert units == ["s", "mm", "deg", "m, rad"]
    np.testing.assert_array_equal(values, expected(given))


def test_parquet_holds_units_and_every_number_to_the_last_bit(tmp_path):
    pytest.importorskip("pyarrow")
    import pandas as pd

    given = tables()
    frame = pd.read_parquet(export(given, tmp_path / "all.parquet"))
    assert frame.attrs["units"] == {"time": "s", "rod.x": "mm", "rod.phi": "deg", "position_violation": "m, rad"}
    assert list(frame.columns) == list(frame.attrs["units"])
    np.testing.assert_array_equal(frame.to_numpy(), expected(given))


def test_rows_are_written_in_blocks_and_none_is_lost(path, monkeypatch):
    monkeypatch.setattr(exporting, "NUMBERS_AT_ONCE", 30)
    given = tables(100)
    export(given, path)
    if path.suffix == ".csv":
        values = read_csv(path)[2]
    else:
        import pandas as pd

        values = pd.read_parquet(path).to_numpy()
    np.testing.assert_array_equal(values, expected(given))


def test_columns_of_one_name_are_told_apart_by_their_sheets():
    t = ("s", np.zeros(1))
    body, point = (table(f"mbs {sheet}", {"time": t, "a.x": ("m", np.ones(1))}) for sheet in ("Bodies", "Points"))
    assert [name for name, _unit, _meaning in headers([body, point])] == ["time", "a.x", "Points.a.x"]


def test_a_table_with_rows_of_its_own_is_left_to_the_workbook(path):
    given = tables()
    knocks = table("mbs Impacts", {"time": ("s", np.array([0.11, 0.52])), "pin.speed": ("m/s", np.array([1.0, 0.8]))})
    alone = export(given, path).read_bytes()
    assert export((given[0], knocks, given[1]), path).read_bytes() == alone


def test_no_name_becomes_a_formula(tmp_path):
    names = ("time", "=1+1", "@a.x", "-b.x", '+c,"d.x')
    given = Table("mbs Bodies", names, ("s",) * 5, np.zeros((1, 5)))
    assert read_csv(export([given], tmp_path / "all.csv"))[0] == ["time", "'=1+1", "'@a.x", "'-b.x", "'+c,\"d.x"]


def test_a_file_of_an_earlier_run_is_replaced(path):
    export(tables(50), path)
    export(tables(3), path)
    assert b"position_violation" in path.read_bytes()
    check_exportable(path)


@pytest.mark.parametrize(
    "content", [b"", b"time,crank.phi\ns,deg\n0,1\n", b"\xff\xfe\x00", b"PAR1", b"x" * 20 + b"\x05\0\0\0PAR1"]
)
def test_any_other_file_is_not_replaced(path, content):
    path.write_bytes(content)
    assert refused(path).code == "foreign-output"
    assert path.read_bytes() == content


def test_runs_and_studies_do_not_replace_files_of_each_other(path):
    export(tables(), path)
    with pytest.raises(WorkbookError, match="holds no variants of a study"):
        exported.export(run_study_book("list", BASE[None, :] + 1.0), path)
    path.unlink()
    for count in (3, 2):
        exported.export(run_study_book("list", BASE + np.arange(1.0, count + 1.0)[:, None]), path)
    before = path.read_bytes()
    assert refused(path).code == "foreign-output"
    assert path.read_bytes() == before


def test_no_text_of_a_study_becomes_a_formula(tmp_path):
    found = run_study_book("list", BASE[None, :] + 1.0)
    named = replace(found.study, variables=(replace(VARIABLES[0], name="=x"), *VARIABLES[1:]))
    rows = replace(found.variants, names={1: "=1+1"}, messages={1: "@why"})
    path = exported.export(replace(found, study=named, variants=rows), tmp_path / "all.csv")
    with path.open(encoding="utf-8", newline="") as file:
        names, _as_it_is, row = csv.reader(file)
    assert (names[3], row[1], row[-1]) == ("'=x", "'=1+1", "'@why")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("results.txt", "export-type"),
        ("results", "export-type"),
        ("no/all.csv", "no-folder"),
        ("d.csv", "output-is-folder"),
    ],
)
def test_a_file_that_cannot_be_is_refused_before_anything_is_computed(tmp_path, name, code):
    (tmp_path / "d.csv").mkdir()
    assert refused(tmp_path / name).code == code
    assert [each.name for each in tmp_path.iterdir()] == ["d.csv"]


def test_without_pyarrow_the_command_that_installs_it_is_given(tmp_path, monkeypatch):
    monkeypatch.setattr(exporting, "find_spec", lambda _name: None)
    problem = refused(tmp_path / "all.parquet")
    assert problem.code == "no-pyarrow"
    assert 'pip install "sheetmbs[parquet]"' in problem.mend


def test_a_disk_that_is_full_leaves_the_earlier_file(path, monkeypatch):
    export(tables(5), path)
    before = path.read_bytes()

    def fail(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(exporting, "_blocks", fail)
    problem = refused(path)
    assert problem.code == "disk-full"
    assert "--also" in problem.mend
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_new_file_has_the_permissions_of_the_workbook_or_the_usual_ones(tmp_path):
    book = tmp_path / "book.xlsx"
    book.write_bytes(b"")
    book.chmod(0o640)
    usual = tmp_path / "usual"
    usual.touch()
    alike, alone = (export(tables(), tmp_path / name, like) for name, like in (("a.csv", book), ("b.csv", None)))
    assert stat.S_IMODE(alike.stat().st_mode) == 0o640
    assert alone.stat().st_mode == usual.stat().st_mode


def test_neither_kind_loads_pandas(path):
    script = (
        "import sys; from tests.results.test_export import tables; from sheetmbs.results.export import export;"
        f"export(tables(), {str(path)!r}); print('pandas' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=Path(__file__).parents[2], check=True
    )
    assert done.stdout.strip() == "False"
