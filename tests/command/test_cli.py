"""The command line: exit statuses, what goes to which stream, what is written, and never a traceback."""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import openpyxl
import pytest

import sheetmbs
from sheetmbs import __main__
from sheetmbs.command import cli
from sheetmbs.command.interrupts import raise_again
from tests.support.opened import sheet_values

PENDULUM = Path(__file__).parents[2] / "workbooks" / "pendulum.xlsx"

ROOT = Path(__file__).parents[2]
SELDOM = (
    "sheetmbs.analysis.diagnosis.failure",
    "sheetmbs.analysis.modes",
    "sheetmbs.importing",
    "sheetmbs.results.pictures",
    "sheetmbs.schema.cad_text",
    "sheetmbs.suspension.run_suspension",
    "sheetmbs.workbook.writing.new_workbook",
)
SERVING = ("starlette", "uvicorn", "watchfiles")
HEAVY = ("formualizer", "llvmlite", "numba", "scipy", "pandas", "pint", "matplotlib", "pydantic")


def environment(**changes):
    return {key: value for key, value in os.environ.items() if key not in changes} | {
        "PYTHONPATH": str(ROOT),
        **changes,
    }


def start(*arguments, **changes):
    """The program in a process of its own, output through pipes."""
    return subprocess.run(
        [sys.executable, "-m", "sheetmbs", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        env=environment(PYTHONIOENCODING="utf-8", **changes),
        check=False,
        timeout=600,
    )


def pendulum(path, **cells):
    """A workbook with a pendulum of two half metres; cells: what to change, as Sheet_C3=value."""
    book = openpyxl.Workbook()
    sheets = {
        "Settings": [("setting", "value"), ("title", "pendulum"), ("t_end", 0.1), ("t_step", 0.01)],
        "Bodies": [("name", "mass", "inertia", "x", "phi"), ("rod", 2.0, 0.5, 0.5, 0.0)],
        "Joints": [("name", "type", "body_i", "body_j", "xi_i", "eta_i", "xi_j", "eta_j"),
                   ("pivot", "revolute", "ground", "rod", 0.0, 0.0, -0.5, 0.0)],
    }  # fmt: skip
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    del book["Sheet"]
    for cell, value in cells.items():
        name, address = cell.split("_")
        book[name][address] = value
    book.save(path)
    return path


@pytest.fixture
def book(tmp_path):
    return pendulum(tmp_path / "pendulum.xlsx")


@pytest.fixture
def locking_book(tmp_path):
    """A slider-crank whose rod, half as long as the crank, lets it turn by 30 degrees: with 1 rad/s until pi/6 s."""
    book = openpyxl.Workbook()
    del book["Sheet"]
    sheets = {
        "Settings": [("setting", "value"), ("analysis", "kinematic"), ("t_end", 1.0), ("t_step", 0.05)],
        "Bodies": [("name", "x"), ("crank", 0.0), ("rod", 1.5)],
        "Joints": [("name", "type", "body_i", "body_j", "coordinate", "xi_i", "eta_i", "xi_j", "eta_j"),
                   ("pivot", "revolute", "ground", "crank", None, 0.0, 0.0, 0.0, 0.0),
                   ("pin", "revolute", "crank", "rod", None, 1.0, 0.0, -0.5, 0.0),
                   ("slide", "coordinate", "rod", None, "y", None, None, None, None)],
        "Drivers": [("name", "joint", "coordinate", "velocity"), ("motor", "pivot", "angle", 1.0)],
    }  # fmt: skip
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    path = tmp_path / "locking.xlsx"
    book.save(path)
    return path


@pytest.fixture
def wrong_book(tmp_path):
    return pendulum(tmp_path / "wrong.xlsx", Joints_D2="rood", Bodies_B2="heavy")


def sheet_names(path):
    return openpyxl.load_workbook(path).sheetnames


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--help"], ("numpy", *SERVING, *HEAVY)),
        (["check"], (*SERVING, *HEAVY, "formualizer", "sheetmbs.design_study", "sheetmbs.studies")),
        (["cases"], (*SERVING, *HEAVY)),
        (["run"], ("formualizer", *SERVING, *HEAVY[2:], *SELDOM)),
    ],
)
def test_what_is_not_needed_is_not_imported(arguments, unwanted, book):
    script = f"""
        import sys
        from sheetmbs.command.cli import main
        sys.argv[1:] = {arguments + ([str(book)] if arguments[0] != "--help" else [])}
        try:
            main()
        except SystemExit as stop:
            assert not stop.code, stop.code
        print("imported:", [name for name in {unwanted} if name in sys.modules])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, env=environment(), check=False
    )
    assert done.stdout.splitlines()[-1:] == ["imported: []"], done.stderr


@pytest.mark.parametrize("name", ["half-hat-leg", "slider-crank-3d", "flexible-four-bar"])
def test_no_run_imports_numba(name, tmp_path):
    book = shutil.copy(Path(__file__).parents[2] / "workbooks" / f"{name}.xlsx", tmp_path)
    start("run", str(book), "--output", str(tmp_path / "warm.xlsx"))  # builds the library where none fits
    script = f"""
        import sys
        from sheetmbs.command.cli import call
        sys.argv[1:] = ["run", {str(book)!r}]
        print("status", call(), "numba" in sys.modules)
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    assert done.stdout.splitlines()[-1:] == ["status 0 False"], done.stderr


