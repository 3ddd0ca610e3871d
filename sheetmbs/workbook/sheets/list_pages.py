"""Pages that are lists: blocks of rows one below the other, with texts, numbers and links in their cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor, isfinite, log10

from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import Page, PageCell, Paper, SummaryValue
from sheetmbs.workbook.sheets.sheetxml import DIGIT, LANDSCAPE_WIDTH, PADDING

HEAD, MAX_WIDTH, MIN_WIDTH, FOR_NUMBERS = 20.0, 60.0, 7.0, 11.0
LETTER = 1.1
"""width of a letter, in digits"""
ROW, PAPER_POINTS = 15.0, 515.0
"""height of a row, and of a page across between its margins, points"""
FIRST_SENTENCE_ROW, LINE = 2, 18.0
MIN_SENTENCE_WIDTH, SPARE_WIDTH = 110.0, 10.0
"""digits that sentences may run over, and of a column that is there for them alone"""
DIGITS, MAX_DECIMALS = 5, 6
MIN_SIZE_RATIO = 1e-3
MIN_PLAIN_NUMBER, MAX_ROUNDING = 1e-4, 1e-12
"""numbers between these have an exponent: their digits are not seen with the most decimals, and they are more than rounding"""


@dataclass(frozen=True)
class Listed:
    """A block of a list. heads: of its columns. rows: their cells. units: below the heads, where there are any.

    links: cells of the first column that lead to what they name. wide: columns whose texts are broken into lines.
    own: columns each of whose numbers has the decimals that it needs itself, for they are of many kinds. by_row: groups of
    columns whose numbers have the same decimals in a row, those that the largest needs, if all of them are seen with these.
    pale: rows whose cells stand in grey italics, from 0: what is less well known. is_toned: numbers from -1 to 1, in cells
    that are the darker the larger these are.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[SummaryValue, ...], ...]
    units: tuple[str, ...] = ()
    has_links: bool = False
    wide: tuple[int, ...] = field(default=())
    own: tuple[int, ...] = ()
    by_row: tuple[tuple[int, ...], ...] = ()
    pale: tuple[int, ...] = ()
    is_toned: bool = False


def listing(
    name: str,
    title: str,
    remark: str,
    blocks: Sequence[Listed],
    *,
    widths: Sequence[float] = (),
    one_head: bool = False,
) -> Page:
    """A page of blocks. widths: of columns whose texts are wrapped. one_head: the heads of its only block stay in sight."""
    head = (PageCell(1, 1, title, "title"), PageCell(2, 1, remark, "remark"))
    frozen = (0, 4) if one_head else (0, 0)
    page = _page(name, blocks, 4, head, {1: 28.0, 2: 18.0}, widths, frozen, repeated=(1, 4) if one_head else None)
    return _first_page(page)


def summary_listing(name: str, title: str, told: Sequence[str], blocks: Sequence[Listed]) -> Page:
    """A page that is shown when the workbook opens. It begins with sentences, each in a row of its own."""
    broad = list(_widths(blocks, ()))
    broad += [SPARE_WIDTH] * ceil(max(MIN_SENTENCE_WIDTH - sum(broad), 0.0) / SPARE_WIDTH)
    heights = {row: LINE * ceil(len(each) * LETTER / sum(broad)) for row, each in enumerate(told, FIRST_SENTENCE_ROW)}
    head = [PageCell(1, 1, title, "title")]
    head += [
        PageCell(row, 1, each, "answer" if row == FIRST_SENTENCE_ROW else "told", len(broad))
        for row, each in enumerate(told, FIRST_SENTENCE_ROW)
    ]
    page = _page(
        name, blocks, FIRST_SENTENCE_ROW + len(told) + 1, head, {1: 28.0} | heights, broad, (0, 0), repeated=None
    )
    return replace(page, widths=tuple(broad), size=(page.size[0], len(broad)), is_active=True)


def plain_listing(name: str, blocks: Sequence[Listed], *, widths: Sequence[float] = ()) -> Page:
    """A page whose first block has its heads in row 1 and its units in row 2, as tables have them. The first has no title."""
    return _first_page(_page(name, blocks, 1, (), {}, widths, (0, 2), repeated=(1, 2)))


def _first_page(page: Page) -> Page:
    """The page with the rows that one sheet of paper holds as what is printed: long lists are for the screen."""
    rows, columns = page.size
    scale = min(LANDSCAPE_WIDTH / sum(DIGIT * width + PADDING for width in page.widths), 1.0)
    room, last = PAPER_POINTS / scale, 0
    while last < rows and room >= page.heights.get(last + 1, ROW):
        last += 1
        room -= page.heights.get(last, ROW)
    return replace(page, paper=replace(page.paper, areas=((1, 1, max(last, 1), columns),)))


