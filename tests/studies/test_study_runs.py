"""Studies run: every variant is what the closed form says, whoever runs it, and nothing finished is lost."""

from __future__ import annotations

import os
import signal
import time
import zipfile
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import openpyxl
import pytest
import xlsxwriter

import sheetmbs
from sheetmbs import design_study
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.studies.goals import excess
from sheetmbs.studies.running import run_study as running
from sheetmbs.studies.running.evaluator import GIVEN_UP, Evaluator, StudyProgress
from sheetmbs.studies.running.journal import Journal, journal_path
from sheetmbs.studies.running.ledger import UNSOLVED, Ledger
from sheetmbs.studies.running.run_study import STOPPED, StudyOptions, run_study
from sheetmbs.studies.running.solve_chunk import SolvedChunk, StudyTask, solve_chunk, take_task
from sheetmbs.studies.solving.variant_solver import SolvedPoint, in_words
from sheetmbs.studies.study_book import StudyResponse
from sheetmbs.studies.study_results import StudyResults
from sheetmbs.workbook.package.package import Package
from tests.studies import study_books
from tests.studies.study_books import (
    COUNT,
    MASS,
    RATE,
    RESPONSES,
    SHEETS,
    VARIABLES,
    sag,
    save_weight,
    study,
    study_book,
)
from tests.support.car_books import car_book
from tests.support.processes import children, needs_processes


def run(path: Path, **options: object) -> StudyResults:
    """The study of a workbook, in this process unless options say otherwise."""
    return run_study(path, path.read_bytes(), StudyOptions(**{"workers": 1, **options}))  # type: ignore[arg-type]


def expected(results: StudyResults) -> np.ndarray:
    """The sag of every variant, by its closed form."""
    return np.array([sag(mass, rate) for mass, rate in results.variants.values])


LEAST_SAG = ["sag", "-first(load.y)", "minimise"]
METHODS = ("one-at-a-time", "grid", "latin-hypercube", "sobol", "tolerance")


@pytest.mark.parametrize("method", METHODS)
def test_every_variant_sags_as_the_closed_form_says(tmp_path: Path, method: str) -> None:
    results = run(study_book(tmp_path / "weight.xlsx", method, samples=16))
    assert results.variants.done.all()
    np.testing.assert_allclose(results.variants.responses[:, 0], expected(results), rtol=1e-11)
    np.testing.assert_array_equal(results.variants.values[0], [MASS, RATE])


def test_a_variant_whose_energy_does_not_balance_is_in_doubt_as_a_run_of_it_warns(tmp_path: Path) -> None:
    """A pendulum in steps of a fixed length, of which the longest does not follow it any more."""
    sheets: dict[str, list[list[object]]] = {
        "Settings": [
            ["setting", "value", "unit"],
            *(["dimension", "2D"], ["analysis", "dynamic"], ["gravity_y", -9.81, "m/s^2"], ["integrator", "rk4"]),
            *(["step", 0.001, "s"], ["t_end", 2, "s"], ["t_step", 0.2, "s"]),
        ],
        "Bodies": [["name", "mass", "inertia", "x", "y"], ["rod", 1, 0.1, 0.5, 0]],
        "Points": [["name", "body", "x", "y"], ["pivot", "", 0, 0]],
        "Joints": [["name", "type", "body_i", "body_j", "point"], ["hinge", "revolute", "ground", "rod", "pivot"]],
        "Study": study("grid"),
        "Variables": [["name", "cell", "values"], ["step", "Settings!B6", "0.001; 0.2"]],
        "Responses": [["name", "of"], ["height", "last(rod.y)"]],
    }
    book = tmp_path / "pendulum.xlsx"
    plain = xlsxwriter.Workbook(book)
    for name, rows in sheets.items():
        sheet = plain.add_worksheet(name)
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    plain.close()
    found = run(book)
    told = sheetmbs.run(sheetmbs.read(book, changes={"Settings!B6": 0.2})).sheets.problems
    warned = next(problem for problem in told if problem.code == "accuracy-in-doubt")
    assert found.variants.done.all()
    assert list(found.variants.doubts) == [2]
    assert found.variants.doubts[2] == f"in doubt: {in_words(warned)}"
    assert warned.cell == "Settings!B6"
    assert any("variant 2 because Settings!B6" in each for each in design_study.run_study(book, workers=1).answer)
    again = run(book, resume=True)  # from the journal
    assert again.variants.messages == found.variants.messages
    assert again.variants.done.all()


