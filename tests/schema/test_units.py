"""What a unit's text means, against pint; and which units fit which quantity."""

import math
import subprocess
import sys

import numpy as np
import pint
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sheetmbs.schema import units
from sheetmbs.schema.units import (
    ALIASES,
    EVERY_DIMENSION,
    PLAIN,
    PREFIXED,
    PREFIXES,
    UnitError,
    nearest_unit,
    parse_unit,
)
from sheetmbs.schema.validate import ValueFault, quantity, unit_of

PINT = pint.UnitRegistry()
# where pint calls a unit by another name
IN_PINT = {
    "in": "inch", "mil": "thou", "t": "metric_ton", "h": "hour", "min": "minute", "g0": "standard_gravity",
    "ozf": "force_ounce", "kgf": "force_kilogram", "gon": "gradian", "arcmin": "arcminute", "arcsec": "arcsecond",
    "kip": "kip", "kph": "kilometer/hour", "mph": "mile/hour", "%": "percent", "rev": "turn", "-": "dimensionless",
    "lb": "pound", "oz": "ounce", "P": "poise", "L": "liter", "deg": "degree",
}  # fmt: skip
SYMBOLS = sorted(({*PLAIN} - {"%", "-"}) | {*PREFIXED} | {"mm", "kN", "MPa", "km", "ms", "mrad", "kg", "µm"})


def by_pint(text):
    """Size in SI, and exponents of length, mass and time."""
    quantity = PINT.Quantity(1.0, text).to_base_units()
    exponents = tuple(int(quantity.dimensionality.get(f"[{name}]", 0)) for name in ("length", "mass", "time"))
    return quantity.magnitude, exponents


@pytest.mark.parametrize("symbol", [*PLAIN, *PREFIXED])
def test_every_unit_of_the_table_is_as_large_as_pint_has_it(symbol):
    unit = parse_unit(symbol)
    size, exponents = by_pint(IN_PINT.get(symbol, symbol))
    assert unit.size == pytest.approx(size, rel=1e-14)
    assert unit.exponents[:3] == exponents


@pytest.mark.parametrize("prefix", [each for each in PREFIXES if each != "μ"])
@pytest.mark.parametrize("symbol", ["m", "N", "s"])
def test_every_prefix_is_as_large_as_pint_has_it(prefix, symbol):
    wanted = {"min": "minute"}.get(prefix + symbol, prefix + symbol)
    assert parse_unit(prefix + symbol).size == pytest.approx(by_pint(wanted)[0], rel=1e-14)


@pytest.mark.parametrize("alias", ALIASES)
def test_every_alias_means_a_unit(alias):
    assert parse_unit(alias).size > 0


@given(
    st.lists(st.tuples(st.sampled_from(SYMBOLS), st.integers(-3, 3).filter(bool)), min_size=1, max_size=4),
    st.sampled_from(["*", " ", "·", "."]),
    st.sampled_from(["^{}", "**{}", "{}", "^({})"]),
)
def test_products_of_powers_mean_what_they_mean_to_pint(factors, times, power):
    plain = power == "{}"
    assume(not any(plain and symbol == "g0" and exponent > 0 for symbol, exponent in factors))  # g01 says nothing clear
    text = times.join(symbol + power.format(exponent) for symbol, exponent in factors)
    wanted = " * ".join(f"({IN_PINT.get(symbol, symbol)})**({exponent})" for symbol, exponent in factors)
    size, exponents = by_pint(wanted)
    unit = parse_unit(text)
    assert unit.size == pytest.approx(size, rel=1e-12)
    assert unit.exponents[:3] == exponents