def _page(
    name: str,
    blocks: Sequence[Listed],
    first: int,
    head: Sequence[PageCell],
    heights: Mapping[int, float],
    widths: Sequence[float],
    frozen: tuple[int, int],
    *,
    repeated: tuple[int, int] | None,
) -> Page:
    """Blocks one below the other from row ``first`` on."""
    broad = tuple(_widths(blocks, widths))
    cells, tall, row = list(head), dict(heights), first
    for block in blocks:
        if block.title:
            cells.append(PageCell(row, 1, block.title, "item head"))
            row += 1
        looks = _looks(block)
        for k, (text, look) in enumerate(zip(block.heads, looks, strict=True), start=1):
            cells.append(PageCell(row, k, text, "header" if look else "header text"))
        tall[row] = HEAD
        row += 1
        if block.units:
            of_units = zip(block.units, looks, strict=True)
            cells += [
                PageCell(row, k, unit, "units" if look else "unit") for k, (unit, look) in enumerate(of_units, start=1)
            ]
            row += 1
        for number, values in enumerate(block.rows):
            of_row = list(_row(block, values, looks, row))
            cells += [replace(each, look=f"pale {each.look}") for each in of_row] if number in block.pale else of_row
            lines = max((_lines(str(values[k]), broad[k]) for k in block.wide), default=1)
            tall[row] = ROW * lines
            row += 1
        row += 1
    size = row - 2, max((len(block.heads) for block in blocks), default=1)
    return Page(name, broad, tuple(cells), size, Paper(upright=False, repeated=repeated), tall, frozen=frozen)


def _lines(text: str, width: float) -> int:
    return max(1, -(-int(len(text) * LETTER) // int(width)))


def _row(block: Listed, values: Sequence[SummaryValue], looks: Sequence[str], row: int) -> Iterator[PageCell]:
    groups = [(group, [each for k in group if isinstance(each := values[k], float | int)]) for group in block.by_row]
    shared = {k: _look_of(numbers) for group, numbers in groups for k in group if _are_alike(numbers)}
    apart = {k for group, numbers in groups for k in group if not _are_alike(numbers)}
    for k, value in enumerate(values):
        is_link = k == 0 and block.has_links and isinstance(value, str) and "!" in value
        is_own = k in block.own or k in apart
        own = _own(value) if is_own and isinstance(value, float) else shared.get(k, looks[k])
        own = _tone(value) if block.is_toned and isinstance(value, float | int) else own
        look = own if isinstance(value, float | int) else "text" if k in block.wide else "item"
        yield PageCell(row, k + 1, value, "link" if is_link else look, link=str(value) if is_link else "")


def _looks(block: Listed) -> list[str]:
    """How numbers of each column look: with the decimals that the largest needs; "" where there are none."""
    columns = [[row[k] for row in block.rows if k < len(row)] for k in range(len(block.heads))]
    numbers = [[value for value in column if isinstance(value, float | int)] for column in columns]
    known = {k for group in block.by_row for k in group}
    return [f"list {number_format(_decimals(each))}" if each or k in known else "" for k, each in enumerate(numbers)]


def _look_of(values: Sequence[float]) -> str:
    """How numbers look that have the same decimals."""
    return f"list {number_format(_decimals(values))}"


def _are_alike(values: Sequence[float]) -> bool:
    """Whether the smallest of these, where it is not 0, is still seen with the decimals that the largest needs."""
    sizes = [abs(value) for value in values if isfinite(value) and value]
    return not sizes or min(sizes) >= MIN_SIZE_RATIO * max(sizes)


def _own(value: float) -> str:
    return f"list {number_format(_decimals([value]))}"


def _tone(value: float) -> str:
    """How a number from -1 to 1 looks: by quarters of its size, rounded."""
    return f"tone {round(4.0 * min(max(value, -1.0), 1.0)):+d}"


def _decimals(values: Sequence[float]) -> int | None:
    """Decimals that the largest of these numbers needs, None for an exponent."""
    known = [abs(value) for value in values if isfinite(value) and value]
    if not known or all(value == int(value) for value in known):
        return 0
    if MAX_ROUNDING < max(known) < MIN_PLAIN_NUMBER:
        return None
    return max(0, min(DIGITS - 1 - floor(log10(max(known))), MAX_DECIMALS))


def _widths(blocks: Sequence[Listed], given: Sequence[float]) -> Iterator[float]:
    for k in range(max((len(block.heads) for block in blocks), default=1)):
        if k < len(given):
            yield given[k]
            continue
        cells = [row[k] for block in blocks for row in block.rows if k < len(row)]
        heads = [block.heads[k] for block in blocks if k < len(block.heads)]
        longest = max(map(len, [*(each for each in cells if isinstance(each, str)), *heads]), default=0)
        least = FOR_NUMBERS if any(isinstance(each, float) for each in cells) else MIN_WIDTH
        yield min(max(LETTER * longest + 3.0, least), MAX_WIDTH)
