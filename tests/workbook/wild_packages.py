"""Workbook files that went wrong: parts missing, swapped and spoilt, archives cut off, made to harm, or merely odd."""

from __future__ import annotations

import io
import random
import re
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from tests.support import books

ROOT = Path(__file__).parents[2]
BASES = ("workbooks/pendulum.xlsx", "workbooks/slider-crank.xlsx", "templates/blank-2d.xlsx", "results", "texts")
LISTS = ("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml")
MILLION = 1_000_000


@dataclass
class File:
    """A workbook to be written. parts: by name. names: of the entries in their order, a name may come twice.

    after: what is done to the finished archive.
    """

    parts: dict[str, bytes]
    names: list[str] = field(default_factory=list)
    stored: bool = False
    after: list[Callable[[bytes], bytes]] = field(default_factory=list)

    def content(self) -> bytes:
        """The bytes of the file."""
        packed = io.BytesIO()
        method = zipfile.ZIP_STORED if self.stored else zipfile.ZIP_DEFLATED
        with warnings.catch_warnings(), zipfile.ZipFile(packed, "w", method, compresslevel=1) as archive:
            warnings.simplefilter("ignore")  # of names that come twice
            for name in [*self.parts, *self.names]:
                archive.writestr(zipfile.ZipInfo(name), self.parts.get(name, b""), method)
        content = packed.getvalue()
        for change in self.after:
            content = change(content)
        return content


def save(path: Path, file: File) -> Path:
    """Write the workbook."""
    path.write_bytes(file.content())
    return path


@cache
def _base(name: str) -> dict[str, bytes]:
    if name == "texts":  # shared strings, a user's formula on a result sheet, properties
        return {part: text.encode() for part, text in books.parts().items()}
    with zipfile.ZipFile(_with_results() if name == "results" else ROOT / name) as archive:
        return {part: archive.read(part) for part in archive.namelist()}


def _with_results() -> io.BytesIO:
    """The pendulum after a run."""
    from dataclasses import replace
    from tempfile import TemporaryDirectory

    import sheetmbs
    from sheetmbs.model.model import Model

    with TemporaryDirectory() as folder:
        model: Model = sheetmbs.read(ROOT / "workbooks" / "pendulum.xlsx")
        settings = replace(model.settings, t_end=0.05, t_step=0.01)
        copy = sheetmbs.run(replace(model, settings=settings)).save(Path(folder, "results.xlsx"))
        return io.BytesIO(copy.read_bytes())


NASTY = [
    *("", " ", "a b", "a" * 70_000, "\u202e", "mbs Bodies", "mbs Summary"),
    *"""0 -1 1 99999 4294967296 99999999999999999999 1e9 1.5 NaN x true None A0 A1 ZZZZ1 XFD1048576 XFE1 A1048577 A1:XFD1048576
    B2:A1 A1: rId1 rId999 / .. ../.. ../../../etc/passwd # worksheets/sheet1.xml /xl/workbook.xml workbook.xml styles.xml
    http://localhost/x file:///etc/passwd External Settings ' &quot; &amp; &#10; &#xFFFF; &#0; &x; < %00 %2e%2e/x
    application/xml image/png x/y hidden veryHidden shared array s str inlineStr e b d n xlsx""".split(),  # noqa: SIM905 - words
]
ATTRIBUTE = re.compile(rb'(?<=\s)([\w:]+)="([^"]*)"')
TAG = re.compile(rb"<(/?)([\w:]+)([^<>]*?)(/?)>")
TEXT = re.compile(rb">([^<>]+)<")
DOCTYPES = [
    '<!DOCTYPE x [<!ENTITY a "ha">]>',
    '<!DOCTYPE x SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE x [<!ENTITY % e SYSTEM "http://localhost:1/x"> %e;]>',
    "<!DOCTYPE x>",
    '<!DOCTYPE x [<!ENTITY l0 "lol">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12)) + "]>",
]


