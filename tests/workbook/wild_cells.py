"""Workbooks whose cells went wrong: the examples with slips, nonsense and extremes in some of their cells."""
# ruff: noqa: SIM905 - many words read best as a text

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from hypothesis import strategies as st

from sheetmbs.schema.input_columns import SHEETS
from sheetmbs.schema.settings import SETTINGS
from sheetmbs.workbook.cells.cells import CellKind, CellSheet, column_letters, open_book
from tests.support import books

EXAMPLES = Path(__file__).parents[2] / "workbooks"
NAMES = (
    *("pendulum", "four-bar", "slider-crank", "compressor", "flyball-governor", "slider-crank-3d", "gyroscope"),
    *("double-wishbone", "car", "quick-return", "half-hat-leg", "bricard", "wind-turbine"),
)
ROWS = 12
"""of results and of series: what is fuzzed are the cells, not the hours"""


class Formula(NamedTuple):
    """A formula and the value stored with it, None where it was never calculated."""

    text: str
    value: float | str | None = None


class Special(NamedTuple):
    """A cell of another kind: ``e`` an error, ``b`` a truth, ``d`` a date, ``date`` a number formatted so."""

    kind: str
    value: str


Value = None | float | str | Formula | Special
Tables = dict[str, list[list[Value]]]
"""rows of cells by the name of the sheet"""
Change = Callable[[st.DrawFn, Tables], None]