def test_listed_variants_leave_blank_cells_as_they_are(tmp_path: Path) -> None:
    rows = [["name", "mass", "rate"], ["heavy", 4.0], ["stiff", None, 1000.0], ["as sold"]]
    sheets = {"Study": study("list"), "Variables": VARIABLES, "Responses": RESPONSES, "Variants": rows}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets))  # type: ignore[arg-type]
    assert results.variants.names == {1: "heavy", 2: "stiff", 3: "as sold"}
    np.testing.assert_allclose(results.variants.responses[1:, 0], [sag(4.0, RATE), sag(MASS, 1000.0), sag(MASS, RATE)])


def test_an_optimum_lies_where_the_closed_form_has_its_target(tmp_path: Path) -> None:
    responses = [["name", "of", "goal", "value", "unit"], ["sag", "-first(load.y)", "target", 7.5, "mm"]]
    sheets = {"Study": study("optimise"), "Variables": VARIABLES, "Responses": responses}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets))  # type: ignore[arg-type]
    assert results.best is not None
    assert results.variants.responses[results.best, 0] == pytest.approx(7.5, abs=1e-7)
    assert sag(*results.variants.values[results.best]) == pytest.approx(7.5, abs=1e-7)


def test_the_workbook_as_it_is_is_not_best_beyond_the_ranges(tmp_path: Path) -> None:
    variables = [VARIABLES[0], ["mass", "Dimensions!B2", 3.0, 4.0], VARIABLES[2]]
    sheets = {"Study": study("grid"), "Variables": variables, "Responses": [["name", "of", "goal"], LEAST_SAG]}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets))  # type: ignore[arg-type]
    assert results.best is not None
    assert results.variants.values[results.best].tolist() == [3.0, 1000.0]


def test_a_pareto_front_lies_on_the_hyperbola_of_its_closed_form(tmp_path: Path) -> None:
    """Sag times the product of mass and rate is 1e3 g m^2/n: least for the lightest mass, whatever the rate."""
    pytest.importorskip("pymoo")
    own = [["what", "value"], ["mass times rate", "=Dimensions!B2*Dimensions!B3"]]
    responses = [["name", "of", "unit", "goal"], ["sag", "-first(load.y)", "mm", "minimise"]]
    responses.append(["price", "Own!B2", None, "minimise"])  # type: ignore[list-item]
    sheets = {"Study": study("pareto", budget=400), "Variables": VARIABLES, "Responses": responses, "Own": own}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets, stores=False))  # type: ignore[arg-type]
    assert results.best is None, "no variant is best where each goal counts by itself"
    front = results.variants.responses[list(results.front)]
    least = sag(1.0, 1.0)
    assert np.all(front.prod(axis=1) >= least * (1.0 - 1e-9))
    assert np.all(front.prod(axis=1) <= 1.05 * least)
    stiffest, softest = sag(1.0, 1000.0), sag(1.0, 250.0)
    assert front[:, 0].min() < stiffest + 0.1 * (softest - stiffest)
    assert front[:, 0].max() > softest - 0.1 * (softest - stiffest)
    assert np.diff(np.sort(front[:, 0])).max() < 0.2 * (softest - stiffest)


def test_a_variant_that_cannot_be_read_is_a_row_with_its_reason(tmp_path: Path) -> None:
    variables = [["name", "cell", "values"], ["mass", "Dimensions!B2", "1; -1; 4"]]
    sheets = {"Study": study("grid"), "Variables": variables, "Responses": RESPONSES}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets))  # type: ignore[arg-type]
    assert results.variants.done.tolist() == [True, True, False, True]
    assert np.isnan(results.variants.responses[2]).all()
    assert results.variants.messages[2].startswith("Bodies!B2")
    assert not results.feasible[2]


