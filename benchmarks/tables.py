"""Results as CSV with the machine described, as tables in README.md, and on the terminal.

A row is a dict from column to value. A CSV begins with lines `# name: value` on the machine; `read` passes over them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap

from benchmarks import machine

HERE = Path(__file__).parent
RESULTS = HERE / "results"
README = HERE / "README.md"

WIDEST = 100
"""of a line of prose"""
PLAIN_BELOW = 1e9
"""numbers up to here are written without an exponent"""

Value = str | int | float | None
Row = Mapping[str, Value]


def save(name: str, rows: Sequence[Row]) -> Path:
    """Write results/<name>.csv. Numbers keep four significant digits: more would be noise."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.csv"
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with path.open("w", newline="", encoding="utf-8") as file:
        file.writelines(f"# {item}: {value}\n" for item, value in machine.describe().items())
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows({column: digits(row.get(column)) for column in columns} for row in rows)
    return path


def read(name: str) -> list[dict[str, str]]:
    """The rows of results/<name>.csv as text."""
    with (RESULTS / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def digits(value: Value, count: int = 4) -> str:
    """A value as text, floats to so many significant digits."""
    if value is None:
        return ""
    if not isinstance(value, float):
        return str(value)
    text = f"{value:.{count}g}"
    return f"{float(text):.0f}" if 1.0 <= abs(value) < PLAIN_BELOW and "e" in text else text


def markdown(rows: Sequence[Row], columns: Mapping[str, str] | None = None) -> str:
    """A table in Markdown. columns: which to show, with their headings; numbers stand to the right."""
    shown = columns or {column: column for row in rows for column in row}
    texts = [[digits(row.get(column), 3) for column in shown] for row in rows]
    right = [all(isinstance(row.get(column), int | float | None) for row in rows) for column in shown]
    lines = [_line(shown.values()), _line("---:" if each else "---" for each in right)]
    return "\n".join([*lines, *(_line(text) for text in texts)])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def show(rows: Sequence[Row], columns: Mapping[str, str] | None = None) -> None:
    """Print a table."""
    shown = columns or {column: column for row in rows for column in row}
    texts = [list(shown.values()), *([digits(row.get(column), 3) for column in shown] for row in rows)]
    widths = [max(len(text[k]) for text in texts) for k in range(len(shown))]
    for text in texts:
        print("  ".join(cell.ljust(width) for cell, width in zip(text, widths, strict=True)).rstrip())


def into_readme(marker: str, text: str) -> None:
    """Put text between `<!-- marker -->` and `<!-- end marker -->` of README.md. Raises ValueError if it has no such place."""
    begin, end = f"<!-- {marker} -->", f"<!-- end {marker} -->"
    page = README.read_text(encoding="utf-8")
    if page.count(begin) != 1 or page.count(end) != 1:
        raise ValueError(f"README.md has no place {begin} ... {end}")
    before, _, rest = page.partition(begin)
    after = rest.partition(end)[2]
    lines = [line if line.startswith("|") else "\n".join(wrap(line, WIDEST)) for line in text.strip().splitlines()]
    README.write_text("\n".join([f"{before}{begin}", *lines, f"{end}{after}"]), encoding="utf-8")