def save(path: Path, tables: Tables) -> Path:
    """Write the tables as a workbook."""
    listed = "".join(
        f'<sheet name="{_attribute(name)}" sheetId="{place}" r:id="rId{place}"/>'
        for place, name in enumerate(tables, 1)
    )
    arrows = [(f"rId{place}", "worksheet", f"worksheets/sheet{place}.xml") for place in range(1, len(tables) + 1)]
    arrows.append((f"rId{len(tables) + 1}", "styles", "styles.xml"))
    contents = {
        "[Content_Types].xml": books.content_types(),
        "_rels/.rels": books.relationships(("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": books.workbook(listed),
        "xl/_rels/workbook.xml.rels": books.relationships(*arrows),
        "xl/styles.xml": books.styles(0, 14),
    } | {
        f"xl/worksheets/sheet{place}.xml": books.sheet("".join(_row(number, row) for number, row in enumerate(rows, 1)))
        for place, rows in enumerate(tables.values(), 1)
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in contents.items():
            archive.writestr(name, content.encode("utf-8", "surrogatepass"))
    return path


def _attribute(text: str) -> str:
    return escape(text, {'"': "&quot;"})


def _row(number: int, row: list[Value]) -> str:
    cells = "".join(
        _cell(f"{column_letters(column)}{number}", value) for column, value in enumerate(row, 1) if value is not None
    )
    return f'<row r="{number}">{cells}</row>'


def _cell(address: str, value: Value) -> str:
    if isinstance(value, Formula):
        if value.value is None:
            return f'<c r="{address}"><f>{escape(value.text)}</f></c>'
        kind = ' t="str"' if isinstance(value.value, str) else ""
        return f'<c r="{address}"{kind}><f>{escape(value.text)}</f><v>{escape(str(value.value))}</v></c>'
    if isinstance(value, Special):
        kind = 's="1"' if value.kind == "date" else f't="{value.kind}"'
        return f'<c r="{address}" {kind}><v>{escape(value.value)}</v></c>'
    if isinstance(value, str):
        return f'<c r="{address}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    return f'<c r="{address}"><v>{value!r}</v></c>'


@cache
def _example(name: str) -> Tables:
    """The input sheets of an example, with a few rows of results."""
    book = open_book(EXAMPLES / f"{name}.xlsx")
    tables = {sheet.name: _values(book.sheets[sheet.name]) for sheet in SHEETS if sheet.name in book.sheets}
    settings = {str(row[0]): row for row in tables["Settings"] if row}
    if "t_step" in settings:
        start = settings["t_start"][1] if "t_start" in settings else 0.0
        end = start + ROWS * settings["t_step"][1]
        settings["t_end"][1:] = [end if isinstance(value, float) else value for value in settings["t_end"][1:]]
    return tables


def _values(sheet: CellSheet) -> list[list[Value]]:
    rows: list[list[Value]] = [[] for _ in range(max(sheet.rows, default=0))]
    for number, cells in sheet.rows.items():
        rows[number - 1] = [None] * max(cells)
        for column, cell in cells.items():
            rows[number - 1][column - 1] = None if cell.kind is CellKind.UNCACHED else cell.value
    return rows


def example(name: str) -> Tables:
    """A copy of an example to spoil."""
    return deepcopy(_example(name))


NUMBERS = st.sampled_from(
    [
        *(
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.1,
            2.0,
            3.0,
            3.141592653589793,
            9007199254740993.0,
            1.7976931348623157e308,
            5e-324,
            -5e-324,
        ),
        *(10.0**power for power in (-320, -300, -150, -30, -12, -9, -5, 5, 9, 16, 30, 49, 150, 300, 308)),
        *(-(10.0**power) for power in (-9, 9, 49, 308)),
    ]
) | st.floats(allow_nan=False, allow_infinity=False)

# what follows is split at spaces or at line ends
EXPRESSIONS = st.sampled_from(
    [
        *"""t 1 -t sin(t) 0.01*sin(100*t) 1e308*10 1/0 1/t sqrt(-1) sqrt(t-1) log(0) log(t) tan(pi/2) exp(1000) exp(exp(t*100))
    t^t (-1)^t 0^0 0^-1 (0-t)^0.5 asin(2) acos(t+1) if(t<0.001,0,1e9) if(t<0,1/0,0) step(t,0,0,0,1) step(t,1,0,0,1)
    step(t,0,0,1e-300,1e300) sign(t-0.001)*1e300 abs(sin(1e300*t)) min(t) max() t<1 1<t<2 if(t,1,2) x.y 'a'.x ' bob.x
    bob.vx^-1 __import__('os').system('true') t.real 1_000 0x10 1e . .. \u0663 \uff54 \uff12*t 2t t(1) pi() sin ( ) () ((t) t) ,
    1,5 1;2 # \\ t+ 1e-400""".split(),
        *(
            "not t",
            "t and t",
            "t t",
            "sin t",
            "not " * 10_000 + "t<1",
            "t<1" + " and t<1" * 3_000,
            "9" * 400,
            "a" * 10_000,
        ),
        *("(" * 100 + "t" + ")" * 100, "(" * 10_000 + "t" + ")" * 10_000, "-" * 10_000 + "t", "t^" * 10_000 + "t"),
        *(
            "sin(" * 200 + "t" + ")" * 200,
            "sin(" * 10_000,
            "t" + "+t" * 10_000,
            "min(" + "t," * 5_000 + "t)",
            "t" * 4_000,
        ),
        "if(t<1,1," * 300 + "0",
    ]
)
UNITS = st.sampled_from(
    [
        *"""kg m mm deg rad N/mm s 1/s m/s^2 % 1 - furlong parsec kgf*m N\u00b7m m^999 m^-400 m^1e9 m^0.5 m^ m**2 m/ /m m//s
    (m m) () ((((m)))) m^m km^200 \u00b0 \u00ba \u00b5m \u03bcm \u03a9
    m\u00b2 m\u00b3 kg\u00b7m\u00b2/s\u00b2 mm^99/mm^98 degC K USD
    [m] m] [ \u202em None nan inf e m^nan m^inf m^99999999999999999999 1e400 0 -1 m^-99999999
    s^2^2^2^2^2^2 yottam Ym^40 1/0""".split(),
        *(
            "",
            " ",
            "N m",
            "0 m",
            "10^400 m",
            "*" * 3_000,
            "m*" * 2_000 + "m",
            "(" * 5_000 + "m" + ")" * 5_000,
            "m^" * 3_000 + "2",
        ),
    ]
)
TEXTS = st.sampled_from(
    [
        *"""=1+1 +A1 -x @SUM(A1) ' '' " ` = + - @ # ground Ground units time name notes active yes no not ; a;b case
    1,5 1.5.2 1e5 0x10 1_0 \uff11 \u0663 NaN nan inf -Infinity 1e999 1e-999 TRUE None a.b . .. a. .x
    _sheetmbs.Bodies ../../etc/passwd C:\\a %s%s%n {0} {x!r} \u00e9 e\u0301 \u200b \u202e \ufeff \U0001f600 \u00df \u1e9e
    \u0130 \u017f \ufb01
    _x0000_ _x0041_ _xD83D__xDE00_ _xD83D_ _xFFFF_ _x000D_ _x001B_[2J <b> &amp; ]]> <!-- [red]x[/red]""".split(),
        *(
            "=cmd|' /C calc'!A0",
            "\t=1",
            "\n=1",
            "\r",
            "# no",
            " GROUND ",
            "not yes",
            " 1 ",
            "1 2",
            "mbs Bodies",
            "mbs ",
            "\u00a0",
        ),
        *("\x00", "\x01", "\x1b[2J", "\ud800", "\uffff", "a\nb", "a\tb", "\n" * 100, " " * 1_000),
        *("x" * length for length in (100, 101, 255, 32_767, 32_768, 40_000)),
    ]
)
SPECIAL = st.one_of(
    st.sampled_from(["#REF!", "#DIV/0!", "#N/A", "#NAME?", "", "x"]).map(lambda text: Special("e", text)),
    st.sampled_from(["0", "1", "2", "true", ""]).map(lambda text: Special("b", text)),
    st.sampled_from(["2024-05-01", "nonsense", ""]).map(lambda text: Special("d", text)),
    st.sampled_from(["45000", "0", "-1", "1e300", "0.5", "2958466", "60"]).map(lambda text: Special("date", text)),
    st.sampled_from(["x", "z", "n", "str", ""]).map(lambda kind: Special(kind, "1")),
    st.sampled_from(["0", "-1", "99999999", "1e5", "x", ""]).map(lambda text: Special("s", text)),
    st.sampled_from(["1e400", "nan", "inf", "0x1p3", "1_0", "", " 1 ", "--1", "1e", "٣"]).map(lambda text: Special("n", text)),
    st.builds(Formula, st.sampled_from(["A1", "1/0", "", "IMPORTDATA(1)"]), st.sampled_from([None, 0.0, 2.5, "", "crank"])),
)  # fmt: skip
WITH_UNITS = st.builds("{} {}".format, st.sampled_from(["30", "-1", "0", "1e308", "1e-320", "12.5", "1,5"]), UNITS)
WORDS = st.sampled_from(
    sorted({word for sheet in SHEETS for column in sheet.columns for word in (*column.choices, column.name)})
)
NONSENSE = st.one_of(st.none(), NUMBERS, TEXTS, EXPRESSIONS, UNITS, WITH_UNITS, WORDS, SPECIAL, st.text(max_size=20))

SETTING_VALUES = {
    **{
        setting.name: st.sampled_from(setting.choices) | NONSENSE if setting.choices else NUMBERS | WITH_UNITS | NONSENSE
        for setting in SETTINGS
    },
    "t_end": st.sampled_from([0.0, -1.0, 1e-300, 1e-9, 0.1, 1.0, 1e3, 1e9, 1e300, 1e308, "1 h", "1e5 s"]) | NUMBERS,
    "t_start": st.sampled_from([0.0, -1.0, 1e-300, 0.1, 1e3, 1e9, 1e300, -1e308]) | NUMBERS,
    "t_step": st.sampled_from([1e-300, 1e-320, 1e-12, 1e-6, 1e-4, 1e-3, 0.1, 1e3, 1e300, 1e308, 0.0]) | NUMBERS,
    "step": st.sampled_from([1e-300, 1e-12, 1e-6, 1e-3, 1.0, 1e300]) | NUMBERS,
    "rtol": st.sampled_from([0.0, 1e-320, 1e-300, 1e-20, 1e-16, 1e-14, 1e-12, 1e-4, 0.1, 1.0, 2.0]) | NUMBERS,
    "atol": st.sampled_from([0.0, 1e-320, 1e-300, 1e-20, 1e-14, 1e-4, 1.0, 1e300]) | NUMBERS,
    "tolerance": st.sampled_from([1e-320, 1e-300, 1e-18, 1e-16, 1e-14, 1e-4, 1.0]) | NUMBERS,
    **{name: st.sampled_from([0.0, 1e-300, 1e300, 1e308, -1e308, 1e9]) | NUMBERS for name in ("gravity_x", "gravity_y")},
}  # fmt: skip


@st.composite
def _changed(draw: st.DrawFn, changes: Sequence[Change]) -> Tables:
    tables = example(draw(st.sampled_from(NAMES)))
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 2, 3, 5]))):
        draw(st.sampled_from(changes))(draw, tables)
    return tables