@given(st.sampled_from(SYMBOLS), st.sampled_from(SYMBOLS), st.sampled_from(SYMBOLS))
def test_what_stands_behind_a_slash_divides(one, two, three):
    names = [IN_PINT.get(symbol, symbol) for symbol in (one, two, three)]
    wanted = by_pint("({}) * ({}) / ({})".format(*names))[0]
    assert parse_unit(f"{one} {two}/{three}").size == pytest.approx(wanted, rel=1e-12)
    wanted = by_pint("({}) / (({}) * ({}))".format(*names))[0]
    assert parse_unit(f"{one}/({two}*{three})").size == pytest.approx(wanted, rel=1e-12)
    assert parse_unit(f"{one}/{two}/{three}").size == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "pint_text"),
    [
        ("kg*m^2", "kg*m**2"),
        ("kg m2", "kg*m**2"),
        ("kg.m2", "kg*m**2"),
        ("kg·m²", "kg*m**2"),
        ("N·m", "N*m"),
        ("N-m", "N*m"),
        ("Nm", "N*m"),
        ("Nmm", "N*mm"),
        ("kNm", "kN*m"),
        ("Nms/rad", "N*m*s/rad"),
        ("N s/m", "N*s/m"),
        ("m/s²", "m/s**2"),
        ("s⁻¹", "1/s"),
        ("s^-1", "1/s"),
        ("1/s", "1/s"),
        ("°/s", "degree/s"),
        ("U/min", "rpm"),
        ("N*m/(rad/s)", "N*m*s/rad"),
        ("lbf-in", "force_pound*inch"),
        ("lbf*s/in", "force_pound*s/inch"),
        ("slug ft^2", "slug*foot**2"),
        ("kgm2", "kg*m**2"),
        ("kgmm^2", "kg*mm**2"),
        ("g·cm²", "g*cm**2"),
        ("lbin2", "pound*inch**2"),
        ("Nm2", "N*m**2"),
        ("Nmm²", "N*mm**2"),
        ("Nms^2", "N*m*s**2"),
        ("N\u2219m", "N*m"),
        ("N\u2022mm", "N*mm"),
        ("N\u2013m", "N*m"),
        ("N/(m*s^2)", "N/(m*s**2)"),
        ("(kg*mm^2)", "kg*mm**2"),
        ("[kg]", "kg"),
        ("[ N/mm ]", "N/mm"),
        ("sec.", "s"),
        ("in.", "inch"),
        ("Kg", "kg"),
        ("KN/m", "kN/m"),
        ("Degree", "degree"),
        ("\u02da", "degree"),
        ("\u338f", "kg"),
        ("m\u2215s", "m/s"),
        ("r/min", "rpm"),
        ("Newtonmeter", "N*m"),
    ],
)
def test_units_are_read_as_engineers_write_them(text, pint_text):
    size, exponents = by_pint(pint_text)
    assert parse_unit(text).size == pytest.approx(size, rel=1e-14)
    assert parse_unit(text).exponents[:3] == exponents


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("N/m s", "two ways"),
        ("°C", "temperature"),
        ("degF", "temperature"),
        ("Hz", "rev/s"),
        ("Grad", "write deg or gon"),
        ("grad", "write deg or gon"),
        ("ton", "write t"),
        ("kgm", "not a unit"),
        ("KG", "did you mean kg"),
        ("MM", "did you mean mm"),
        ("RPN", "not a unit"),
        ("furlongs", "not a unit"),
        ("N*", "not a unit"),
        ("/s", "not a unit"),
        ("(N", "bracket"),
        ("N)", "bracket"),
        ("2 m", "not a unit"),
        ("m^0.5", "not a unit"),
        ("m^99", "power"),
        ("m" * 200, "too long"),
        ("$", "not a unit"),
    ],
)
def test_what_is_no_unit_is_refused_with_a_reason(text, says):
    with pytest.raises(UnitError, match=says.replace("(", r"\(")):
        parse_unit(text)


@given(st.text(max_size=80))
def test_any_text_is_a_unit_or_refused(text):
    try:
        assert parse_unit(text).size > 0
    except UnitError as error:
        assert str(error)  # noqa: PT017 - either outcome is right


@pytest.mark.parametrize("dimension", EVERY_DIMENSION, ids=lambda dimension: dimension.name)
def test_the_units_named_in_messages_fit_their_dimension(dimension):
    assert parse_unit(dimension.si).size == 1.0
    assert parse_unit(dimension.si).fits(dimension)
    assert parse_unit(dimension.example).fits(dimension)