def test_numpy_is_loaded_only_once_its_threads_are_limited():
    script = "import sys, sheetmbs.command.cli; print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment(), check=False
    )
    assert done.stdout == "False\n", done.stderr


def test_help_names_every_command_and_fits_the_terminal():
    page = start("--help", COLUMNS="80").stdout
    words = ("run BOOK", "check BOOK", "cases BOOK", "--version", "Examples", "Exit status")
    assert all(word in page for word in words)
    assert max(map(len, page.splitlines())) <= 80
    assert "\x1b" not in page


def test_help_of_a_command_has_all_its_options():
    page = start("run", "--help").stdout
    assert all(option in page for option in ("--output", "--analysis", "--case", "--backup", "--mark", "--json"))


def test_version_is_printed():
    done = start("--version")
    assert (done.returncode, done.stdout) == (0, f"sheetmbs {sheetmbs.__version__}\n")


@pytest.mark.parametrize(
    "arguments",
    [["rub"], ["run"], ["check", "a.xlsx", "b.xlsx"], ["check", "a.xlsx", "--foo"], ["run", "a", "--output"]],
)
def test_a_wrong_command_line_is_one_sentence_and_status_2(arguments, call):
    status, out, err = call(*arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert "--help" in err


def test_no_arguments_show_the_help_and_status_2(call):
    status, out, _err = call()
    assert status == 2
    assert "Examples" in out


def test_a_run_writes_results_into_the_workbook_and_a_summary_to_standard_error(book):
    done = start("run", book)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "mbs Bodies" in sheet_names(book)
    assert "degrees of freedom" in done.stderr
    assert "\x1b" not in done.stderr


def test_json_is_the_only_thing_on_standard_output(book, call):
    status, out, _err = call("run", book, "--json")
    found = json.loads(out)
    assert status == 0
    assert found["status"] == "done"
    assert found["summary"]["degrees of freedom"] == 1
    assert found["results"] == str(book)


def test_output_leaves_the_workbook_alone(book, call):
    before = book.read_bytes()
    status, _out, _err = call("run", book, "--output", book.with_name("copy.xlsx"))
    assert status == 0
    assert book.read_bytes() == before
    assert "mbs Summary" in sheet_names(book.with_name("copy.xlsx"))


def test_analysis_on_the_command_line_wins(book, call):
    status, out, err = call("run", book, "--analysis", "Kinematic", "--json")
    assert status == 2, err
    assert "analysis" in out


def test_an_unknown_analysis_is_status_2(book, call):
    status, _out, err = call("run", book, "--analysis", "magic")
    assert status == 2
    assert "magic" in err
    assert "kinematic" in err


@pytest.mark.parametrize("command", ["run", "check"])
def test_every_problem_of_a_wrong_workbook_is_one_line_with_its_cell(command, wrong_book, call):
    before = wrong_book.read_bytes()
    status, out, err = call(command, wrong_book)
    assert (status, out) == (2, "")
    lines = err.splitlines()
    assert len([line for line in lines if "  Joints!D2  " in line and "rood" in line]) == 1
    assert len([line for line in lines if "  Bodies!B2  " in line and "heavy" in line]) == 1
    assert wrong_book.read_bytes() == before


def test_mark_lists_the_problems_in_the_workbook(wrong_book, call):
    status, _out, err = call("check", wrong_book, "--mark")
    assert status == 2
    assert "mbs Problems" in err
    cells = [cell.value for row in openpyxl.load_workbook(wrong_book)["mbs Problems"] for cell in row]
    assert "Joints!D2" in cells


def test_json_of_a_wrong_workbook_lists_the_problems(wrong_book, call):
    status, out, _err = call("check", wrong_book, "--json")
    found = json.loads(out)
    assert (status, found["status"]) == (2, "error")
    assert {"Joints!D2", "Bodies!B2"} <= {problem["cell"] for problem in found["problems"]}


def test_a_right_workbook_passes_the_check_and_is_not_written(book, call):
    before = book.read_bytes()
    status, out, err = call("check", book)
    assert (status, out) == (0, "")
    assert str(book) in err
    assert book.read_bytes() == before


def test_a_failed_analysis_is_status_1_and_writes_what_it_reached(locking_book, call):
    status, out, err = call("run", locking_book)
    assert (status, out) == (1, "")
    assert "locks" in err
    assert "0.52" in err
    written = openpyxl.load_workbook(locking_book)
    assert [cell.value for cell in written["mbs Bodies"]["A"]][2:] == pytest.approx([0.05 * n for n in range(11)])
    assert any("locks" in str(cell.value) for row in written["mbs Problems"] for cell in row)


def test_a_missing_workbook_is_status_2_and_named(tmp_path, call):
    status, _out, err = call("run", tmp_path / "missing.xlsx")
    assert status == 2
    assert "missing.xlsx" in err
    assert "fault of its own" not in err


def break_down(*_arguments, **_options):
    raise ZeroDivisionError("float division by zero")


def test_a_fault_of_the_program_is_a_sentence_and_status_1(book, call, monkeypatch):
    monkeypatch.setattr("sheetmbs.mechanism.mechanism_run.run_model", break_down)
    status, out, err = call("run", book)
    assert (status, out) == (1, "")
    assert "Traceback" not in err
    assert "ZeroDivisionError" in err
    assert "report" in err


def test_debug_shows_where_a_fault_arose(book, call, monkeypatch):
    monkeypatch.setattr("sheetmbs.mechanism.mechanism_run.run_model", break_down)
    status, _out, err = call("run", book, "--debug")
    assert status == 1
    assert "break_down" in err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_interrupted_it_says_so_and_leaves_the_workbook_as_it_was(book):
    before = book.read_bytes()
    script = f"""
        import sys, time
        from sheetmbs.command import cli
        from sheetmbs.mechanism import mechanism_run
        def endless(*arguments, **options):
            print("running", flush=True)
            time.sleep(600)
        mechanism_run.run_model = endless
        sys.argv[1:] = ["run", {str(book)!r}]
        cli.main()
    """
    running = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert running.stdout.readline() == "running\n"
    running.send_signal(signal.SIGINT)
    _out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "is as it was" in err
    assert "Traceback" not in err
    assert book.read_bytes() == before


def interrupt(*_arguments, **_options):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "place",
    [
        "sheetmbs.command.solving.stamp",
        "sheetmbs.mechanism.mechanism_run.in_case",
        "sheetmbs.command.outcome.Messages.lines",
    ],
)
def test_wherever_it_is_interrupted_it_says_so(place, book, call, monkeypatch):
    monkeypatch.setattr(place, interrupt)
    status, _out, err = call("run", book)
    assert status == 130
    assert "Stopped." in err