def wild_tables() -> st.SearchStrategy[Tables]:
    """Examples with a few things wrong, or merely unusual: most of them are refused."""
    return _changed(SLIPS)


def wild_numbers() -> st.SearchStrategy[Tables]:
    """Examples with extreme numbers, settings and expressions: most of them are analysed."""
    return _changed(EXTREMES)


def _sheet(draw: st.DrawFn, tables: Tables) -> list[list[Value]]:
    names = [name for name, rows in tables.items() if any(rows)]
    return tables[draw(st.sampled_from(names))] if names else tables.setdefault("Settings", [["setting"]])


def _place(draw: st.DrawFn, rows: list[list[Value]]) -> tuple[int, int]:
    row = draw(st.integers(0, len(rows) - 1))
    column = draw(st.integers(0, max(len(rows[0]), len(rows[row]), 1) - 1))
    rows[row] += [None] * (column + 1 - len(rows[row]))
    return row, column


def put_nonsense(draw: st.DrawFn, tables: Tables) -> None:
    rows = _sheet(draw, tables)
    row, column = _place(draw, rows)
    rows[row][column] = draw(NONSENSE)


def put_number(draw: st.DrawFn, tables: Tables) -> None:
    """Where a number stands, another one."""
    rows = _sheet(draw, tables)
    places = [(r, c) for r, row in enumerate(rows) for c, value in enumerate(row) if isinstance(value, float)]
    if places:
        row, column = draw(st.sampled_from(places))
        rows[row][column] = draw(NUMBERS)


