"""What names tell: which marker of the templates a label of a laboratory is, and the side of a name.

Labels are those of Plug-in Gait, Helen Hayes, Cortex, Qualisys and CAST.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sheetmbs.gait.trial.gait_book import SIDES, Side
from sheetmbs.schema.names import fold

SIDE_SIGNS = {"right": ("right", "r"), "left": ("left", "l")}
OF_A_SIDE = {
    "asis": "asis asi ias antsupiliac",
    "psis": "psis psi ips postsupiliac",
    "hip": "hip gtr gt troch trochanter greatertrochanter ftc tro",
    "knee": "knee kne kneelat kneelateral latknee lateralknee kneel fle lek lfc lfe latepicondyle",
    "knee medial": "kneemedial kneemed medknee medialknee mkne mknee knem kneem fme mek mfc mfe knm",
    "ankle": "ankle ank anklelat anklelateral latankle lateralankle anklel fal lm lma lmal latmal lateralmalleolus",
    "ankle medial": (
        "anklemedial anklemed medankle medialankle mank mankle ankm anklem tam mm mma mmal medmal medialmalleolus anm med"
    ),
    "heel": "heel hee fcc cal calc calcaneus",
    "mt5": "mt5 5mt fm5 met5 5met 5thmt 5thmet mth5 5thmetatarsal",
    "toe": "toe toes toetip hallux hlx hal mt2 2mt fm2 met2 2met mth2 2ndmet",
}
"""of each marker without its side; the side stands before or behind, as a letter or a word"""
IN_THE_MIDDLE = {
    "sacrum": "sacrum sacr sacral vsacral vsac sac s1 s2",
    "shoulder": "shoulder sho acromion rshoulder rsho racromion racr rac",
}
"""of markers of no side; of shoulders the right one stands for both"""


def _labels() -> dict[str, tuple[str, int]]:
    """Model name and rank of each label in its plain form; of several that are there the first rank counts."""
    found: dict[str, tuple[str, int]] = {}
    for base, words in OF_A_SIDE.items():
        for rank, word in enumerate(words.split()):
            for side, signs in SIDE_SIGNS.items():
                for sign in signs:
                    found.setdefault(f"{sign}{word}", (f"{side} {base}", rank))
        for rank, word in enumerate(words.split()):
            for side, signs in SIDE_SIGNS.items():
                for sign in signs:
                    found.setdefault(f"{word}{sign}", (f"{side} {base}", len(words) + rank))
    for name, words in IN_THE_MIDDLE.items():
        for rank, word in enumerate(words.split()):
            found.setdefault(word, (name, rank))
    return found


LABELS = _labels()


def plain_form(label: str) -> str:
    """A label without signs between its letters and digits: ``rkneemedial`` of ``R.Knee.Medial``."""
    return re.sub(r"[\W_]+", "", label.rpartition(":")[2].casefold())


def model_name(label: str) -> str:
    """The marker of the templates that a label most probably is; ``""`` where the table does not know it."""
    found = LABELS.get(plain_form(label))
    return found[0] if found else ""


def model_names(labels: Sequence[str]) -> dict[str, str]:
    """Labels by the markers of the templates that they most probably are, in the order of the table.

    A label that is such a name already is that marker, and no other label is.
    """
    best: dict[str, tuple[int, str]] = {}
    for label in labels:
        name, rank = LABELS.get(plain_form(label), ("", 0))
        rank = -1 if fold(label) == fold(name) else rank
        if name and (name not in best or rank < best[name][0]):
            best[name] = rank, label
    order = list(dict.fromkeys(name for name, _rank in LABELS.values()))
    return {name: best[name][1] for name in order if name in best and fold(best[name][1]) != fold(name)}


def guessed_names(labels: Sequence[str]) -> dict[str, str]:
    """Model names of labels, a leg whole or not at all where labels seem to tell of one side alone.

    The L of a label may say lateral as well as left.
    """
    names = model_names(labels)
    sides = {side for name in names if (side := side_of(name))}
    if len(sides) != 1:
        return names
    side = next(iter(sides))
    has_foot = any(f"{side} {each}" in names for each in ("heel", "mt5", "toe"))
    if has_foot and all(f"{side} {each}" in names for each in ("knee", "ankle")):
        return names
    return {name: label for name, label in names.items() if side_of(name) is None}


def side_of(name: str) -> Side | None:
    """``right`` of ``right thigh``: the first word, else the last one, else the only side among the words between.

    A word that merely holds those letters (``Brightness``) tells none.
    """
    words = fold(name).split()
    among = [word for word in words if word in SIDES]
    told = [*words[:1], *words[-1:], *(among if len(set(among)) == 1 else [])]
    return next((side for word in told for side in SIDES if word == side), None)
