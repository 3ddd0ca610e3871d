"""The input sheet Trials: which recordings of a session there are, and how each is used."""

from __future__ import annotations

from sheetmbs.schema import units as u
from sheetmbs.schema.column import CHOICE, NAME, NOTES, NUMBER, TEXT, Column, Sheet


class TrialUse:
    """The words of the column use."""

    ALL = "all"
    ANGLES = "angles"
    NO = "no"


TRIALS = Sheet(
    "Trials",
    "the recordings of a session, one per row, as the import of a folder writes them",
    (
        Column("trial", NAME, "name of the trial: the end of its sheet Markers ..", required=True),
        Column("file", TEXT, "file from which it was imported"),
        Column(
            "use",
            CHOICE,
            "all: angles and moments; angles: its forces stay out of all means; no: nothing of it",
            default="all",
            choices=(TrialUse.ALL, TrialUse.ANGLES, TrialUse.NO),
        ),
        Column("sides", TEXT, "sides that have whole strides with moments"),
        Column("strides", TEXT, "number of these, and why there is none"),
        Column("condition", TEXT, "for example barefoot", default="that of Subject"),
        Column("direction", TEXT, "axis of the laboratory along which the subject walks"),
        Column("speed", NUMBER, "mean speed of the pelvis", (u.VELOCITY,)),
        NOTES,
    ),
)
