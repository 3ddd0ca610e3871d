"""Runs that do as a test wishes, for the process that solves: a workbook's name says how."""

import os
import time
from pathlib import Path

from sheetmbs.live.page_state import packed_document
from sheetmbs.live.solver_process import Outcome, Written
from sheetmbs.problems.errors import Problem

LONG = 60.0
"""seconds; a run that takes them was not stopped"""


def obedient(wanted, progress, tell):
    """One that asks now and then whether it is still wanted, and lasts as long as the file says."""
    began = time.monotonic()
    while time.monotonic() - began < float(Path(wanted.book).read_text(encoding="utf-8")):
        progress(0.5)
        time.sleep(0.01)
    finish(wanted, tell)


def deaf(wanted, _progress, tell):
    """One that never asks."""
    time.sleep(float(Path(wanted.book).read_text(encoding="utf-8")))
    finish(wanted, tell)


def deadly(wanted, _progress, tell):
    """One that takes its process along."""
    if Path(wanted.book).read_text(encoding="utf-8") == "die":
        os._exit(7)
    finish(wanted, tell)


def faulty(wanted, _progress, tell):
    """One with a fault of ours in it."""
    if Path(wanted.book).read_text(encoding="utf-8") == "die":
        raise ZeroDivisionError("by nothing")
    finish(wanted, tell)


def finish(wanted, tell):
    problems = (Problem("x", "warning", "Joints!C7", "found", "rule", "mend"),)
    packed = packed_document(wanted.number, {"process": os.getpid()})
    tell(Outcome(wanted.number, "done", "all is well", problems, packed, 0.1))
    if wanted.writes:
        tell(Written(wanted.number, "the results are in book.xlsx"))
