"""All marker sets, one file each, in the order in which they are sought: what has more markers stands before its part."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sheetmbs.gait.trial.gait_book import SIDES
from sheetmbs.gait.trial.marker_synonyms import plain_form

FILES = (
    *("theia", "opencap", "cast", "rajagopal", "ior", "cleveland"),
    *("cgm2", "conventional_medial", "plug_in_gait", "halpe_26", "body_25b"),
)
"""the first one whose required labels are all there is the set of a recording"""
SIDE = "{s}"
"""in a label, the letter of a side"""
OR = "|"
"""between labels of which one is enough"""
Labels = tuple[str, ...]


@dataclass(frozen=True)
class MarkerSet:
    """A set of markers.

    required: labels that tell it, each with those that may stand for it; ``{s}`` is r and l. markers: labels by the names of
    markers in templates, without the side. clusters: labels by segment. centres: markers that lie in the joint.
    """

    title: str
    required: tuple[Labels, ...]
    markers: Mapping[str, Labels]
    clusters: Mapping[str, Labels]
    centres: tuple[str, ...]

    def is_in(self, labels: Mapping[str, str]) -> bool:
        """Whether all required labels are there. labels: by their plain forms."""
        return all(
            any(_on_side(label, side) in labels for label in alternatives)
            for alternatives in self.required
            for side in SIDES
        )

    def names(self, labels: Mapping[str, str]) -> dict[str, str]:
        """Labels of a recording by the names of markers in templates: ``right knee``."""
        found = {}
        for side in (*SIDES, ""):
            for marker, alternatives in self.markers.items():
                if bool(side) != any(SIDE in label for label in alternatives):
                    continue
                known = (labels.get(_on_side(label, side)) for label in alternatives)
                label = next((each for each in known if each), None)
                if label is not None:
                    found[f"{side} {marker}".strip()] = label
        return found

    def cluster(self, segment: str, side: str, labels: Mapping[str, str]) -> list[str]:
        """Labels of a recording that lie on a segment. side: of a leg; "" of the trunk, with both."""
        sides = (side,) if side else SIDES
        wanted = [_on_side(label, each) for label in self.clusters.get(segment, ()) for each in sides]
        return [labels[each] for each in dict.fromkeys(wanted) if each in labels]


def _on_side(label: str, side: str) -> str:
    return label.replace(SIDE, side[:1])


def _alternatives(text: str) -> Labels:
    return tuple(part.strip() for part in text.split(OR))


@cache
def marker_sets() -> tuple[MarkerSet, ...]:
    """All sets, in the order in which they are sought."""
    return tuple(map(_read, FILES))


def _read(name: str) -> MarkerSet:
    given = tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    return MarkerSet(
        given["title"],
        tuple(map(_alternatives, given["required"])),
        {marker: _alternatives(text) for marker, text in given["markers"].items()},
        {segment: tuple(labels) for segment, labels in given.get("clusters", {}).items()},
        tuple(given.get("centres", ())),
    )


def by_plain_form(labels: Sequence[str]) -> dict[str, str]:
    """Labels by their plain forms; of equal ones the first."""
    found: dict[str, str] = {}
    for label in labels:
        found.setdefault(plain_form(label), label)
    return found


def set_of(labels: Sequence[str]) -> MarkerSet | None:
    """The set of a recording; None where its labels are of none."""
    plain = by_plain_form(labels)
    return next((each for each in marker_sets() if each.is_in(plain)), None)


def set_titles() -> Iterator[str]:
    """The names of all sets, for people."""
    return (each.title for each in marker_sets())
