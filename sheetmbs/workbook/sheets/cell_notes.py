"""Notes on cells as the two parts that hold them: their texts (ECMA-376 part 1, 18.7) and their shapes (part 4, 19.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sheetmbs.schema.cell import cell_name
from sheetmbs.workbook.package.package import MAIN
from sheetmbs.workbook.package.printing import text

Notes = Mapping[tuple[int, int], str]
"""texts by row and column, from 1"""
AUTHOR = "sheetmbs"
WIDTH, LINE, LETTERS = 240, 15, 44
"""of a note and of a line of it, points, and letters on a line"""
FIRST_SHAPE = 1025
HEAD = (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
    ' xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/>'
    '</o:shapelayout><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202"'
    ' path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/>'
    '<v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>'
)
SHAPE = (
    '<v:shape id="_x0000_s{shape}" type="#_x0000_t202" style="position:absolute;margin-left:60pt;margin-top:1.5pt;'
    'width:{width}pt;height:{height}pt;z-index:{order};visibility:hidden" fillcolor="#FFFCEB" o:insetmode="auto">'
    '<v:fill color2="#FFFCEB"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"/>'
    '<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/>'
    "<x:Anchor>{left}, 15, 1, 4, {right}, 15, {bottom}, 4</x:Anchor><x:AutoFill>False</x:AutoFill>"
    "<x:Row>{row}</x:Row><x:Column>{column}</x:Column></x:ClientData></v:shape>"
)
COLUMNS_WIDE, ROW = 3, 15
"""columns that a note covers, and points of a row"""


def note_texts(notes: Notes) -> Iterator[bytes]:
    """The part with the texts of notes."""
    yield (
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<comments xmlns="{MAIN}"><authors><author>{AUTHOR}</author>'
        "</authors><commentList>"
    ).encode()
    for (row, column), said in sorted(notes.items()):
        held = f'<text><r><t xml:space="preserve">{text(said)}</t></r></text>'
        yield f'<comment ref="{cell_name(row, column)}" authorId="0">{held}</comment>'.encode()
    yield b"</commentList></comments>"


def note_shapes(notes: Notes) -> Iterator[bytes]:
    """The part with the shapes of notes, hidden until somebody points at their cells."""
    yield HEAD.encode()
    for number, ((row, column), said) in enumerate(sorted(notes.items())):
        lines = sum(-(-len(line) // LETTERS) or 1 for line in said.split("\n"))
        height = LINE * (lines + 1)
        yield SHAPE.format(
            shape=FIRST_SHAPE + number,
            width=WIDTH,
            height=height,
            order=number + 1,
            left=column,
            right=column + COLUMNS_WIDE,
            bottom=1 + height // ROW,
            row=row - 1,
            column=column - 1,
        ).encode()
    yield b"</xml>"