@st.composite
def wild_files(draw: st.DrawFn) -> File:
    """A workbook with one to four things wrong, or merely odd."""
    file = File(dict(_base(draw(st.sampled_from(BASES)))))
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 4]))):
        draw(st.sampled_from(CHANGES))(draw, file)
    return file


def _name(draw: st.DrawFn, file: File) -> str:
    names = sorted(file.parts)
    listing = [name for name in LISTS if name in file.parts]
    return draw(st.sampled_from(listing if listing and draw(st.booleans()) else names)) if names else "x"


def _sheet(draw: st.DrawFn, file: File) -> str:
    sheets = sorted(name for name in file.parts if name.startswith("xl/worksheets/sheet"))
    return draw(st.sampled_from(sheets)) if sheets else _name(draw, file)


def _changed(
    draw: st.DrawFn, file: File, pattern: re.Pattern[bytes], change: Callable[[re.Match[bytes]], bytes]
) -> None:
    """A part with one match of a pattern replaced."""
    name = _name(draw, file)
    found = list(pattern.finditer(file.parts.get(name, b"")))
    if found:
        match = draw(st.sampled_from(found))
        xml = file.parts[name]
        file.parts[name] = xml[: match.start()] + change(match) + xml[match.end() :]


def spoil_attribute(draw: st.DrawFn, file: File) -> None:
    value = draw(st.sampled_from(NASTY)).encode()
    _changed(draw, file, ATTRIBUTE, lambda match: match[1] + b'="' + value + b'"')


def drop_attribute(draw: st.DrawFn, file: File) -> None:
    _changed(draw, file, ATTRIBUTE, lambda _match: b"")


def spoil_text(draw: st.DrawFn, file: File) -> None:
    value = draw(st.sampled_from(NASTY)).encode()
    _changed(draw, file, TEXT, lambda _match: b">" + value + b"<")


def rename_tag(draw: st.DrawFn, file: File) -> None:
    """All tags of one name in a part."""
    name = _name(draw, file)
    tags = sorted({match[2] for match in TAG.finditer(file.parts.get(name, b""))})
    if tags:
        old, new = draw(st.sampled_from(tags)), draw(st.sampled_from([b"x", b"row", b"c", b"sheet", b"y:z", *tags]))
        file.parts[name] = re.sub(rb"(?<=[</])" + re.escape(old) + rb"(?=[\s/>])", new, file.parts[name])


def drop_element(draw: st.DrawFn, file: File) -> None:
    """An element with all that is in it, or all elements of its name."""
    name = _name(draw, file)
    xml = file.parts.get(name, b"")
    tags = sorted({match[2] for match in TAG.finditer(xml)})
    if tags:
        tag = re.escape(draw(st.sampled_from(tags)))
        whole = re.compile(rb"<" + tag + rb"(?:\s[^<>]*)?(?:/>|(?<!/)>.*?</" + tag + rb">)", re.DOTALL)
        file.parts[name] = whole.sub(b"", xml, count=draw(st.sampled_from([0, 1])))


def repeat_element(draw: st.DrawFn, file: File) -> None:
    """An element again, and again."""
    name = _name(draw, file)
    xml = file.parts.get(name, b"")
    tags = sorted({match[2] for match in TAG.finditer(xml)})
    if tags:
        tag = re.escape(draw(st.sampled_from(tags)))
        whole = re.search(rb"<" + tag + rb"(?:\s[^<>]*)?(?:/>|(?<!/)>.*?</" + tag + rb">)", xml, re.DOTALL)
        if whole:
            times = draw(st.sampled_from([1, 2, 3_000]))
            file.parts[name] = xml[: whole.end()] + times * whole[0] + xml[whole.end() :]


def break_tag(draw: st.DrawFn, file: File) -> None:
    _changed(draw, file, TAG, lambda match: draw(st.sampled_from([b"", b"<", b"</x>", match[0] * 2, match[0][:-1]])))