def put_expression(draw: st.DrawFn, tables: Tables) -> None:
    """In a column that takes expressions, one."""
    for name, wanted in (("Drivers", ("expression",)), ("Forces", ("fx", "fy", "moment", "mz"))):
        rows = tables.get(name)
        if rows and len(rows) > 1:
            columns = [c for c, header in enumerate(rows[0]) if str(header).partition(" ")[0] in wanted]
            row = draw(st.integers(1, len(rows) - 1))
            if columns:
                column = draw(st.sampled_from(columns))
                rows[row] += [None] * (column + 1 - len(rows[row]))
                rows[row][column] = draw(EXPRESSIONS)


def scale_column(draw: st.DrawFn, tables: Tables) -> None:
    rows = _sheet(draw, tables)
    _row, column = _place(draw, rows)
    factor = draw(st.sampled_from([0.0, -1.0, 1e-300, 1e-30, 1e-9, 1e-3, 1e3, 1e9, 1e30, 1e300]))
    for row in rows:
        if column < len(row) and isinstance(row[column], float):
            row[column] *= factor
            if row[column] in (float("inf"), float("-inf")):
                row[column] = 1e308


def move_value(draw: st.DrawFn, tables: Tables) -> None:
    """What stands in one cell, in another one of the column: a name twice, another body, the units in the data."""
    rows = _sheet(draw, tables)
    (row, column), other = _place(draw, rows), draw(st.integers(0, len(rows) - 1))
    rows[row][column] = rows[other][column] if column < len(rows[other]) else None


def drop_row(draw: st.DrawFn, tables: Tables) -> None:
    rows = _sheet(draw, tables)
    del rows[draw(st.integers(0, len(rows) - 1))]


def drop_column(draw: st.DrawFn, tables: Tables) -> None:
    rows = _sheet(draw, tables)
    _row, column = _place(draw, rows)
    for row in rows:
        del row[column : column + 1]