def test_interrupted_once_the_results_are_written_it_does_not_say_that_the_workbook_is_as_it_was(
    book, call, monkeypatch
):
    monkeypatch.setattr("sheetmbs.files.whole_file._sync_folder", interrupt)
    status, _out, err = call("run", book)
    assert status == 130
    assert "as it was" not in err
    assert f"in {book}" in err
    assert "mbs Bodies" in sheet_names(book)


def test_interrupted_while_the_program_is_loaded_it_says_so(monkeypatch, capsys):
    monkeypatch.setattr(cli, "main", interrupt)
    with pytest.raises(SystemExit) as end:
        __main__.main()
    assert end.value.code == 130
    assert capsys.readouterr().err == "Stopped.\n"


class Reluctant:
    """What is raised when it ends is lost."""

    def __del__(self):
        raise KeyboardInterrupt


def nap():
    for _ in range(600):  # an interruption is raised between two calls, and a long one would be waited for
        time.sleep(0.1)


def test_an_interruption_that_nothing_can_raise_is_raised_again(monkeypatch):
    monkeypatch.setattr(sys, "unraisablehook", raise_again)
    Reluctant()
    with pytest.raises(KeyboardInterrupt):
        nap()


def test_a_lack_of_memory_is_a_sentence(book, call, monkeypatch):
    def run_out(*_arguments, **_options):
        raise MemoryError

    monkeypatch.setattr("sheetmbs.mechanism.mechanism_run.run_model", run_out)
    status, _out, err = call("run", book)
    assert status == 1
    assert "not enough memory" in err
    assert "fault of its own" not in err


@pytest.mark.skipif(os.name == "nt", reason="Windows has other pipes")
def test_a_reader_that_goes_away_is_no_fault():
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [sys.executable, "-m", "sheetmbs", "--help"],
        stdout=write_end,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        check=False,
    )
    os.close(write_end)
    assert done.stderr == ""