@pytest.mark.parametrize(
    ("text", "dimension", "fits"),
    [
        ("deg", units.ANGLE, True),
        ("deg", units.LENGTH, False),
        ("m", units.ANGLE, False),
        ("%", units.ANGLE, False),
        ("m/m", units.ANGLE, False),
        ("rpm", units.ANGULAR_VELOCITY, True),
        ("1/s", units.ANGULAR_VELOCITY, True),
        ("deg/s", units.RATE, False),
        ("rad/s^2", units.ANGULAR_VELOCITY, False),
        ("N*m", units.ROTATIONAL_STIFFNESS, True),
        ("N*m/deg", units.ROTATIONAL_STIFFNESS, True),
        ("N*m/rad", units.MOMENT, False),
        ("N/m", units.ROTATIONAL_STIFFNESS, False),
        ("J", units.MOMENT, True),
        ("kg/s", units.DAMPING, True),
        ("lb", units.FORCE, False),
        ("g", units.ACCELERATION, False),
        ("g0", units.ACCELERATION, True),
        ("kg m^2/rad^2", units.INERTIA, False),
    ],
)
def test_a_unit_fits_its_own_dimension_only_and_angles_count(text, dimension, fits):
    assert parse_unit(text).fits(dimension) == fits


@pytest.mark.parametrize(
    ("value", "text", "si"),
    [
        (300.0, "mm", 0.3),
        (0.1, "mm", 0.0001),
        (180.0, "deg", math.pi),
        (90.0, "deg", math.pi / 2),
        (60.0, "rpm", 2 * math.pi),
        (7.0, "N/mm", 7000.0),
        (4.2, "m", 4.2),
        (250.0, "g", 0.25),
    ],
)
def test_round_numbers_stay_round_in_si(value, text, si):
    assert parse_unit(text).to_si(value) == si


def test_arrays_are_converted_as_their_elements():
    values = np.array([1.0, 0.3, -7.77])
    unit = parse_unit("mm/s")
    assert list(unit.to_si(values)) == [unit.to_si(float(value)) for value in values]


@given(st.floats(-1e9, 1e9), st.sampled_from(["mm", "in", "ft", "cm", "µm"]))
def test_a_cell_with_its_unit_is_read_as_pint_reads_it(value, unit):
    wanted = PINT.Quantity(value, IN_PINT.get(unit, unit)).to("m").magnitude
    assert quantity(f"{value!r} {unit}", (units.LENGTH,)) == pytest.approx(wanted, rel=1e-13, abs=1e-300)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1,5", "number-as-text"),
        ("1.5 ", "number-as-text"),
        ("1'000", "number-as-text"),
        ("1.000.000", "number-as-text"),
        ("nan", "not-finite"),
        ("-Infinity", "not-finite"),
        ("1e400", "not-finite"),
        ("5 kg", "wrong-dimension"),
        ("5 foo", "unknown-unit"),
        ("five", "not-a-number"),
        ("mm", "not-a-number"),
        ("1+1 mm", "unknown-unit"),
    ],
)
def test_a_text_that_is_no_quantity_is_refused(text, code):
    with pytest.raises(ValueFault) as caught:
        quantity(text, (units.LENGTH,))
    assert caught.value.code == code


@given(st.text(max_size=40))
def test_any_text_in_a_number_cell_is_a_finite_number_or_refused(text):
    try:
        assert math.isfinite(quantity(text, EVERY_DIMENSION))
    except ValueFault as fault:
        assert fault.code  # noqa: PT017 - either outcome is right
        assert fault.mend  # noqa: PT017 - the same


