"""Changes of each peak with the choices of processing, in the signs and units of the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.shown_items import shown_items
from sheetmbs.gait.strides.summary_items import SummaryItem, Variant

PeakKey = tuple[str, str, str]
"""item, side, joint"""


@dataclass(frozen=True)
class PeakChanges:
    """Peaks and how they change. peaks: their values and units. choices: all of them, and the change under each.

    A change is None where one of both peaks is not known.
    """

    peaks: Mapping[PeakKey, tuple[float, str]] = field(default_factory=dict)
    choices: Sequence[Variant] = ()
    changes: Mapping[PeakKey, Sequence[float | None]] = field(default_factory=dict)

    def about(self) -> Iterator[tuple[str, str]]:
        """What is chosen and by how much, each once."""
        yield from dict.fromkeys((each.about, each.size) for each in self.choices)

    def largest(self, key: PeakKey, about: str) -> float | None:
        """How large the change of a peak is that choosing otherwise makes, the larger of both ways."""
        found = zip(self.choices, self.changes.get(key, ()), strict=False)
        known = [abs(change) for each, change in found if each.about == about and change is not None]
        return max(known, default=None)


NO_CHANGES = PeakChanges()


def peak_changes(gait: GaitPresentation, peaks: Sequence[SummaryItem], choices: Sequence[Variant]) -> PeakChanges:
    """The changes of these peaks."""
    known = _shown(gait, peaks)
    others = [_shown(gait, each.items) for each in choices]
    changes = {
        key: [found[key][0] - value if key in found else None for found in others] for key, (value, _) in known.items()
    }
    return PeakChanges(known, choices, changes)


def _shown(gait: GaitPresentation, items: Sequence[SummaryItem]) -> dict[PeakKey, tuple[float, str]]:
    return {
        (each.item, each.side, each.joint): (each.value, each.unit.partition(",")[0])
        for each in shown_items(gait, items)
        if each.joint and isinstance(each.value, float)
    }
