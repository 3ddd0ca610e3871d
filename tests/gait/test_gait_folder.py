"""A folder in, a session out: trials by stem, the standing one, a row of Trials each; and many folders one after the other."""

import openpyxl
import pytest

from sheetmbs.command.cli import app
from sheetmbs.gait.counted_strides import trial_strides
from sheetmbs.gait.importing.import_folder import grouped_files
from sheetmbs.gait.importing.import_folder import import_folder as import_session
from sheetmbs.gait.importing.sheet_rows import PageRows
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.writing.add_inputs import fill_cells
from tests.gait.test_marker_sets import FOOT, LEG, MEDIAL, PSIS
from tests.support.sample_results import loaded_sheet
from tests.support.set_walks import forces, settle, trc

LABELS = LEG | FOOT | PSIS


def session(folder, names=("p01_session_walk01", "p01_session_walk02"), static="p01_session_static"):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"{name}.trc").write_text(trc(LABELS), encoding="utf-8")
        (folder / f"{name}.csv").write_text(forces(), encoding="utf-8")
    if static:
        (folder / f"{static}.trc").write_text(trc(LABELS | MEDIAL, "Markers static"), encoding="utf-8")
    return folder


def import_folder(folder, book, static=None):
    return import_session(folder, book, trial_strides, static=static)


def rows_of(book, sheet):
    page = openpyxl.load_workbook(book)[sheet]
    rows = [row for row in page.iter_rows(values_only=True) if row[0] not in (None, "units")]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def command(*words):
    with pytest.raises(SystemExit) as ended:
        app([str(word) for word in words])
    return ended.value.code


def test_a_folder_comes_into_a_book_with_a_line_and_a_row_for_each_trial(tmp_path, capsys):
    folder, book = session(tmp_path / "anna"), tmp_path / "anna.xlsx"
    (folder / "p01_session_bad.trc").write_text("PathFileType\n", encoding="utf-8")
    (folder / "notes.docx").write_text("x", encoding="utf-8")
    assert command("import", "gait", folder, book) == 0
    told = "".join(capsys.readouterr())
    rows = {row["trial"]: row for row in rows_of(book, "Trials")}
    assert list(rows) == ["session_static".replace("session_", ""), "session_walk01", "session_walk02"]
    walk = rows["session_walk01"]
    assert walk["file"] == "p01_session_walk01.csv; p01_session_walk01.trc"
    assert walk["use"] == "all"
    assert walk["direction"] == "+x"
    assert walk["speed"] == pytest.approx(1.25, abs=0.1)
    assert set(walk["sides"].split("; ")) == {"right", "left"}
    assert walk["strides"].startswith("left ")
    lines = [line for line in told.splitlines() if line.strip().startswith("session_walk02")]
    assert len(lines) == 1
    assert "326 frames" in lines[0]
    assert "strides with moments: left" in lines[0]
    assert "p01_session_bad" in told
    sheets = openpyxl.load_workbook(book).sheetnames
    assert {"Markers static", "Markers session_walk01", "Force plates session_walk02"} <= set(sheets)


@pytest.mark.nightly
def test_use_keeps_a_trial_or_its_forces_out(tmp_path):
    folder, book = session(tmp_path / "anna", static=""), tmp_path / "anna.xlsx"
    import_folder(folder, book)
    settle(book, "Subject", mass=70.0)
    settle(book, "Processing", bands="no")
    counts = {}
    for use in ("all", "angles", "no"):
        page = PageRows(open_book(book).find_sheet("Trials"))
        page.write(page.row_of("session_walk02", "trial"), "use", use)
        fill_cells(book, {"Trials": page.filling}, lambda _path: None)
        assert command("run", book) == 0
        for sheet, column in (("mbs Gait angles", "right knee.angle.n"), ("mbs Gait moments", "right knee.moment.n")):
            page = loaded_sheet(book, sheet)
            heads = [cell.value for cell in page[1]]
            counts[use, sheet] = page.cell(10, heads.index(column) + 1).value
    assert (
        counts["all", "mbs Gait angles"] == counts["angles", "mbs Gait angles"] == 2 * counts["no", "mbs Gait angles"]
    )
    assert counts["angles", "mbs Gait moments"] == counts["no", "mbs Gait moments"]
    assert counts["all", "mbs Gait moments"] == 2 * counts["no", "mbs Gait moments"]


def test_a_second_folder_never_asks_for_replace_and_names_are_made_different(tmp_path):
    book = tmp_path / "anna.xlsx"
    first = session(tmp_path / "a", ("a_very_long_name_walk01",), "")
    second = session(tmp_path / "b", ("another_long_name_walk01",), "")
    assert import_folder(first, book).trials == ["ong_name_walk01"]
    assert import_folder(second, book).trials == ["g_name_walk01 2"]
    names = [row["trial"] for row in rows_of(book, "Trials")]
    assert len(set(names)) == 2
    assert all(len(name) <= 15 for name in names)


def test_the_standing_trial_is_found_by_pattern_by_name_and_as_the_only_one_that_stays(tmp_path):
    for number, (static, pattern) in enumerate(
        (("cal01", None), ("x_stand", None), ("quiet", None), ("quiet", "qui*"))
    ):
        folder, book = session(tmp_path / f"s{number}", ("walk01",), static), tmp_path / f"s{number}.xlsx"
        assert import_folder(folder, book, static=pattern).trials == (
            ["static", "walk01"] if static != "x_stand" else ["walk01", "static"]
        )
    with pytest.raises(WorkbookError, match="no recording of"):
        import_folder(tmp_path / "s0", tmp_path / "none.xlsx", static="zzz")
    assert not (tmp_path / "none.xlsx").exists()


