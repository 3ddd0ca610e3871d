"""Files that other programs write in their own way: the same recording, or a sentence, and never other numbers in silence."""

import random
import re
from contextlib import suppress

import numpy as np
import pytest
from typer.testing import CliRunner

from sheetmbs.command.cli import app
from sheetmbs.gait.formats.lab_files import read_lab_file
from sheetmbs.gait.importing.trial_files import read_trial
from sheetmbs.problems.errors import WorkbookError
from tests.gait.test_gait_formats import MADE, MARKERS, assert_markers, recorded
from tests.support import gait_files as files
from tests.support.gait_books import Recording, gait_book, walker_sheets
from tests.support.gait_recordings import walk

TEXTS = {name: text for name, (text, _unit) in MARKERS.items()} | {
    "cortex": files.cortex_forces(MADE),
    "mot": files.opensim_forces(MADE),
    "vicon with devices": files.vicon(MADE),
    "qualisys forces": files.qualisys_forces(MADE, 0),
}
TRC = files.trc(MADE)


def refused(tmp_path, text, name="walk.txt"):
    with pytest.raises(WorkbookError) as told:
        recorded(tmp_path, text, name)
    return told.value.problems


def with_decimal_commas(text):
    return re.sub(r"(?<=\d)\.(?=\d)", ",", text)


@pytest.mark.parametrize("name", ["trc", "trc without a blank row", "sto", "vicon with tabs", "qualisys"])
def test_tabs_with_decimal_commas_are_the_same_markers_and_blank_cells_shift_nothing(name, tmp_path):
    """The recording has gaps, whose cells are blank."""
    assert np.isnan(MADE.markers).any()
    found, problems = recorded(tmp_path, with_decimal_commas(TEXTS[name]))
    assert problems == []
    assert_markers(found.markers)


@pytest.mark.parametrize(
    ("change", "columns"), [(lambda row: row.replace("\t", "", 1), 16), (lambda row: row + "\t1", 18)]
)
def test_a_row_with_another_number_of_columns_is_refused_with_its_line_and_both_numbers(change, columns, tmp_path):
    lines = TRC.split("\n")
    lines[19] = change(lines[19])
    (told,) = refused(tmp_path, "\n".join(lines), "walk.trc")
    assert (told.code, told.cell) == ("other-columns", "walk.trc line 20")
    assert f"{columns} columns, separated by tabs" in told.found
    assert "have 17" in told.problem


def test_a_separator_behind_the_last_column_counts_as_nothing(tmp_path):
    lines = TRC.split("\n")
    ended = [f"{line}\t" if at >= 6 and at % 3 and line else line for at, line in enumerate(lines)]
    found, problems = recorded(tmp_path, "\n".join(ended))
    assert problems == []
    assert_markers(found.markers)


def test_a_point_among_decimal_commas_is_no_number(tmp_path):
    lines = with_decimal_commas(TRC).split("\n")
    lines[19] = lines[19][::-1].replace(",", ".", 1)[::-1]
    (told,) = refused(tmp_path, "\n".join(lines), "walk.trc")
    assert told.cell == "walk.trc line 20"


def test_decimal_commas_between_commas_are_refused(tmp_path):
    told = refused(tmp_path, "time,a.x\n0,01,1,5\n0,02,1,6\n0,03,1,7\n", "a.csv")
    assert {each.code for each in told} == {"no-header"}
    assert told[0].cell == "a.csv line 2"


@pytest.mark.parametrize("row", [3, 4, 5])
def test_doubled_tabs_in_the_head_of_a_trc_change_nothing(row, tmp_path):
    """Values are those of their keys in order, and labels and axes go in the order of the columns of numbers."""
    lines = TRC.split("\n")
    lines[row - 1] = re.sub(r"(?<=[^\t])\t(?=[^\t])", "\t\t", lines[row - 1])
    found, problems = recorded(tmp_path, "\n".join(lines))
    assert problems == []
    assert_markers(found.markers)
    assert found.markers.unit == "mm"