def test_a_formula_without_a_value_fails_only_variants_whose_model_reads_it(tmp_path: Path) -> None:
    root = "=SQRT(Dimensions!B2-1)"
    noted = [[*SHEETS["Bodies"][0], "notes"], [*SHEETS["Bodies"][1], root]]
    variables = [["name", "cell", "values"], ["mass", "Dimensions!B2", "0.5; 4"]]
    sheets = {"Study": study("grid"), "Variables": variables, "Responses": RESPONSES, "Own": [[root]], "Bodies": noted}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets, stores=False))  # type: ignore[arg-type]
    assert results.variants.done.all()
    np.testing.assert_allclose(results.variants.responses[:, 0], [sag(mass, RATE) for mass in (MASS, 0.5, 4.0)])
    read = {**sheets, "Bodies": [SHEETS["Bodies"][0], ["load", "=Dimensions!B2+0*Own!A1", *SHEETS["Bodies"][1][2:]]]}
    results = run(save_weight(tmp_path / "read.xlsx", read, stores=False))  # type: ignore[arg-type]
    assert results.variants.done.tolist() == [True, False, True]
    assert results.variants.messages[1].startswith("Bodies!B2: the error #NUM!")
    assert "limit the variables from which it follows" in results.variants.messages[1]


def test_time_is_a_column_of_points_and_of_nothing_else_too(tmp_path: Path) -> None:
    settings = [*SHEETS["Settings"][:2], ["analysis", "dynamic"], ["t_end", 0.2], ["t_step", 0.1], ["gravity_y", -10.0]]
    variables = [["name", "cell", "values"], ["end", "Settings!B4", "0.1; 0.4"]]
    asked = [["name", "of"], ["height", "at(hook.y, time, 0.1)"], ["end of it", "last(time)"]]
    sheets = {"Settings": settings, "Study": study("grid"), "Variables": variables, "Responses": asked}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets))  # type: ignore[arg-type]
    assert results.variants.done.all()
    omega = np.sqrt(COUNT * RATE / MASS)
    height = 1e-3 * sag(MASS, RATE) * (np.cos(0.1 * omega) - 1.0)
    np.testing.assert_allclose(results.variants.responses, [[height, end] for end in (0.2, 0.1, 0.4)], rtol=1e-6)


def same(one: StudyResults, other: StudyResults) -> None:
    """Both found the same, to the last bit."""
    assert one.variants.values.tobytes() == other.variants.values.tobytes()
    assert one.variants.responses.tobytes() == other.variants.responses.tobytes()
    assert one.variants.done.tobytes() == other.variants.done.tobytes()
    assert one.variants.messages == other.variants.messages
    assert (one.best, one.front) == (other.best, other.front)
    for mine, theirs in zip(one.curves, other.curves, strict=True):
        assert mine.y.tobytes() == theirs.y.tobytes()


@pytest.mark.parametrize("method", ["sobol", "optimise"])
def test_results_are_the_same_whatever_the_number_of_workers(tmp_path: Path, method: str) -> None:
    responses = [["name", "of", "goal", "value", "unit"], ["sag", "-first(load.y)", "target", 7.5, "mm"]]
    sheets = {"Study": study(method, samples=40), "Variables": VARIABLES, "Responses": responses}
    book = save_weight(tmp_path / "weight.xlsx", sheets)  # type: ignore[arg-type]
    here = run(book)
    same(here, run(book, workers=2))


class Interrupted:
    """Tells of progress, and interrupts once so many variants are solved."""

    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, progress: StudyProgress) -> None:
        if progress.solved >= self.after:
            self.after = 1 << 60
            raise KeyboardInterrupt


def test_a_stopped_study_gives_what_is_finished_and_goes_on_to_the_same_end(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=60)
    whole = run(book)
    stopped = run_study(book, book.read_bytes(), StudyOptions(), Interrupted(20))
    assert stopped.message == STOPPED
    assert 20 <= len(stopped.variants) < 61
    is_done = stopped.variants.done
    assert is_done.sum() >= 20
    assert stopped.variants.responses[is_done].tobytes() == whole.variants.responses[: len(is_done)][is_done].tobytes()
    same(whole, run(book, resume=True))


def test_a_stopped_study_has_what_is_finished_behind_a_variant_that_is_not() -> None:
    ledger = Ledger(1, 1)
    for row in range(5):
        ledger.ask(np.array([float(row)]))
        if row not in (2, 4):
            ledger.enter(row, SolvedPoint(np.array([10.0 * row]), np.zeros(0)))
    rows = ledger.variants({})
    assert rows.done.tolist() == [True, True, False, True]
    np.testing.assert_array_equal(rows.responses[:, 0], [0.0, 10.0, np.nan, 30.0])
    assert rows.messages == {2: UNSOLVED}


