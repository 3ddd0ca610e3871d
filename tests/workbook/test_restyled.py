"""What a user changes on charts of ours survives the next run; only the data behind it change."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from lxml import etree

from sheetmbs.model.model import Chart
from sheetmbs.workbook.writing.write import write_results
from tests.support.excel import book_of_excel, chart_parts, drawing_part, edit
from tests.support.sample_results import change_part, read_parts, sheet_names, sheet_part, slider_crank, write_parts
from tests.workbook.chart_parts_read import (
    SHAPE,
    TITLES,
    assert_shows,
    chart,
    delete,
    ends,
    lines,
    longer,
    restyle,
    titles,
    with_column,
    without,
)


@pytest.fixture
def book(tmp_path):
    """A workbook with results, as Excel has saved it."""
    return book_of_excel(tmp_path / "book.xlsx")


def test_a_saved_chart_shows_a_longer_run_to_its_end(book):
    results = longer(slider_crank(rows=101))
    problems = []
    write_results(book, None, results, tell=problems.append)
    assert problems == []
    assert titles(book) == TITLES
    for name in chart_parts(book):
        assert_shows(book, chart(book, name), results)
    assert ends(chart(book, "mbs chart 2"))[0] == ("0.0", "0.8")


def test_a_shorter_run_shrinks_the_ranges(book):
    results = slider_crank(rows=4)
    write_results(book, None, results)
    for name in chart_parts(book):
        assert_shows(book, chart(book, name), results)


def test_one_row_grows_to_many_in_a_saved_chart(book):
    write_results(book, None, slider_crank(rows=2))
    for part in chart_parts(book).values():
        text = read_parts(book)[part].decode()
        change_part(book, part, text, re.sub(r"\$3:\$[A-Z]+\$4<", "$3<", text))
    single = slider_crank(rows=2)
    write_results(book, None, replace(single, tables=tuple(replace(t, values=t.values[:1]) for t in single.tables)))
    write_results(book, None, slider_crank(rows=9))
    assert "$A$3:$A$11" in read_parts(book)[chart_parts(book)["mbs chart 2"]].decode()


def test_a_restyled_chart_differs_from_what_it_was_in_nothing_but_its_data(book):
    part = restyle(book)

    def styled() -> str:
        text = etree.tostring(etree.fromstring(read_parts(book)[part]), method="c14n").decode()
        return re.sub(r"<c:pt .*?</c:pt>|<c:ptCount [^>]*></c:ptCount>|\$\d+</c:f>", "", text)

    before = styled()
    results = longer(slider_crank(rows=101))
    write_results(book, None, results)
    found = chart(book, "mbs chart 3")
    assert_shows(book, found, results)
    assert lines(found) == ["pin.i.fx", "pin.i.m"]
    assert ends(found)[0] == ("0.0", "0.25")
    # the second axis across, which is hidden, must reach as far as the first
    changed = before.replace('<c:max val="0.4"></c:max>', '<c:max val="0.25"></c:max>')
    assert styled() == changed
    write_results(book, None, results)
    assert styled() == changed


def test_position_size_shapes_and_the_parts_of_a_style_stay(book):
    drawing = drawing_part(book)
    edit(book, drawing, ("</xdr:wsDr>", f"{SHAPE}</xdr:wsDr>"), ("<xdr:col>0</xdr:col>", "<xdr:col>2</xdr:col>"))
    before = read_parts(book)
    write_results(book, None, slider_crank(rows=99))
    after = read_parts(book)
    kept = [name for name in before if re.search(r"drawings/|charts/(_rels|style|colors)", name)]
    assert len(kept) == 2 + 15
    for name in kept:
        assert after[name] == before[name], name


def test_what_the_user_writes_on_the_sheet_of_charts_stays(book):
    sheet = sheet_part(book, "mbs Charts")
    note = '<row r="90"><c r="A90" t="inlineStr"><is><t>Mine</t></is></c><c r="B90"><f>1+1</f><v>2</v></c></row>'
    edit(book, sheet, ("</sheetData>", f"{note}</sheetData>"), ('width="8"', 'width="9"'))
    write_results(book, None, slider_crank(rows=9))
    loaded = openpyxl.load_workbook(book)["mbs Charts"]
    assert (loaded["A1"].value, loaded["A90"].value, loaded["B90"].value) == ("Charts", "Mine", "=1+1")
    assert loaded.column_dimensions["H"].hidden
    assert loaded.column_dimensions["H"].width == 9


@pytest.mark.parametrize("place", [1, 3, 9])
def test_lines_follow_their_columns_to_other_places(book, place):
    restyle(book)
    results = with_column(with_column(slider_crank(rows=20), "mbs Bodies", "arm.x", place), "mbs Joints", "arm.i.m", 1)
    write_results(book, None, results)
    assert titles(book) == [*TITLES[:2], "Forces", *TITLES[3:]]
    for name in chart_parts(book):
        assert_shows(book, chart(book, name), results)


def boxes(path: Path) -> list[tuple[float, float]]:
    """Top and bottom, in rows, of what is drawn on the sheet of charts."""
    found = []
    for anchor in etree.fromstring(read_parts(path)[drawing_part(path)]):
        low, at = anchor.find("{*}to"), anchor.find("{*}pos")
        if low is not None:
            found.append((int(anchor.findtext("{*}from/{*}row")), int(low.findtext("{*}row")) + 1))
        else:
            top = int(at.get("y")) / 190_500
            found.append((top, top + int(anchor.find("{*}ext").get("cy")) / 190_500))
    return found


def test_new_columns_get_new_charts_below_those_that_are_there(book):
    restyle(book)
    results = with_column(slider_crank(), "mbs Drivers", "lift.force", 3, "N")
    lift = Chart("Force of lift", "time", ("lift.force",))
    more = replace(slider_crank().charts[2], y=("pin.i.fx", "pin.i.fy", "pin.i.m", "lift.force"))
    results = replace(results, charts=(*results.charts[:2], more, *results.charts[3:], lift))
    write_results(book, None, results)
    assert titles(book) == [*TITLES[:2], "Forces", *TITLES[3:], "Reactions in pin", "Force of lift"]
    assert [lines(chart(book, f"mbs chart {number}")) for number in (6, 7)] == [["lift.force"], ["lift.force"]]
    *old, left, right = boxes(book)
    assert min(left[0], right[0]) >= max(low for _, low in old)
    before = read_parts(book)
    write_results(book, None, results)
    assert {n: p for n, p in read_parts(book).items() if "chart" in n} == {
        n: p for n, p in before.items() if "chart" in n
    }


def test_a_chart_that_was_saved_but_not_restyled_takes_up_new_columns_itself(book):
    results = with_column(slider_crank(), "mbs Bodies", "arm.phi", 9)
    angles = replace(results.charts[1], y=("crank.phi", "rod.phi", "arm.phi"))
    results = replace(results, charts=(results.charts[0], angles, *results.charts[2:]))
    place = re.findall(r"<xdr:twoCellAnchor.*?</xdr:to>", read_parts(book)[drawing_part(book)].decode(), re.DOTALL)
    write_results(book, None, results)
    assert titles(book) == TITLES
    assert lines(chart(book, "mbs chart 2")) == ["crank.phi", "rod.phi", "arm.phi"]
    assert_shows(book, chart(book, "mbs chart 2"), results)
    after = re.findall(r"<xdr:twoCellAnchor.*?</xdr:to>", read_parts(book)[drawing_part(book)].decode(), re.DOTALL)
    assert after == place


def test_a_chart_that_the_user_deleted_stays_away(book):
    delete(book, "mbs chart 2", "mbs chart 4")
    for rows in (9, 51, 101):
        write_results(book, None, slider_crank(rows=rows))
        assert titles(book) == ["Path of rod", "Reactions in pin", "Springs"]
        said = [row[0] for row in openpyxl.load_workbook(book)["mbs Charts"].iter_rows(max_row=4, values_only=True)]
        assert said[1].startswith("3 charts")
        assert said[2] == "Not drawn, because you deleted them: 'Angles' and 'Moment of motor'."
    write_results(book, None, slider_crank(springs=False))
    assert titles(book) == ["Path of rod", "Reactions in pin"]


def test_once_all_charts_are_deleted_none_comes_back_until_their_sheet_is_deleted(book):
    parts = read_parts(book)
    drawing, sheet = drawing_part(book), sheet_part(book, "mbs Charts")
    gone = [name for name in parts if "/charts/" in name or "/drawings/" in name]
    parts = {name: content for name, content in parts.items() if name not in gone}
    parts[sheet] = re.sub(rb"<drawing [^>]*>", b"", parts[sheet])
    del parts[sheet.replace("worksheets/", "worksheets/_rels/") + ".rels"]
    types = parts["[Content_Types].xml"].decode()
    for name in gone:
        types = re.sub(f'<Override PartName="/{name}"[^>]*/>', "", types)
    parts["[Content_Types].xml"] = types.encode()
    write_parts(book, parts)
    assert drawing not in read_parts(book)
    write_results(book, None, slider_crank(rows=9))
    assert chart_parts(book) == {}
    results = with_column(slider_crank(), "mbs Drivers", "lift.force", 3, "N")
    results = replace(results, charts=(*results.charts, Chart("Force of lift", "time", ("lift.force",))))
    write_results(book, None, results)
    assert titles(book) == ["Force of lift"]
    change_part(book, "xl/workbook.xml", "'mbs Charts'!$A$1", "#REF!$A$1")
    change_part(book, "xl/workbook.xml", 'name="mbs Charts"', 'name="Charts of old"')
    write_results(book, None, slider_crank())
    assert titles(book) == TITLES


def test_a_chart_that_is_asked_for_on_the_sheet_charts_comes_back(book):
    delete(book, "mbs chart 2")
    asked = [replace(each, cell="Charts!A2") for each in slider_crank().charts]
    write_results(book, None, replace(slider_crank(), charts=tuple(asked)))
    assert sorted(titles(book)) == sorted(TITLES)


def test_charts_that_are_no_longer_wanted_go_unless_they_were_restyled(book):
    restyle(book)
    wanted = Chart("Only this", "time", ("rod.x",), cell="Charts!A2")
    write_results(book, None, replace(slider_crank(), charts=(wanted,)))
    assert sorted(titles(book)) == ["Forces", "Only this"]


def test_a_restyled_chart_without_columns_waits_for_them(book):
    part = chart_parts(book)["mbs chart 5"]
    edit(book, part, ("0072B2", "FF00AA"))
    restyle(book)
    gone = without(slider_crank(), "buffer.force", "pin.i.fx")
    write_results(book, None, gone)
    assert titles(book) == [*TITLES[:2], "Forces", *TITLES[3:]]
    for name in chart_parts(book):
        assert "#REF!" not in read_parts(book)[chart_parts(book)[name]].decode()
    loaded = openpyxl.load_workbook(book)
    assert [cell.value for cell in loaded["mbs Springs"][1]] == ["time", "buffer.force"]
    assert [cell.value for cell in loaded["mbs Joints"][1]] == ["time", "pin.i.fy", "pin.i.m", "pin.i.fx"]
    assert loaded["mbs Joints"]["D3"].value is None
    assert loaded["mbs Charts"]["A3"].value == "Empty, because this run has no such results: 'Springs'."
    springs = read_parts(book)[part].decode()
    assert all(said in springs for said in (">time [s]<", ">buffer.force [N]<", '<c:max val="0.4"/>'))
    before = read_parts(book)
    write_results(book, None, gone)
    assert {n: p for n, p in read_parts(book).items() if "chart" in n} == {
        n: p for n, p in before.items() if "chart" in n
    }
    results = slider_crank(rows=33)
    write_results(book, None, results)
    for name in chart_parts(book):
        assert_shows(book, chart(book, name), results)
    assert "FF00AA" in read_parts(book)[part].decode()
    assert openpyxl.load_workbook(book)["mbs Joints"].max_column == 4


def test_charts_without_columns_that_nobody_restyled_go_and_come_back(book):
    write_results(book, None, without(slider_crank(), "buffer.force", "pin.i.fx"))
    assert titles(book) == TITLES[:4]
    assert lines(chart(book, "mbs chart 3")) == ["pin.i.fy", "pin.i.m"]
    assert "mbs Springs" not in sheet_names(book)
    write_results(book, None, slider_crank())
    assert titles(book) == TITLES
