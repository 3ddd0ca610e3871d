"""Checks between the sections of a MUBODYNA input file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import cos, hypot, sin

from sheetmbs.importing import sections as s
from sheetmbs.importing.read_mubodyna import Deck, SectionEntry

COORDINATES = ("x", "y", "phi")
"""of a body, by the numbers 1 to 3 of a constraint's direction"""
EQUATIONS = {"NIRJ": 2, "NTJ": 2, "NGB": 3, "NSC": 1, "NDC": 1, "NGC": 1}
"""constraint equations of each element"""
MIN_SPLINE_ROWS = 2
"""rows that a spline needs"""


def coordinate(entry: SectionEntry) -> str:
    """The coordinate that a constraint's direction stands for."""
    return COORDINATES[entry.whole("CONSTRAINT DIRECTION") - 1]


def check(deck: Deck) -> None:
    """Raises WorkbookError with every contradiction found, each with its line."""
    _check_pairs(deck)
    _check_geometry(deck)
    _check_prescribed(deck)
    _check_times(deck)
    _check_number_of_equations(deck)
    deck.raise_slips()


def _check_pairs(deck: Deck) -> None:
    for name in (s.REVOLUTES, s.CLEARANCES, s.SLIDES, s.SPRINGS, s.TURNING_SPRINGS):
        for entry in deck.entries[name]:
            if entry.values["I"] == entry.values["J"]:
                found = f"body {entry.whole('I')} twice"
                deck.slip("same-body", entry.line, found, "an element connects two different bodies", "correct I or J")


def _check_geometry(deck: Deck) -> None:
    for entry in deck.entries[s.SLIDES]:
        v = entry.values
        if hypot(v["XI-Q-I"] - v["XI-P-I"], v["ETA-Q-I"] - v["ETA-P-I"]) == 0.0:
            rule = "P and Q on body i give the direction of the slide"
            deck.slip("no-direction", entry.line, "Q is where P is", rule, "give two different points")
    for entry in deck.entries[s.CLEARANCES]:
        bearing, journal = entry.values["Ri"], entry.values["Rj"]
        if bearing <= journal:
            found = f"Ri = {bearing:g}, Rj = {journal:g}"
            rule = "the bearing, body i, is wider than its journal, body j"
            deck.slip("no-clearance", entry.line, found, rule, "exchange the two, or correct them")
    for entry in deck.entries[s.SPRINGS]:
        if _place(deck, entry, "I") == _place(deck, entry, "J"):
            rule = "a spring acts along the line between its ends"
            deck.slip("no-direction", entry.line, "both ends at the same place", rule, "give two different points")
    for entry in deck.entries[s.MATERIALS]:
        if entry.whole("FORCE LAW") == 1 and entry.values["VISCOSITY"] == 0.0:
            rule = "force law 1 is that of a lubricated joint"
            deck.slip(
                "no-viscosity", entry.line, "VISCOSITY = 0", rule, "give the viscosity, or take a dry law, 2 to 4"
            )


def _place(deck: Deck, entry: SectionEntry, side: str) -> tuple[float, float]:
    """Global coordinates of the point P on one of the bodies of an element, at the start."""
    body = deck.entries[s.BODIES][entry.whole(side) - 1].values
    xi, eta = entry.values[f"XI-P-{side}"], entry.values[f"ETA-P-{side}"]
    along, across = cos(body["PHI"]), sin(body["PHI"])
    return body["X"] + along * xi - across * eta, body["Y"] + across * xi + along * eta


def _check_prescribed(deck: Deck) -> None:
    """No coordinate of a body may be held, driven or guided twice, no body have two columns of external forces."""
    seen: dict[tuple[int, str], int] = {}
    for name in (s.GROUNDS, s.SIMPLES, s.DRIVERS, s.GUIDING):
        for entry in deck.entries[name]:
            held = COORDINATES if name == s.GROUNDS else (coordinate(entry),)
            body = entry.whole("I")
            twice = [each for each in held if (body, each) in seen]
            if twice:
                found = f"{' and '.join(twice)} of body {body}"
                rule = f"line {seen[body, twice[0]]} prescribes that already"
                deck.slip("prescribed-twice", entry.line, found, rule, "delete one of the two")
            for each in held:
                seen.setdefault((body, each), entry.line)
    loaded: dict[int, int] = {}
    for entry in deck.entries[s.EXTERNAL]:
        if loaded.setdefault(entry.whole("I"), entry.line) != entry.line:
            rule = f"its forces begin at line {loaded[entry.whole('I')]} already"
            deck.slip("body-twice", entry.line, f"body {entry.whole('I')}", rule, "name another body")


def _check_times(deck: Deck) -> None:
    times = deck.entries[s.TIMES][0]
    start, end = times.values["TIME_START"], times.values["TIME_END"]
    if end <= start:
        found = f"TIME_START = {start:g}, TIME_END = {end:g}"
        deck.slip("no-time", times.line, found, "the end comes after the start", "correct them")
        return
    for name in (s.GUIDING, s.EXTERNAL):
        rows = deck.samples[name]
        if not deck.entries[name]:
            continue
        if len(rows) < MIN_SPLINE_ROWS:
            found = f"{len(rows)} row(s) of samples"
            rule = "a spline needs two at least"
            deck.slip("too-few-samples", deck.where[name], found, rule, "add rows of time and values")
            continue
        for before, row in pairwise(rows):
            if row.values[0] <= before.values[0]:
                found = f"time {row.values[0]:g} after {before.values[0]:g}"
                deck.slip(
                    "times-not-increasing", row.line, found, "times increase from row to row", "correct one of them"
                )
        for row, is_short, what in (
            (rows[0], rows[0].values[0] > start, f"TIME_START = {start:g}"),
            (rows[-1], rows[-1].values[0] < end, f"TIME_END = {end:g}"),
        ):
            if is_short:
                found = f"time {row.values[0]:g}, while {what} at line {times.line}"
                rule = "samples cover the whole analysis"
                deck.slip("samples-too-short", row.line, found, rule, "add samples, or shorten the analysis")


def _check_number_of_equations(deck: Deck) -> None:
    equations = sum(each * deck.counts[symbol] for symbol, each in EQUATIONS.items())
    coordinates = len(COORDINATES) * deck.counts["NB"]
    if equations > coordinates:
        found = f"{equations} constraint equations for {coordinates} coordinates"
        rule = "a model has at most as many constraint equations as coordinates, three for each body"
        mend = "take away constraints that say the same as others"
        deck.slip("too-many-constraints", deck.where[s.GENERIC], found, rule, mend)


def spread(entries: Sequence[SectionEntry]) -> str:
    """The lines of entries for a message: ``line 7`` or ``lines 7 to 9``."""
    first, last = entries[0].line, entries[-1].line
    return f"line {first}" if first == last else f"lines {first} to {last}"