def test_a_narrow_encoding_cannot_stop_a_message(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "sheetmbs", "check", str(tmp_path / "κ.xlsx"), "--json"],
        capture_output=True,
        env=environment(PYTHONIOENCODING="ascii"),
        check=False,
    )
    assert done.returncode == 2
    assert b"fault of its own" not in done.stderr


def test_the_integrator_of_scipy_works_from_the_command_line(tmp_path):
    book = tmp_path / "pendulum.xlsx"
    book.write_bytes(PENDULUM.read_bytes())
    workbook = openpyxl.load_workbook(book)
    rows = {row[0].value: row[1] for row in workbook["Settings"].iter_rows(min_row=2)}
    rows["t_end"].value = 0.5
    workbook["Settings"].append(["integrator", "lsoda"])
    workbook.save(book)
    ran = subprocess.run([sys.executable, "-m", "sheetmbs", "run", book], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    summary = {row[0]: row[1] for row in sheet_values(book, "mbs Summary")}
    assert summary["integrator"] == "lsoda"


def test_a_formula_whose_result_is_gone_is_named_on_the_terminal_and_as_json(tmp_path, call):
    book = pendulum(tmp_path / "book.xlsx")
    assert call("run", book)[0] == 0
    names = [cell.value for cell in openpyxl.load_workbook(book)["mbs Joints"][1]]
    place = openpyxl.utils.get_column_letter(names.index("pivot.i.fx") + 1)
    loaded = openpyxl.load_workbook(book)
    loaded.create_sheet("Mine")["B2"] = f"='mbs Joints'!{place}3"
    loaded["Joints"]["A2"] = "hinge"
    loaded.save(book)
    status, out, err = call("run", book, "--json", "--backup")
    files = json.loads(out)
    assert (files["results"], files["backup"]) == (str(book), f"{book}.bak")
    [said] = [problem for problem in json.loads(out)["problems"] if problem["code"] == "reference-without-result"]
    assert (said["severity"], said["cell"]) == ("warning", "Mine!B2")
    assert "pivot.i.fx" in said["found"]
    assert "Mine!B2" in err
    assert status == 0


def test_all_rows_go_into_further_files_too(call, book, tmp_path):
    files = tmp_path / "all.csv", tmp_path / "again.csv"
    status, out, _err = call("run", book, "--json", "--also", files[0], "--also", files[1])
    assert status == 0
    assert json.loads(out)["also"] == [str(path) for path in files]
    lines = files[0].read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("time,rod.x,rod.y,rod.phi,")
    assert lines[1].startswith("s,m,m,rad,")
    assert len(lines) == 2 + 11
    assert files[0].read_bytes() == files[1].read_bytes()
    assert "mbs Bodies" in sheet_names(book)


def test_a_file_that_cannot_be_written_is_told_before_anything_is_computed(call, book, tmp_path):
    foreign = tmp_path / "mine.csv"
    foreign.write_text("mine", encoding="utf-8")
    status, _out, err = call("run", book, "--also", foreign)
    assert status == 2
    assert "foreign-output" in err
    assert foreign.read_text(encoding="utf-8") == "mine"
    assert "mbs Bodies" not in sheet_names(book)


def test_a_further_file_that_fails_at_the_end_does_not_cost_the_workbook_its_results(call, book, tmp_path, monkeypatch):
    from sheetmbs.results import export

    def fail(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(export, "_blocks", fail)
    status, _out, err = call("run", book, "--also", tmp_path / "all.csv")
    assert status == 3
    assert "disk-full" in err
    assert "mbs Bodies" in sheet_names(book)
    assert not (tmp_path / "all.csv").exists()


def test_a_report_that_fails_at_the_end_does_not_cost_the_workbook_its_results(call, book, tmp_path, monkeypatch):
    from sheetmbs.results.text import text_report

    def fail(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(text_report, "text_report", fail)
    status, _out, err = call("run", book, "--report", tmp_path / "all.txt")
    assert status == 3
    assert "disk-full" in err
    assert "mbs Bodies" in sheet_names(book)


def test_report_step_counts_in_place_of_t_step(call, book):
    assert call("run", book, "--report-step", "0.025")[0] == 0
    times = [cell.value for cell in openpyxl.load_workbook(book)["mbs Bodies"]["A"][2:]]
    assert times == pytest.approx([0, 0.025, 0.05, 0.075, 0.1])


@pytest.mark.parametrize("step", ["0", "-1", "nan", "inf", "much"])
def test_a_report_step_that_is_none_is_refused_with_a_sentence(call, book, step):
    before = book.read_bytes()
    status, _out, err = call("run", book, "--report-step", step)
    assert status == 2
    assert "report" in err
    assert "Traceback" not in err
    assert book.read_bytes() == before
