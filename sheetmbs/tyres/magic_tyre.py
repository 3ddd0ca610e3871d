"""A tyre by the magic formula from its coefficients: what is missing, what cannot be, and what is not likely."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan, inf, pi, sin, sqrt

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.engine.tyres.magic_formula_coefficients import MagicFormula
from sheetmbs.engine.tyres.tyre_states import MAGIC_FORMULA, TyreKernel
from sheetmbs.tyres.coefficients import (
    ASYMMETRIC,
    COMBINED,
    DEFAULTS,
    FAMILIES,
    FITTYP,
    FORMAT,
    FORMATS,
    IGNORED,
    INFLATION,
    MAGIC_NAMES,
    MAIN,
    NEVER_MISSED,
    RANGES,
    SCALES,
    SIDE,
    SIDES,
    VERSIONS,
)
from sheetmbs.tyres.given_values import GivenValues, TyreProblems
from sheetmbs.tyres.plausible import check_cornering, check_friction
from sheetmbs.tyres.tyre import MAX_SLIP_ANGLE, NO_SIMPLE, NO_TABLE, SYMMETRIC, Tyre

USUAL_STIFFNESS = 2.0e5
"""N/m, of a tyre whose file has no VERTICAL_STIFFNESS"""
LOADS, RADII, PRESSURES = (100.0, 2.0e5), (0.05, 2.0), (1.0e4, 2.0e6)
"""N, m and Pa between which nominal loads, radii and pressures of tyres lie"""
READING = "TNO: Mz = -t Fy' + Mzr + s Fx with atan sqrt(tan^2 alpha + (Kxk/Kya)^2 kappa^2) in the trail; no turn slip"


@dataclass(frozen=True)
class TyreScales:
    """Factors on friction and stiffness, along and across."""

    mu_x: float = 1.0
    mu_y: float = 1.0
    c_x: float = 1.0
    c_y: float = 1.0

    @property
    def by_name(self) -> dict[str, float]:
        """The scale factors of the magic formula that they multiply."""
        return {"LMUX": self.mu_x, "LMUY": self.mu_y, "LKX": self.c_x, "LKY": self.c_y}


@dataclass(frozen=True)
class TyreRow:
    """What the row of a tyre says besides its model. place: of its name. measured_side: blank where it is left open."""

    name: str
    place: str
    measured_side: str = ""
    pressure: float | None = None
    scales: TyreScales = TyreScales()


class TyreCoefficients:
    """The numbers of a tyre by name, with the defaults of those that are missing, and where each stands."""

    def __init__(self, given: GivenValues, row: TyreRow) -> None:
        self._given = given
        self._row = row
        self.values = {name: DEFAULTS.get(name, 0.0) for name in MAGIC_NAMES}
        self.values |= {name: float(each.value) for name, each in given.items() if isinstance(each.value, float)}

    def __getitem__(self, name: str) -> float:
        """The number of a coefficient, 0 of one that no tyre needs."""
        return self.values.get(name, 0.0)

    def has(self, name: str) -> bool:
        """Whether a number is given."""
        return name in self._given and isinstance(self._given[name].value, float)

    def text(self, name: str) -> str:
        """A text that is given, blank where there is none."""
        return str(self._given[name].value) if name in self._given else ""

    def place(self, *names: str) -> str:
        """Where the first of some values stands that is given; else the row of the tyre."""
        return next((self._given[name].place for name in names if name in self._given), self._row.place)

    def shown(self, name: str) -> str:
        """A value with its name, as it is written."""
        return f"{name} = {self._given[name].as_written}" if name in self._given else f"no {name}"


def magic_tyre(given: GivenValues, row: TyreRow, problems: TyreProblems) -> Tyre | None:
    """The tyre; None where it cannot be, which is reported."""
    found = TyreCoefficients(given, row)
    version = _version(found, problems)
    _check_main(found, problems)
    low, high = _ranges(found, problems)
    if version is None or problems.has_errors:
        return None
    facts = [("reading", READING), *_missing(found, version, row, problems), *_ignored(found, version, row, problems)]
    for name, factor in row.scales.by_name.items():
        found.values[name] *= factor
    side = _side(found, row, problems)
    if side == SYMMETRIC:
        found.values |= dict.fromkeys(ASYMMETRIC, 0.0)
    facts += _completed(found, row, problems)
    pressure = row.pressure or found[INFLATION] or found["NOMPRES"]
    _check_shapes(found, problems)
    _check_sizes(found, problems)
    cornering = found["PKY1"] * sin(found["PKY4"] * atan(1.0 / found["PKY2"])) * found["LKY"]
    check_cornering(cornering, found.place("PKY1"), found.shown("PKY1"), PKY1_FIX, problems)
    for name, scale in (("PDX1", "LMUX"), ("PDY1", "LMUY")):
        check_friction(abs(found[name] * found[scale]), found.place(name), f"{name} {scale}", problems)
    if problems.has_errors:
        return None
    formula = MagicFormula(version, *(found[name] for name in MAGIC_NAMES))
    kernel = TyreKernel(MAGIC_FORMULA, low, high, formula, NO_SIMPLE, NO_TABLE)
    nominal = found["FNOMIN"] * found["LFZO"]
    return Tyre(row.name, "magic formula", kernel, side, pressure, found["LONGVL"], nominal, tuple(facts))


PKY1_FIX = (
    "export the file in ISO-W axes, or change the sign of PKY1 and of every PKY6, PKY7, PVY, RVY, QDZ6 to QDZ11 and SSZ; "
    "measured points in SAE axes go onto Tyre data with axes = SAE"
)


def _version(found: TyreCoefficients, problems: TyreProblems) -> int | None:
    fitted, form = found.text(FITTYP), found.text(FORMAT)
    number = fitted.removesuffix(".0") if fitted.removesuffix(".0") in VERSIONS else fitted
    known = "5, 51 (5.1), 6, 21, 52 (5.2), 60, 61 (6.1) and 62 (6.2)"
    if number in VERSIONS:
        return VERSIONS[number]
    if fitted:
        rule = f"versions of the magic formula are {known}"
        problems.error("unknown-version", found.place(FITTYP), f"FITTYP = {fitted}", rule, "write one of them")
        return None
    if form.upper() in FORMATS:
        return FORMATS[form.upper()]
    shown = f"PROPERTY_FILE_FORMAT = {form}, and no FITTYP" if form else "no FITTYP"
    rule = f"FITTYP says which version of the magic formula the coefficients belong to: {known}; PAC2002 needs none"
    problems.error(
        "missing-version", found.place(FITTYP, FORMAT), shown, rule, "add FITTYP = 61, or what the fit is of"
    )
    return None


def _check_main(found: TyreCoefficients, problems: TyreProblems) -> None:
    for name in MAIN:
        if found[name] == 0.0:
            shown = found.shown(name) if found.has(name) else f"{name} is missing"
            rule = f"a tyre of the magic formula needs {name}, and it is not 0"
            problems.error(
                "missing-coefficient", found.place(name), shown, rule, f"add {name} from the fit of the tyre"
            )
    for name in ("FNOMIN", "UNLOADED_RADIUS"):
        if found[name] < 0.0:
            problems.error("out-of-range", found.place(name), found.shown(name), f"{name} is above 0", "correct it")
    for name in SCALES:
        if found.has(name) and found[name] < 0.0:
            problems.error(
                "out-of-range", found.place(name), found.shown(name), "scale factors are 0 or more", "correct it"
            )
    if found.has("LFZO") and found["LFZO"] == 0.0:
        problems.error(
            "out-of-range", found.place("LFZO"), "LFZO = 0", "it scales the nominal load, and is above 0", "write 1"
        )


def _ranges(found: TyreCoefficients, problems: TyreProblems) -> tuple[Floats, Floats]:
    """Lowest and highest slip ratio, slip angle, camber, load and pressure."""
    low, high = np.full(5, -inf), np.full(5, inf)
    low[1], high[1] = -MAX_SLIP_ANGLE, MAX_SLIP_ANGLE
    for place, (least, most) in enumerate(RANGES):
        if not found.has(least) and not found.has(most):
            continue
        if found.has(least) and found.has(most) and found[least] >= found[most]:
            if place == 4 and found[least] == found[most] == 0.0:
                continue  # files without pressure say so
            shown = f"{found.shown(least)}, {found.shown(most)}"
            problems.error("out-of-range", found.place(most), shown, f"{least} is below {most}", "correct one of them")
            continue
        low[place] = max(found[least], low[place]) if found.has(least) else low[place]
        high[place] = min(found[most], high[place]) if found.has(most) else high[place]
    low[3] = max(low[3], 0.0)
    return low, high


def _missing(found: TyreCoefficients, version: int, row: TyreRow, problems: TyreProblems) -> Iterator[tuple[str, str]]:
    """Which coefficients are missing, said once."""
    names = [n for n in MAGIC_NAMES if n in FAMILIES[version] and n not in NEVER_MISSED and not found.has(n)]
    names = [name for name in names if name not in ("LONGVL", "NOMPRES", "VERTICAL_STIFFNESS")]
    if not names:
        return
    groups: dict[float, list[str]] = {}
    for name in names:
        groups.setdefault(DEFAULTS.get(name, 0.0), []).append(name)
    told = "; ".join(
        f"{', '.join(each)} {'count' if len(each) > 1 else 'counts'} {value:g}" for value, each in groups.items()
    )
    yield "missing coefficients", told
    fix = "add them if the fit of the tyre has them"
    problems.note("missing-coefficients", row.place, f"coefficients of {row.name} that are missing", told, fix)


def _ignored(found: TyreCoefficients, version: int, row: TyreRow, problems: TyreProblems) -> Iterator[tuple[str, str]]:
    """TyreCoefficients of another version that are given and not 0, said once."""
    names = [name for name in IGNORED[version] if found.has(name) and found[name] not in (0.0, DEFAULTS.get(name, 0.0))]
    if names:
        yield "coefficients of another version", ", ".join(names)
        rule = f"the version that FITTYP names does not use {', '.join(names)}"
        problems.note(
            "other-version", row.place, f"coefficients of {row.name}", rule, "correct FITTYP if they should count"
        )


def _side(found: TyreCoefficients, row: TyreRow, problems: TyreProblems) -> str:
    if row.measured_side:
        return row.measured_side
    written = found.text(SIDE).strip().lower()
    if written in SIDES:
        return written
    if written:
        rule = "a tyre is measured on the left or right side, or symmetric"
        fix = "write LEFT, RIGHT or SYMMETRIC, or fill in measured_side on Tyres"
        problems.error("unknown-value", found.place(SIDE), f"TYRESIDE = {written.upper()}", rule, fix)
    else:
        rule = "it is taken as measured on the left side of a car, and mirrored on the right"
        fix = "write left, right or symmetric in measured_side"
        problems.warning("missing-side", row.place, f"the tyre {row.name} has no TYRESIDE", rule, fix)
    return "left"


def _completed(found: TyreCoefficients, row: TyreRow, problems: TyreProblems) -> Iterator[tuple[str, str]]:
    """Values that follow from others or are assumed, each said once."""
    if found["VERTICAL_STIFFNESS"] <= 0.0:
        if found.has("VERTICAL_STIFFNESS") and found["VERTICAL_STIFFNESS"] < 0.0:
            rule = "a stiffness is above 0"
            problems.error(
                "out-of-range", found.place("VERTICAL_STIFFNESS"), found.shown("VERTICAL_STIFFNESS"), rule, "correct it"
            )
            return
        found.values["VERTICAL_STIFFNESS"] = USUAL_STIFFNESS
        told = "VERTICAL_STIFFNESS is missing: 200 N/mm is taken, for the radii"
        yield "assumed", told
        fix = "add VERTICAL_STIFFNESS"
        problems.note(
            "assumed-value", row.place, f"no VERTICAL_STIFFNESS of {row.name}", "200 N/mm is taken for radii", fix
        )
    if found["Q_FZ1"] == 0.0:
        slope = found["VERTICAL_STIFFNESS"] * found["UNLOADED_RADIUS"] / found["FNOMIN"]
        squared = slope**2 - 4.0 * found["Q_FZ2"]
        if squared <= 0.0:
            rule = "(VERTICAL_STIFFNESS UNLOADED_RADIUS/FNOMIN)^2 is above 4 Q_FZ2"
            fix = "correct one of them, and look at the units"
            shown = f"{found.shown('Q_FZ2')}, {found.shown('VERTICAL_STIFFNESS')}"
            problems.error("out-of-range", found.place("Q_FZ2", "VERTICAL_STIFFNESS"), shown, rule, fix)
            return
        found.values["Q_FZ1"] = sqrt(squared)
    if found["NOMPRES"] <= 0.0:
        found.values["QSY8"] = 0.0  # a ratio of pressures that nobody knows
        if row.pressure is not None:
            rule = "without NOMPRES the tyre does not depend on its pressure"
            problems.warning(
                "unused-value", row.place, f"pressure of {row.name}", rule, "add NOMPRES, or clear pressure"
            )


def _check_shapes(found: TyreCoefficients, problems: TyreProblems) -> None:
    """Warn of shape factors and curvatures beyond the physical range, and of missing coefficients of combined slip."""
    shapes = (("PCX1", "LCX"), ("PCY1", "LCY"), ("QCZ1", ""), ("RCX1", ""), ("RCY1", ""))
    for name, scale in shapes:
        value = found[name] * (found[scale] if scale else 1.0)
        if value < 0.0 or (value == 0.0 and found[name] != 0.0):
            rule = "a shape factor C is above 0: with another one the force has no peak"
            problems.warning("unphysical-coefficient", found.place(name), found.shown(name), rule, "look at the fit")
    for name, scale in (("PEX1", "LEX"), ("PEY1", "LEY"), ("QEZ1", ""), ("REX1", ""), ("REY1", "")):
        if found[name] * (found[scale] if scale else 1.0) > 1.0:
            rule = "a curvature E is at most 1; 1 is used"
            problems.warning("unphysical-coefficient", found.place(name), found.shown(name), rule, "look at the fit")
    for names, force in zip(COMBINED, ("longitudinal", "lateral"), strict=True):
        if any(found[name] == 0.0 for name in names):
            rule = f"without {' and '.join(names)} slip in the other direction does not reduce the {force} force"
            fix = f"add {' and '.join(names)} if longitudinal and lateral slip act together"
            missing = next(name for name in names if found[name] == 0.0)
            problems.warning("no-combined-slip", found.place(missing), f"no {missing}", rule, fix)
    if found["PKY2"] < 0.0:
        rule = "the load of the largest cornering stiffness is above 0"
        problems.warning("unphysical-coefficient", found.place("PKY2"), found.shown("PKY2"), rule, "look at the fit")


def _check_sizes(found: TyreCoefficients, problems: TyreProblems) -> None:
    """Warn of loads in kN, lengths in mm, pressures in bar and angles in degrees that have no such unit."""
    sizes = (
        ("FNOMIN", LOADS, "N", "kN"),
        ("UNLOADED_RADIUS", RADII, "m", "mm"),
        ("NOMPRES", PRESSURES, "Pa", "kPa or bar"),
    )
    for name, (least, most), unit, other in sizes:
        if found[name] and not least <= found[name] <= most:
            rule = f"it is between {least:g} and {most:g} {unit}; is it in {other}?"
            fix = "correct the section UNITS of the file, or the unit of the cell"
            problems.warning("out-of-range", found.place(name), found.shown(name), rule, fix)
    for name in (*RANGES[1], *RANGES[2]):
        if abs(found[name]) > pi:
            rule = f"an angle of {abs(found[name]):.4g} rad is more than half a turn; is it in degrees?"
            fix = "write ANGLE = 'degree' in the section UNITS, or the unit of the cell"
            problems.warning("angle-in-rad", found.place(name), found.shown(name), rule, fix)
