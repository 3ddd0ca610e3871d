"""Own sheets are replaced in their places; what refers to them stays valid; nothing of the user's is taken for ours."""

from __future__ import annotations

import shutil
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter
from lxml import etree

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.package.ownership import foreign_sheets, own_sheets
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.writing.write import write_problems, write_results
from tests.support import books
from tests.support.sample_results import (
    FIVE,
    MAIN,
    PROBLEM,
    change_part,
    packed_parts,
    read_parts,
    sheet_list,
    sheet_names,
    sheet_part,
    slider_crank,
    workbook_part,
    write_parts,
)


def make(path: Path, *formulas: str, active: int = 0) -> Path:
    """A workbook with two sheets; the second holds the formulas."""
    book = xlsxwriter.Workbook(path)
    sheets = [book.add_worksheet("Model"), book.add_worksheet("Mine")]
    sheets[0].write("A1", "name", book.add_format({"bold": True, "num_format": "0.0000"}))
    for row, formula in enumerate(formulas):
        sheets[1].write_formula(row, 0, formula, None, 7)
    sheets[active].activate()
    book.close()
    return path


@pytest.fixture
def book(tmp_path):
    return make(tmp_path / "book.xlsx")


def active_tab(path: Path) -> int:
    return int(workbook_part(path).find(f"{MAIN}bookViews/{MAIN}workbookView").get("activeTab", "0"))


def calculates_on_load(path: Path) -> bool:
    calculation = workbook_part(path).find(f"{MAIN}calcPr")
    return calculation is not None and calculation.get("fullCalcOnLoad") == "1"


def do_not_calculate_on_load(path: Path) -> None:
    change_part(path, "xl/workbook.xml", ' fullCalcOnLoad="1"', "")


def defined_names(path: Path) -> dict[str, tuple[str, str | None]]:
    names = workbook_part(path).iter(f"{MAIN}definedName")
    return {name.get("name"): (name.text, name.get("localSheetId")) for name in names}


def reachable(path: Path) -> set[str]:
    """Every part that relationships lead to from the top."""
    package, found, todo = Package(path), set(), [""]
    while todo:
        for arrow in package.relationships(todo.pop()).values():
            if not arrow.external and arrow.target not in found:
                found.add(arrow.target)
                todo.append(arrow.target)
    return found


def test_a_second_run_keeps_name_id_place_and_part_of_every_sheet(book):
    write_results(book, None, slider_crank(rows=51))
    before = sheet_list(book), sheet_part(book, "mbs Joints")
    write_results(book, None, slider_crank(rows=9))
    assert (sheet_list(book), sheet_part(book, "mbs Joints")) == before
    assert openpyxl.load_workbook(book)["mbs Joints"].max_row == 11


def test_a_sheet_that_the_user_moved_stays_where_it_was_put(book):
    write_results(book, None, slider_crank())
    parts = read_parts(book)
    root = etree.fromstring(parts["xl/workbook.xml"])
    sheets = root.find(f"{MAIN}sheets")
    sheets.insert(0, next(sheet for sheet in sheets if sheet.get("name") == "mbs Drivers"))
    root.find(f"{MAIN}bookViews/{MAIN}workbookView").set("activeTab", "1")
    parts["xl/workbook.xml"] = etree.tostring(root)
    write_parts(book, parts)
    moved = sheet_list(book)
    assert moved[0]["name"] == "mbs Drivers"
    write_results(book, None, slider_crank(rows=9))
    assert sheet_list(book) == moved


def test_a_hidden_result_sheet_stays_hidden(book):
    write_results(book, None, slider_crank())
    change_part(book, "xl/workbook.xml", 'name="mbs Joints"', 'name="mbs Joints" state="hidden"')
    write_results(book, None, slider_crank())
    [joints] = [sheet for sheet in sheet_list(book) if sheet["name"] == "mbs Joints"]
    assert joints["state"] == "hidden"


def test_sheets_that_are_no_longer_needed_go_with_everything_only_they_used(book):
    write_results(book, None, slider_crank(problems=(PROBLEM,)))
    full = set(read_parts(book))
    write_results(book, None, slider_crank(springs=False))
    assert not {"mbs Springs", "mbs Problems"} & set(sheet_names(book))
    left = set(read_parts(book))
    assert len([name for name in full - left if name.startswith("xl/worksheets/")]) == 2
    assert len([name for name in full - left if name.startswith("xl/charts/")]) == 1
    listed = {"[Content_Types].xml", *(name for name in left if name.endswith(".rels"))}
    assert left - listed == reachable(book)
    types = {
        entry.get("PartName", "").lstrip("/") for entry in etree.fromstring(read_parts(book)["[Content_Types].xml"])
    }
    assert types - {""} <= left


