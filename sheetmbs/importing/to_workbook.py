"""From a MUBODYNA input file to the contents of a workbook that runs to the same output.

What the program does and its manual does not say, or says otherwise, was found from its printed example; see docs/mubodyna.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from sheetmbs.elements.integrators import ABM, BDF, KUTTA_MERSON, LOCATING, LSODA, RK4, RKV65
from sheetmbs.importing import sections as s
from sheetmbs.importing.read_mubodyna import Deck, SectionEntry, check, coordinate, read_deck, spread
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import printable
from sheetmbs.schema.filled import Cell, FilledSheet, NewBook
from sheetmbs.schema.settings import FORMAT

GRAVITY = 9.81
"""m/s^2, which the program adds along -y"""
STABILISED = 5.0
"""alpha and beta where an input file has 0 for both"""
FILM_LENGTH = 1.0
"""m, of a lubricated bearing: the input file has none"""
INTEGRATORS = (RK4.name, KUTTA_MERSON.name, RKV65.name, BDF.name, LSODA.name, ABM.name)
"""by the numbers 1 to 6 of an integration method"""
LAWS = ("pinkus-sternlicht", "hertz", "lankarani-nikravesh", "hunt-crossley")
"""by the numbers 1 to 4 of a force law"""
FILM, ELASTIC = LAWS[:2]
"""the one that needs a film, and the one that loses nothing, whatever the restitution"""
PLACE = ("xi_i", "eta_i", "xi_j", "eta_j")
P_ON_BOTH = ("XI-P-I", "ETA-P-I", "XI-P-J", "ETA-P-J")
Rows = list[tuple[Cell, ...]]


def read_mubodyna(path: Path) -> tuple[NewBook, list[Problem]]:
    """The workbook that an input file describes, and warnings of what it leaves open.

    Raises WorkbookError with every slip found, each with its line.
    """
    deck = read_deck(path)
    check(deck)
    warnings = list(_warnings(deck))
    sheets = (
        _settings(deck),
        _bodies(deck),
        _points(deck),
        _joints(deck),
        _drivers(deck),
        _guiding(deck),
        _force_series(deck),
        _springs(deck),
        _clearances(deck),
    )
    filled = tuple(sheet for sheet in sheets if sheet.rows)
    return NewBook(_title(path), _purpose(deck), tuple(_readme(path, warnings)), filled), warnings


def body_name(number: int) -> str:
    """The name of a body that the input file knows by its number."""
    return f"body {number}"


def _title(path: Path) -> str:
    return printable(f"{path.stem}, imported from MUBODYNA".encode("utf-8", "replace").decode())


def _settings(deck: Deck) -> FilledSheet:
    times = deck.entries[s.TIMES][0]
    v, method = times.values, times.whole("INTEGRATION METHOD")
    alpha, beta = (STABILISED, STABILISED) if _is_unstabilised(deck) else (v["ALPHA"], v["BETA"])
    rows: Rows = [
        ("format", FORMAT, "", ""),
        ("title", _title(deck.path), "", ""),
        ("dimension", "2D", "", ""),
        ("analysis", "dynamic", "", "forward dynamic analysis"),
        ("gravity_x", 0.0, "m/s^2", ""),
        ("gravity_y", -GRAVITY, "m/s^2", "which the program adds by itself"),
        ("t_start", v["TIME_START"], "s", "TIME_START"),
        ("t_end", v["TIME_END"], "s", "TIME_END"),
        ("t_step", v["TIME_STEP"], "s", "TIME_STEP: it reports every step"),
        ("integrator", _integrator(deck), "", f"INTEGRATION METHOD {method}"),
        ("step", v["TIME_STEP"], "s", "TIME_STEP"),
        ("formulation", "baumgarte", "", "accelerations with Baumgarte's terms, nothing projected"),
        ("alpha", alpha, "1/s", f"ALPHA = {v['ALPHA']:g} at line {times.line}"),
        ("beta", beta, "1/s", f"BETA = {v['BETA']:g} at line {times.line}"),
        ("initial_conditions", "given", "", "used as they are, also where they violate constraints"),
        ("guiding_spline", "natural", "", "second derivative 0 at both ends"),
    ]
    return FilledSheet("Settings", ("setting", "value", "unit", "notes"), tuple(rows))


def _integrator(deck: Deck) -> str:
    """The method that the file asks for, or the default one where that would step over the beginnings of contacts."""
    name = INTEGRATORS[deck.entries[s.TIMES][0].whole("INTEGRATION METHOD") - 1]
    return name if name in LOCATING or not deck.entries[s.CLEARANCES] else "auto"


def _bodies(deck: Deck) -> FilledSheet:
    headers = ("name", "mass", "inertia", "x", "y", "phi", "vx", "vy", "omega", "fx", "fy", "moment", "notes")
    rows: Rows = []
    lines = zip(deck.entries[s.BODIES], deck.entries[s.MASSES], deck.entries[s.LOADS], strict=True)
    for number, (body, mass, load) in enumerate(lines, start=1):
        start = [body.values[name] for name in ("X", "Y", "PHI", "XD", "YD", "PHID")]
        notes = f"lines {body.line}, {mass.line} and {load.line}{_remark(body, mass, load)}"
        rows.append((body_name(number), *mass.values.values(), *start, *load.values.values(), notes))
    return FilledSheet("Bodies", headers, tuple(rows))


def _points(deck: Deck) -> FilledSheet:
    headers = ("name", "body", "x", "y", "frame", "report", "notes")
    rows: Rows = [
        (f"point {number}", _body(entry, "I"), *_of(entry, "XI-P-I", "ETA-P-I"), "body", "yes", _line(entry))
        for number, entry in enumerate(deck.entries[s.POINTS], start=1)
    ]
    return FilledSheet("Points", headers, tuple(rows))


def _joints(deck: Deck) -> FilledSheet:
    """Joints in the order in which the program numbers their constraints."""
    rows: Rows = []
    for number, entry in enumerate(deck.entries[s.REVOLUTES], start=1):
        xi_i, eta_i, xi_j, eta_j = _of(entry, *P_ON_BOTH)
        points = (xi_i, eta_i, None, None, xi_j, eta_j)
        rows.append((f"revolute {number}", "revolute", *_pair(entry), *points, None, _line(entry)))
    for number, entry in enumerate(deck.entries[s.SLIDES], start=1):
        place = _of(entry, "XI-P-I", "ETA-P-I", "XI-Q-I", "ETA-Q-I", "XI-P-J", "ETA-P-J")
        rows.append((f"translational {number}", "translational", *_pair(entry), *place, None, _line(entry)))
    for number, entry in enumerate(deck.entries[s.GROUNDS], start=1):
        start = deck.entries[s.BODIES][entry.whole("I") - 1].values
        origin = (start["X"], start["Y"], None, None, 0.0, 0.0)
        rows.append((f"ground {number}", "fixed", "ground", _body(entry, "I"), *origin, None, _line(entry)))
    for number, entry in enumerate(deck.entries[s.SIMPLES], start=1):
        nowhere = (None,) * 6
        rows.append(
            (f"simple {number}", "coordinate", _body(entry, "I"), None, *nowhere, coordinate(entry), _line(entry))
        )
    headers = ("name", "type", "body_i", "body_j", "xi_i", "eta_i", "xi2_i", "eta2_i", "xi_j", "eta_j")
    return _without_blanks(FilledSheet("Joints", (*headers, "coordinate", "notes"), tuple(rows)))


def _drivers(deck: Deck) -> FilledSheet:
    """Motions p + v t + a t^2/2, with t from 0 in the input file and from t_start in the workbook."""
    headers = ("name", "body", "coordinate", "position", "velocity", "acceleration", "notes")
    t = deck.entries[s.TIMES][0].values["TIME_START"]
    rows: Rows = []
    for number, entry in enumerate(deck.entries[s.DRIVERS], start=1):
        position, velocity, acceleration = _of(entry, "POSITION", "VELOCITY", "ACCELERATION")
        start = position + velocity * t + 0.5 * acceleration * t**2
        motion = (start, velocity + acceleration * t, acceleration)
        rows.append((f"driver {number}", _body(entry, "I"), coordinate(entry), *motion, _line(entry)))
    return FilledSheet("Drivers", headers, tuple(rows))


def _guiding(deck: Deck) -> FilledSheet:
    names = [f"{_body(entry, 'I')}.{coordinate(entry)}" for entry in deck.entries[s.GUIDING]]
    rows = tuple(row.values for row in deck.samples[s.GUIDING])
    return FilledSheet("Guiding", ("time", *names), rows if names else ())


def _force_series(deck: Deck) -> FilledSheet:
    """The application point in global coordinates, as in the manual's example and in the headings of its output."""
    headers = [f"{_body(entry, 'I')}.{part}" for entry in deck.entries[s.EXTERNAL] for part in ("fx", "fy", "px", "py")]
    rows = tuple(row.values for row in deck.samples[s.EXTERNAL])
    return FilledSheet("ForceSeries", ("time", *headers), rows if headers else ())