def test_a_study_goes_on_in_a_workbook_that_holds_what_it_had_when_it_was_stopped(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=60)
    whole = run(book)
    design_study.run_study(book, workers=1).save(book)  # which shows more sheets, and one of them first
    same(whole, run(book, resume=True))
    opened = openpyxl.load_workbook(book)
    opened["Dimensions"]["A9"].value = "a remark"
    opened.save(book)
    with pytest.raises(WorkbookError, match="another state of this workbook"):
        run(book, resume=True)


def test_what_the_journal_has_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=20)
    whole = run(book)

    def solve(*_: object) -> None:
        raise AssertionError("a variant was run again")

    monkeypatch.setattr("sheetmbs.studies.running.executors.solve_chunk", solve)
    same(whole, run(book, resume=True))


def test_a_journal_of_another_state_of_the_workbook_is_not_gone_on_with(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=4)
    run(book)
    study_book(book, "sobol", samples=5)
    with pytest.raises(WorkbookError, match="another state of this workbook"):
        run(book, resume=True)


def test_without_a_journal_there_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=4)
    with pytest.raises(WorkbookError, match="leave --resume away"):
        run(book, resume=True)
    assert not journal_path(book).exists()


def test_two_studies_of_a_workbook_do_not_run_at_once(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=4)
    held = Journal(journal_path(book), "key", keeps=False)
    with pytest.raises(WorkbookError, match="another study of this workbook is at work"):
        run(book)
    held.close()
    run(book)


def test_a_full_disk_stops_a_study_with_its_journal_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=200)
    whole = run(book)
    journal_path(book).unlink()  # with the room that its rows took
    add = Journal.add

    def limited(self: Journal, points: np.ndarray, solved: list[SolvedPoint]) -> None:
        pages = self._file.execute("pragma page_count").fetchone()[0]
        self._file.execute(f"pragma max_page_count = {pages}")
        add(self, points, solved)

    monkeypatch.setattr(Journal, "add", limited)
    with pytest.raises(WorkbookError, match="the disk is full"):
        run(book)
    monkeypatch.setattr(Journal, "add", add)
    same(whole, run(book, resume=True))


@needs_processes
def test_a_worker_that_is_killed_has_its_variants_run_again(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=200)
    whole = run(book)
    killed: list[int] = []

    def kill(progress: StudyProgress) -> None:
        if progress.solved > 40 and not killed:
            for child in children(os.getpid()):
                if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text(encoding="utf-8"):
                    os.kill(child, signal.SIGKILL)
                    killed.append(child)
                    return

    again = run_study(book, book.read_bytes(), StudyOptions(workers=2), kill)
    assert killed
    same(whole, again)


class Deadly:
    """Workers that die of one point, and with it lose all that is under way."""

    count = 2

    def __init__(self, deadly: float) -> None:
        self.deadly = deadly
        self.is_broken = False
        self.deaths = 0
        self.waiting: list[tuple[Future[SolvedChunk], np.ndarray]] = []

    def submit(self, points: np.ndarray) -> Future[SolvedChunk]:
        future: Future[SolvedChunk] = Future()
        if self.is_broken:
            raise BrokenProcessPool
        if self.deadly in points:
            self.is_broken = True
            self.deaths += 1
            future.set_exception(BrokenProcessPool("a worker died"))
        else:
            future.set_result(SolvedChunk([SolvedPoint(2.0 * point, np.zeros(0)) for point in points], 1e-6))
        return future

    def revive(self) -> None:
        self.is_broken = False

    def close(self) -> None: ...


