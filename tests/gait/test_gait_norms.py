"""Norms from controls, put into the workbook of a patient, and two workbooks of one subject against each other."""

import numpy as np
import openpyxl
import pytest
from typer.testing import CliRunner

from sheetmbs.command.cli import app
from sheetmbs.gait.collecting.compared_books import limits_of
from sheetmbs.gait.collecting.made_norms import bins_of
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.sheets.gait_scores import deviation_index
from sheetmbs.problems.errors import WorkbookError
from tests.support.gait_books import Recording, gait_book, walker_sheets


def command(*words):
    found = CliRunner().invoke(app, [str(each) for each in words])
    return found.exit_code, " ".join(found.output.split())


@pytest.fixture(scope="module")
def controls(tmp_path_factory):
    """Three controls that were run, of other noise, which makes their curves differ."""
    folder = tmp_path_factory.mktemp("controls")
    paths = []
    for number in range(3):
        sheets = walker_sheets(Recording(end=2.9, noise=0.001 * (number + 1), settings={"bands": "no"}))
        sheets["Subject"] = [*sheets["Subject"], ("id", f"C{number}"), ("age", f"{8 + 4 * number}")]
        path = gait_book(folder / f"c{number}.xlsx", sheets)
        run_gait(path).save()
        paths.append(path)
    status, said = command("norms", *paths, folder / "norms.xlsx")
    assert status == 0, said
    assert "Normative: 3 subjects" in said
    return paths, folder / "norms.xlsx"


def columns_of(sheet):
    rows = list(sheet.iter_rows(values_only=True))
    numbers = [row for row in rows[2:] if isinstance(row[0], int | float)]
    return dict(zip(rows[0], np.array(numbers, float).T, strict=True)), dict(zip(rows[0], rows[1], strict=True)), rows


def test_the_norm_is_mean_sd_number_and_single_subjects_of_both_sides(controls):
    paths, norms = controls
    columns, units, rows = columns_of(openpyxl.load_workbook(norms)["Normative"])
    own = []
    for path in paths:
        angles, *_ = columns_of(openpyxl.load_workbook(path)["mbs Gait angles"])
        own.append(0.5 * (angles["right knee.angle.mean"] + angles["left knee.angle.mean"]))
    assert np.allclose([columns[f"knee.angle.{k}"] for k in (1, 2, 3)], own, atol=1e-12)
    assert np.allclose(columns["knee.angle.mean"], np.mean(own, axis=0), atol=1e-12)
    assert np.allclose(columns["knee.angle.sd"], np.std(own, axis=0, ddof=1), atol=1e-12)
    assert set(columns["knee.angle.n"]) == {3.0}
    assert units["knee.angle.mean"] == "deg, flexion +"
    told = {row[0]: row[1] for row in rows if isinstance(row[0], str)}
    assert told["model"] == "segments"
    assert {"source", "licence", "moment axes"} <= told.keys()


def test_a_norm_goes_into_the_workbook_of_a_patient_and_scores_it(controls, tmp_path):
    paths, norms = controls
    book = tmp_path / "patient.xlsx"
    book.write_bytes(paths[0].read_bytes())
    status, said = command("import", "norms", norms, book)
    assert status == 0, said
    found = run_gait(book)
    assert not [each for each in found.sheets.problems if "band" in each.code or each.code.startswith("other-")]
    (page,) = [each for each in found.sheets.pages if each.name == "mbs Gait scores"]
    said = [cell.value for cell in page.cells]
    assert "GVS of the norm" in said
    again, said = command("import", "norms", norms, book)
    assert (again, "holds a norm already" in said) == (2, True)


def test_bins_have_sheets_and_processing_chooses_one(controls, tmp_path):
    paths, _ = controls
    out = tmp_path / "bins.xlsx"
    status, said = command("norms", *paths, out, "--bins", "age 10")
    assert status == 2
    assert "the only workbook of Normative age below 10" in said
    sheets = walker_sheets(Recording(end=2.9, settings={"norm": "slow", "bands": "no"}))
    percent = np.arange(0.0, 101.0, 10.0)
    rows = np.column_stack((percent, 20.0 + 0.0 * percent, 5.0 + 0.0 * percent)).tolist()
    sheets["Normative slow"] = [("percent", "knee.angle.mean", "knee.angle.sd"), ("%", "deg", "deg"), *rows]
    found = run_gait(gait_book(tmp_path / "slow.xlsx", sheets))
    assert len(found.solved.book.bands) == 1
    assert not [each for each in found.sheets.problems if each.code == "near-miss-sheet"]
    with pytest.raises(WorkbookError) as told:
        run_gait(tmp_path / "slow.xlsx", changes={_norm_cell(tmp_path): "fast"})
    (problem,) = told.value.problems
    assert "bins are slow" in problem.mend
    assert bins_of("speed 0.9 1.2").name_of(1.0) == "speed 0.9-1.2"
    with pytest.raises(WorkbookError):
        bins_of("speed 1.2 0.9")


