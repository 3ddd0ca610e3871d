"""A folder of subjects, each with a folder of recordings: a workbook for each from the lab's template, past faults."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any

from sheetmbs.files.whole_file import write_whole
from sheetmbs.gait.formats.all_formats import file_endings
from sheetmbs.gait.importing.import_folder import import_folder
from sheetmbs.gait.importing.stride_counts import TrialStrides
from sheetmbs.importing.lines import refused
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.workbook.package.replace import create_book
from sheetmbs.workbook.writing.list_book import list_book

LIST = "batch.xlsx"
MEMORY = "batch.json"
"""what was done with which files, so that a restart skips what has not changed"""
KEY_ITEMS = ("speed", "cadence", "stance")
"""of the summary, that stand in the list"""
MOST_PROBLEMS = 3
CHUNK = 1 << 20


@dataclass
class SubjectBook:
    """What came of one subject. state: done, kept or failed. numbers: by item of the summary."""

    subject: str
    trials: int = 0
    state: str = "failed"
    problems: list[str] = field(default_factory=list)
    numbers: dict[str, float] = field(default_factory=dict)


def import_root(
    root: Path,
    template: Path | None,
    out: Path,
    count_strides: Callable[[Path], Mapping[str, TrialStrides]],
    run: Callable[[Path], Sequence[Any]],
) -> list[SubjectBook]:
    """Make and solve a workbook for each folder in ``root`` that holds recordings, and the list of all.

    template: the lab's workbook. count_strides: as of a folder. run: solves one and returns the items of its summary. A
    subject that fails is named in the list, and the next one goes on; what has not changed since the last time is kept. Raises
    WorkbookError where there is no folder with recordings.
    """
    folders = [each for each in _folders(root) if _recordings(each)]
    if not folders:
        rule, mend = "each subject has a folder of recordings in it", "name the folder above those of the subjects"
        raise refused("no-recordings", f"{root} has no folder with recordings", rule, mend)
    if template is not None and not template.is_file():
        raise refused("file-missing", f"there is no file {template}", "it is to be the template", "check the name")
    out.mkdir(parents=True, exist_ok=True)
    memory = _remembered(out)
    done = []
    for folder in folders:
        book = out / f"{folder.name}.xlsx"
        state = _state(folder, template)
        known = memory.get(folder.name)
        if known is not None and known["files"] == state and book.is_file():
            found = SubjectBook(
                **known["found"] | {"state": "kept" if known["found"]["state"] != "failed" else "failed"}
            )
        else:
            found = _one(folder, template, book, count_strides, run)
        memory[folder.name] = {"files": state, "found": vars(found) | {"state": _lasting(found.state)}}
        done.append(found)
        remembered = json.dumps(memory, indent=1).encode()
        write_whole(out / MEMORY, partial(_put, remembered))
    _write_list(out / LIST, done)
    return done


def _lasting(state: str) -> str:
    return "done" if state == "kept" else state


def _folders(root: Path) -> list[Path]:
    if not root.is_dir():
        raise refused("file-missing", f"there is no folder {root}", "it is to be read", "check the name")
    return sorted(each for each in root.iterdir() if each.is_dir() and not each.name.startswith("."))


def _recordings(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if each.is_file() and each.suffix.casefold() in file_endings())


def _state(folder: Path, template: Path | None) -> str:
    """A digest of what the workbook is made from."""
    digest = hashlib.sha256()
    for path in [*_recordings(folder), *([template] if template else [])]:
        digest.update(f"{path.name}\0".encode())
        with path.open("rb") as file:
            while piece := file.read(CHUNK):
                digest.update(piece)
    return digest.hexdigest()


def _remembered(out: Path) -> dict[str, Any]:
    path = out / MEMORY
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _put(content: bytes, file: IO[bytes]) -> None:
    file.write(content)


def _one(
    folder: Path,
    template: Path | None,
    book: Path,
    count_strides: Callable[[Path], Mapping[str, TrialStrides]],
    run: Callable[[Path], Sequence[Any]],
) -> SubjectBook:
    found = SubjectBook(folder.name)
    book.unlink(missing_ok=True)
    if template is not None:
        write_whole(book, partial(_put, template.read_bytes()))
    try:
        session = import_folder(folder, book, count_strides)
        found.trials = len(session.trials)
        found.problems = [text for what, text in session.lines if what == "left out" and ": " in text]
        items = run(book)
    except WorkbookError as error:
        found.problems += [_sentence(each) for each in error.problems if each.severity == "error"][:MOST_PROBLEMS]
        return found
    found.state = "done"
    for item in items:
        if item.item in KEY_ITEMS:
            name = " ".join(filter(None, [item.side, item.item]))
            found.numbers.setdefault(name, float(item.value))
    return found


def _sentence(problem: Problem) -> str:
    return "; ".join(filter(None, [problem.cell, problem.found, problem.problem, problem.mend]))


def _write_list(path: Path, done: Sequence[SubjectBook]) -> None:
    numbers = list(dict.fromkeys(name for each in done for name in each.numbers))
    rows = [
        (each.subject, each.trials, each.state, "; ".join(each.problems), *(each.numbers.get(name) for name in numbers))
        for each in done
    ]
    path.unlink(missing_ok=True)
    create_book(path, list_book("batch", ("subject", "trials", "state", "problems", *numbers), rows), path.stem)
