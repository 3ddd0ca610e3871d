"""Files of one trial into a workbook, which is made where there is none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sheetmbs.gait.importing.book_import import LONGEST_SHEET, ImportedTrial, ImportOptions, NamedTrial, into_book
from sheetmbs.gait.importing.new_gait_book import make_gait_book
from sheetmbs.gait.importing.trial_files import read_trial
from sheetmbs.importing.lines import refused
from sheetmbs.schema.gait_inputs import FORCE_PLATES
from sheetmbs.schema.names import NOT_IN_SHEET_NAMES
from sheetmbs.schema.problem_list import quoted

NOT_IN_NAMES = re.compile(rf"[{re.escape(NOT_IN_SHEET_NAMES)}\x00-\x1f]")
LONGEST_NAME = 15
"""characters of a trial's name that is made from a file's"""


def import_trial(
    files: Sequence[Path],
    book: Path,
    trial: str | None = None,
    template: str | None = None,
    subject: str | None = None,
    *,
    replace: bool = False,
    model_outputs: bool = False,
    analog: bool = False,
) -> ImportedTrial:
    """Put the files of one trial onto sheets of a workbook, which is made where there is none.

    trial: its name; None: after the first file. The others are those of `ImportOptions`. Raises WorkbookError with every slip;
    the workbook is then as it was.
    """
    wanted = ImportOptions(template, subject, replace, model_outputs, analog)
    name = trial_name(files, trial)
    named = NamedTrial(name, read_trial(files, subject))
    with new_or_old(book, template):
        return into_book([named], book, wanted)[0]


@contextmanager
def new_or_old(book: Path, template: str | None) -> Iterator[None]:
    """Make a workbook where there is none, and take it away again if what follows fails. Raises WorkbookError."""
    is_new = not book.exists()
    if template is not None and not is_new:
        mend = "leave out --template, or name a workbook that is not there"
        raise refused("file-exists", f"{book} is there", "a template is for a new workbook", mend)
    if is_new:
        make_gait_book(book, template)
    try:
        yield
    except BaseException:
        if is_new:
            book.unlink(missing_ok=True)
        raise


def trial_name(files: Sequence[Path], trial: str | None) -> str:
    """The name of a trial, which its two sheets end in. Raises WorkbookError where they cannot."""
    most = LONGEST_SHEET - len(FORCE_PLATES.name) - 1
    if trial is None:
        stem = re.sub(r"_f_\d+$", "", files[0].stem)
        return short_name(stem)
    wanted = trial.strip()
    if not wanted or len(wanted) > most or NOT_IN_NAMES.search(wanted) or wanted.endswith("'"):
        rule = f"a trial's name has 1 to {most} characters and none of [ ] : * ? / \\"
        raise refused("trial-name", quoted(trial), rule, "give it a shorter or plainer name")
    return wanted


def short_name(stem: str) -> str:
    """The name of a trial after that of its file: its end, for what differs from file to file stands there."""
    return NOT_IN_NAMES.sub("_", stem).strip(" '")[-LONGEST_NAME:].strip(" '_-") or "trial"