def test_units_cost_no_foreign_import():
    code = "import sys, sheetmbs.schema.units; print(sorted({'pint', 'scipy', 'pandas', 'numba'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("text", "dimension", "code", "mend"),
    [
        ("N/MM", units.STIFFNESS, "unknown-unit", "did you mean N/mm?"),
        ("KG*M^2", units.INERTIA, "unknown-unit", "did you mean kg*m^2?"),
        ("nm", units.MOMENT, "wrong-dimension", "did you mean Nm?"),
        ("lb/in", units.STIFFNESS, "wrong-dimension", "did you mean lbf/in?"),
        ("ft-lb", units.MOMENT, "wrong-dimension", "did you mean ft-lbf?"),
        ("kg", units.FORCE, "wrong-dimension", "did you mean kgf?"),
        ("degs/s", units.ANGULAR_VELOCITY, "unknown-unit", "did you mean deg/s?"),
        ("Sekunden", units.TIME, "unknown-unit", "did you mean s?"),
        ("RAD/S", units.ANGULAR_VELOCITY, "unknown-unit", "did you mean rad/s?"),
        ("Grad", units.ANGLE, "unknown-unit", "write deg or gon"),
        ("Hz", units.ANGULAR_VELOCITY, "unknown-unit", "write rev/s, rad/s, deg/s or 1/s"),
        ("1/min", units.ANGULAR_VELOCITY, "unclear-unit", "write rpm or rad/min"),
        ("min⁻¹", units.ANGULAR_VELOCITY, "unclear-unit", "write rpm or rad/min"),
        ("Mm", units.LENGTH, "unclear-unit", "did you mean mm?"),
        ("N/Mm", units.STIFFNESS, "unclear-unit", "did you mean N/mm?"),
        ("N/m/m", units.STIFFNESS, "wrong-dimension", "give a unit such as N/m or N/mm, or none for SI"),
    ],
)
def test_a_unit_that_does_not_do_comes_with_the_one_that_was_meant(text, dimension, code, mend):
    with pytest.raises(ValueFault) as caught:
        unit_of(text, (dimension,))
    assert (caught.value.code, caught.value.mend) == (code, mend)


@given(st.text("kgmNsradeinchftlb/*^²·23 ()[]-.", max_size=12), st.sampled_from(EVERY_DIMENSION))
def test_a_unit_that_is_suggested_does_fit(text, dimension):
    meant = nearest_unit(text, (dimension,))
    if meant is not None:
        assert unit_of(meant, (dimension,)) is not None


def test_rates_that_count_neither_turns_nor_radians_stay_units_of_rates():
    assert unit_of("1/min", (units.RATE,)).size == pytest.approx(1 / 60)
    assert unit_of("1/s", (units.ANGULAR_VELOCITY,)).size == 1.0


@pytest.mark.parametrize(
    ("text", "mend"),
    [
        ("0,5 mm", "write 0.5 mm"),
        ("0,5mm", "write 0.5 mm"),
        ("1.000,5 mm", "write 1000.5 mm"),
        ("1,000.5 mm", "write 1000.5 mm"),
        ("1,500 m", "write 1.500 m or 1500 m"),
        ("1 000 mm", "write 1000 mm"),
        ("1'000.5 mm", "write 1000.5 mm"),
        ("1\u00a0000,5 mm", "write 1000.5 mm"),
        ("\u22125 mm", "write -5 mm"),
        ("- 5 mm", "write -5 mm"),
        ("1.234.567 mm", "write 1234567 mm"),
    ],
)
def test_a_quantity_in_the_spelling_of_another_country_comes_with_ours(text, mend):
    with pytest.raises(ValueFault) as caught:
        quantity(text, (units.LENGTH,))
    assert (caught.value.code, caught.value.mend) == ("number-as-text", mend)
    for way in mend.removeprefix("write ").split(" or "):
        assert quantity(way, (units.LENGTH,)) != 0.0


@pytest.mark.parametrize(
    ("text", "mend"),
    [
        ("2*1.2", "formula"),
        ("=2*1.2", "formula"),
        ("10^3", "formula"),
        ("1/2", "formula"),
        ("1.5\u00b710³", "formula"),
        ("mm 2.4", "write 2.4 mm"),
    ],
)
def test_a_calculation_is_no_number_and_a_unit_stands_behind(text, mend):
    with pytest.raises(ValueFault, match=r"number") as caught:
        quantity(text, (units.LENGTH,))
    assert caught.value.code == "not-a-number"
    assert mend in caught.value.mend


@pytest.mark.parametrize("text", ["0.5 mm", "-5 mm", "5e-1mm", ".5 mm", "3 1/m*m^2", "+2 m", "5 (mm)"])
def test_plain_quantities_are_no_spelling_of_another_country(text):
    assert quantity(text, (units.LENGTH,)) != 0.0
