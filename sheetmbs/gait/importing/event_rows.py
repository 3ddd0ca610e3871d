"""Events that a file tells, as rows of the sheet Events: in use, but where a plate tells the same event."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.importing.sheet_rows import PageRows
from sheetmbs.gait.importing.trial_files import TimedTrial
from sheetmbs.gait.trial.recorded import RecordedEvent
from sheetmbs.schema.gait_inputs import EVENTS
from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.sheets.newsheet import NewSheet, list_sheet

SAME_EVENT = 0.1
"""s by which a plate and a file may differ about one event"""
LOADED = 20.0
"""N beyond which somebody stands on a plate"""
MIN_CONTACT = 0.1
"""s that a contact lasts"""
FROM_FILE, NOTE = "file", "from the file"
HEADERS = ("event", "side", "time", "trial", "source", "active", "notes")
MS = 1e3


class EventRows:
    """Rows of the sheet Events for one trial after the other.

    sheet: a new one, where the workbook has none. name, filling: of the one that is there, and its cells.
    """

    def __init__(self, book: Book) -> None:
        page = book.find_sheet(EVENTS.name)
        self._page = PageRows(page) if page is not None and page.rows else None
        self._new: list[Sequence[str | float]] = []

    @property
    def sheet(self) -> NewSheet | None:
        """A new sheet; None where there is one, or nothing comes onto it."""
        if self._page is not None or not self._new:
            return None
        return list_sheet(EVENTS.name, HEADERS, ["", "", "s", "", "", "", ""], self._new)

    @property
    def name(self) -> str:
        """The tab of the sheet that is there."""
        return self._page.cells.name if self._page else EVENTS.name

    @property
    def filling(self) -> dict[tuple[int, int], str | float]:
        """Cells of the sheet that is there."""
        return self._page.filling if self._page else {}

    def add(self, timed: TimedTrial, trial: str, *, replace: bool) -> str:
        """Add the events of a trial. Returns a line about them, "" where there are none. replace: earlier ones go."""
        events = timed.recorded.events
        if not events:
            return ""
        states = _states(timed)
        rows: list[Sequence[str | float]] = [
            (each.kind, each.side, round(each.time, 6), trial, FROM_FILE, "yes" if state == "used" else "no", NOTE)
            for each, (state, _late) in zip(events, states, strict=True)
        ]
        told = _told(events, states)
        if self._page is None:
            self._new += rows
            return told
        sheet = self._page
        old = [
            row
            for row in sheet.cells.rows
            if row > 1 and fold(sheet.text(row, "trial")) == fold(trial) and sheet.text(row, "notes") == NOTE
        ]
        if old and not replace:
            return f"{told}; the sheet {self.name} has events of this trial already, which stay"
        for row in old:
            for header in HEADERS:
                if sheet.cell(row, header) is not None:
                    sheet.write(row, header, "")
        free = iter(old)
        for content in rows:
            row = next(free, 0) or sheet.add()
            for header, value in zip(HEADERS, content, strict=True):
                sheet.write(row, header, value)
        return told


def _states(timed: TimedTrial) -> list[tuple[str, float]]:
    """What becomes of each event: it is ``used``, ``outside`` the recording, or measured by a ``plate``, so many s later."""
    crossings = plate_crossings(timed)
    time = timed.marker_time.time if timed.marker_time is not None else None
    found = []
    for each in timed.recorded.events:
        near = crossings[each.kind]
        off = near - each.time if len(near) else np.array([np.inf])
        nearest = float(off[np.argmin(np.abs(off))])
        if time is not None and not time[0] <= each.time <= time[-1]:
            found.append(("outside", 0.0))
        elif abs(nearest) <= SAME_EVENT:
            found.append(("plate", nearest))
        else:
            found.append(("used", 0.0))
    return found


def _told(events: Sequence[RecordedEvent], states: Sequence[tuple[str, float]]) -> str:
    """``12 events in the file: 6 agree with plates within 4 ms, 6 are used``."""
    late = [abs(off) for state, off in states if state == "plate"]
    outside = sum(state == "outside" for state, _off in states)
    parts = []
    if late:
        parts.append(f"{len(late)} agree with plates within {MS * max(late):.0f} ms")
    if outside:
        parts.append(f"{outside} lie outside the recording")
    parts.append(f"{sum(state == 'used' for state, _off in states)} are used")
    return f"{len(events)} events in the file: {', '.join(parts)}"


def plate_crossings(timed: TimedTrial) -> dict[str, Vector]:
    """When plates are loaded and unloaded, in s, by kind of event."""
    found: dict[str, list[float]] = {"heel strike": [], "toe off": []}
    forces, timing = timed.recorded.forces, timed.force_time
    if forces is not None and timing is not None:
        time = timing.time[timing.index]
        for plate in forces.plates:
            load = np.linalg.norm(plate.force, axis=1)
            for first, last in _contacts(load, time):
                if first > 0:
                    found["heel strike"].append(_crossing(load, time, first - 1))
                if last < len(load):
                    found["toe off"].append(_crossing(load, time, last - 1))
    return {kind: np.array(times) for kind, times in found.items()}


def _contacts(load: Vector, time: Vector) -> list[tuple[int, int]]:
    """First sample, and the one behind the last, of each contact that lasts."""
    on = np.concatenate(([False], load > LOADED, [False])).astype(np.int8)
    turns = np.flatnonzero(np.diff(on))
    pairs = zip(turns[::2].tolist(), turns[1::2].tolist(), strict=True)
    return [(first, last) for first, last in pairs if time[last - 1] - time[first] >= MIN_CONTACT]


def _crossing(load: Vector, time: Vector, at: int) -> float:
    """When the load crosses the threshold between this sample and the next."""
    share = (LOADED - load[at]) / (load[at + 1] - load[at])
    return float(time[at] + share * (time[at + 1] - time[at]))