def copy_row(draw: st.DrawFn, tables: Tables) -> None:
    """A row again, once or a thousand times, under its own name or under new ones."""
    rows = _sheet(draw, tables)
    row = rows[draw(st.integers(0, len(rows) - 1))]
    times = draw(st.sampled_from([1, 1, 1, 2, 30, 1_000]))
    rename = draw(st.booleans())
    rows += [[f"{row[0]} {n}", *row[1:]] if rename and row else list(row) for n in range(times)]


def copy_column(draw: st.DrawFn, tables: Tables) -> None:
    rows = _sheet(draw, tables)
    _row, column = _place(draw, rows)
    for row in rows:
        row.extend(row[column : column + 1])


def swap_rows(draw: st.DrawFn, tables: Tables) -> None:
    rows = _sheet(draw, tables)
    a, b = (draw(st.integers(0, len(rows) - 1)) for _ in "ab")
    rows[a], rows[b] = rows[b], rows[a]


def drop_sheet(draw: st.DrawFn, tables: Tables) -> None:
    if len(tables) > 1:
        del tables[draw(st.sampled_from(list(tables)))]


def rename_sheet(draw: st.DrawFn, tables: Tables) -> None:
    old = draw(st.sampled_from(list(tables)))
    new = draw(
        st.sampled_from([sheet.name for sheet in SHEETS])
        | st.sampled_from(["mbs Bodies", "x" * 31, "a'b", "", "Joint"])
    )
    if new.casefold() not in {name.casefold() for name in tables}:
        tables[new] = tables.pop(old)


def change_setting(draw: st.DrawFn, tables: Tables) -> None:
    name = draw(st.sampled_from(list(SETTING_VALUES)))
    set_value(tables, name, draw(SETTING_VALUES[name]))


def set_value(tables: Tables, name: str, value: Value) -> None:
    rows = tables.setdefault("Settings", [["setting", "value"]])
    found = [row for row in rows if row and row[0] == name]
    if found:
        found[0][1:2] = [value]
    else:
        rows.append([name, value])


def choose_method(draw: st.DrawFn, tables: Tables) -> None:
    """One of the methods, in a dynamic analysis."""
    name = draw(
        st.sampled_from(["integrator", "formulation", "initial_conditions", "position_solver", "guiding_spline"])
    )
    set_value(tables, name, draw(st.sampled_from(next(each.choices for each in SETTINGS if each.name == name))))
    if draw(st.booleans()):
        set_value(tables, "analysis", draw(st.sampled_from(["dynamic", "dynamic", "kinematic", "equilibrium"])))


def change_header(draw: st.DrawFn, tables: Tables) -> None:
    rows = _sheet(draw, tables)
    if rows[0]:
        column = draw(st.integers(0, len(rows[0]) - 1))
        header = str(rows[0][column]).partition(" [")[0]
        new = st.one_of(TEXTS, WORDS, UNITS.map(lambda unit: f"{header} [{unit}]"), st.builds("case {}".format, TEXTS))
        rows[0][column] = draw(new)


def units_row(draw: st.DrawFn, tables: Tables) -> None:
    rows = _sheet(draw, tables)
    rows.insert(1, ["units", *(draw(UNITS) for _ in rows[0][1:8])])


def add_elements(draw: st.DrawFn, tables: Tables) -> None:
    """Rows of any sheet, filled with names that exist, words that are known, numbers: sense and nonsense by chance."""
    schema = draw(st.sampled_from([sheet for sheet in SHEETS if sheet.readable and sheet.columns]))
    rows = tables.setdefault(schema.name, [[column.name for column in schema.columns]])
    names = ["ground"] + [
        str(row[0])
        for sheet in ("Bodies", "Joints", "Points", "Curves")
        for row in tables.get(sheet, [])[1:]
        if row and row[0]
    ]
    by_name = {column.name: column for column in schema.columns}
    for number in range(draw(st.integers(1, 3))):
        row: list[Value] = []
        for header in rows[0]:
            column = by_name.get(str(header).partition(" ")[0])
            if column is None or not (column.required or draw(st.integers(0, 3)) == 0):
                row.append(None)
            elif column.choices:
                row.append(draw(st.sampled_from(column.choices)))
            elif column.sheets:
                row.append(draw(st.sampled_from(names)))
            elif column.name in ("name", "title"):
                row.append(draw(TEXTS) if draw(st.integers(0, 3)) == 0 else f"new {number}")
            elif column.is_numeric:
                row.append(draw(st.sampled_from([0.0, 1.0, -1.0, 0.3, 2.0]) | NUMBERS))
            else:
                row.append(draw(NONSENSE))
        rows.append(row)


