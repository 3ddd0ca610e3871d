"""A MUBODYNA input file, section by section: every number where it belongs, or a problem at its line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, hypot, sin
from pathlib import Path

from sheetmbs.importing import sections as s
from sheetmbs.importing.lines import DECIMAL_COMMA, TextLine, read_lines
from sheetmbs.importing.sections import COUNTS, GENERIC, SECTIONS, DeclaredCount, FileSection, SectionKind, Value
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.names import did_you_mean, fold, nearest

HEADINGS = {fold(name): section for section in SECTIONS for name in (section.name, *section.also)}
END_OF_HEADING = re.compile(r"\s+-\s|:")
LETTER = re.compile(r"^\(\w\)\s*")
SYMBOLS = {fold(count.symbol): count for count in COUNTS}

COORDINATES = ("x", "y", "phi")
"""of a body, by the numbers 1 to 3 of a constraint's direction"""
EQUATIONS = {"NIRJ": 2, "NTJ": 2, "NGB": 3, "NSC": 1, "NDC": 1, "NGC": 1}
"""constraint equations of each element"""
MIN_SPLINE_ROWS = 2
"""rows that a spline needs"""


@dataclass(frozen=True)
class SectionEntry:
    """A data line. values: by the manual's names. remark: words behind them."""

    line: int
    values: dict[str, float]
    remark: str = ""

    def whole(self, name: str) -> int:
        """A value that is a whole number, as that of a body."""
        return int(self.values[name])


@dataclass(frozen=True)
class FileRow:
    """A row of samples. values: time, then one for each column."""

    line: int
    values: tuple[float, ...]


@dataclass
class Deck:
    """What an input file says. Sections that it leaves out are empty. where: line of each heading; counted: of each count."""

    path: Path
    problems: list[Problem] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)
    where: dict[str, int] = field(default_factory=dict)
    entries: dict[str, tuple[SectionEntry, ...]] = field(default_factory=dict)
    samples: dict[str, tuple[FileRow, ...]] = field(default_factory=dict)

    def slip(self, code: str, line: int, found: str, rule: str, mend: str) -> None:
        """Note what is wrong with a line."""
        self.problems.append(Problem(code, "error", f"{self.path}:{line}", found, rule, mend))

    def raise_slips(self) -> None:
        """Raise WorkbookError with all that is wrong so far, in the order of the lines."""
        if self.problems:
            raise WorkbookError(sorted(self.problems, key=lambda problem: int(problem.cell.rpartition(":")[2])))


def read_deck(path: Path) -> Deck:
    """Read an input file. Raises WorkbookError with every slip found, each with its line."""
    deck = Deck(path)
    lines = _split(read_lines(path), deck)
    if GENERIC not in deck.where:
        deck.slip(
            "section-missing",
            1,
            f"there is no section {GENERIC}",
            "it says how many elements of each kind there are",
            f"begin the file with {GENERIC} and its {len(COUNTS)} counts",
        )
    elif _read_counts(lines[GENERIC], deck):
        for section in SECTIONS:
            if section.name != GENERIC:
                _read_section(section, lines.get(section.name, []), deck)
        _check_counts(lines, deck)
    deck.raise_slips()
    return deck


def _split(lines: Sequence[TextLine], deck: Deck) -> dict[str, list[TextLine]]:
    """Data lines by the name of their section."""
    found: dict[str, list[TextLine]] = {}
    section = ""
    stray: TextLine | None = None
    is_known = True
    for line in lines:
        if line.numbers:
            if section:
                found[section].append(line)
            elif stray is None and is_known:
                stray = line
            continue
        named = _heading(line)
        is_known = named is not None
        if named is None:
            named = _report_unknown(line, deck)
        if named is None:
            section = section if _is_sentence(line) else ""
            continue
        if named.name in deck.where:
            rule = f"this section stands at line {deck.where[named.name]} already"
            deck.slip("section-twice", line.number, f"the heading {named.name}", rule, "keep one of the two")
            section = ""
            continue
        section = named.name
        deck.where[section] = line.number
        found[section] = []
    if stray is not None and GENERIC in deck.where:
        rule, mend = "data follow the heading of their section", f"begin the file with {GENERIC}"
        deck.slip("no-heading", stray.number, f"numbers before the first heading ({_shown(stray)})", rule, mend)
    return found


def _heading(line: TextLine) -> FileSection | None:
    text = LETTER.sub("", " ".join(line.words))
    for name in (END_OF_HEADING.split(text, maxsplit=1)[0], text.split(" ", 1)[0]):
        if fold(name) in HEADINGS:
            return HEADINGS[fold(name)]
    return None


def _is_sentence(line: TextLine) -> bool:
    """Whether a line looks like a remark rather than a heading, so that the section goes on."""
    return line.words[0] != line.words[0].upper()