def _springs(deck: Deck) -> FilledSheet:
    headers = ("name", "type", "body_i", "body_j", *PLACE, "k", "c", "force", "length0", "angle0", "notes")
    rows: Rows = []
    for number, entry in enumerate(deck.entries[s.SPRINGS], start=1):
        numbers = _of(entry, *P_ON_BOTH, "K", "D", "FA", "L0")
        rows.append((f"spring {number}", "translational", *_pair(entry), *numbers, None, _line(entry)))
    for number, entry in enumerate(deck.entries[s.TURNING_SPRINGS], start=1):
        turning = (None, None, None, None, *_of(entry, "K", "D"), None, None, 0.0)
        rows.append((f"rotational spring {number}", "rotational", *_pair(entry), *turning, _line(entry)))
    return _without_blanks(FilledSheet("Springs", headers, tuple(rows)))


def _clearances(deck: Deck) -> FilledSheet:
    sides = ("friction", "restitution", "young", "poisson")
    materials = tuple(f"{name}_{side}" for side in "ij" for name in sides)
    headers = ("name", "body_i", "body_j", *PLACE, "radius_i", "radius_j", "law", *materials)
    rows: Rows = []
    lines = zip(deck.entries[s.CLEARANCES], deck.entries[s.MATERIALS], strict=True)
    for number, (joint, material) in enumerate(lines, start=1):
        law = LAWS[material.whole("FORCE LAW") - 1]
        known = ("FRIC", "REST", "E", "NIU")
        of_sides = [
            None if name == "REST" and law == ELASTIC else material.values[f"{name}{side}"]
            for side in "ij"
            for name in known
        ]
        film = (material.values["VISCOSITY"], FILM_LENGTH) if law == FILM else (None, None)
        notes = f"lines {joint.line} and {material.line}{_remark(joint, material)}"
        name = f"clearance {number}"
        rows.append((name, *_pair(joint), *_of(joint, *P_ON_BOTH, "Ri", "Rj"), law, *of_sides, *film, notes))
    return _without_blanks(FilledSheet("Clearances", (*headers, "viscosity", "length", "notes"), tuple(rows)))


