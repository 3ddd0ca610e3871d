"""Doubles from decimal texts such as ``-0.0361``, many at once, each the one that is nearest to its text.

A text without its point is a whole number of up to 18 digits, which is to be divided by a power of ten. The quotient is
computed with its rounding error, so that it is known to about 100 bits; where not even that tells to which side it is to
be rounded, and for all other spellings, the result says so. T. J. Dekker, A floating-point technique for extending the
available precision, Numerische Mathematik 18 (1971) 224-242.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.workbook.cells.tags import LOW_BYTES, Flags, Places, Tags, Words

MAX_DIGITS = 18
MAX_DIGITS_BEFORE_POINT = 8

_SPLITTER = 2.0**27 + 1.0
_POWERS = 10.0 ** np.arange(MAX_DIGITS + 1)
"""Powers of ten, exact up to 22"""
_WHOLE_POWERS = 10 ** np.arange(MAX_DIGITS + 1, dtype=np.int64)
_CERTAIN = 2.0**-48
"""Relative error that the small part of a quotient surely does not exceed; it is made by two roundings"""

_DIGITS = np.uint64(0x3030303030303030)
_ABOVE_NINE = np.uint64(0x7676767676767676)
_TOP_BITS = np.uint64(0x8080808080808080)
_PAIRS, _QUADS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
_TO_PAIRS, _TO_QUADS, _TO_NUMBER = np.uint64(1 + (10 << 8)), np.uint64(1 + (100 << 16)), np.uint64(1 + (10_000 << 32))


def doubles(tags: Tags, begin: Places, end: Places) -> tuple[NDArray[np.float64], Flags]:
    """The numbers that texts between tags are, and which of them are certain.

    A text must not begin within the first 24 bytes of the piece.
    """
    points = np.append(np.flatnonzero(tags.letters == ord(".")), len(tags.letters))
    point = np.minimum(points[np.searchsorted(points, begin)], end)
    is_negative = tags.letters[begin] == ord("-")
    before, after = point - begin - is_negative, np.maximum(end - point - 1, 0)
    whole, odd = _last_digits(tags.words, point, before)
    fraction = np.zeros(len(begin), np.int64)
    for place in (0, 8, 16):
        part, is_odd = _last_digits(tags.words, end - place, after - place)
        fraction += part * 10**place
        odd |= is_odd
    certain = ~odd & (before > 0) & (before <= MAX_DIGITS_BEFORE_POINT) & (after <= MAX_DIGITS)
    certain &= (before + after <= MAX_DIGITS) | (whole == 0)
    after = np.minimum(after, MAX_DIGITS)
    values, is_rounded = _quotients(whole * _WHOLE_POWERS[after] + fraction, _POWERS[after])
    return np.where(is_negative, -values, values), certain & is_rounded


def _last_digits(words: Words, end: Places, count: Places) -> tuple[NDArray[np.int64], Flags]:
    """The number that the last ``count`` digits before each end are, 8 of them at most, and whether others stand there."""
    digits = (words[end - 8] ^ _DIGITS) & ~LOW_BYTES[8 - np.clip(count, 0, 8)]
    odd = ((digits + _ABOVE_NINE) | digits) & _TOP_BITS
    pairs = ((digits * _TO_PAIRS) >> np.uint64(8)) & _PAIRS
    quads = ((pairs * _TO_QUADS) >> np.uint64(16)) & _QUADS
    return ((quads * _TO_NUMBER) >> np.uint64(32)).astype(np.int64), odd != 0


def _quotients(dividend: NDArray[np.int64], divisor: NDArray[np.float64]) -> tuple[NDArray[np.float64], Flags]:
    """The doubles nearest to quotients, and which of them surely are. divisor: powers of ten."""
    large = dividend.astype(np.float64)
    small = (dividend - large.astype(np.int64)).astype(np.float64)
    quotient = large / divisor
    product = quotient * divisor
    (high, low), (divisor_high, divisor_low) = _halves(quotient), _halves(divisor)
    error = ((high * divisor_high - product) + high * divisor_low + low * divisor_high) + low * divisor_low
    rest = ((large - product) - error + small) / divisor
    least, most = quotient + rest * (1.0 - _CERTAIN), quotient + rest * (1.0 + _CERTAIN)
    return least, least == most


def _halves(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each number as a sum of two that have half of its bits: their products are exact."""
    shifted = _SPLITTER * values
    high = shifted - (shifted - values)
    return high, values - high
