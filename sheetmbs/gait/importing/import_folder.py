"""A folder of one subject's recordings into a workbook: every trial, the standing one, and a row of Trials for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from sheetmbs.gait.formats.all_formats import file_endings
from sheetmbs.gait.formats.sampled_cells import listed
from sheetmbs.gait.importing.book_import import STATIC, ImportOptions, NamedTrial, into_book
from sheetmbs.gait.importing.import_trial import new_or_old, short_name
from sheetmbs.gait.importing.session_rows import write_session
from sheetmbs.gait.importing.stride_counts import TrialStrides
from sheetmbs.gait.importing.trial_files import TimedTrial, read_trial
from sheetmbs.gait.importing.trial_travel import rests_on_a_foot, stands
from sheetmbs.gait.trial.marker_synonyms import model_name
from sheetmbs.importing.lines import refused
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.cells import open_book

STANDING = re.compile(r"static|calib|(?<![a-z])cal(?![a-z])|stand", re.IGNORECASE)
"""in the name of a file of a standing trial"""
PARTS = re.compile(r"_f_\d+$|[ _-]+(trajectories|devices|forces?|grf|plates?|markers|model outputs)$", re.IGNORECASE)
"""what the names of several files of one trial differ in"""
RESTS = "a foot stays where it is, so that nobody walks; use is no on Trials"
"""why a further standing trial, or one that moves a joint through its range, is no walk"""
C3D = ".c3d"
USUAL_OPTIONS = ImportOptions()
OF_EACH = ("events",)
OF_FIRST = (*OF_EACH, "left out", "note", "subject", "to do")
"""lines about a trial that are reported beside its own"""


@dataclass
class FoundTrial:
    """The files of a trial, and what they hold. fault: why they cannot be read."""

    stem: str
    files: list[Path]
    timed: TimedTrial | None = None
    fault: str = ""


@dataclass
class ImportedFolder:
    """What came of a folder. lines: for people, what and its value. trials: names. warnings: of files."""

    trials: list[str] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)


def import_folder(
    folder: Path,
    book: Path,
    count_strides: Callable[[Path], Mapping[str, TrialStrides]],
    wanted: ImportOptions = USUAL_OPTIONS,
    static: str | None = None,
) -> ImportedFolder:
    """Put all recordings of a folder into a workbook, which is made where there is none.

    count_strides: those of each trial of a workbook, by folded name. static: a pattern of the name of the standing trial's
    file. Raises WorkbookError where no file can be read, where several subjects are named, or where the workbook cannot be
    written; it is then as it was.
    """
    found = [_read(each, wanted.subject) for each in grouped_files(folder)]
    readable = [each for each in found if each.timed is not None]
    if not readable:
        told = "; ".join(f"{each.stem}: {each.fault}" for each in found[:3])
        rule = f"recordings end in {', '.join(file_endings())}"
        raise refused(
            "no-recordings", f"{folder} has no recording that can be read", told or rule, "name another folder"
        )
    standing = _standing(readable, static, folder)
    done = ImportedFolder()
    named = _named(readable, standing, book, replace=wanted.replace)
    with new_or_old(book, wanted.template):
        results = into_book(named, book, wanted)
        files = {each.stem: each.files for each in found}
        resting = {fold(each.name): TrialStrides(why=RESTS) for each in named if _rests(each)}
        if resting:  # they do not count as walks from the start
            write_session(book, named, resting, files)
        strides = {**count_strides(book), **resting}
        write_session(book, named, strides, files)
    for each, result in zip(named, results, strict=True):
        done.trials.append(each.name)
        done.warnings += result.warnings
        done.lines.append((each.name, trial_line(each, strides)))
        shown = OF_FIRST if each is named[0] else OF_EACH
        done.lines += [(what, text) for what, text in result.found if what in shown]
    done.lines += [(what, text) for what, text in results[0].found if what in ("marker set", "fitted", "names")]
    done.lines += [("left out", f"{each.stem}: {each.fault}") for each in found if each.timed is None]
    return done


def grouped_files(folder: Path) -> list[FoundTrial]:
    """The recordings of a folder, the files of each trial together. Raises WorkbookError where there is no such folder."""
    if not folder.is_dir():
        raise refused("file-missing", f"there is no folder {folder}", "it is to be read", "check the name")
    groups: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir(), key=lambda each: _natural(each.name)):
        if path.is_file() and path.suffix.casefold() in file_endings() and not path.name.startswith((".", "~")):
            groups.setdefault(PARTS.sub("", path.stem).casefold(), []).append(path)
    found = []
    for files in groups.values():
        binary = [each for each in files if each.suffix.casefold() == C3D]
        found.append(FoundTrial(PARTS.sub("", files[0].stem), binary[:1] or files))
    return found


def _rests(trial: NamedTrial) -> bool:
    return trial.name != STATIC and rests_on_a_foot(trial.timed)


def _natural(text: str) -> list[tuple[int, str]]:
    """Order in which walk2 stands before walk10."""
    return [(int(part), "") if part.isdigit() else (-1, part.casefold()) for part in re.findall(r"\d+|\D+", text)]


def _read(trial: FoundTrial, subject: str | None) -> FoundTrial:
    try:
        trial.timed = read_trial(trial.files, subject)
    except WorkbookError as error:
        first = error.problems[0]
        if first.code in ("two-subjects", "unknown-subject"):
            raise
        trial.fault = f"{first.found}; {first.problem}" if first.found else first.problem
        return trial
    if trial.timed.recorded.markers is None:
        trial.timed, trial.fault = None, "it holds no markers"
    return trial


def _standing(trials: Sequence[FoundTrial], pattern: str | None, folder: Path) -> FoundTrial | None:
    """The standing trial: by the pattern, by its name, by what its file says, or as the only one that stays where it is."""
    if pattern is not None:
        wanted = pattern.casefold()
        fits = [each for each in trials if fnmatchcase(each.stem.casefold(), wanted) or wanted in each.stem.casefold()]
        if not fits:
            rule = f"its recordings are {listed([each.stem for each in trials])}"
            raise refused(
                "no-static", f"--static {pattern}", f"no recording of {folder} has such a name: {rule}", "correct it"
            )
        return fits[0]
    for is_one in (
        lambda each: bool(STANDING.search(each.stem)),
        lambda each: each.timed is not None and each.timed.recorded.is_static,
    ):
        fits = [each for each in trials if is_one(each)]
        if fits:
            return fits[0]
    still = [each for each in trials if each.timed is not None and stands(each.timed)]
    return still[0] if len(still) == 1 and len(trials) > 1 else None


def _named(trials: Sequence[FoundTrial], standing: FoundTrial | None, book: Path, *, replace: bool) -> list[NamedTrial]:
    """Trials with their names: the end of the file's, made different by a number."""
    taken = set() if replace or not book.exists() else _trials_of(book)
    named = []
    for each in trials:
        if each.timed is None:
            continue
        name = STATIC if each is standing else unique_name(short_name(each.stem), taken | {STATIC})
        taken.add(fold(name))
        named.append(NamedTrial(name, each.timed, each.stem))
    return named


