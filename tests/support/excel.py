"""A workbook as Excel leaves it after opening and saving: every part of ours written anew, nothing changed for the eye."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import xlsxwriter

from sheetmbs.workbook.writing.write import write_results
from tests.support.sample_results import read_parts, sheet_part, slider_crank, write_parts

RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
MICROSOFT = "http://schemas.microsoft.com/office/2011/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STYLE = (
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="c14"'
    ' xmlns:c14="http://schemas.microsoft.com/office/drawing/2007/8/2/chart"><c14:style val="102"/></mc:Choice>'
    '<mc:Fallback><c:style val="2"/></mc:Fallback></mc:AlternateContent>'
)
SERIES_ID = (
    '<c:extLst><c:ext uri="{{C3380CC4-5D6E-409C-BE32-E72D297353CC}}"'
    ' xmlns:c16="http://schemas.microsoft.com/office/drawing/2014/chart">'
    '<c16:uniqueId val="{{0000000{}-7E9D-4497-9601-FB63909DF40A}}"/></c:ext></c:extLst>'
)
STRINGS = "xl/sharedStrings.xml"
COLUMN, ROW = 609_600, 190_500
"""EMU of a column and a row of the sheet of charts"""


def book_of_excel(path: Path) -> Path:
    """A workbook with results at this path, as Excel has saved it."""
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet("Model")
        made.add_worksheet("Mine")
    write_results(path, None, slider_crank())
    save_as_excel(path)
    return path


def save_as_excel(path: Path) -> None:
    """Write the sheet of charts, its drawing, its charts and all texts as Excel does."""
    parts = read_parts(path)
    held = len(re.findall(r"<si\b", parts.get(STRINGS, b"").decode()))
    strings = [""] * held
    for name in [name for name in parts if name.startswith("xl/worksheets/sheet")]:
        parts[name] = _with_shared_strings(parts[name].decode(), strings).encode()
    _add_strings(parts, strings[held:])
    for name in [name for name in parts if re.fullmatch(r"xl/drawings/drawing\d+\.xml", name)]:
        parts[name] = _anchored_to_cells(parts[name].decode()).encode()
    for name in [name for name in parts if re.fullmatch(r"xl/charts/chart\d+\.xml", name)]:
        _save_chart(parts, name)
    write_parts(path, parts)


def _with_shared_strings(sheet: str, strings: list[str]) -> str:
    def shared(match: re.Match[str]) -> str:
        strings.append(match[2])
        return f'{match[1]} t="s"><v>{len(strings) - 1}</v></c>'

    return re.sub(r'(<c r="[A-Z]+\d+"[^>]*?) t="inlineStr"><is><t[^>]*>([^<]*)</t></is></c>', shared, sheet)


def _add_strings(parts: dict[str, bytes], strings: list[str]) -> None:
    """Put the texts into the part that holds them, made if the workbook has none."""
    name, main = STRINGS, "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    items = "".join(f'<si><t xml:space="preserve">{text}</t></si>' for text in strings)
    if name in parts:
        _insert(parts, name, f"{items}</sst>", "</sst>")
        return
    parts[name] = f'<sst xmlns="{main}">{items}</sst>'.encode()
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    _insert(parts, "[Content_Types].xml", f'<Override PartName="/{name}" ContentType="{kind}"/></Types>', "</Types>")
    arrow = f'<Relationship Id="rId99" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
    _insert(parts, "xl/_rels/workbook.xml.rels", arrow, "</Relationships>")


def _anchored_to_cells(drawing: str) -> str:
    def anchor(match: re.Match[str]) -> str:
        x, y, wide, high = (int(number) for number in match.groups())
        ends = "".join(
            f"<xdr:{end}><xdr:col>{x // COLUMN}</xdr:col><xdr:colOff>{x % COLUMN}</xdr:colOff>"
            f"<xdr:row>{y // ROW}</xdr:row><xdr:rowOff>{y % ROW}</xdr:rowOff></xdr:{end}>"
            for end, x, y in (("from", x, y - ROW), ("to", x + wide, y + high - ROW))
        )
        return f'<xdr:twoCellAnchor editAs="absolute">{ends}'

    pattern = r'<xdr:absoluteAnchor><xdr:pos x="(\d+)" y="(\d+)"/><xdr:ext cx="(\d+)" cy="(\d+)"/>'
    return re.sub(pattern, anchor, drawing).replace("</xdr:absoluteAnchor>", "</xdr:twoCellAnchor>")


def _save_chart(parts: dict[str, bytes], name: str) -> None:
    number = re.findall(r"\d+", name)[0]
    chart = parts[name].decode()
    chart = chart.replace('<c:roundedCorners val="0"/>', f'<c:roundedCorners val="0"/>{STYLE}')
    chart = chart.replace("<c:lang", '<c:date1904 val="0"/><c:lang', 1)
    chart = chart.replace("</c:ser>", f"{SERIES_ID.format(number)}</c:ser>")
    chart = chart.replace("<a:bodyPr/>", '<a:bodyPr rot="-60000000" vert="horz"/>')
    parts[name] = chart.encode()
    arrows = ""
    for key, (kind, base) in enumerate((("chartStyle", "style"), ("chartColorStyle", "colors")), start=1):
        parts[f"xl/charts/{base}{number}.xml"] = f"<cs:{kind} xmlns:cs='urn:{base}' id='201'/>".encode()
        arrows += f'<Relationship Id="rId{key}" Type="{MICROSOFT}/{kind}" Target="{base}{number}.xml"/>'
        content = f"application/vnd.ms-office.{kind.casefold()}+xml"
        override = f'<Override PartName="/xl/charts/{base}{number}.xml" ContentType="{content}"/></Types>'
        _insert(parts, "[Content_Types].xml", override, "</Types>")
    rels = f'<Relationships xmlns="{RELATIONSHIPS}">{arrows}</Relationships>'
    parts[f"xl/charts/_rels/chart{number}.xml.rels"] = rels.encode()


def chart_parts(path: Path, sheet: str = "mbs Charts") -> dict[str, str]:
    """The charts on a sheet: their part by their name in the drawing, in the order of the drawing."""
    parts = read_parts(path)
    drawing = _target(parts, sheet_part(path, sheet), "drawing")
    if not drawing:
        return {}
    frames = re.findall(
        r'<xdr:cNvPr [^>]*name="([^"]*)".*?<c:chart [^>]*r:id="(\w+)"', parts[drawing].decode(), re.DOTALL
    )
    return {name: _target(parts, drawing, "chart", key) for name, key in frames}


def drawing_part(path: Path, sheet: str = "mbs Charts") -> str:
    """The part that places what is drawn on a sheet."""
    return _target(read_parts(path), sheet_part(path, sheet), "drawing")


def _target(parts: dict[str, bytes], part: str, kind: str, key: str = r"\w+") -> str:
    folder, _, base = part.rpartition("/")
    rels = parts.get(f"{folder}/_rels/{base}.rels", b"").decode()
    for arrow in re.findall(r"<Relationship [^>]*>", rels):
        if f'/{kind}"' in arrow and re.search(rf'\bId="{key}"', arrow):
            target = re.search(r'Target="([^"]*)"', arrow)[1]
            return target.lstrip("/") if target.startswith("/") else target.replace("..", folder.rpartition("/")[0])
    return ""


def edit(path: Path, part: str, *changes: tuple[str, str], count: int = -1) -> None:
    """Replace texts in a part; each must be there."""
    parts = read_parts(path)
    text = parts[part].decode()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, count)
    parts[part] = text.encode()
    write_parts(path, parts)


def add_part(path: Path, name: str, content: bytes) -> None:
    parts = read_parts(path)
    write_parts(path, parts | {name: content})


def link(path: Path, part: str, kind: str, target: str, key: str) -> None:
    """Add a relationship from a part to another one."""
    parts = read_parts(path)
    folder, _, base = part.rpartition("/")
    rels = f"{folder}/_rels/{base}.rels"
    parts.setdefault(rels, f'<Relationships xmlns="{RELATIONSHIPS}"></Relationships>'.encode())
    arrow = f'<Relationship Id="{key}" Type="{OFFICE}/{kind}" Target="{escape(target)}"/></Relationships>'
    _insert(parts, rels, arrow, "</Relationships>")
    write_parts(path, parts)


def _insert(parts: dict[str, bytes], part: str, new: str, before: str) -> None:
    text = parts[part].decode()
    assert before in text
    parts[part] = text.replace(before, new, 1).encode()