def _norm_cell(folder):
    sheet = openpyxl.load_workbook(folder / "slow.xlsx")["Processing"]
    return next(f"Processing!B{row[0].row}" for row in sheet.iter_rows() if row[0].value == "norm")


def test_a_table_of_joints_and_planes_becomes_columns(tmp_path):
    lines = ["percent;joint;plane;mean;sd"]
    lines += [f"{p};knee;sagittal;{10 + p / 10:.2f};5,0".replace(".", ",") for p in range(0, 101, 50)]
    lines += [f"{p};pelvis;transverse;{p / 50:.1f};2,0".replace(".", ",") for p in range(0, 101, 50)]
    (tmp_path / "norm.csv").write_text("\n".join(lines))
    book = gait_book(tmp_path / "walk.xlsx", walker_sheets(Recording(end=2.9, settings={"bands": "no"})))
    status, said = command("import", "norms", tmp_path / "norm.csv", book)
    assert status == 0, said
    columns, *_ = columns_of(openpyxl.load_workbook(book)["Normative"])
    assert columns["knee.angle.mean"].tolist() == [10.0, 15.0, 20.0]
    assert columns["pelvis.rotation.sd"].tolist() == [2.0, 2.0, 2.0]


def test_gdi_of_the_mean_is_100_and_ten_less_for_each_deviation():
    norms = np.exp([1.0, 1.5, 2.0])
    assert deviation_index(np.exp(1.5), norms) == pytest.approx(100.0)
    assert deviation_index(np.exp(2.0), norms) == pytest.approx(90.0)
    assert deviation_index(0.0, norms) is None
    assert deviation_index(1.0, norms[:2]) is None
    rng = np.random.default_rng(3)
    draws = np.exp(rng.normal(1.6, 0.2, 4000))
    found = [deviation_index(each, draws) for each in draws]
    assert (np.mean(found), np.std(found, ddof=1)) == (pytest.approx(100.0), pytest.approx(10.0))


def test_two_workbooks_of_one_id_are_compared_and_others_refused(controls, tmp_path):
    paths, _ = controls
    status, said = command("collect", "--compare", *paths[:2], tmp_path / "c.xlsx")
    assert (status, "two workbooks of one id are compared" in said) == (2, True)
    twin = tmp_path / "after.xlsx"
    book = openpyxl.load_workbook(paths[1])
    for row in book["Subject"].iter_rows():
        if row[0].value == "id":
            row[1].value = "C0"
    book.save(twin)
    run_gait(twin).save()
    out = tmp_path / "compared.xlsx"
    status, said = command("collect", "--compare", "--mdc", "knee.angle=0.001; speed=9", paths[0], twin, out)
    assert status == 0, said
    book = openpyxl.load_workbook(out)
    rows = list(book["differences"].iter_rows(values_only=True))
    table = {row[:3]: dict(zip(rows[0], row, strict=True)) for row in rows[1:] if row[3]}
    items = [{(each.item, each.side, each.joint): each for each in run_gait(path).items} for path in (paths[0], twin)]
    key = ("stride time", "right", None)
    one, two = (each["stride time", "right", ""] for each in items)
    assert table[key]["difference"] == pytest.approx(two.value - one.value, abs=1e-9)
    assert table[key]["u_difference"] == pytest.approx(np.hypot(one.u, two.u), rel=1e-6)
    assert table["angle max", "right", "knee"]["mdc"] == 0.001
    assert table["angle max", "right", "knee"]["larger than mdc"] == "yes"
    assert table["speed", None, None]["larger than mdc"] == "no"
    assert len(book["charts"]._charts) == 9
    assert limits_of("hip.angle=5; speed = 0.1") == {"hip angle": 5.0, "speed": 0.1}