def couple_in_circles(draw: st.DrawFn, tables: Tables) -> None:
    """Gears that couple joints, gears that couple gears, gears that couple themselves."""
    rows = tables.setdefault("Joints", [["name", "type", "body_i", "body_j"]])
    header = rows[0]
    for name in ("name", "type", "joint_1", "joint_2", "ratio", "radius"):
        if name not in header:
            header.append(name)
    count = draw(st.integers(1, 4))
    known = [str(row[0]) for row in rows[1:] if row and row[0]] + [f"gear {n}" for n in range(count)]
    for number in range(count):
        row: list[Value] = [None] * len(header)
        for name, value in (
            ("name", f"gear {number}"),
            ("type", draw(st.sampled_from(["gear", "rack-and-pinion"]))),
            ("joint_1", draw(st.sampled_from(known))),
            ("joint_2", draw(st.sampled_from(known))),
            ("ratio", draw(st.sampled_from([1.0, -2.0, 0.0, 1e308]))),
            ("radius", draw(st.sampled_from([None, 0.1, 0.0]))),
        ):
            row[header.index(name)] = value
        rows.append(row)


CAD_TEXT = """Mass = 2.50 kilograms
Center of mass: ( meters )
\tX = 0.10\tY = -0.20\tZ = 0.30
Moments of inertia: ( kilograms * square meters )
Taken at the center of mass and aligned with the output coordinate system.
\tLxx = 1.000\tLxy = 0.100\tLxz = 0.000
\tLyx = 0.100\tLyy = 1.500\tLyz = -0.200
\tLzx = 0.000\tLzy = -0.200\tLzz = 2.000"""


def paste_mass_properties(draw: st.DrawFn, tables: Tables) -> None:
    """A text of a CAD program under the name of a body whose own cells may be blank: whole, cut, split, or with nonsense."""
    bodies = tables.get("Bodies", [["name"]])
    row = draw(st.sampled_from(bodies))
    if draw(st.booleans()):
        row[1:] = [None] * (len(row) - 1)
    begin, end = draw(st.integers(0, 40)), draw(st.integers(60, 400))
    lines = CAD_TEXT[begin if begin < 20 else 0 : end].split("\n")
    text: list[list[Value]] = (
        [list(line.split("\t")) for line in lines] if draw(st.booleans()) else [["\n".join(lines)]]
    )
    if draw(st.booleans()):
        text.insert(draw(st.integers(0, len(text))), [draw(NONSENSE)])
    tables["Mass properties"] = [[row[0] if row else draw(TEXTS)], *text]


def far_away(draw: st.DrawFn, tables: Tables) -> None:
    """A cell far below all others, or far to the right."""
    rows = _sheet(draw, tables)
    if draw(st.booleans()):
        rows += [[] for _ in range(draw(st.sampled_from([10, 3_000])))]
        rows.append([draw(NONSENSE)])
    else:
        rows[0] += [None] * draw(st.sampled_from([10, 1_000]))
        rows[0].append(draw(NONSENSE))


SLIPS = (
    *(put_nonsense, put_nonsense, put_number, put_expression, move_value, drop_row, drop_column, copy_row, copy_column),
    *(swap_rows, drop_sheet, rename_sheet, change_setting, change_header, units_row, add_elements, couple_in_circles, far_away),
    paste_mass_properties,
)  # fmt: skip
EXTREMES = (
    *(
        put_number,
        put_number,
        put_expression,
        scale_column,
        move_value,
        drop_row,
        swap_rows,
        change_setting,
        change_setting,
    ),
    *(choose_method, choose_method, add_elements, couple_in_circles, paste_mass_properties),
)