def test_a_label_that_stands_over_no_x_is_refused(tmp_path):
    lines = TRC.split("\n")
    labels = lines[3].split("\t")
    labels[2] = ""  # one label less than there are X
    labels[5], labels[6] = labels[6], labels[5]
    lines[3] = "\t".join(labels)
    (told,) = refused(tmp_path, "\n".join(lines), "walk.trc")
    assert (told.code, told.cell) == ("wrong-layout", "walk.trc line 4")


def test_numbers_without_a_label_are_left_out_and_that_is_said(tmp_path):
    lines = TRC.split("\n")
    lines[3] = lines[3].replace(MADE.labels[1], "")
    found, _problems = recorded(tmp_path, "\n".join(lines))
    assert found.markers.labels == (MADE.labels[0], *MADE.labels[2:])
    assert any("without a label" in note for note in found.notes)


HEADS = {
    "no frames": ("\n".join(TRC.split("\n")[:6]), "too-few-rows"),
    "no frames and no axes": ("\n".join(TRC.split("\n")[:4]), "too-few-rows"),
    "no labels": (TRC.replace(TRC.split("\n")[3], "Frame#\tTime"), "wrong-layout"),
    "no unit": (TRC.replace("\tmm\t", "\t\t"), "wrong-layout"),
    "vicon without a unit": (files.vicon(MADE, devices=False).replace("mm", ""), "wrong-layout"),
    "vicon whose names are shifted": (
        files.vicon(MADE, devices=False).replace("Sam:RASI,,,Sam:RKNE", ",,Sam:RKNE"),
        "wrong-layout",
    ),
    "vicon devices without a unit": (files.vicon(MADE).replace("mm.N", ""), "wrong-layout"),
    "cortex without a name": (files.cortex_forces(MADE).replace("\tFX1", "\t"), "wrong-layout"),
    "mot without a name": (files.opensim_forces(MADE).replace("\tground_force_vx", "\t"), "wrong-layout"),
}


@pytest.mark.parametrize(("text", "code"), HEADS.values(), ids=HEADS)
def test_a_head_that_lacks_something_is_a_sentence(text, code, tmp_path):
    assert code in [each.code for each in refused(tmp_path, text, "walk.txt")]


@pytest.mark.parametrize("rate", ["0.00", "-100"])
def test_a_rate_that_is_none_tells_nothing_and_ends_nothing(rate, tmp_path):
    path = tmp_path / "walk.trc"
    path.write_text(TRC.replace("\n100.00\t", f"\n{rate}\t", 1))
    assert read_trial([path]).marker_time.rate == pytest.approx(100.0)
    path.write_text(files.vicon(MADE, devices=False).replace("\n100\n", f"\n{rate}\n", 1))
    with pytest.raises(WorkbookError, match="neither times nor a rate"):
        read_trial([path])


def test_directions_of_one_point_have_one_unit(tmp_path):
    (told,) = refused(tmp_path, "time,a.x,a.y\ns,mm,\n0,1,2\n0.01,1,2\n0.02,1,2\n", "a.csv")
    assert (told.code, told.cell) == ("mixed-units", "a.csv line 1")


UNITS = {
    "mete": 1.0,
    "METE": 1.0,
    "meters": 1.0,
    "M": 1.0,
    "mm": 1e-3,
    "MM": 1e-3,
    "mill": 1e-3,
    "cent": 1e-2,
    "cm": 1e-2,
}


@pytest.mark.parametrize(("unit", "size"), UNITS.items())
def test_units_of_a_c3d_are_known_in_capitals_and_by_four_letters(unit, size, tmp_path):
    path = files.write_c3d(tmp_path / "walk.c3d", MADE, (), unit=(unit, size))
    found, _problems = read_lab_file(path)
    assert_markers(found.markers, rtol=1e-6, atol=1e-7)
    assert found.markers.unit in ("m", "mm", "cm")
    made = tmp_path / "walk.xlsx"
    assert CliRunner().invoke(app, ["import", "gait", str(path), str(made)]).exit_code == 0


