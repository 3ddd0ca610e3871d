"""Numbers are printed as Python prints them, so that they read back to the last bit, and stand where their rows want them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sheetmbs.engine.shortest_decimals import LEAST_K, LONGEST, MOST_K, binary_exponent, decimal_exponent, powers
from sheetmbs.workbook.package.printing import BLOCK, RowLayout, printed

LINES = RowLayout([("", "")], "", ("", "", "\n"))
AWKWARD = (
    5e-324,
    2.2250738585072009e-308,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    9007199254740993.0,
    9.5e-323,
    2.0**-1022 * 3,
    1e22,
    1e23,
    9999999999999998.0,
    1e16,
    123456789012345680.0,
    0.0001,
    0.00001,
    4.35,
    0.1 + 0.2,
    2.0**63,
    1.0 / 3.0,
    5e-5,
)


def lines(values):
    return b"".join(printed(np.reshape(np.array(values, float), (-1, 1)), [0], LINES)).decode().splitlines()


def as_python_prints(value):
    return "0" if value == 0 else repr(value).removesuffix(".0")


def check(values):
    values = [float(value) for value in values]
    assert lines(values) == [as_python_prints(value) for value in values]


def test_awkward_numbers_are_printed_as_python_prints_them():
    check([*AWKWARD, *(-value for value in AWKWARD)])


def test_powers_of_two_and_their_neighbours_are_printed_as_python_prints_them():
    exact = np.ldexp(1.0, np.arange(-1074, 1024))
    check([*exact, *np.nextafter(exact, 0.0)[1:], *np.nextafter(exact, np.inf)[:-1]])


def test_powers_of_ten_and_their_neighbours_are_printed_as_python_prints_them():
    near = np.array([float(f"1e{n}") for n in range(-307, 309)])
    check([*near, *np.nextafter(near, 0.0), *np.nextafter(near, np.inf)])


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=50))
@settings(deadline=None)
@example([0.0, -0.0])
def test_any_number_is_printed_as_python_prints_it(values):
    check(values)


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=50))
@settings(deadline=None)
def test_any_pattern_of_bits_is_printed_as_python_prints_it(bits):
    values = np.array(bits, np.uint64).view(np.float64)
    check(values[np.isfinite(values)])


@given(
    st.lists(
        st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**9), max_value=10**9), min_size=1
    )
)
@settings(deadline=None)
def test_short_decimals_stay_short(numbers):
    check(numbers)


def test_many_random_numbers_of_all_sizes_read_back_to_the_last_bit():
    rng = np.random.default_rng(5)
    values = rng.integers(0, 2**64, 20_000, dtype=np.uint64).view(np.float64)
    values = values[np.isfinite(values)]
    np.testing.assert_array_equal(np.array(lines(values), float), values)


def test_no_number_is_longer_than_it_may_be():
    assert max(len(as_python_prints(value)) for value in (-AWKWARD[2], -AWKWARD[3])) == LONGEST


def test_exponents_are_those_of_exact_arithmetic():
    for q in range(-1074, 972):
        k, uneven = decimal_exponent(q, False), decimal_exponent(q, True)  # noqa: FBT003 - kernels take no keywords
        assert Fraction(10) ** k <= Fraction(2) ** q < Fraction(10) ** (k + 1)
        assert Fraction(10) ** uneven <= Fraction(3, 4) * Fraction(2) ** q < Fraction(10) ** (uneven + 1)
    for k in range(-MOST_K, -LEAST_K + 1):
        f = binary_exponent(k)
        assert Fraction(2) ** f <= Fraction(10) ** k < Fraction(2) ** (f + 1)


def test_powers_of_ten_are_rounded_up_to_128_bits():
    for k, (high, low) in zip(range(LEAST_K, MOST_K + 1), powers().tolist(), strict=True):
        scaled = (high << 64) + low
        exact = Fraction(10) ** -k * Fraction(2) ** (127 - binary_exponent(-k))
        assert 2**127 <= scaled < 2**128
        assert 0 <= scaled - exact < 1


def test_cells_hold_their_addresses_and_unknown_numbers_leave_none():
    layout = RowLayout([("<a", ">"), ("<b", ">")], "!", ("[", ":", "]"), addressed=True, least=1e-300)
    values = np.array([[1.0, 9.0, np.nan], [1e-301, 9.0, -2.5], [np.inf, 9.0, np.nan]])
    assert b"".join(printed(values, [0, 2], layout, 9)) == b"[9:<a9>1!][10:<a10>0!<b10>-2.5!][11:]"


def test_without_addresses_an_unknown_number_is_an_empty_cell():
    layout = RowLayout([("", ""), (",", "")], "", ("", "", "\n"))
    assert b"".join(printed(np.array([[np.nan, 5e-324], [1.0, np.nan]]), [0, 1], layout)) == b",5e-324\n1,\n"


@pytest.mark.parametrize("rows", [0, 1, 70_000])
def test_blocks_are_whole_rows_and_none_is_lost(rows):
    values = np.arange(rows, dtype=float).reshape(-1, 1)
    blocks = list(printed(values, [0], LINES))
    assert all(block.endswith(b"\n") and len(block) <= BLOCK for block in blocks)
    assert b"".join(blocks).split() == [str(n).encode() for n in range(rows)]