def test_a_run_with_less_and_one_with_more_again_end_where_they_began(book):
    write_results(book, None, slider_crank())
    first = read_parts(book)
    write_results(book, None, slider_crank(springs=False))
    assert "mbs Springs" not in sheet_names(book)
    write_results(book, None, slider_crank())
    assert set(read_parts(book)) == set(first)
    assert sheet_names(book)[-1] == "mbs Springs"


def test_a_formula_of_the_users_is_calculated_when_the_workbook_is_opened(tmp_path):
    book = make(tmp_path / "book.xlsx", "='mbs Bodies'!B3*2")
    do_not_calculate_on_load(book)
    write_results(book, None, slider_crank())
    assert calculates_on_load(book)
    assert openpyxl.load_workbook(book)["Mine"]["A1"].value == "='mbs Bodies'!B3*2"


@pytest.mark.parametrize("formula", ["=1+1", '="mbs Bodies"', "='mbs gone'!A1"])
def test_other_formulas_are_not_calculated_for_nothing(tmp_path, formula):
    book = make(tmp_path / "book.xlsx", formula)
    do_not_calculate_on_load(book)
    write_results(book, None, slider_crank())
    assert not calculates_on_load(book)


def test_a_sheet_to_which_a_formula_refers_is_emptied_rather_than_taken_away(tmp_path):
    book = make(tmp_path / "book.xlsx", "=MAX('mbs Springs'!B:B)")
    write_results(book, None, slider_crank())
    before = sheet_list(book)
    told = []
    write_results(book, None, slider_crank(springs=False), tell=told.append)
    [problem] = told
    assert (problem.severity, problem.cell) == ("warning", "Mine!A1")
    assert "buffer.force" in problem.found
    assert sheet_list(book)[:-1] == before
    springs = openpyxl.load_workbook(book)["mbs Springs"]
    assert [cell.value for cell in springs[1]] == ["time", "buffer.force"]
    assert [cell.value for cell in springs[3]] == ["The last run had no results for this sheet.", None]
    write_results(book, None, slider_crank())
    assert openpyxl.load_workbook(book)["mbs Springs"]["B1"].value == "buffer.force"


def test_a_sheet_to_which_a_defined_name_refers_is_emptied_too(book):
    write_results(book, None, slider_crank())
    names = "<definedName name=\"peak\">'mbs Springs'!$B$3</definedName>"
    change_part(book, "xl/workbook.xml", "<definedNames>", f"<definedNames>{names}")
    write_results(book, None, slider_crank(springs=False))
    assert "mbs Springs" in sheet_names(book)
    assert defined_names(book)["peak"] == ("'mbs Springs'!$B$3", None)


def test_charts_of_our_own_hold_no_sheet_back(book):
    write_results(book, None, slider_crank())
    write_results(book, None, slider_crank(springs=False))
    assert "mbs Springs" not in sheet_names(book)


def test_names_of_one_sheet_follow_it_when_sheets_before_it_go(book):
    write_results(book, None, slider_crank())
    parts = read_parts(book)
    root = etree.fromstring(parts["xl/workbook.xml"])
    sheets = root.find(f"{MAIN}sheets")
    springs = next(sheet for sheet in sheets if sheet.get("name") == "mbs Springs")
    sheets.insert(0, springs)
    root.find(f"{MAIN}bookViews/{MAIN}workbookView").set("activeTab", "2")
    names = root.find(f"{MAIN}definedNames")
    for sheet, name in ((0, "ofSprings"), (2, "ofMine")):
        local = etree.SubElement(names, f"{MAIN}definedName", name=name, localSheetId=str(sheet))
        local.text = "Mine!$A$1"
    parts["xl/workbook.xml"] = etree.tostring(root)
    write_parts(book, parts)
    write_results(book, None, slider_crank(springs=False))
    assert sheet_names(book)[:2] == ["Model", "Mine"]
    assert active_tab(book) == 1
    assert defined_names(book)["ofMine"] == ("Mine!$A$1", "1")
    assert "ofSprings" not in defined_names(book)