def _report_unknown(line: TextLine, deck: Deck) -> FileSection | None:
    """Note a line of words; returns the section that was probably meant."""
    text = END_OF_HEADING.split(LETTER.sub("", " ".join(line.words)), maxsplit=1)[0]
    names = [section.name for section in SECTIONS]
    otherwise = "begin a remark with !, or head the section as the manual does"
    rule = "a line holds numbers, or the heading of one of the 17 sections"
    deck.slip("unknown-heading", line.number, f"'{text}'", rule, did_you_mean(text, names, otherwise))
    return HEADINGS.get(fold(nearest(text, names) or ""))


def _read_counts(lines: Sequence[TextLine], deck: Deck) -> bool:
    """The first section; False where it does not say what it should, so that nothing else can be checked."""
    for count, line in zip(COUNTS, lines, strict=False):
        other = _meant(count, line)
        if other is not None:
            found = f"'{' '.join(line.words)}' where {count.symbol} should stand"
            rule = f"the counts stand in the order {', '.join(each.symbol for each in COUNTS)}"
            deck.slip("count-out-of-place", line.number, found, rule, f"give the number of {count.about} here")
            return False
    if len(lines) != len(COUNTS):
        rule = f"there are {len(COUNTS)} counts, one per line: {', '.join(each.symbol for each in COUNTS)}"
        at = lines[len(COUNTS)].number if len(lines) > len(COUNTS) else deck.where[GENERIC]
        deck.slip("wrong-number-of-counts", at, f"{len(lines)} counts", rule, "write 0 for what there is not")
        return False
    for count, line in zip(COUNTS, lines, strict=True):
        value = line.numbers[0]
        deck.counted[count.symbol] = line.number
        if len(line.numbers) > 1 or value < 0 or value != int(value):
            rule = f"the number of {count.about} is one whole number, 0 or more"
            deck.slip("wrong-count", line.number, _shown(line), rule, "correct it")
            value = 0.0
        deck.counts[count.symbol] = int(value)
    if deck.problems:
        return False
    if deck.counts["NB"] == 0:
        found = "0 rigid bodies"
        deck.slip("no-bodies", deck.counted["NB"], found, "a model has one body at least", "count the bodies")
    return not deck.problems


def _meant(count: DeclaredCount, line: TextLine) -> DeclaredCount | None:
    """The other count that the label of a line names, or None."""
    label = fold(" ".join(line.words))
    symbol = SYMBOLS.get(fold(line.words[0])) if line.words else None
    if symbol is not None:
        return None if symbol is count else symbol
    if any(word in label for word in count.words):
        return None
    return next((other for other in COUNTS if any(word in label for word in other.words)), None)


def _read_section(section: FileSection, lines: Sequence[TextLine], deck: Deck) -> None:
    heads, rows = _parted(section, lines, deck)
    counted = deck.counts.get(section.count, 1)
    entries = [_entry(section, line, deck) for line in heads[:counted]]
    deck.entries[section.name] = tuple(entry for entry in entries if entry is not None)
    if section.samples is not None:
        width = 1 + section.samples.width * counted
        as_found = 1 + section.samples.width * len(heads)
        if sum(len(row.numbers) == as_found for row in rows) > sum(len(row.numbers) == width for row in rows):
            width = as_found  # the count is wrong, and is reported where it stands
        samples = [_row(line, width, deck) for line in rows[: deck.counts[section.samples.count]]]
        deck.samples[section.name] = tuple(row for row in samples if row is not None)


def _parted(
    section: FileSection, lines: Sequence[TextLine], deck: Deck
) -> tuple[Sequence[TextLine], Sequence[TextLine]]:
    """The lines that name bodies, and the samples below them.

    Their length tells them apart, so that a wrong count is found where it stands; where lines of both kinds are equally
    long, by the count.
    """
    if section.samples is None:
        return lines, []
    short, counted = len(section.values), deck.counts[section.count]
    leading = next((k for k, line in enumerate(lines) if len(line.numbers) != short), len(lines))
    is_ambiguous = 1 + section.samples.width * counted == short
    heads = counted if is_ambiguous else leading
    return lines[:heads], lines[heads:]


def _entry(section: FileSection, line: TextLine, deck: Deck) -> SectionEntry | None:
    names = ", ".join(value.name for value in section.values)
    if not _has_width(line, len(section.values), f"{section.name} has {names}", deck):
        return None
    values = {}
    for value, number in zip(section.values, line.numbers, strict=True):
        values[value.name] = number
        broken = _broken(value, number, deck)
        if broken:
            deck.slip("wrong-value", line.number, f"{value.name} = {number:g}", *broken)
    return SectionEntry(line.number, values, line.remark)


def _row(line: TextLine, width: int, deck: Deck) -> FileRow | None:
    about = f"a row holds the time and {width - 1} value(s) for the lines above"
    return FileRow(line.number, line.numbers) if _has_width(line, width, about, deck) else None