def test_only_the_variant_whose_worker_dies_each_time_is_given_up(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.sqlite", "key", keeps=False)
    workers = Deadly(77.0)
    evaluate = Evaluator(Ledger(1, 1), workers, journal, is_search=False)  # type: ignore[arg-type]
    found = evaluate(np.arange(200.0)[:, None])
    journal.close()
    assert evaluate.ledger.messages == {77: GIVEN_UP}
    assert found.done.sum() == 199
    others = np.delete(np.arange(200), 77)
    np.testing.assert_array_equal(found.responses[others, 0], 2.0 * others)
    assert workers.deaths == 4  # in its chunk, then three times alone


def test_points_asked_for_twice_in_one_call_are_rows_of_their_own_but_run_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.sqlite", "key", keeps=False)
    evaluate = Evaluator(Ledger(1, 1), Deadly(-1.0), journal, is_search=False)  # type: ignore[arg-type]
    found = evaluate(np.array([[3.0], [3.0], [4.0]]))
    assert found.responses[:, 0].tolist() == [6.0, 6.0, 8.0]
    assert evaluate.ledger.count == 3
    assert len(list(journal.solved())) == 2
    journal.close()


def test_a_search_that_comes_back_to_a_point_makes_no_new_variant(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.sqlite", "key", keeps=False)
    evaluate = Evaluator(Ledger(1, 1), Deadly(-1.0), journal, is_search=True)  # type: ignore[arg-type]
    evaluate(np.array([[3.0], [5.0]]))
    evaluate(np.array([[5.0], [4.0]]))
    assert evaluate.ledger.count == 3
    journal.close()


def test_the_ledger_keeps_rows_beyond_its_first_room() -> None:
    ledger = Ledger(2, 1)
    for number in range(1000):
        row = ledger.ask(np.array([number, -number], dtype=float))
        ledger.enter(row, SolvedPoint(np.array([3.0 * number]), np.zeros(0), "" if number % 7 else "why"))
    variants = ledger.variants({})
    assert len(variants) == 1000
    np.testing.assert_array_equal(variants.values[:, 0], np.arange(1000))
    assert len(variants.messages) == 143


def test_progress_ends_at_all_variants(tmp_path: Path) -> None:
    told: list[StudyProgress] = []
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=30)
    run_study(book, book.read_bytes(), StudyOptions(), told.append)
    assert [each.solved for each in told] == sorted(each.solved for each in told)
    assert told[-1] == StudyProgress(30, 0, 30)


def test_curves_are_kept_of_the_file_of_the_best_and_of_others(tmp_path: Path) -> None:
    book = swinging_book(tmp_path / "swing.xlsx", keep=3)
    results = run(book)
    kept = sorted({curve.variant for curve in results.curves})
    assert len(kept) == 3
    assert {0, results.best} <= {*kept}
    for curve in results.curves:
        mass = results.variants.values[curve.variant, 0]
        sagged = 1e-3 * sag(mass, RATE)
        rate = np.sqrt(RATE * 2.0 / mass)
        np.testing.assert_allclose(curve.y, -sagged * (1.0 - np.cos(rate * curve.x)), atol=1e-5 * sagged)


def swinging_book(path: Path, keep: int) -> Path:
    """The weight let go from the unloaded springs: y = -m g / K (1 - cos(sqrt(K/m) t))."""
    settings = [*study_books.SHEETS["Settings"][:2], ["analysis", "dynamic"], study_books.SHEETS["Settings"][3]]
    settings += [["t_end", 0.5, "s"], ["t_step", 0.01, "s"], ["rtol", 1e-10]]
    responses = [["name", "of", "goal"], ["lowest", "-min(load.y)", "minimise"]]
    sheets = {
        "Settings": settings,
        "Study": study("grid", keep=keep),
        "Variables": VARIABLES[:2],
        "Responses": responses,
    }
    return save_weight(path, sheets)  # type: ignore[arg-type]


def test_workers_are_begun_only_where_they_pay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    class Counted(running.ProcessPool):
        def __init__(self, task: object, count: int) -> None:
            begun.append(count)
            super().__init__(task, count)  # type: ignore[arg-type]

    monkeypatch.setattr(running, "ProcessPool", Counted)
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=8)
    run(book, workers=None)
    assert begun == []
    monkeypatch.setattr(running, "WORTH_A_POOL", 0.0)
    monkeypatch.setattr(running, "_cores", lambda: 2)
    run(book, workers=None)
    assert begun == [2]


def test_what_a_variant_takes_is_measured_only_where_the_number_of_workers_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[object] = []
    seconds = running._seconds
    monkeypatch.setattr(running, "_seconds", lambda solver: measured.append(solver) or seconds(solver))
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=2)
    run(book, workers=1)
    assert not measured
    run(book, workers=None)
    assert len(measured) == 1


def cells_of_inputs(path: Path) -> dict[str, bytes]:
    """The XML of all cells of the sheets whose names do not begin with mbs, by name."""
    with zipfile.ZipFile(path) as archive:
        texts = {sheet.name: archive.read(sheet.part) for sheet in Package(path).sheets}
    return {
        name: text[text.index(b"<sheetData") : text.index(b"</sheetData>")]
        for name, text in texts.items()
        if not name.startswith("mbs ")
    }