PIECES = [
    *(
        b'<!-- <row r="1"/> -->',
        b"<?x y?>",
        b"<![CDATA[<v>1</v>]]>",
        b'<y:x xmlns:y="u"/>',
        b'<c r="A1"><v>1</v></c>',
        b'<row r="1"/>',
    ),
    *(
        b"<f>1</f>",
        b"&x;",
        b"&lol;",
        b"\x00",
        b"\xff",
        b"\xc3\x28",
        b"\xed\xa0\x80",
        b" " * MILLION,
        b"a" * (11 * MILLION),
    ),
    *(b"<x>" * deep + b"</x>" * deep for deep in (300, 1_500, 20_000)),
    *(b"<x>" * 100_000, b"<x " + b'a="1" ' * 5_000 + b"/>"),
]


def insert(draw: st.DrawFn, file: File) -> None:
    """Something that XML allows, or does not, after a tag."""
    piece = draw(st.sampled_from(PIECES))
    _changed(draw, file, TAG, lambda match: match[0] + piece)


def declare(draw: st.DrawFn, file: File) -> None:
    """A document type, with entities that grow or that read other files."""
    name, doctype = _name(draw, file), draw(st.sampled_from(DOCTYPES))
    head, mark, rest = file.parts.get(name, b"").partition(b"?>")
    entity = re.findall(r"<!ENTITY (\w+)", doctype)
    use = f"&{entity[-1]};".encode() if entity and draw(st.booleans()) else b""
    rest = re.sub(rb"(<\w[^<>]*[^/]>)", lambda match: match[0] + use, rest, count=1)
    file.parts[name] = head + mark + doctype.encode() + rest


def encode(draw: st.DrawFn, file: File) -> None:
    """A part in another encoding, said or unsaid."""
    name = _name(draw, file)
    text = file.parts.get(name, b"").decode("utf-8", "replace")
    encoding = draw(st.sampled_from(["utf-16", "utf-16-be", "utf-8-sig", "latin-1", "utf-32", "cp037"]))
    if draw(st.booleans()):
        text = text.replace("UTF-8", encoding).replace("utf-8", encoding)
    file.parts[name] = text.encode(encoding, "replace")


def spoil_bytes(draw: st.DrawFn, file: File) -> None:
    name = _name(draw, file)
    content = bytearray(file.parts.get(name, b""))
    if content:
        for _ in range(draw(st.sampled_from([1, 3, 50]))):
            content[draw(st.integers(0, len(content) - 1))] = draw(st.integers(0, 255))
    file.parts[name] = bytes(content)


def cut_part(draw: st.DrawFn, file: File) -> None:
    name = _name(draw, file)
    file.parts[name] = file.parts.get(name, b"")[: draw(st.integers(0, len(file.parts.get(name, b""))))]


def drop_part(draw: st.DrawFn, file: File) -> None:
    file.parts.pop(_name(draw, file), None)


def swap_parts(draw: st.DrawFn, file: File) -> None:
    a, b = _name(draw, file), _name(draw, file)
    file.parts[a], file.parts[b] = file.parts.get(b, b""), file.parts.get(a, b"")


def rename_part(draw: st.DrawFn, file: File) -> None:
    old = _name(draw, file)
    new = draw(
        st.sampled_from([*UNSAFE, old.upper(), old.lower(), old.replace("xml", "bin"), f"{old}/x", f"x/{old}", "xl"])
    )
    file.parts[new] = file.parts.pop(old, b"")


UNSAFE = [
    *("", "x\x00y", "x\ny", "\u202e.xml", "\u00e9.xml", "a" * 60_000),
    *"../evil.xml /etc/passwd ..\\evil.xml C:\\evil.xml C:/evil.xml xl/../../evil ./x xl//x . .. xl/ con aux.xml".split(),  # noqa: SIM905 - words
]


