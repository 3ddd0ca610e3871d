"""Trials whose labels say right for left and left for right throughout, with the names that they should have."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from sheetmbs.gait.trial.gait_book import PlateRow, Trial
from sheetmbs.schema.names import fold

SIDE_WORD = re.compile(r"^(right|left)(?![^\W_])|(?<![^\W_])(right|left)$", re.IGNORECASE)
"""a side at the start or the end of a name, with no letter or digit beside it"""
LONE_LETTER = re.compile(r"(?<![^\W_])[rl](?![^\W_])", re.IGNORECASE)
OTHER = {"right": "left", "left": "right", "r": "l", "l": "r"}


def exchange_sides(trial: Trial) -> Trial:
    """A trial with right and left exchanged in all names of markers, and of plates that are named right and left."""
    labels = trial.markers.labels
    markers = replace(trial.markers, labels=tuple(of_other_side(each, labels) for each in labels))
    forces = trial.forces
    if forces is not None:
        plates = tuple(replace(each, name=OTHER.get(fold(each.name), each.name)) for each in forces.plates)
        forces = replace(forces, plates=plates)
    geometry = tuple(replace(each, name=OTHER.get(fold(each.name), each.name)) for each in trial.geometry)
    return replace(trial, markers=markers, forces=forces, geometry=geometry)


def exchange_plates(plates: Mapping[str, PlateRow]) -> dict[str, PlateRow]:
    """Rows of Plates by the folded names of the plates, for plates whose names were exchanged."""
    return {OTHER.get(name, name): row for name, row in plates.items()}


def of_other_side(label: str, labels: Collection[str]) -> str:
    """``left knee`` of ``right knee``; ``L_KNE`` of ``R_KNE`` where labels has both, itself where it tells no side.

    The side of a name is its first word, else its last one. That of a laboratory's label is a letter: one that stands alone,
    else the first one, else the last.
    """
    found = SIDE_WORD.search(label)
    if found is not None:
        return f"{label[: found.start()]}{OTHER[found[0].casefold()]}{label[found.end() :]}"
    places = [each.start() for each in LONE_LETTER.finditer(label)]
    for place in (*places, 0, len(label) - 1):
        letter = label[place]
        other = OTHER.get(letter.casefold(), letter)
        mirrored = f"{label[:place]}{other.upper() if letter.isupper() else other}{label[place + 1 :]}"
        if mirrored != label and mirrored in labels:
            return mirrored
    return label