def unique_name(name: str, taken: set[str]) -> str:
    """A name that no other trial has, with a number behind it where needed."""
    number, found = 2, name
    while fold(found) in taken:
        found = short_name(f"{name} {number}")
        number += 1
    return found


def _trials_of(book: Path) -> set[str]:
    names = (name for name in open_book(book).sheets if fold(name).startswith("markers "))
    return {fold(name.split(" ", 1)[1]) for name in names}


def trial_line(trial: NamedTrial, strides: Mapping[str, TrialStrides]) -> str:
    """Frames, plates by foot, gaps of markers, and whole strides with moments, or why there are none."""
    markers = trial.timed.recorded.markers
    frames = 0 if markers is None else markers.positions.shape[1]
    parts = [f"{frames} frames"]
    told = strides.get(fold(trial.name))
    if told is not None and told.plates:
        parts.append(f"plates {told.plates}")
    elif trial.timed.recorded.forces is not None:
        parts.append(f"{len(trial.timed.recorded.forces.plates)} plates")
    gaps = _gap_count(trial.timed)
    parts.append(f"gaps {gaps}" if gaps else "no gaps")
    if told is not None:
        parts.append(told.in_words)
    return ", ".join(parts)


def _gap_count(timed: TimedTrial) -> str:
    """Used markers with missing frames."""
    markers = timed.recorded.markers
    if markers is None:
        return ""
    missing = np.asarray(~np.isfinite(markers.positions).all(axis=2))
    told = [
        f"{label} {int(holes.sum())}"
        for label, holes in zip(markers.labels, missing, strict=True)
        if holes.any() and model_name(label)
    ]
    return listed(told)
