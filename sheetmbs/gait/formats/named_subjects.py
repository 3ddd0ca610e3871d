"""Names of subjects in a recording: what stands before ``:`` in a label names a subject, and a trial has one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sheetmbs.gait.trial.recorded import Recorded, RecordedMarkers
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import sentence_list
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import quoted

CHOICE = (
    "name one of them, as --subject {name} of sheetmbs import gait; on a sheet, take the columns of the others away"
)


def subject_of(label: str) -> str:
    """``Anna`` of ``Anna:LASI``; ``""`` where a label names nobody."""
    return label.rpartition(":")[0].strip()


def of_one_subject(recorded: Recorded, subject: str | None, file: str) -> tuple[Recorded, Problem | None]:
    """What a recording holds of one subject, and what is wrong where it holds several, or not the one that is asked for.

    subject: asked for; None: the only one. file: its name, for messages. Markers that name nobody belong to everybody.
    """
    markers = recorded.markers
    if markers is None:
        return recorded, None
    named = _different([*markers.subjects, *recorded.subjects])
    owners = _different(markers.subjects)
    if subject is None and len(named) > 1:
        if not owners:
            mend = f"export each of them by itself, or say whose markers these are: --subject {named[0]}"
            problem = "a trial has one subject, and no label says to whom its marker belongs"
        else:
            most = max(named, key=lambda name: sum(fold(each) == fold(name) for each in markers.subjects))
            mend, problem = CHOICE.format(name=most), "a trial has one subject"
        cell = file if not owners else _cell_of(markers, named[1] if fold(named[1]) in map(fold, owners) else owners[0])
        return recorded, Problem(
            "two-subjects", "error", cell, f"subjects {sentence_list(list(map(quoted, named)))}", problem, mend
        )
    if subject is not None and fold(subject) not in map(fold, named):
        problem = (
            f"the file names {sentence_list(list(map(quoted, named)))}"
            if named
            else "no label of the file names a subject"
        )
        mend = "name one of them" if named else "leave out --subject"
        return recorded, Problem("unknown-subject", "error", file, f"--subject {subject}", problem, mend)
    wanted = subject or (named[0] if named else "")
    recorded = replace(
        recorded,
        events=tuple(each for each in recorded.events if _is_of(each.subject, wanted)),
        measures=tuple(each for each in recorded.measures if _is_of(each.subject, wanted)),
    )
    kept = [at for at, each in enumerate(markers.subjects) if not each or fold(each) == fold(wanted)]
    first: dict[str, int] = {}
    for at in kept:
        first.setdefault(fold(markers.labels[at]), at)
    chosen = sorted(first.values())
    notes = list(recorded.notes)
    if len(chosen) < len(kept):
        twice = [markers.labels[at] for at in kept if at not in chosen]
        notes.append(f"of equal labels the first counts; left out: {', '.join(twice)}")
    if not chosen:
        return replace(recorded, markers=None), None
    return replace(recorded, markers=_some(markers, chosen), notes=tuple(notes)), None


def _is_of(named: str, wanted: str) -> bool:
    """Whether what names a subject, or nobody, belongs to the one that is wanted."""
    return not named or not wanted or fold(named) == fold(wanted)


def _some(markers: RecordedMarkers, chosen: Sequence[int]) -> RecordedMarkers:
    """Markers by their numbers."""
    at = np.array(chosen, np.int64)
    return replace(
        markers,
        labels=tuple(markers.labels[each] for each in chosen),
        headers=tuple(markers.headers[each] for each in chosen),
        subjects=tuple(markers.subjects[each] for each in chosen),
        columns=markers.columns[at],
        positions=markers.positions[at],
    )


def _different(names: Sequence[str]) -> list[str]:
    """Names of subjects, each once."""
    return list({fold(name): name for name in reversed(names) if name}.values())[::-1]


def _cell_of(markers: RecordedMarkers, subject: str) -> str:
    """The cell of the first label that names a subject."""
    at = next(at for at, each in enumerate(markers.subjects) if fold(each) == fold(subject))
    return str(markers.headers[at])