def test_a_unit_of_a_c3d_that_is_no_length_is_refused(tmp_path):
    path = files.write_c3d(tmp_path / "walk.c3d", MADE, (), unit=("furl", 1.0))
    with pytest.raises(WorkbookError, match="unknown-unit"):
        read_lab_file(path)


def test_points_of_a_c3d_without_a_label_are_left_out_and_that_is_said(tmp_path):
    path = files.write_c3d(tmp_path / "walk.c3d", MADE, (), labels=("", *MADE.labels[1:]))
    found, _problems = read_lab_file(path)
    assert found.markers.labels == MADE.labels[1:]
    assert found.notes == ("without a label, and left out: point 1",)
    assert CliRunner().invoke(app, ["import", "gait", str(path), str(tmp_path / "walk.xlsx")]).exit_code == 0


def of_two():
    """A recording in which Ben walks 1 m beside Anna, under the same labels."""
    made = walk()
    beside = made.markers + np.array([0.0, 1.0, 0.0])
    alone = made.labels
    made.markers = np.concatenate([made.markers, beside])
    made.labels = (*(f"Anna:{label}" for label in alone), *(f"Ben:{label}" for label in alone))
    return made, alone, beside


TWO, ALONE, BESIDE = of_two()
OF_TWO = {
    "trc": files.trc(TWO),
    "vicon": files.vicon(TWO, devices=False).replace("Sam:", ""),
    "qualisys": files.qualisys(TWO),
    "own": files.own_csv(TWO),
}


@pytest.mark.parametrize("text", OF_TWO.values(), ids=OF_TWO)
def test_two_subjects_in_a_file_are_refused_and_each_can_be_chosen(text, tmp_path):
    (told,) = refused(tmp_path, text)
    assert told.code == "two-subjects"
    assert "'Anna' and 'Ben'" in told.found
    assert "--subject Anna" in told.mend
    found, _problems = read_lab_file(tmp_path / "walk.txt", "ben")
    assert found.markers.labels == ALONE
    np.testing.assert_allclose(found.markers.positions, BESIDE, atol=1e-9)
    with pytest.raises(WorkbookError, match="unknown-subject"):
        read_lab_file(tmp_path / "walk.txt", "Carl")


def test_two_subjects_in_a_c3d_are_refused_and_each_can_be_chosen(tmp_path):
    path = files.write_c3d(tmp_path / "walk.c3d", TWO, (), labels=TWO.labels)
    book = tmp_path / "walk.xlsx"
    told = CliRunner().invoke(app, ["import", "gait", str(path), str(book)])
    assert told.exit_code == 2
    assert not book.exists()
    assert CliRunner().invoke(app, ["import", "gait", str(path), str(book), "--subject", "Ben"]).exit_code == 0
    found, _problems = read_lab_file(path, "Ben")
    np.testing.assert_allclose(found.markers.positions, BESIDE, rtol=1e-6, atol=1e-7)


def test_a_c3d_that_lists_two_subjects_without_saying_whose_markers_it_has_is_refused(tmp_path):
    path = files.write_c3d(tmp_path / "walk.c3d", MADE, (), labels=MADE.labels, subjects=("Anna", "Ben"))
    with pytest.raises(WorkbookError, match="two-subjects"):
        read_lab_file(path)
    found, _problems = read_lab_file(path, "Anna")
    assert found.markers.labels == MADE.labels


def test_two_subjects_on_a_sheet_are_refused(tmp_path):
    from sheetmbs import run_gait

    sheets = walker_sheets(Recording(end=0.5))
    sheets["Markers"][0] = [
        "time",
        *(f"{'Anna' if at % 2 else 'Ben'}:{name}" for at, name in enumerate(sheets["Markers"][0][1:])),
    ]
    with pytest.raises(WorkbookError, match="two-subjects") as told:
        run_gait(gait_book(tmp_path / "walk.xlsx", sheets))
    assert told.value.problems[0].cell.startswith("Markers!")