def _without_blanks(sheet: FilledSheet) -> FilledSheet:
    """The sheet without columns in which nothing stands."""
    keep = [k for k in range(len(sheet.headers)) if any(row[k] is not None for row in sheet.rows)]
    rows = tuple(tuple(row[k] for k in keep) for row in sheet.rows)
    return FilledSheet(sheet.name, tuple(sheet.headers[k] for k in keep), rows)


def _of(entry: SectionEntry, *names: str) -> tuple[float, ...]:
    return tuple(entry.values[name] for name in names)


def _body(entry: SectionEntry, name: str) -> str:
    return body_name(entry.whole(name))


def _pair(entry: SectionEntry) -> tuple[str, str]:
    return _body(entry, "I"), _body(entry, "J")


def _line(entry: SectionEntry) -> str:
    return f"line {entry.line}{_remark(entry)}"


def _remark(*entries: SectionEntry) -> str:
    """The remarks behind the numbers of the lines."""
    remarks = dict.fromkeys(entry.remark for entry in entries if entry.remark)
    return f": {'; '.join(remarks)}" if remarks else ""


def _is_unstabilised(deck: Deck) -> bool:
    values = deck.entries[s.TIMES][0].values
    return values["ALPHA"] == values["BETA"] == 0.0


def _warnings(deck: Deck) -> Iterator[Problem]:
    """Warnings of what a file leaves open, and how the workbook understands it."""
    times = deck.entries[s.TIMES][0]
    if _is_unstabilised(deck):
        yield _open(
            "no-stabilisation",
            deck,
            times,
            "ALPHA = 0 and BETA = 0",
            "the manual's example has 0 and 0 in its input and 5 and 5 in its output, which only 5 and 5 reproduce",
            "alpha and beta are 5 on Settings; write 0 there to go without",
        )
    method = times.whole("INTEGRATION METHOD")
    if _integrator(deck) != INTEGRATORS[method - 1]:
        yield _open(
            "contacts-found",
            deck,
            times,
            f"INTEGRATION METHOD = {method} in a model with clearance joints",
            "it steps over the beginnings of contacts, on which their forces depend",
            "integrator is auto on Settings, which finds them; results are better than the program's, not the same",
        )
    if deck.entries[s.EXTERNAL]:
        bodies = deck.entries[s.EXTERNAL]
        names = ", ".join(_body(entry, "I") for entry in bodies)
        yield _open(
            "application-point",
            deck,
            bodies[0],
            f"external forces on {names}",
            "the manual calls their point of application local, but its example gives it in global coordinates",
            "they are global on ForceSeries; if yours are local, write .xi for .px and .eta for .py in the headers",
        )
    springs = deck.entries[s.TURNING_SPRINGS]
    if springs:
        yield _open(
            "unloaded-angle",
            deck,
            springs[0],
            f"rotational springs at {spread(springs)}",
            "the file does not say at which angle they carry nothing",
            "angle0 is 0 on Springs, where both bodies have the same PHI; write another one there",
        )
    films = [entry for entry in deck.entries[s.MATERIALS] if LAWS[entry.whole("FORCE LAW") - 1] == FILM]
    if films:
        yield _open(
            "bearing-length",
            deck,
            films[0],
            f"lubricated joints at {spread(films)}",
            "the file does not say how long their bearings are",
            f"length is {FILM_LENGTH:g} m on Clearances, so forces are those of a metre; write the lengths there",
        )