def test_files_of_one_trial_are_found_by_their_stem(tmp_path):
    for name in (
        "x.trc",
        "x.forces",
        "y.tsv",
        "y_f_1.tsv",
        "y_f_2.tsv",
        "z Trajectories.csv",
        "z Devices.csv",
        "w.c3d",
        "w.csv",
    ):
        (tmp_path / name).write_text("x", encoding="utf-8")
    found = {each.stem: sorted(path.name for path in each.files) for each in grouped_files(tmp_path)}
    assert found == {
        "w": ["w.c3d"],
        "x": ["x.forces", "x.trc"],
        "y": ["y.tsv", "y_f_1.tsv", "y_f_2.tsv"],
        "z": ["z Devices.csv", "z Trajectories.csv"],
    }


def test_a_folder_of_subjects_becomes_a_book_each_past_faults_and_is_skipped_where_nothing_changed(tmp_path):
    root, out = tmp_path / "study", tmp_path / "books"
    session(root / "p01", ("walk01",), "")
    (root / "p02").mkdir()
    (root / "p02" / "walk.trc").write_text("PathFileType\n", encoding="utf-8")
    template = tmp_path / "lab.xlsx"
    assert command("new", "gait-2d", template) == 0
    made = openpyxl.load_workbook(template)
    for name in ("Markers", "Force plates"):
        del made[name]
    made.save(template)
    words = ("batch", "gait", root, "--template", template, "--out", out)
    assert command(*words) == 0
    rows = rows_of(out / "batch.xlsx", "batch")
    assert [(row["subject"], row["trials"], row["state"]) for row in rows] == [("p01", 1, "done"), ("p02", 0, "failed")]
    assert "walk" in rows[1]["problems"]
    assert rows[0]["speed"] == pytest.approx(1.25, abs=0.1)
    assert "mbs Gait report" in openpyxl.load_workbook(out / "p01.xlsx").sheetnames
    before = (out / "p01.xlsx").stat().st_mtime_ns
    assert command(*words) == 0
    assert (out / "p01.xlsx").stat().st_mtime_ns == before
    assert [row["state"] for row in rows_of(out / "batch.xlsx", "batch")] == ["kept", "failed"]
    path = root / "p01" / "walk01.csv"
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert command(*words) == 0
    assert [row["state"] for row in rows_of(out / "batch.xlsx", "batch")] == ["done", "failed"]


def resting_on_the_right(text):
    """A TRC whose right heel and toe stay where they are in its first row."""
    lines = [line.split("\t") for line in text.splitlines()]
    heads = next(line for line in lines if "RHEE" in line)
    rows = [
        line for line in lines if len(line) > 3 and line[0].isdigit() and line[2].replace(".", "").lstrip("-").isdigit()
    ]
    for label in ("RHEE", "RTOE"):
        at = heads.index(label)
        for row in rows:
            row[at : at + 3] = rows[0][at : at + 3]
    return "\n".join("\t".join(line) for line in lines) + "\n"


def test_trials_in_which_a_foot_rests_do_not_count_as_walks_and_their_events_need_no_trial(tmp_path, capsys):
    folder, book = session(tmp_path / "anna"), tmp_path / "anna.xlsx"
    (folder / "p01_static_2.trc").write_text(trc(LABELS, "Markers static"), encoding="utf-8")
    swung = resting_on_the_right(trc(LABELS))
    (folder / "p01_hip_left.trc").write_text(swung, encoding="utf-8")
    (folder / "p01_hip_left.csv").write_text(forces(), encoding="utf-8")
    assert command("import", "gait", folder, book) == 0
    told = "".join(capsys.readouterr())
    uses = {row["trial"]: (row["use"], row["strides"]) for row in rows_of(book, "Trials")}
    assert {name for name, (use, _) in uses.items() if use == "no"} == {"p01_static_2", "p01_hip_left"}
    assert all("nobody walks" in uses[name][1] for name in ("p01_static_2", "p01_hip_left"))
    assert "p01_hip_left" in told
    page = PageRows(open_book(book).find_sheet("Events"))
    row = page.add()
    for head, value in (("event", "heel strike"), ("side", "left"), ("time", 0.5), ("trial", "p01_hip_left")):
        page.write(row, head, value)
    fill_cells(book, {"Events": page.filling}, lambda _path: None)
    settle(book, "Subject", mass=70.0)
    assert command("check", book) == 0
    told = "".join(capsys.readouterr())
    assert "no such trial" not in told
    assert "hip_left" not in told


def test_axes_are_known_though_each_marker_is_missing_at_an_end(tmp_path, capsys):
    lines = [line.split("\t") for line in trc(LABELS).splitlines()]
    rows = [line for line in lines if len(line) > 20 and line[0].isdigit()]
    for at in range(2, len(rows[0]), 3):
        for row in rows[: 1 + at % 7] + rows[-(3 + at % 5) :]:
            row[at : at + 3] = [""] * 3
    path = tmp_path / "walk.trc"
    path.write_text("\n".join("\t".join(line) for line in lines) + "\n", encoding="utf-8")
    assert command("import", "gait", path, tmp_path / "walk.xlsx") == 0
    told = [" ".join(line.split()) for line in "".join(capsys.readouterr()).splitlines()]
    assert "axes +z up, +x forward" in told