def _has_width(line: TextLine, width: int, rule: str, deck: Deck) -> bool:
    count = len(line.numbers)
    if count == width:
        return True
    if count > width:
        rule, mend = f"{rule}: {width} value(s)", "remove the extra values"
        deck.slip("too-many-values", line.number, f"{count} values", rule, mend)
    elif line.words and not line.words[0][0].isalpha():
        word = line.words[0]
        mend = f"write {word.replace(',', '.')}" if DECIMAL_COMMA.fullmatch(word) else "write it as 1.5 or 1.5E3"
        deck.slip("not-a-number", line.number, f"'{word}'", f"value {count + 1} of this line is a number", mend)
    else:
        what = f", then '{line.words[0]}'" if line.words else ""
        deck.slip(
            "too-few-values", line.number, f"{count} value(s){what}", f"{rule}: {width} value(s)", "add the others"
        )
    return False


def _broken(value: Value, number: float, deck: Deck) -> tuple[str, str] | None:
    """Rule and mend where a value is not what it should be."""
    if value.kind is SectionKind.BODY:
        bodies = deck.counts["NB"]
        if number != int(number) or not 1 <= number <= bodies:
            return f"bodies are numbered from 1 to {bodies}", "name one of them, or correct NB"
        return None
    if value.kind is SectionKind.WHOLE and number != int(number):
        return f"{value.name} is {value.kind.value}", "correct it"
    if value.least is not None and value.most is not None and not value.least <= number <= value.most:
        return f"{value.name} lies between {value.least:g} and {value.most:g}", "correct it"
    if value.least is not None and number < value.least:
        return f"{value.name} is at least {value.least:g}", "correct it"
    if value.above is not None and number <= value.above:
        return f"{value.name} is greater than {value.above:g}", "correct it"
    return None


def _check_counts(lines: dict[str, list[TextLine]], deck: Deck) -> None:
    """Every count against the lines that there are. A count that several sections contradict alike is wrong itself."""
    for count in COUNTS:
        found = [
            (name, there) for name, there in _lengths(count.symbol, lines, deck) if there != deck.counts[count.symbol]
        ]
        every = list(_lengths(count.symbol, lines, deck))
        line, told = deck.counted[count.symbol], f"{count.symbol} = {deck.counts[count.symbol]}"
        if len(found) == len(every) > 1 and len({there for _name, there in found}) == 1:
            there = found[0][1]
            rule = f"{', '.join(name for name, _there in found)} have {there} line(s) of data each"
            deck.slip("count-wrong", line, told, rule, f"write {there}, or add or remove lines")
            continue
        for name, there in found:
            if name not in deck.where and _is_of_samples(count.symbol):
                continue  # told where its other lines are counted
            if name not in deck.where:
                rule = f"there is no section {name}, which should hold the {count.about}"
                deck.slip("section-missing", line, told, rule, "add it, or write 0")
            else:
                what = "row(s) of samples" if _is_of_samples(count.symbol) else "line(s)"
                rule = f"{told} at line {line} counts {count.about}"
                mend = "correct the count, or add or remove lines"
                deck.slip("count-wrong", deck.where[name], f"{name} has {there} {what}", rule, mend)
    for name in (section.name for section in SECTIONS if not section.count and section.name != GENERIC):
        there = len(lines.get(name, []))
        if name not in deck.where:
            rule, at = f"every model has {name}, with one line of data", deck.where[GENERIC]
            deck.slip("section-missing", at, f"there is no section {name}", rule, "add it")
        elif there != 1:
            rule = f"{name} is one line of data"
            deck.slip("count-wrong", deck.where[name], f"{there} lines in {name}", rule, "give one line")


def _is_of_samples(symbol: str) -> bool:
    return any(section.samples is not None and section.samples.count == symbol for section in SECTIONS)


def _lengths(symbol: str, lines: dict[str, list[TextLine]], deck: Deck) -> Iterator[tuple[str, int]]:
    """The sections that a count is about, and how many lines each has."""
    for section in SECTIONS:
        there = lines.get(section.name, [])
        if section.count == symbol:
            yield section.name, len(_parted(section, there, deck)[0])
        elif section.samples is not None and section.samples.count == symbol:
            yield section.name, len(_parted(section, there, deck)[1])


def _shown(line: TextLine) -> str:
    return " ".join([*(f"{number:g}" for number in line.numbers), *line.words])


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
        mend = "remove constraints that repeat others"
        deck.slip("too-many-constraints", deck.where[s.GENERIC], found, rule, mend)


def spread(entries: Sequence[SectionEntry]) -> str:
    """The lines of entries for a message: ``line 7`` or ``lines 7 to 9``."""
    first, last = entries[0].line, entries[-1].line
    return f"line {first}" if first == last else f"lines {first} to {last}"