def _open(code: str, deck: Deck, entry: SectionEntry, found: str, problem: str, mend: str) -> Problem:
    return Problem(code, "warning", f"{deck.path}:{entry.line}", found, problem, mend)


def _purpose(deck: Deck) -> str:
    known = [(count.about, deck.counts[count.symbol]) for count in s.COUNTS]
    parts = [_counted(number, about) for about, number in known if number and not about.startswith("rows")]
    return f"A planar model with {', '.join(parts)}."


def _counted(number: int, about: str) -> str:
    return f"{number} {about}" if number > 1 else f"1 {about.replace('bodies', 'body').removesuffix('s')}"


def _readme(path: Path, warnings: Sequence[Problem]) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield (
        "Source",
        (
            f"The MUBODYNA input file {printable(path.name)}. The notes in every row name its lines.",
            "All numbers stand as in the file, in SI units: gravity, which the program adds, is 9.81 m/s^2 along -y.",
        ),
    )
    yield (
        "How to run",
        (
            "sheetmbs run BOOK, with the name of this file for BOOK. The results go into sheets behind those of this file.",
            "sheetmbs run BOOK --report FILE writes the program's text report too, to be compared with an old one.",
        ),
    )
    if warnings:
        taken = tuple(_sentence(f"{each.found}: {each.problem}; {each.mend}") for each in warnings)
        yield "What was open", taken
    yield (
        "What else differs",
        (
            "A body that the program counts as ground is a body here too, fixed to the ground.",
            "Integrators of varying step are our own, so their results agree within tolerances, not digit for digit.",
        ),
    )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
