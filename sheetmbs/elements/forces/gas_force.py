"""Gas spring: a polytropic volume of gas behind a piston, as in gas struts, air springs and hydropneumatic suspensions."""

from __future__ import annotations

from sheetmbs.elements.force_type import (
    LENGTH_CHART,
    LINE_AT_REST,
    LINE_VALUES,
    MAX_CHART_LINES,
    Deformation,
    Fault,
    ForceNumber,
    ForceType,
    ForceValue,
    Given,
    Limit,
    Part,
    StartPlace,
    part_charts,
)
from sheetmbs.elements.result_column import ChartPlace, DefaultChart, ResultQuantity

ATMOSPHERE = 101325.0  # Pa
LEAST_VOLUME = 0.01  # of V0: below, the law goes on straight


def _needed(name: str, quantity: str, doc: str, part: Part = "") -> ForceNumber:
    return ForceNumber(name, quantity, doc, part, default=None, blank="", required=True, sign="positive")


def _volume(given: Given, length: float) -> float:
    return given["V0"] + given["area"] * (length - given.get("length0", length))


def _fields(given: Given, start: StartPlace) -> tuple[float, ...]:
    own = tuple(given[name] for name in ("p0", "V0", "n", "area", "p_ambient", "c"))
    return (*own, given.get("length0", start.length), LEAST_VOLUME * given["V0"])


def _deformations(given: Given) -> tuple[Deformation, ...]:
    """As stiff as where the law ends."""
    pressure = given["p0"] * LEAST_VOLUME ** -given["n"]
    stiffness = given["n"] * pressure * given["area"] ** 2 / (LEAST_VOLUME * given["V0"])
    return (Deformation(turns=False, stiffness=stiffness, damping=given["c"]),)


def _fault(given: Given, length: float) -> Fault | None:
    volume = _volume(given, length)
    if volume > LEAST_VOLUME * given["V0"]:
        return None
    found = f"at the start the ends are {length:.4g} m apart, and area leaves {volume:.3g} m^3 of V0 = {given['V0']:.3g} m^3"
    return (
        "V0",
        f"{found}: the gas must keep more than {100.0 * LEAST_VOLUME:g} % of V0",
        "give a larger V0, a smaller area, or correct length0, the length at which the gas has p0 and V0",
    )


def _warning(given: Given) -> Fault | None:
    if given["p0"] > given["p_ambient"]:
        return None
    return (
        "p0",
        f"p0 = {given['p0']:.4g} Pa is no more than the pressure outside, {given['p_ambient']:.4g} Pa, so the gas pulls",
        "p0 is an absolute pressure: add the pressure outside to what a gauge shows",
    )


GAS = ForceType(
    name="gas",
    called="gas spring",
    doc="a gas spring or air spring: it pushes with area (p - p_ambient), p = p0 (V0/V)^n, V = V0 + area (length - length0)",
    ends="line",
    numbers=(
        _needed("p0", "pressure", "absolute pressure of the gas at length0", "elastic"),
        _needed("V0", "volume", "volume of the gas at length0"),
        _needed("area", "area", "area of the piston; of a gas strut, of its rod"),
        ForceNumber("n", "ratio", "polytropic exponent: 1 slow, 1.4 fast", default=1.4, blank="1.4", sign="positive"),
        ForceNumber(
            "p_ambient",
            "pressure",
            "absolute pressure outside",
            default=ATMOSPHERE,
            blank="101325 Pa",
            sign="not negative",
        ),
        ForceNumber("c", "damping", "damping coefficient", "damping"),
        ForceNumber(
            "length0", "length", "at which it has p0 and V0", default=None, blank="the initial one", sign="not negative"
        ),
    ),
    curves=(),
    values=(
        *LINE_VALUES,
        ForceValue("pressure", ResultQuantity("Pa"), "absolute pressure of the gas"),
        ForceValue("volume", ResultQuantity("m^3"), "volume of the gas"),
    ),
    fields=_fields,
    deformations=_deformations,
    fault=_fault,
    warning=_warning,
    limits=(
        Limit(
            "volume",
            lambda given: LEAST_VOLUME * given["V0"],
            "the gas of {name} was compressed to {least:.3g} m^3, and its law holds down to {bound:.3g} m^3",
            f"below {100.0 * LEAST_VOLUME:g} % of V0 the force of a gas spring goes on straight",
            "give it a larger V0 or a smaller area, or add a stop",
        ),
    ),
    picture="cylinder",
    charts=(
        *part_charts("force", ChartPlace.FORCES),
        LENGTH_CHART,
        DefaultChart("Gas pressures", ("pressure",), ChartPlace.DEFLECTIONS, moving=True, most=MAX_CHART_LINES),
    ),
    at_rest=LINE_AT_REST,
)
