"""The XML of a page: its cells, some of which cover several columns or lead to others, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sheetmbs.schema.cell import cell_name
from sheetmbs.workbook.package.printing import text
from sheetmbs.workbook.package.styles import as_shown
from sheetmbs.workbook.sheets.page_contents import Page, PageCell, Paper
from sheetmbs.workbook.sheets.problemsheet import hyperlink, location
from sheetmbs.workbook.sheets.sheetxml import FOLDED, FOOT, ROW_POINTS, SheetSetting, cell_xml, closing, opening, usual

INK = '<rPr><rFont val="Calibri"/><family val="2"/><b/><color rgb="FF{color}"/><sz val="10"/></rPr>'
"""how coloured text looks"""


def page_cells(page: Page) -> str:
    """The range that the cells of a page cover."""
    columns = max((cell.column + cell.span - 1 for cell in page.cells), default=1)
    return f"A1:{cell_name(max((cell.row for cell in page.cells), default=1), columns)}"


def page_sheet(page: Page, sheets: Sequence[str], setting: SheetSetting) -> Iterator[bytes]:
    """The sheet. sheets: names of the workbook's sheets; links to others are plain text."""
    yield opening(
        setting,
        page_cells(page),
        frozen=page.frozen,
        columns=usual(page.widths),
        fit=not page.paper.scale,
        rows="exact folded" if page.folded else "exact",
    )
    by_row: dict[int, list[PageCell]] = {}
    for cell in page.cells:
        by_row.setdefault(cell.row, []).append(cell)
    links: list[str] = []
    folded_rows = range(page.folded, max(by_row, default=0) + 1) if page.folded else range(0)
    for row in sorted({*by_row, *page.heights, *folded_rows}):
        cells = sorted(by_row.get(row, ()), key=lambda cell: cell.column)
        tall = page.heights.get(row, ROW_POINTS)
        inner = "".join(_covered(cell, setting) for cell in cells)
        folded = FOLDED if row in folded_rows else ""
        yield f'<row r="{row}" ht="{tall:g}" customHeight="1"{folded}>{inner}</row>'.encode()
        found = ((cell, location(cell.link, sheets)) for cell in cells if cell.link)
        links += [hyperlink(_reference(cell), place, str(cell.value)) for cell, place in found if place]
    merged = [f'<mergeCell ref="{_reference(cell)}:{_end(cell)}"/>' for cell in page.cells if cell.span > 1]
    joined = f'<mergeCells count="{len(merged)}">{"".join(merged)}</mergeCells>' if merged else ""
    linked = f"<hyperlinks>{''.join(links)}</hyperlinks>" if links else ""
    centred = '<printOptions horizontalCentered="1"/>' if page.paper.one else ""
    yield closing(
        setting, _setup(page.paper), before=joined + linked + centred, breaks=page.paper.breaks, foot=_foot(page.paper)
    )


def _setup(paper: Paper) -> str:
    tall = max(len(paper.areas), 1) if paper.one else 0
    size = f' scale="{paper.scale}"' if paper.scale else "" if tall == 1 else f' fitToHeight="{tall}"'
    return f'<pageSetup paperSize="9"{size} orientation="{"portrait" if paper.upright else "landscape"}"/>'


def _foot(paper: Paper) -> str:
    """The element that tells what stands at the foot of each sheet of paper."""
    if not paper.foot:
        return FOOT
    said = text(paper.foot.replace("&", "&&").format(page="&P", pages="&N"))
    return f"<headerFooter><oddFooter>&amp;C{said}</oddFooter></headerFooter>"


def _reference(cell: PageCell) -> str:
    return cell_name(cell.row, cell.column)


def _end(cell: PageCell) -> str:
    return cell_name(cell.row, cell.column + cell.span - 1)


def _covered(cell: PageCell, setting: SheetSetting) -> str:
    """A cell, and the empty ones that it covers, which bear its border."""
    others = range(cell.column + 1, cell.column + cell.span)
    blank = "".join(cell_xml(cell_name(cell.row, each), ("", cell.look), setting.formats) for each in others)
    if not cell.inks:
        value = as_shown(cell.value, cell.look) if isinstance(cell.value, float) else cell.value
        return cell_xml(_reference(cell), (value, cell.look), setting.formats) + blank
    pieces = [f"<r>{_said(str(cell.value))}</r>"] if cell.value else []
    pieces += [f"<r>{INK.format(color=ink[1:])}{_said(said)}</r>" for said, ink in cell.inks]
    style = setting.formats[cell.look]
    return f'<c r="{_reference(cell)}" s="{style}" t="inlineStr"><is>{"".join(pieces)}</is></c>{blank}'


def _said(piece: str) -> str:
    return f'<t xml:space="preserve">{text(piece)}</t>'
