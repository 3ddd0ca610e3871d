"""Doubles as decimal text: the shortest that reads back as the same number, and of these the nearest to it.

Source: R. Giulietti, The Schubfach way to render doubles (2020). A double is c 2^q; its neighbours lie half a unit of c
away on either side. Scaled by a power of ten 10^-k that makes this interval 2 to 20 long, its ends and the number itself are
integers but for a fraction that is known to be there or not, so that comparing integers decides which decimals lie inside.

The text is Python's ``repr``, but a whole number below 1e16 has no ``.0``: 0.1, -2.5e-07, 1e+22, 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.records import Bytes, Floats2, Ints, Words2

LONGEST = 24
"""bytes of a number at most: -2.2250738585072014e-308"""
LEAST_K, MOST_K = -324, 292
HIDDEN, FRACTION, SIZE, BIAS = np.uint64(1 << 52), np.uint64((1 << 52) - 1), np.uint64((1 << 63) - 1), 1075
LOW, HALF = np.uint64(0xFFFF_FFFF), np.uint64(32)
NONE, ONE, TWO, FOUR, TEN, FORTY, LONG = (np.uint64(n) for n in (0, 1, 2, 4, 10, 40, 10**15))
LARGEST_PLAIN, SMALLEST_PLAIN = 16, -4
"""decimal exponents of the first digit between which a number has no exponent, as in Python"""
ZERO, DOT, MINUS, PLUS, E = (np.uint8(ord(sign)) for sign in "0.-+e")


@dataclass(frozen=True, eq=False)
class Form(Bundle):
    """How rows of numbers are written.

    text: all pieces, one after the other, piece n from ``ends[n]`` to ``ends[n + 1]``: what begins a row before and after its
    number, what ends it, what follows a number, then for each column what comes before and after the row's number in
    a cell. addressed: rows and cells hold the row's number, cells alone where nothing begins a row; a number that is not known
    then leaves no cell, else an empty one.
    least: numbers smaller than this are written as 0.
    """

    text: Bytes
    ends: Ints
    addressed: bool
    least: float


@cache
def powers() -> NDArray[np.uint64]:
    """10^-k for all k that doubles need, as (k, 2) halves of 128 bits, the first of which is set, rounded up."""
    rows = []
    for k in range(LEAST_K, MOST_K + 1):
        power = 10 ** abs(k)
        if k <= 0:
            shift = 128 - power.bit_length()
            scaled = power << shift if shift >= 0 else -(-power >> -shift)
        else:
            scaled = -(-(1 << (127 + power.bit_length())) // power)
        rows.append((scaled >> 64, scaled & 0xFFFF_FFFF_FFFF_FFFF))
    return np.array(rows, dtype=np.uint64)


@inline_kernel
def decimal_exponent(q, is_uneven):
    """floor(log10(2^q)), or floor(log10(3/4 2^q)), for |q| up to 1500."""
    return (q * 1262611 - (524031 if is_uneven else 0)) >> 22


@inline_kernel
def binary_exponent(k):
    """floor(log2(10^k)) for |k| up to 1200."""
    return (k * 1741647) >> 19


@inline_kernel
def _high(a, b):
    """The upper half of a product of 128 bits."""
    a1, a0, b1, b0 = a >> HALF, a & LOW, b >> HALF, b & LOW
    middle = ((a0 * b0) >> HALF) + a1 * b0
    other = (middle & LOW) + a0 * b1
    return a1 * b1 + (middle >> HALF) + (other >> HALF)


@kernel
def _scaled(high, low, x) -> np.uint64:
    """A power of ten times x over 2^128; the last bit says whether it lies above that integer, too."""
    below = high * x
    sum_ = below + _high(low, x)
    carry = ONE if sum_ < below else NONE
    rest = ONE if sum_ > ONE else NONE
    return (_high(high, x) + carry) | rest


@inline_kernel
def shortest(bits, powers):
    """Digits and decimal exponent k of a finite positive double: it is digits 10^k. bits: the double as uint64."""
    fraction, exponent = bits & FRACTION, np.int64(bits >> np.uint64(52))
    c = fraction if exponent == 0 else fraction | HIDDEN
    is_uneven = fraction == NONE and exponent > 1  # a power of two: the neighbour below is half as far
    q = max(exponent, np.int64(1)) - BIAS
    k = decimal_exponent(q, is_uneven)
    high, low = powers[k - LEAST_K, 0], powers[k - LEAST_K, 1]
    shift = np.uint64(q + binary_exponent(-k) + 1)
    odd = c & ONE  # an even number keeps its ends: what lies on them is rounded to it
    lower = _scaled(high, low, (FOUR * c - (ONE if is_uneven else TWO)) << shift) + odd
    value = _scaled(high, low, (FOUR * c) << shift)
    upper = _scaled(high, low, (FOUR * c + TWO) << shift) - odd

    s = value >> TWO
    if s >= TEN:
        tens = s // TEN
        is_under = lower <= FORTY * tens
        is_over = FORTY * tens + FORTY <= upper
        if is_under != is_over:
            return tens + (ONE if is_over else NONE), k + 1
    is_under = lower <= FOUR * s
    is_over = FOUR * s + FOUR <= upper
    if is_under != is_over:
        return s + (ONE if is_over else NONE), k
    middle = FOUR * s + TWO
    is_nearer = value > middle or (value == middle and (s & ONE) == ONE)
    return s + (ONE if is_nearer else NONE), k


@kernel
def _count(number) -> int:
    """How many digits a whole number has."""
    if number >= LONG:
        return 17 if number >= TEN * LONG else 16
    count, rest = 1, number // TEN
    while rest > NONE:
        count, rest = count + 1, rest // TEN
    return count


@kernel
def put_digits(out, at, number, point) -> int:
    """Write a whole number below 10^17 with a decimal point after its first ``point`` digits, where more follow.

    Returns where it ends.
    """
    count = _count(number)
    end = at + count + (1 if 0 < point < count else 0)
    place = end
    for left in range(count, 0, -1):
        if left == point < count:
            place -= 1
            out[place] = DOT
        place -= 1
        rest = number // TEN
        out[place] = ZERO + np.uint8(number - TEN * rest)
        number = rest
    return end


@inline_kernel
def put_number(out, at, value, bits, powers):
    """Write a finite double; returns where it ends. bits: the double as uint64."""
    if value == 0.0:
        out[at] = ZERO
        return at + 1
    if value < 0.0:
        out[at] = MINUS
        at += 1
    digits, exponent = shortest(bits & SIZE, powers)
    while digits % TEN == NONE:
        digits, exponent = digits // TEN, exponent + 1
    leading = exponent + _count(digits) - 1
    has_exponent = leading < SMALLEST_PLAIN or leading >= LARGEST_PLAIN
    point = 1 if has_exponent else leading + 1
    for place in range(at, at + 2 - point if point <= 0 else at):
        out[place] = DOT if place == at + 1 else ZERO
    at = put_digits(out, at + 2 - point if point <= 0 else at, digits, point)
    if not has_exponent:
        for _zero in range(exponent):
            out[at] = ZERO
            at += 1
        return at
    out[at] = E
    out[at + 1] = MINUS if leading < 0 else PLUS
    if -10 < leading < 10:
        out[at + 2] = ZERO
        at += 1
    return put_digits(out, at + 2, np.uint64(abs(leading)), 0)


@kernel
def put_rows(
    out: Bytes, values: Floats2, bits: Words2, columns: Ints, first_row: int, form: Form, powers: Words2
) -> int:
    """Write rows of numbers; returns how many bytes that took.

    out: (bytes,), large enough. values: (rows, all columns). bits: the same as uint64. columns: which of them. first_row: its
    number.
    """
    text, ends, addressed, least = form.text, form.ends, form.addressed, form.least
    at = 0
    for row in range(len(values)):
        at = _put_piece(out, at, text, ends[0], ends[1])
        address = at
        is_shared = addressed and ends[1] > ends[0]
        if is_shared:
            at = put_digits(out, at, np.uint64(first_row + row), 0)
        after_address = at
        at = _put_piece(out, at, text, ends[1], ends[2])
        for place in range(len(columns)):
            value = values[row, columns[place]]
            is_known = np.isfinite(value)
            if addressed and not is_known:
                continue
            piece = 4 + 2 * place
            at = _put_piece(out, at, text, ends[piece], ends[piece + 1])
            if addressed and not is_shared:
                at = put_digits(out, at, np.uint64(first_row + row), 0)
            at = _put_piece(out, at, out, address, after_address)
            at = _put_piece(out, at, text, ends[piece + 1], ends[piece + 2])
            if is_known:
                at = put_number(out, at, value if abs(value) >= least else 0.0, bits[row, columns[place]], powers)
            at = _put_piece(out, at, text, ends[3], ends[4])
        at = _put_piece(out, at, text, ends[2], ends[3])
    return at


@kernel
def _put_piece(out, at, text, start, end) -> int:
    for place in range(start, end):
        out[at] = text[place]
        at += 1
    return at
