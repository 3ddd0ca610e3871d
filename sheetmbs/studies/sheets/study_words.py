"""Numbers and lists in sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.workbook.charts.axes import pretty_unit

DIGITS = 4
LARGEST_PLAIN, SMALLEST_PLAIN = 1e7, 1e-4
MOST_LISTED = 3
MOST_PERCENT = 1000.0


def said(value: float, unit: str = "") -> str:
    """``1,234 mm``: four digits, and the unit."""
    size = abs(value)
    if size and not SMALLEST_PLAIN <= size < LARGEST_PLAIN:
        number = f"{value:.3e}"
    else:
        digits = np.format_float_positional(size, DIGITS, unique=False, fractional=False, trim="-")
        whole, point, rest = digits.partition(".")
        sign = "-" if value < 0.0 and size else ""
        number = f"{sign}{int(whole):,}{point}{rest}"
    return f"{number} {pretty_unit(unit)}".rstrip()


def axis_title(name: str, unit: str) -> str:
    """``toe error [deg]``: a name with its unit, as an axis has it."""
    return f"{name} [{pretty_unit(unit)}]" if unit else name


def said_change(value: float, unit: str = "") -> str:
    """``+3.2 mm``: with its sign."""
    return f"+{said(value, unit)}" if value > 0.0 else said(value, unit)


def percent(share: float) -> str:
    """``97.4 %`` of a share, with as many digits as tell it from all and nothing."""
    value = 100.0 * share
    if value in (0.0, 100.0):
        return f"{value:.0f} %"
    if 1.0 <= value <= 99.0:
        return f"{value:.1f} %"
    return f"{value:.2f} %"


def more_or_less(value: float, base: float) -> str:
    """``83 % less than the baseline``, "" where a share would say nothing, or the wrong thing, as for negative numbers."""
    if not np.isfinite(base) or base <= 0.0 or value < 0.0:
        return ""
    change = 100.0 * (value - base) / base
    if abs(change) > MOST_PERCENT:
        return ""
    if abs(change) < 0.05:
        return "the same as the baseline"
    return f"{abs(change):.3g} % {'less' if change < 0.0 else 'more'} than the baseline"


def listed(names: Sequence[str], most: int = MOST_LISTED) -> str:
    """``a, b and c``, or ``a, b, c and 4 more``."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else list(names))


def counted(count: int, what: str) -> str:
    """``1 variant``, ``2 variants``."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def capital(text: str) -> str:
    """Text with a capital first letter, as a sentence begins; a symbol such as x1 or k keeps its case."""
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if len(first) > 2 and first.isalpha() else text


def as_argument(path: str) -> str:
    """The name of a file as a command takes it in every shell: in double quotes where it has blanks."""
    return f'"{path}"' if " " in path else path