def test_when_the_active_sheet_goes_a_sheet_that_exists_becomes_active(book):
    write_results(book, None, slider_crank(problems=(PROBLEM,)))
    change_part(book, "xl/workbook.xml", "<workbookView ", f'<workbookView activeTab="{len(sheet_names(book)) - 1}" ')
    change_part(book, "xl/worksheets/sheet1.xml", 'tabSelected="1" ', "")
    write_results(book, None, slider_crank())
    assert active_tab(book) < len(sheet_names(book))


def test_a_result_sheet_that_is_active_stays_selected_alone(book):
    write_results(book, None, slider_crank())
    place = sheet_names(book).index("mbs Joints")
    change_part(book, "xl/workbook.xml", "<workbookView ", f'<workbookView activeTab="{place}" ')
    change_part(book, "xl/worksheets/sheet1.xml", 'tabSelected="1" ', "")
    write_results(book, None, slider_crank())
    assert active_tab(book) == place
    parts = read_parts(book)
    selected = [name for name in sheet_names(book) if b"tabSelected" in parts[sheet_part(book, name)]]
    assert selected == ["mbs Joints"]


@pytest.mark.parametrize("name", ["mbs Bodies", "mbs notes", "MBS Bodies", "mbs_Summary", " mbs x"])
def test_a_sheet_of_the_users_with_our_prefix_is_refused_by_name_and_nothing_written(tmp_path, name):
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet("Model")
        made.add_worksheet(name)
    before = path.read_bytes()
    with pytest.raises(WorkbookError) as caught:
        write_results(path, None, slider_crank())
    [problem] = caught.value.problems
    assert (problem.code, problem.cell) == ("foreign-sheet", name)
    assert path.read_bytes() == before


def test_a_renamed_result_sheet_belongs_to_the_user_from_then_on(book):
    write_results(book, None, slider_crank())
    for old, new in (('name="mbs Joints"', 'name="Run A"'), ("'mbs Joints'!$A$1", "'Run A'!$A$1")):
        change_part(book, "xl/workbook.xml", old, new)
    kept = packed_parts(book)[sheet_part(book, "Run A")]
    write_results(book, None, slider_crank(rows=9))
    assert sheet_names(book)[-1] == "mbs Joints"
    assert packed_parts(book)[sheet_part(book, "Run A")] == kept
    assert list(own_sheets(Package(book)))[-1] == "mbs Joints"


def test_a_result_sheet_renamed_with_our_prefix_is_kept_from_harm(book):
    write_results(book, None, slider_crank())
    for old, new in (('name="mbs Joints"', 'name="mbs Run A"'), ("'mbs Joints'!$A$1", "'mbs Run A'!$A$1")):
        change_part(book, "xl/workbook.xml", old, new)
    assert foreign_sheets(Package(book)) == ["mbs Run A"]


def test_a_sheet_made_anew_under_the_name_of_a_deleted_one_is_not_ours(book):
    write_results(book, None, slider_crank())
    change_part(book, "xl/workbook.xml", "'mbs Joints'!$A$1", "#REF!$A$1")
    assert foreign_sheets(Package(book)) == ["mbs Joints"]


def test_a_copied_result_sheet_is_not_ours(book):
    write_results(book, None, slider_crank())
    change_part(book, "xl/workbook.xml", 'name="Mine"', 'name="mbs Joints (2)"')
    assert foreign_sheets(Package(book)) == ["mbs Joints (2)"]


def test_marking_problems_changes_that_sheet_only(book):
    write_results(book, None, slider_crank())
    before, sheets = packed_parts(book), sheet_names(book)
    write_problems(book, [PROBLEM])
    assert sheet_names(book) == [*sheets, "mbs Problems"]
    after = packed_parts(book)
    assert {name for name in before if before[name] != after.get(name)} <= FIVE
    write_problems(book, [])
    assert sheet_names(book) == sheets
    assert set(packed_parts(book)) == set(before)
    write_results(book, None, slider_crank())
    assert sheet_names(book) == sheets


def test_marking_a_sound_workbook_does_not_touch_it(book):
    before = book.read_bytes()
    write_problems(book, [])
    assert book.read_bytes() == before


