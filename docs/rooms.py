"""Draw the rooms of the package, floor by floor: `python docs/rooms.py` writes docs/images/rooms.svg.

Floors are those that tests/project/test_layers.py holds, the rooms within a room those of the table of docs/architecture.md;
what a room is for is the first sentence of its package.
"""

from __future__ import annotations

import ast
import re
from html import escape
from pathlib import Path
from textwrap import wrap

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PICTURE = DOCS / "images" / "rooms.svg"
WIDTH, LEFT, GAP, PADDING = 860.0, 40.0, 8.0, 14.0
NARROW, WIDE = 7.3, 8.6
"""px of a character of the description, and of a bold name, at most"""
LINE, CHIP = 18.0, 28.0
COLOURS = (
    ("command", "#EAF2FB", "#8FB0D8"),
    ("workbook", "#EFF5E9", "#A9C48F"),
    ("lower", "#FDF3E3", "#E3BE83"),
    ("engine", "#F5EBF4", "#C69CC0"),
)
"""from which room downwards a floor has which colours"""
ROW = re.compile(r"^\| (`[^|]+?) \|", re.MULTILINE)
NAME = re.compile(r"`([\w/]+)/`")


def floors() -> tuple[tuple[str, ...], ...]:
    """Rooms and modules from the top floor to the lowest."""
    tree = ast.parse((ROOT / "tests" / "project" / "test_layers.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "LAYERS":
            return ast.literal_eval(node.value)
    raise LookupError("tests/project/test_layers.py declares no LAYERS")


def purpose(room: str) -> str:
    """What a room or module says of itself: the first sentence of its docstring."""
    package = ROOT / "sheetmbs" / room / "__init__.py"
    path = package if package.exists() else ROOT / "sheetmbs" / f"{room}.py"
    doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return doc.split("\n\n")[0].replace("\n", " ").split(". ")[0].rstrip(".")


def rooms_within(room: str) -> list[str]:
    """The rooms directly within a room, in the order in which the architecture describes them."""
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    names = [name for row in ROW.findall(page) for name in NAME.findall(row)]
    inner = [name.removeprefix(f"{room}/") for name in dict.fromkeys(names) if name.startswith(f"{room}/")]
    return [name for name in inner if "/" not in name]


class Box:
    """A room on its floor, laid out within a width."""

    def __init__(self, room: str, words: str, inner: list[str], width: float) -> None:
        self.title = f"{room}/" if (ROOT / "sheetmbs" / room).is_dir() else f"{room}.py"
        self.width = width
        beside = PADDING + WIDE * max(len(self.title), 12) + 14.0
        room_for_words = width - beside - PADDING
        if room_for_words < 240.0:
            self.words_at, self.first_line = PADDING, 2
        else:
            self.words_at, self.first_line = beside, 1
        fit = int((width - self.words_at - PADDING) / NARROW)
        self.lines = wrap(words, fit)
        self.chips = list(_in_rows(inner, width - 2.0 * PADDING))
        text_height = LINE * (self.first_line - 1 + max(len(self.lines), 1 if self.first_line == 1 else 0))
        self.text_height = max(LINE, text_height) + 14.0
        self.height = self.text_height + len(self.chips) * (CHIP + 6.0) + (4.0 if self.chips else 0.0)

    def drawn(self, x: float, y: float, height: float, fill: str, edge: str) -> str:
        """The box as SVG."""
        frame = f'width="{self.width:.0f}" height="{height:.0f}" rx="6" fill="{fill}" stroke="{edge}"'
        parts = [
            f'<rect x="{x:.0f}" y="{y:.0f}" {frame}/>',
            f'<text x="{x + PADDING:.0f}" y="{y + 21:.0f}" class="t">{escape(self.title)}</text>',
        ]
        for number, line in enumerate(self.lines, start=self.first_line):
            at = y + 21 + LINE * (number - 1)
            parts.append(f'<text x="{x + self.words_at:.0f}" y="{at:.0f}" class="n">{escape(line)}</text>')
        for number, row in enumerate(self.chips):
            top = y + self.text_height + number * (CHIP + 6.0)
            along = x + PADDING
            for name, wide in row:
                parts.append(
                    f'<rect x="{along:.0f}" y="{top:.0f}" width="{wide:.0f}" height="{CHIP:.0f}" rx="4" fill="#fff" '
                    f'stroke="#9AA5B1"/><text x="{along + 0.5 * wide:.0f}" y="{top + 19:.0f}" class="r">'
                    f"{escape(name)}</text>"
                )
                along += wide + 6.0
        return "\n".join(parts)


def _in_rows(names: list[str], width: float) -> list[list[tuple[str, float]]]:
    """Names in rows, each as wide as it needs."""
    rows: list[list[tuple[str, float]]] = []
    used = width + 1.0
    for name in names:
        wide = NARROW * len(name) + 20.0
        if used + wide > width:
            rows.append([])
            used = 0.0
        rows[-1].append((name, wide))
        used += wide + 6.0
    return rows


def drawing() -> str:
    """The picture as SVG."""
    parts, y = [], 8.0
    colours = {name: (fill, edge) for name, fill, edge in COLOURS}
    fill, edge = COLOURS[0][1:]
    for floor in floors():
        fill, edge = next((colours[room] for room in floor if room in colours), (fill, edge))
        rooms = [room for room in floor if room != "__main__"]
        whole = WIDTH - LEFT - 4.0 - GAP * (len(rooms) - 1)
        boxes = [Box(room, purpose(room), rooms_within(room), whole / len(rooms)) for room in rooms]
        x = LEFT
        height = max(box.height for box in boxes)
        for box in boxes:
            parts.append(box.drawn(x, y, height, fill, edge))
            x += box.width + GAP
        y += height + GAP
    style = (
        ".t{font:600 14px system-ui,sans-serif;fill:#1f2933}.n{font:13px system-ui,sans-serif;fill:#3e4c59}"
        ".r{font:600 12px system-ui,sans-serif;fill:#1f2933;text-anchor:middle}"
        ".s{font:12px system-ui,sans-serif;fill:#52606d;text-anchor:middle}"
    )
    arrow = (
        f'<path d="M20 8V{y - 18:.0f}" stroke="#52606d" stroke-width="1.6"/>'
        f'<path d="M20 {y - 8:.0f}l-5 -11h10z" fill="#52606d"/>'
        f'<text transform="translate(13 {0.5 * y:.0f}) rotate(-90)" class="s">imports point down</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {y:.0f}" width="{WIDTH:.0f}" '
        f'height="{y:.0f}" role="img" aria-label="The rooms of sheetmbs, floor by floor">\n<style>{style}</style>\n'
        f'<rect width="{WIDTH:.0f}" height="{y:.0f}" fill="#fff"/>\n{arrow}\n' + "\n".join(parts) + "\n</svg>\n"
    )


if __name__ == "__main__":
    PICTURE.write_text(drawing(), encoding="utf-8")