def add_part(draw: st.DrawFn, file: File) -> None:
    """A part that nothing leads to, perhaps under a name that leads away."""
    file.parts[draw(st.sampled_from([*UNSAFE, "xl/media/image1.png", "xl/calcChain.xml", "xl/vbaProject.bin"]))] = draw(
        st.sampled_from([b"", b"x", b"<x/>", b"mbs Bodies" * 10, b"<f>" * 20_000, b"'mbs " * 50_000, b"<f " * 50_000])
    )


def repeat_name(draw: st.DrawFn, file: File) -> None:
    name = _name(draw, file)
    file.names += [draw(st.sampled_from([name, name.upper()]))]


def many_parts(draw: st.DrawFn, file: File) -> None:
    file.names += [f"xl/x{n}.xml" for n in range(draw(st.sampled_from([100, 5_000, 30_000])))]


def bomb(draw: st.DrawFn, file: File) -> None:
    """A part that unpacks to far more than it takes."""
    name = draw(st.sampled_from([_name(draw, file), _sheet(draw, file), "xl/media/image1.bmp"]))
    filler = draw(st.sampled_from([b" ", b"<x/>", b"<!-- -->", b'<row r="1"/>']))
    filling = filler * (draw(st.sampled_from([2, 20, 60])) * MILLION // len(filler))
    content = file.parts.get(name, b"")
    at = max(content.rfind(b"</"), 0)
    file.parts[name] = content[:at] + filling + content[at:]


def lie(draw: st.DrawFn, file: File) -> None:
    """A wrong number in a header of the archive."""
    signature = draw(st.sampled_from([b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"]))
    at = draw(st.integers(4, 46))
    value = draw(st.sampled_from([b"\x00\x00", b"\xff\xff", b"\x01\x00", b"\xff\xff\xff\xff", b"\x00\x00\x00\x80"]))
    which = draw(st.integers(0, 20))

    def change(content: bytes) -> bytes:
        places = [match.start() for match in re.finditer(re.escape(signature), content)]
        if not places:
            return content
        place = places[which % len(places)] + at
        return content[:place] + value + content[place + len(value) :]

    file.after.append(change)


def cut_file(draw: st.DrawFn, file: File) -> None:
    share = draw(st.floats(0.0, 1.0))
    side = draw(st.booleans())

    def change(content: bytes) -> bytes:
        place = int(share * len(content))
        return content[:place] if side else content[place:]

    file.after.append(change)


def spoil_file(draw: st.DrawFn, file: File) -> None:
    """A few bytes of the archive, anywhere."""
    seed, times = draw(st.integers(0, 1 << 32)), draw(st.sampled_from([1, 3, 100]))

    def change(content: bytes) -> bytes:
        chance, spoilt = random.Random(seed), bytearray(content)  # noqa: S311 - bytes, not secrets
        for _ in range(times if spoilt else 0):
            spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
        return bytes(spoilt)

    file.after.append(change)


def surround(draw: st.DrawFn, file: File) -> None:
    """Something before or behind the archive."""
    extra = draw(
        st.sampled_from([b"\x00" * 100, b"PK\x05\x06" + bytes(18), b"#!/bin/sh\n", b"PK\x03\x04", b"x" * 70_000])
    )
    before = draw(st.booleans())
    file.after.append(lambda content: extra + content if before else content + extra)


def blank_rows(draw: st.DrawFn, file: File) -> None:
    """Up to a million rows with a format and nothing else, fewer with cells that hold nothing or an empty text."""
    name = _sheet(draw, file)
    row, most = draw(
        st.sampled_from(
            [
                ('<row r="{}" s="1" customFormat="1" ht="15"/>', MILLION),
                ('<row r="{0}"><c r="A{0}" s="1"/></row>', MILLION // 4),
                ("<row><c/><c/></row>", MILLION // 10),
                ('<row r="{0}"><c r="B{0}" t="str"><v></v></c></row>', MILLION // 10),
            ]
        )
    )
    count = draw(st.sampled_from([most // 100, most // 10, most]))
    rows = "".join(row.format(number) for number in range(100, count + 100)).encode()
    file.parts[name] = file.parts.get(name, b"").replace(b"</sheetData>", rows + b"</sheetData>", 1)


def merge_cells(draw: st.DrawFn, file: File) -> None:
    name = _sheet(draw, file)
    many = st.integers(1, 60_000).map(lambda n: "".join(f'<mergeCell ref="A{k}:B{k}"/>' for k in range(1, n, 2)))
    ranges = draw(
        st.sampled_from(['<mergeCell ref="A1:XFD1048576"/>', '<mergeCell ref="B1:B9"/>', "<mergeCell/>"]) | many
    )
    listing = f"<mergeCells>{ranges}</mergeCells>".encode()
    file.parts[name] = file.parts.get(name, b"").replace(b"</sheetData>", b"</sheetData>" + listing, 1)


def point_in_circles(draw: st.DrawFn, file: File) -> None:
    """Relationships from a part to itself, to the workbook, to all others."""
    name = _name(draw, file)
    folder, _, base = name.rpartition("/")
    targets = draw(st.sampled_from([[name], ["xl/workbook.xml"], sorted(file.parts), ["../" * 30 + "x"], [""]]))
    kinds = draw(
        st.sampled_from(["worksheet", "officeDocument", "drawing", "styles", "sharedStrings", "calcChain", "x"])
    )
    arrows = [(f"rId{n}", kinds, f"/{target}") for n, target in enumerate(targets)]
    file.parts[f"{folder}/_rels/{base}.rels".lstrip("/")] = books.relationships(*arrows).encode()


def list_sheets(draw: st.DrawFn, file: File) -> None:
    """A sheet listed again, thousands of times, or under another name."""
    name = draw(st.sampled_from([*NASTY, "mbs Charts", "Bodies", "settings"]))
    first = draw(st.sampled_from(NASTY))
    sheets = f'<sheet name="{name}" sheetId="{first}" r:id="rId1"/>' + "".join(
        f'<sheet name="{name}{n}" sheetId="{n}" r:id="rId1"/>'
        for n in range(1, draw(st.sampled_from([1, 1, 1, 3_000])))
    )
    xml = file.parts.get("xl/workbook.xml", b"")
    file.parts["xl/workbook.xml"] = xml.replace(b"</sheets>", sheets.encode() + b"</sheets>", 1)


def define_names(draw: st.DrawFn, file: File) -> None:
    """Defined names, some like the marks of result sheets."""
    names = st.sampled_from(["_sheetmbs.Bodies", "_sheetmbs.copy_of", *NASTY])
    texts = st.sampled_from(["&apos;mbs Bodies&apos;!$A$1", *NASTY])
    places = st.sampled_from(["", *(f' localSheetId="{number}"' for number in NASTY)])
    listing = "".join(
        f'<definedName name="{draw(names)}"{draw(places)}>{draw(texts)}</definedName>'
        for _ in range(draw(st.sampled_from([1, 5])))
    ).encode()
    xml = file.parts.get("xl/workbook.xml", b"")
    if b"</definedNames>" in xml:
        xml = xml.replace(b"</definedNames>", listing + b"</definedNames>", 1)
    else:
        xml = xml.replace(b"</sheets>", b"</sheets><definedNames>" + listing + b"</definedNames>", 1)
    file.parts["xl/workbook.xml"] = xml


def store(draw: st.DrawFn, file: File) -> None:
    """Parts as they are, not packed."""
    file.stored = draw(st.booleans())


CHANGES = (
    *(spoil_attribute, spoil_attribute, spoil_attribute, drop_attribute, spoil_text, spoil_text, rename_tag, drop_element),
    *(drop_element, repeat_element, break_tag, insert, insert, declare, encode, spoil_bytes, cut_part, drop_part, swap_parts),
    *(rename_part, add_part, repeat_name, many_parts, bomb, lie, lie, cut_file, spoil_file, surround, blank_rows, merge_cells),
    *(point_in_circles, list_sheets, define_names, store),
)  # fmt: skip