def test_a_study_leaves_every_input_sheet_as_it_was(tmp_path: Path) -> None:
    goals = [["name", "of", "goal", "unit"], ["sag", "-first(load.y)", "minimise", "mm"]]
    book = save_weight(
        tmp_path / "weight.xlsx",
        {"Study": study("grid"), "Variables": VARIABLES, "Responses": goals},  # type: ignore[arg-type]
    )
    before = cells_of_inputs(book)
    found = design_study.run_study(book, workers=1)
    assert found.found.best not in (None, 0)
    found.save()
    assert cells_of_inputs(book) == before
    values = openpyxl.load_workbook(book, data_only=True)
    assert [values["Dimensions"][cell].value for cell in ("B2", "B3")] == [MASS, RATE]
    assert [name for name in values.sheetnames if name not in before] == [
        "mbs Study Summary",
        "mbs Study Charts",
        "mbs Study",
        "mbs Study Curves",
    ]


def test_a_kept_curve_is_the_result_column_of_a_plain_run_of_its_variant(tmp_path: Path) -> None:
    book = swinging_book(tmp_path / "swing.xlsx", keep=3)
    found = design_study.run_study(book, workers=1)
    found.save()
    rows = list(openpyxl.load_workbook(book)["mbs Study Curves"].values)
    columns = dict(zip(rows[0], zip(*rows[2:], strict=True), strict=True))
    kept = sorted({curve.variant for curve in found.found.curves})
    assert len(kept) == 3
    for number in kept:
        copy = tmp_path / f"{number}.xlsx"
        design_study.apply_variant(book, number, copy)
        table = sheetmbs.run(sheetmbs.read(copy)).bodies
        np.testing.assert_array_equal(columns["time"], table["time"])
        np.testing.assert_array_equal(columns[f"load.y of {number}"], table["load.y"])


def test_the_journal_gives_back_the_same_bits(tmp_path: Path) -> None:
    points = np.random.default_rng(1).normal(size=(5, 3))
    solved = [SolvedPoint(point[:2] / 3.0, point[2:] * np.pi) for point in points[:4]]
    solved.append(SolvedPoint(np.full(2, np.nan), np.zeros(0), "Bodies!B2: why"))
    journal = Journal(tmp_path / "a.sqlite", "key", keeps=False)
    journal.add(points, solved)
    journal.close()
    again = dict(Journal(tmp_path / "a.sqlite", "key", keeps=True).solved())
    for point, each in zip(points, solved, strict=True):
        found = again[point.tobytes()]
        assert (found.responses.tobytes(), found.residuals.tobytes(), found.message) == (
            *(each.responses.tobytes(), each.residuals.tobytes()),
            each.message,
        )


def test_time_is_not_in_what_a_study_found(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "sobol", samples=8)
    first = run(book)
    time.sleep(0.01)
    same(first, run(book))


def test_a_task_carries_the_workbook_so_that_workers_need_no_file(tmp_path: Path) -> None:
    book = study_book(tmp_path / "weight.xlsx", "grid")
    task = StudyTask(str(book), book.read_bytes())
    book.unlink()
    take_task(task)
    (found,) = solve_chunk(task.key, np.array([[4.0, RATE]])).points
    assert found.responses[0] == pytest.approx(sag(4.0, RATE))


def test_a_column_of_one_row_is_a_response_as_it_stands(tmp_path: Path) -> None:
    """Of a state of rest, a load case or the pose at design, where max, min and mean are the same."""
    responses = [["name", "of", "unit"], ["sag", "-load.y", "mm"], ["sag again", "-max(load.y)", "mm"]]
    path = save_weight(tmp_path / "w.xlsx", {"Study": study("grid"), "Variables": VARIABLES, "Responses": responses})
    found = run(path)
    assert found.variants.responses[:, 0] == pytest.approx(found.variants.responses[:, 1], rel=1e-15)
    assert found.variants.responses[:, 0] == pytest.approx(expected(found), rel=1e-9)