def test_the_users_cell_formats_keep_their_numbers(book):
    before = etree.fromstring(read_parts(book)["xl/styles.xml"])
    write_results(book, None, slider_crank())
    after = etree.fromstring(read_parts(book)["xl/styles.xml"])
    for name in ("numFmts", "fonts", "fills", "borders", "cellXfs"):
        old, new = (root.find(f"{MAIN}{name}") for root in (before, after))
        assert [etree.tostring(e) for e in new[: len(old)]] == [etree.tostring(e) for e in old]
        assert int(new.get("count")) == len(new)
    for name in ("cellStyleXfs", "cellStyles", "dxfs"):
        assert etree.tostring(before.find(f"{MAIN}{name}")) == etree.tostring(after.find(f"{MAIN}{name}"))


def test_other_results_append_no_further_cell_formats(book):
    write_results(book, None, slider_crank())
    before = packed_parts(book)["xl/styles.xml"]
    write_results(book, None, slider_crank(rows=333, springs=False, problems=(PROBLEM,)))
    assert packed_parts(book)["xl/styles.xml"] == before


def test_result_sheets_use_the_workbooks_own_font(tmp_path):
    path = tmp_path / "book.xlsx"
    made = openpyxl.Workbook()
    made._fonts[0] = openpyxl.styles.Font(name="Arial", size=9)
    made.save(path)
    write_results(path, None, slider_crank())
    sheet = openpyxl.load_workbook(path)["mbs Bodies"]
    assert {(cell.font.name, cell.font.size) for row in sheet["A1:C4"] for cell in row} == {("Arial", 9.0)}


@pytest.mark.filterwarnings("ignore:Workbook contains no default style")
@pytest.mark.parametrize("missing", ["xl/styles.xml", "xl/sharedStrings.xml"])
def test_a_workbook_without_optional_parts_gets_what_the_sheets_need(tmp_path, missing):
    parts = books.parts()
    del parts[missing]
    base = missing.removeprefix("xl/")
    kind = base.removesuffix(".xml")
    number = "rId2" if kind == "styles" else "rId3"
    name = "xl/_rels/workbook.xml.rels"
    lines = books.relationships((number, kind, base)).partition("<Relationship ")[2].partition("/>")[0]
    assert lines in parts[name]
    parts[name] = parts[name].replace(f"<Relationship {lines}/>", "")
    path = books.save(tmp_path / "book.xlsx", parts)
    write_results(path, None, slider_crank())
    first = path.read_bytes()
    write_results(path, None, slider_crank())
    assert path.read_bytes() == first
    loaded = openpyxl.load_workbook(path)
    assert loaded["mbs Bodies"]["B1"].font.b
    assert not loaded["Data"]["A1"].font.b


def test_parts_with_a_namespace_prefix_are_edited_as_well(tmp_path):
    parts = books.parts()
    workbook = parts["xl/workbook.xml"].replace('xmlns="', 'xmlns:x="')
    for tag in ("workbook", "sheets", "sheet "):
        workbook = workbook.replace(f"<{tag}", f"<x:{tag}").replace(f"</{tag}", f"</x:{tag}")
    path = books.save(tmp_path / "book.xlsx", parts | {"xl/workbook.xml": workbook})
    write_results(path, None, slider_crank())
    assert sheet_names(path)[:3] == ["Data", "mbs Summary", "mbs Charts"]
    assert list(own_sheets(Package(path))) == sheet_names(path)[1:]


def test_new_parts_never_take_a_name_that_differs_in_case_only(tmp_path):
    parts = books.parts()
    parts["xl/Charts/Chart1.xml"] = "<mine/>"
    parts["xl/drawings/DRAWING1.XML"] = "<mine/>"
    path = books.save(tmp_path / "book.xlsx", parts)
    write_results(path, None, slider_crank())
    names = [name.casefold() for name in read_parts(path)]
    assert len(names) == len(set(names))
    assert read_parts(path)["xl/Charts/Chart1.xml"] == b"<mine/>"


def test_a_formula_that_the_user_put_on_a_result_sheet_does_not_damage_the_workbook(tmp_path):
    book = make(tmp_path / "book.xlsx", "=1+1")
    write_results(book, None, slider_crank())
    parts = read_parts(book)
    part = sheet_part(book, "mbs Joints")
    parts[part] = parts[part].replace(b"</row>", b'<c r="Z1"><f>1+1</f><v>2</v></c></row>', 1)
    chain = f'<calcChain xmlns="{MAIN[1:-1]}"><c r="A1" i="2"/><c r="Z1" i="5"/></calcChain>'
    parts["xl/calcChain.xml"] = chain.encode()
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml"
    for name, end, line in (
        ("[Content_Types].xml", "</Types>", f'<Override PartName="/xl/calcChain.xml" ContentType="{types}"/>'),
        (
            "xl/_rels/workbook.xml.rels",
            "</Relationships>",
            f'<Relationship Id="rId77" Type="{books.RELATIONSHIPS}/calcChain" Target="calcChain.xml"/>',
        ),
    ):
        parts[name] = parts[name].replace(end.encode(), (line + end).encode())
    write_parts(book, parts)
    write_results(book, None, slider_crank())
    assert not any(b"calcChain" in content for content in read_parts(book).values())
    assert "xl/calcChain.xml" not in read_parts(book)