def numbers_of(trial):
    """Everything that a trial holds, by name."""
    found = {}
    if trial.markers is not None:
        found |= dict(zip(trial.markers.labels, trial.markers.positions, strict=True))
    for plate in trial.forces.plates if trial.forces is not None else ():
        for what in ("force", "moment", "pressure"):
            if getattr(plate, what) is not None:
                found[f"{plate.name}.{what}"] = getattr(plate, what)
    return found


def spoilt(text, random_):
    """A text with some letters lost, put in or exchanged, or lines lost, doubled, joined or cut."""
    at, lines = random_.randrange(len(text)), text.split("\n")
    line = min(random_.randrange(len(lines)), random_.choice((8, len(lines))), len(lines) - 2)
    return random_.choice(
        (
            lambda: text[:at] + text[at + random_.choice((1, 2, 5, 30)) :],
            lambda: text[:at] + random_.choice('\t;, .,-eE#:"0159xX\0\x1f\u2212é\n') + text[at:],
            lambda: text[:at] + random_.choice('\t;, .,-eE#:"0159xX\n') + text[at + 1 :],
            lambda: text[:at],
            lambda: "\n".join(lines[:line] + lines[line + 1 :]),
            lambda: "\n".join(lines[: line + 1] + lines[line:]),
            lambda: "\n".join([*lines[:line], lines[line] + lines[line + 1], *lines[line + 2 :]]),
            lambda: "\n".join([*lines[:line], lines[line + 1], lines[line], *lines[line + 2 :]]),
        )
    )()


def separators_spoilt(text, random_):
    """A text with one separator lost or doubled, or a cell of the head blank."""
    places = [at for at, letter in enumerate(text) if letter in "\t;,"]
    at = random_.choice(places)
    if random_.random() < 0.5:
        return text[:at] + text[at + 1 :] if random_.random() < 0.5 else text[:at] + text[at] + text[at:]
    end = next((each for each in places if each > at), len(text))
    return text[: at + 1] + text[end:]


def check_spoilt(path, count, seed):
    random_ = random.Random(seed)  # noqa: S311 - changed files, no secrets
    for _ in range(count):
        name = random_.choice(list(TEXTS))
        path.write_bytes(spoilt(TEXTS[name], random_).encode("utf-8", "replace"))
        with suppress(WorkbookError):  # anything else is a fault of the program
            read_trial([path])


def check_separators(path, count, seed):
    """At most the numbers of one row of one marker or plate become unknown or other, or something is said."""
    random_ = random.Random(seed)  # noqa: S311 - changed files, no secrets
    for _ in range(count):
        name = random_.choice([each for each in TEXTS if each != "qualisys forces"])
        path.write_text(TEXTS[name])
        before = numbers_of(read_trial([path]).recorded)
        path.write_text(separators_spoilt(TEXTS[name], random_))
        try:
            trial = read_trial([path])
        except WorkbookError:
            continue
        if trial.recorded.notes or trial.warnings or trial.recorded.unplaced:
            continue
        after = numbers_of(trial.recorded)
        is_same = {
            label: np.isclose(after[label], values, rtol=1e-9, atol=1e-12, equal_nan=True).all(axis=1)
            for label, values in before.items()
            if label in after and after[label].shape == values.shape
        }
        changed = sum(int((~same).sum()) for same in is_same.values())
        assert len(is_same) >= len(before) - 1, (name, path.read_text()[:2000])
        assert changed <= 2, (name, changed, path.read_text()[:2000])


def test_no_spoilt_file_ends_in_anything_but_a_sentence(tmp_path):
    check_spoilt(tmp_path / "walk.txt", 150, 1)


def test_a_spoilt_separator_never_puts_numbers_into_other_columns(tmp_path):
    check_separators(tmp_path / "walk.txt", 60, 2)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10))
def test_no_spoilt_file_ends_in_anything_but_a_sentence_or_moves_numbers(seed, tmp_path):
    check_spoilt(tmp_path / "walk.txt", 200, 100 + seed)
    check_separators(tmp_path / "walk.txt", 200, 200 + seed)