def test_a_load_case_without_a_pose_fails_no_study_that_does_not_ask_for_it(tmp_path: Path) -> None:
    """A car on stilts rolls over in the default case of 1.6 g, as many do; run gives the rest, and so does the study."""
    sheets = {
        "Study": [("setting", "value"), ("method", "one-at-a-time")],
        "Variables": [("name", "cell", "low", "high"), ("height", "Hardpoints!E5", 115, 125)],
        "Responses": [("name", "of", "case"), ("camber", "FL.camber", ""), ("rod", "'FL.push-rod'", "static 1 g")],
    }
    path = car_book(tmp_path / "car.xlsx", {"cg height": ("600 mm",)}, others=sheets)
    assert np.isfinite(run(path).variants.responses).all()
    sheets["Responses"].append(("outer", "'FR.push-rod'", "cornering left 1.6 g"))
    path = car_book(tmp_path / "asked.xlsx", {"cg height": ("600 mm",)}, others=sheets)
    with pytest.raises(WorkbookError, match="the car rolls over"):
        run(path)


def test_a_cell_that_reads_two_sweeps_is_a_response(tmp_path: Path) -> None:
    sheets = {
        "Study": [("setting", "value"), ("method", "one-at-a-time")],
        "Variables": [("name", "cell", "low", "high"), ("height", "Hardpoints!E5", 115, 125)],
        "Responses": [
            ("name", "of", "case"),
            ("both", "Own!A1", ""),
            ("in heave", "max(FL.camber)", "heave"),
            ("in roll", "max(FL.camber)", "roll"),
        ],
        "Own": [("=SUM(B1:B2)", "=MAX(" + _column("heave") + ")"), (None, "=MAX(" + _column("roll") + ")")],
    }
    both, heave, roll = run(car_book(tmp_path / "car.xlsx", others=sheets)).variants.responses.T
    np.testing.assert_allclose(both, heave + roll, rtol=1e-12)
    assert np.all(heave != roll)


def _column(sweep: str) -> str:
    """The camber of a sweep as a spreadsheet finds it by its header."""
    sheet = f"'mbs Sweep {sweep}'!"
    return f'INDEX({sheet}A3:CZ99,0,MATCH("FL.camber",{sheet}A1:CZ1,0))'


@pytest.mark.parametrize(
    ("goal", "limit", "beyond"),
    [("at most", 4.6, 4.6000000000000005), ("at least", 47.77, 47.76999999999877), ("at least", 0.0, -1e-13)],
)
def test_a_limit_has_room_for_rounding_and_for_no_more(goal: str, limit: float, beyond: float) -> None:
    response = StudyResponse("r", "r", goal=goal, value=limit)
    sign = 1.0 if goal == "at most" else -1.0
    found = excess(response, limit, np.array([beyond, limit, limit + 1e-6 * sign, limit - sign, np.nan]))
    assert (found <= 0.0).tolist() == [True, True, False, True, False]


@pytest.mark.parametrize(("budget", "is_spent"), [(14, True), (400, False)])
def test_a_search_that_its_budget_ends_says_so(tmp_path: Path, budget: int, *, is_spent: bool) -> None:
    responses = [["name", "of", "unit", "goal", "value"], ["sag", "-first(load.y)", "mm", "target", 17.0]]
    sheets = {"Study": study("optimise", budget=budget), "Variables": VARIABLES, "Responses": responses}
    found = design_study.run_study(save_weight(tmp_path / "weight.xlsx", sheets), workers=1)
    assert found.found.is_spent == is_spent
    assert ("The budget of 14 variants is used up" in " ".join(found.answer)) == is_spent


@pytest.mark.parametrize(
    ("of", "unit", "per_sag"),
    [
        ("sqrt(first(load.x)^2 + first(load.y)^2)", "mm", 1.0),
        ("(first(load.x)*first(load.x) + first(load.y)*first(load.y))^0.5", "cm", 0.1),
        ("sqrt((2*first(load.y))^2)", "mm", 2.0),
        ("first(load.y)^3/first(load.y)^2", "mm", -1.0),
        ("sqrt(first(load.y)^2*first(load.y)^2)/first(load.y)", "mm", -1.0),
    ],
)
def test_powers_and_roots_have_units(tmp_path: Path, of: str, unit: str, per_sag: float) -> None:
    responses = [["name", "of", "unit"], ["r", of, unit], ["sag", "-first(load.y)", "mm"]]
    sheets = {"Study": study("grid"), "Variables": VARIABLES, "Responses": responses}
    found, hung = run(save_weight(tmp_path / "weight.xlsx", sheets)).variants.responses.T
    np.testing.assert_allclose(found, per_sag * hung, rtol=1e-12)