def test_titles_of_sheets_in_the_document_properties_follow(book):
    write_results(book, None, slider_crank())
    properties = etree.fromstring(read_parts(book)["docProps/app.xml"])
    [vector] = [element for element in properties.iter() if element.tag.endswith("TitlesOfParts")]
    assert [entry.text for entry in vector[0]] == sheet_names(book)
    assert vector[0].get("size") == str(len(vector[0]))
    assert f"<vt:i4>{len(vector[0])}</vt:i4>".encode() in read_parts(book)["docProps/app.xml"]


def test_a_copied_file_with_results_behaves_as_the_original(book, tmp_path):
    write_results(book, None, slider_crank())
    other = tmp_path / "other.xlsx"
    shutil.copyfile(book, other)
    write_results(other, None, slider_crank())
    assert other.read_bytes() == book.read_bytes()


STRAY = '<definedName name="x" localSheetId="99">1</definedName><definedName name="y" localSheetId="B2">2</definedName>'
NONSENSE = {
    "an id of a sheet": ("xl/workbook.xml", 'sheetId="1"', 'sheetId="first"'),
    "the active tab": ("xl/workbook.xml", "<workbookView ", '<workbookView activeTab="last" firstSheet="-1" '),
    "the sheet of a name": ("xl/workbook.xml", "</sheets>", f"</sheets><definedNames>{STRAY}</definedNames>"),
    "a count of titles": ("docProps/app.xml", "<vt:i4>2</vt:i4>", "<vt:i4>two</vt:i4>"),
    "an id of a number format": ("xl/styles.xml", 'numFmtId="164"', 'numFmtId="none"'),
    "the size of a font": ("xl/styles.xml", '<sz val="11"/>', '<sz val="large"/>'),
}  # fmt: skip


@pytest.mark.parametrize("what", NONSENSE)
def test_nonsense_in_place_of_a_number_does_not_keep_the_results_out(book, what):
    change_part(book, *NONSENSE[what])
    write_results(book, None, slider_crank())
    write_problems(book, [PROBLEM])
    write_results(book, None, slider_crank(springs=False))
    assert "mbs Bodies" in sheet_names(book)
    assert "mbs Springs" not in sheet_names(book)


def test_a_comment_between_the_styles_does_not_keep_the_results_out(book):
    xml = read_parts(book)["xl/styles.xml"].decode()
    fills = xml[xml.index("<fills") : xml.index("</fills>") + len("</fills>")]
    change_part(book, "xl/styles.xml", fills, "<!-- none -->")
    write_results(book, None, slider_crank())
    assert "mbs Bodies" in sheet_names(book)


def test_a_sheet_of_an_excel_95_module_stays_where_it_is(tmp_path):
    book = make(tmp_path / "book.xlsx", "='mbs Joints'!B3*2")
    module = '<sheet name="Module1" sheetId="7" state="veryHidden" r:id=""/>'
    change_part(book, "xl/workbook.xml", "</sheets>", f"{module}</sheets>")
    write_results(book, None, slider_crank(problems=(PROBLEM,)))
    write_results(book, None, slider_crank(springs=False))
    write_problems(book, [PROBLEM])
    assert sheet_names(book)[2] == "Module1"
    assert sheet_list(book)[2]["sheetId"] == "7"
    assert list(open_book(book).sheets)[:2] == ["Model", "Mine"]
    assert "Module1" not in open_book(book).sheets


@pytest.mark.parametrize("last", [65_534, 4_294_967_295])
def test_new_sheets_get_ids_that_excel_opens(book, last):
    change_part(book, "xl/workbook.xml", 'sheetId="2"', f'sheetId="{last}"')
    write_results(book, None, slider_crank())
    ids = [int(sheet["sheetId"]) for sheet in sheet_list(book)]
    assert ids[:2] == [1, last]
    assert max(ids[2:]) <= 65_534
    assert len(set(ids)) == len(ids)
