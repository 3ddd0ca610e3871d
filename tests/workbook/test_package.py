"""What is no workbook, or one that cannot be written back, is refused with the sentence that helps."""

from __future__ import annotations

import os
import random
import sys
import zipfile
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.package import archive, package
from sheetmbs.workbook.package.package import STRICT, Package, check_package
from sheetmbs.workbook.writing.write import write_results
from tests.support import books
from tests.support.sample_results import convert, needs_libreoffice, slider_crank
from tests.support.shared import shared

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
WILD = shared("wild")


def read_all(path: Path | str) -> None:
    for page in open_book(path).sheets.values():
        assert page.rows is not None


def refused(path: Path | str) -> Problem:
    """The one problem with which both the reader and the writer refuse a file, which stays as it is."""
    before = Path(path).read_bytes() if os.access(path, os.R_OK) and Path(path).is_file() else None
    with pytest.raises(WorkbookError) as by_writer:
        check_package(path)
    with pytest.raises(WorkbookError) as by_reader:
        read_all(path)
    assert by_reader.value.problems == by_writer.value.problems
    assert by_writer.value.exit_status == 2
    (problem,) = by_writer.value.problems
    assert problem.severity == "error"
    assert all((problem.code, problem.found, problem.problem, problem.mend))
    assert before is None or Path(path).read_bytes() == before
    return problem


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book.xlsx"


def saved(path: Path, changes: dict[str, str | bytes | None]) -> Path:
    contents = {**books.parts(), **changes}
    return books.save(path, {name: content for name, content in contents.items() if content is not None})


def test_the_sound_workbook_of_these_tests_is_accepted(path):
    saved(path, {})
    check_package(path)
    assert open_book(path).sheets["Data"].rows[1][1].value == 1.0


def test_a_missing_file_is_refused(tmp_path):
    assert refused(tmp_path / "none.xlsx").code == "file-missing"


def test_a_file_below_a_file_is_missing(path):
    saved(path, {})
    assert refused(path / "book.xlsx").code == "file-missing"


def test_a_folder_is_refused(tmp_path):
    assert refused(tmp_path).code == "file-is-folder"


@pytest.mark.parametrize("name", ["a\0b.xlsx", "a" * 5000 + ".xlsx"])
def test_a_name_that_no_file_can_have_is_refused(name):
    with pytest.raises(WorkbookError) as error:
        open_book(name)
    assert error.value.problems[0].code == "file-unreadable"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_without_waiting_for_it(path):
    os.mkfifo(path)
    assert refused(path).code == "not-a-file"


def test_an_unreadable_file_is_refused(path, monkeypatch):
    def deny(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    saved(path, {})
    monkeypatch.setattr(archive.Path, "read_bytes", deny)
    with pytest.raises(WorkbookError) as error:
        check_package(path)
    assert error.value.problems[0].code == "file-unreadable"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the administrator may read everything")
def test_a_file_without_the_right_to_read_is_refused(path):
    saved(path, {}).chmod(0)
    assert refused(path).code == "file-unreadable"


def test_an_empty_file_is_refused(path):
    path.touch()
    assert refused(path).code == "file-empty"


def test_text_under_the_name_of_a_workbook_is_refused(path):
    path.write_text("time,angle\n0,1\n")
    assert refused(path).code == "not-a-workbook"


def test_text_under_its_own_name_is_refused_for_its_name(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("time,angle\n0,1\n")
    assert refused(path).code == "wrong-extension"


def test_an_encrypted_workbook_is_refused(path):
    path.write_bytes(OLE + bytes(504) + "EncryptedPackage".encode("utf-16-le") + bytes(400))
    assert refused(path).code == "encrypted-workbook"


def test_an_old_workbook_is_refused(tmp_path):
    path = tmp_path / "book.xls"
    path.write_bytes(OLE + bytes(504) + "Workbook".encode("utf-16-le") + bytes(400))
    assert refused(path).code == "old-workbook"


def test_a_binary_workbook_is_refused(tmp_path):
    types = books.content_types("application/vnd.ms-excel.sheet.binary.macroEnabled.main", name="/xl/workbook.bin")
    path = saved(
        tmp_path / "book.xlsb",
        {
            "[Content_Types].xml": types,
            "_rels/.rels": books.relationships(("rId1", "officeDocument", "xl/workbook.bin")),
            "xl/workbook.bin": b"\x83\x01\x00",
            "xl/workbook.xml": None,
        },
    )
    assert refused(path).code == "binary-workbook"


def test_an_opendocument_file_is_refused(tmp_path):
    path = tmp_path / "book.ods"
    books.save(path, {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<a/>"})
    assert refused(path).code == "opendocument-workbook"


@pytest.mark.parametrize("part", ["Index/Document.iwa", "Index.zip"])
def test_a_numbers_document_is_refused_whatever_its_name(tmp_path, part):
    for name in ("book.numbers", "book.xlsx"):
        problem = refused(books.save(tmp_path / name, {part: "", "Metadata/Properties.plist": ""}))
        assert problem.code == "numbers-document"
        assert "Export" in problem.mend


@needs_libreoffice
def test_what_libreoffice_saves_in_other_formats_is_refused(path, tmp_path):
    saved(path, {})
    codes = {"xls": "old-workbook", "ods": "opendocument-workbook", "fods": "wrong-extension"}
    for ending, code in codes.items():
        other = convert(path, ending, tmp_path / "other")
        assert refused(other).code == code
        renamed = other.rename(other.with_suffix(".xlsx"))
        assert refused(renamed).code == ("not-a-workbook" if ending == "fods" else code)


def test_some_other_zip_archive_is_refused(path):
    books.save(path, {"notes.txt": "nothing"})
    assert refused(path).code == "not-a-workbook"


def test_an_empty_zip_archive_is_refused(path):
    books.save(path, {})
    assert refused(path).code == "not-a-workbook"


@pytest.mark.parametrize(
    "content_type",
    [
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml",
    ],
)
def test_a_package_of_another_kind_is_refused(path, content_type):
    saved(path, {"[Content_Types].xml": books.content_types(content_type)})
    assert refused(path).code == "not-a-workbook"


@pytest.mark.parametrize("name", ["book.zip", "book", "book.xlsm", "book.xlsx.bak"])
def test_a_workbook_under_a_wrong_name_is_refused(tmp_path, name):
    problem = refused(saved(tmp_path / name, {}))
    assert problem.code == "wrong-extension"
    assert ".xlsx" in problem.mend


def test_a_workbook_with_macros_needs_the_name_of_one(path):
    types = books.content_types("application/vnd.ms-excel.sheet.macroEnabled.main+xml")
    problem = refused(saved(path, {"[Content_Types].xml": types}))
    assert problem.code == "wrong-extension"
    assert ".xlsm" in problem.mend


def test_capital_letters_in_the_ending_are_accepted(tmp_path):
    check_package(saved(tmp_path / "BOOK.XLSX", {}))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_truncated_workbook_is_refused(path, share):
    content = saved(path, {}).read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    assert refused(path).code == "damaged-workbook"


def test_a_part_with_a_wrong_checksum_is_refused(path):
    saved(path, {})
    with zipfile.ZipFile(path) as packed:
        entry = packed.getinfo("xl/worksheets/sheet1.xml")
    content = bytearray(path.read_bytes())
    content[entry.header_offset + 30 + len(entry.filename) + entry.compress_size // 2] ^= 0x20
    path.write_bytes(content)
    assert refused(path).code == "damaged-workbook"


def test_the_writer_notices_damage_in_a_part_that_the_reader_never_needs(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as packed:
        for name, text in {**books.parts(), "xl/media/image1.png": "an image"}.items():
            packed.writestr(name, text)
    path.write_bytes(path.read_bytes().replace(b"an image", b"no image"))
    with pytest.raises(WorkbookError, match="image1"):
        check_package(path)


def test_a_zip_archive_with_a_password_is_refused(path):
    saved(path, {})
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    assert refused(path).code == "encrypted-workbook"


def test_an_uncommon_compression_is_refused(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as packed:
        for name, text in books.parts().items():
            packed.writestr(name, text)
    assert refused(path).code == "damaged-workbook"


def test_a_strict_workbook_is_refused_by_its_relationships(path):
    kind = f"{STRICT}officeDocument/relationships/officeDocument"
    saved(path, {"_rels/.rels": books.relationships(("rId1", kind, "xl/workbook.xml"))})
    assert refused(path).code == "strict-workbook"


def test_a_strict_workbook_is_refused_by_its_namespace(path):
    strict = books.workbook().replace(books.MAIN, f"{STRICT}spreadsheetml/main")
    saved(path, {"xl/workbook.xml": strict})
    assert refused(path).code == "strict-workbook"


def test_a_workbook_without_a_list_of_sheets_is_refused(path):
    saved(path, {"xl/workbook.xml": books.workbook().replace("sheets>", "pages>")})
    assert refused(path).code == "damaged-workbook"


def test_a_signed_workbook_is_refused(path):
    kind = "http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin"
    arrows = ("rId1", "officeDocument", "xl/workbook.xml"), ("rId2", kind, "_xmlsignatures/origin.sigs")
    saved(path, {"_rels/.rels": books.relationships(*arrows), "_xmlsignatures/origin.sigs": ""})
    assert refused(path).code == "signed-workbook"


@pytest.mark.parametrize("value", ["1", "true"])
def test_a_workbook_with_a_locked_structure_is_refused(path, value):
    saved(path, {"xl/workbook.xml": books.workbook(before=f'<workbookProtection lockStructure="{value}"/>')})
    assert refused(path).code == "locked-workbook"


def test_a_workbook_whose_windows_alone_are_locked_is_accepted(path):
    lock = '<workbookProtection lockWindows="1" lockStructure="0"/>'
    check_package(saved(path, {"xl/workbook.xml": books.workbook(before=lock)}))


def test_a_shared_workbook_is_refused(path):
    arrows = ("rId1", "worksheet", "worksheets/sheet1.xml"), ("rId2", "revisionHeaders", "revisions/headers.xml")
    saved(path, {"xl/_rels/workbook.xml.rels": books.relationships(*arrows), "xl/revisions/headers.xml": "<a/>"})
    assert refused(path).code == "shared-workbook"


def test_a_part_that_unpacks_to_a_thousand_times_its_size_is_refused(path):
    saved(path, {"xl/worksheets/sheet2.xml": bytes(4 << 20)})
    assert refused(path).code == "zip-bomb"


def test_a_workbook_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(path, monkeypatch):
    saved(path, {})
    monkeypatch.setattr(archive, "MAX_UNPACKED", 1000)
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was unpacked"))
    assert refused(path).code == "zip-bomb"


def test_a_part_too_large_to_hold_is_refused_by_its_declared_size(path):
    saved(path, {})
    size = (1 << 30) + 1
    content = bytearray(path.read_bytes())
    place = content.rindex(b"xl/worksheets/sheet1.xml") - 46
    content[place + 24 : place + 28] = size.to_bytes(4, "little")
    path.write_bytes(content)
    assert refused(path).code == "zip-bomb"


def test_too_many_parts_are_refused(path):
    saved(path, {f"xl/media/{number}": "" for number in range(archive.MAX_ENTRIES)})
    assert refused(path).code == "zip-bomb"


def test_a_file_too_large_to_hold_is_refused_before_it_is_read(path, monkeypatch):
    saved(path, {})
    monkeypatch.setattr(archive, "MAX_FILE", 100)
    assert refused(path).code == "zip-bomb"


@pytest.mark.parametrize("name", ["/etc/passwd", "../outside.xml", "xl/../../outside.xml", "C:/outside", "xl\\a.xml"])
def test_a_part_name_that_leads_out_of_the_package_is_refused(path, name):
    saved(path, {name: "x"})
    assert refused(path).code == "unsafe-part-name"


@pytest.mark.parametrize("name", ["xl/workbook.xml", "XL/Workbook.xml"])
def test_two_parts_of_one_name_are_refused(path, name):
    saved(path, {})
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr("x" * len(name), books.workbook())
    path.write_bytes(path.read_bytes().replace(b"x" * len(name), name.encode()))
    assert refused(path).code == "damaged-workbook"


ENTITY = '<!DOCTYPE workbook [<!ENTITY secret SYSTEM "file:///etc/passwd">]>'
LAUGHS = (
    '<!DOCTYPE workbook [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    + "]>"
)


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/_rels/workbook.xml.rels"])
@pytest.mark.parametrize("doctype", [ENTITY, LAUGHS, "<!DOCTYPE workbook>"], ids=["external", "nested", "bare"])
def test_a_document_type_is_refused_wherever_it_stands(path, part, doctype):
    text = books.parts()[part].replace("?>\n", f"?>\n{doctype}", 1)
    saved(path, {part: text})
    with pytest.raises(WorkbookError) as error:
        _ = open_book(path).sheets["Data"]
    assert error.value.problems[0].code == "xml-entities"


@pytest.mark.parametrize("reference", ["&secret;", "&a11;"])
@pytest.mark.parametrize("place", ["<row r='1'><c r='A1' t='inlineStr'><is><t>{}</t></is></c></row>", "<row r='{}'/>"])
def test_entities_are_never_resolved(path, reference, place):
    text = books.sheet(place.format(reference)).replace("?>\n", "?>\n" + (ENTITY if "secret" in reference else LAUGHS))
    saved(path, {"xl/worksheets/sheet1.xml": text})
    with pytest.raises(WorkbookError) as error:
        _ = open_book(path).sheets["Data"]
    assert error.value.problems[0].code == "xml-entities"


def test_entities_in_shared_strings_are_refused(path):
    strings = books.shared_strings("<t>&secret;</t>").replace("?>\n", f"?>\n{ENTITY}")
    rows = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
    saved(path, {"xl/sharedStrings.xml": strings, "xl/worksheets/sheet1.xml": books.sheet(rows)})
    with pytest.raises(WorkbookError) as error:
        _ = open_book(path).sheets["Data"]
    assert error.value.problems[0].code == "xml-entities"


def test_a_document_type_in_another_encoding_is_refused(path):
    text = books.sheet("").replace("UTF-8", "UTF-16").replace("?>\n", "?>\n<!DOCTYPE worksheet>")
    saved(path, {"xl/worksheets/sheet1.xml": text.encode("utf-16")})
    with pytest.raises(WorkbookError) as error:
        _ = open_book(path).sheets["Data"]
    assert error.value.problems[0].code == "xml-entities"


@pytest.mark.parametrize(
    "part", ["[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"]
)
def test_a_part_that_is_not_xml_is_refused_by_name(path, part):
    problem = refused(saved(path, {part: "<a><b></a>"}))
    assert problem.code == "damaged-workbook"
    assert part in problem.found


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml"])
def test_a_missing_part_is_refused_by_name(path, part):
    problem = refused(saved(path, {part: None}))
    assert problem.code == "missing-part"
    assert part in problem.found


def test_a_sheet_that_the_workbook_lists_without_a_part_is_refused_by_name(path):
    listed = '<sheet name="Data" sheetId="1" r:id="rId1"/><sheet name="Joints" sheetId="2" r:id="rId9"/>'
    problem = refused(saved(path, {"xl/workbook.xml": books.workbook(listed)}))
    assert (problem.code, problem.cell) == ("damaged-workbook", "Joints")


def test_two_sheets_of_one_name_are_refused(path):
    listed = '<sheet name="Data" sheetId="1" r:id="rId1"/><sheet name="DATA" sheetId="2" r:id="rId1"/>'
    assert refused(saved(path, {"xl/workbook.xml": books.workbook(listed)})).code == "damaged-workbook"


def test_a_workbook_part_that_is_something_else_is_refused(path):
    assert refused(saved(path, {"xl/workbook.xml": books.sheet("")})).code == "damaged-workbook"


def test_no_damage_whatever_ends_in_anything_but_a_refusal(path):
    """One to four bytes at random places are changed: the file is read, or refused in words."""
    with xlsxwriter.Workbook(path) as book:
        page = book.add_worksheet("Data")
        for number in range(30):
            page.write_row(number, 0, [number, f"text {number}", number / 7])
    content = path.read_bytes()
    dice = random.Random(7)  # noqa: S311 - no secret
    refusals = 0
    for _ in range(600):
        damage = bytearray(content)
        for _ in range(dice.randint(1, 4)):
            damage[dice.randrange(len(damage))] = dice.randrange(256)
        path.write_bytes(damage)
        try:
            check_package(path)
            read_all(path)
        except WorkbookError:
            refusals += 1
    assert refusals > 300


def test_targets_are_found_however_the_writer_spells_them(path):
    contents = books.parts('<row r="1"><c r="A1" t="s"><v>0</v></c></row>')
    moved = {
        "[Content_Types].xml": books.content_types(name="/Office/Book 1.xml"),
        "_rels/.rels": books.relationships(("r", "officeDocument", "/office/Book%201.xml")),
        "Office/Book 1.xml": contents["xl/workbook.xml"],
        "Office/_rels/Book 1.xml.rels": books.relationships(
            ("rId1", "worksheet", r"..\Pages\.\first.XML"), ("rId2", "sharedStrings", "/Texts.xml#all")
        ),
        "pages/First.xml": contents["xl/worksheets/sheet1.xml"],
        "Texts.xml": books.shared_strings("<t>here</t>"),
    }
    books.save(path, moved)
    check_package(path)
    package = Package(path)
    assert package.workbook == "Office/Book 1.xml"
    assert package.sheets[0].part == "pages/First.xml"
    assert package.related(package.workbook, "sharedStrings") == "Texts.xml"
    assert open_book(path).sheets["Data"].rows[1][1].value == "here"


def test_parts_are_found_and_typed_without_regard_to_case(path):
    package = Package(saved(path, {}))
    assert package.find("/XL/Workbook.XML") == "xl/workbook.xml"
    assert package.find("xl/none.xml") is None
    assert package.read("/xl/STYLES.xml") == books.parts()["xl/styles.xml"].encode()
    assert package.content_type("/xl/WORKBOOK.xml").endswith("sheet.main+xml")
    assert package.content_type("xl/styles.xml") == "application/xml"
    assert package.content_type("xl/none.png") == ""


@pytest.mark.parametrize("encoding", ["utf-8", "cp437"])
def test_part_names_beyond_ascii_are_those_that_targets_name(path, encoding):
    spelt = "ä".encode(encoding)
    name = "xl/media/" + "x" * len(spelt) + ".png"
    saved(
        path,
        {
            name: "an image",
            "xl/worksheets/_rels/sheet1.xml.rels": books.relationships(("a", "image", "../media/ä.png")),
        },
    )
    path.write_bytes(
        path.read_bytes().replace(name.encode(), name.encode().replace(b"x" * len(spelt) + b".", spelt + b"."))
    )
    assert Package(path).related("xl/worksheets/sheet1.xml", "image") == "xl/media/ä.png"
    write_results(path, None, slider_crank())
    assert Package(path).related("xl/worksheets/sheet1.xml", "image") == "xl/media/ä.png"
    assert Package(path).read("xl/media/ä.png") == b"an image"


def test_external_targets_are_left_as_they_stand(path):
    text = books.relationships(("a", "hyperlink", "#Data!A1"), ("b", "hyperlink", "https://example.org/x")).replace(
        'Target="https', 'TargetMode="External" Target="https'
    )
    package = Package(saved(path, {"xl/worksheets/_rels/sheet1.xml.rels": text}))
    arrows = package.relationships("xl/worksheets/sheet1.xml")
    assert [(arrow.target, arrow.external, arrow.kind) for arrow in arrows.values()] == [
        ("#Data!A1", True, "hyperlink"),
        ("https://example.org/x", True, "hyperlink"),
    ]
    assert package.relationships("xl/styles.xml") == {}


def test_a_workbook_is_read_as_it_was_when_it_was_opened(path):
    book = openpyxl.Workbook()
    book.active.title = "Data"
    book.active["B2"] = 5
    book.save(path)
    opened = open_book(path)
    path.write_text("gone")
    assert opened.sheets["Data"].rows[2][2].value == 5.0


@pytest.mark.skipif(not WILD.is_dir(), reason="the collection of real workbooks is not here")
def test_real_workbooks_pass_every_check():
    found = sorted(WILD.glob("*.xls[xm]"))
    assert found
    for book in found:
        check_package(book)
        assert Package(book).sheets


def test_a_part_in_pieces_has_every_short_text_whole_in_one(path, monkeypatch):
    monkeypatch.setattr(package, "CHUNK_BYTES", 100)
    monkeypatch.setattr(package, "MAX_FIND_BYTES", 30)
    text = "".join(f"{number:06} " for number in range(1000))
    saved(path, {"xl/media/note.txt": text})
    pieces = list(Package(path).pieces("xl/media/note.txt"))
    assert max(map(len, pieces)) == 130
    assert all(any(f" {number:06} ".encode() in piece for piece in pieces) for number in range(1, 999))


def test_a_part_that_cannot_be_unpacked_has_no_pieces(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as packed:
        for name, text in {**books.parts(), "xl/media/image1.png": "an image"}.items():
            packed.writestr(name, text)
    path.write_bytes(path.read_bytes().replace(b"an image", b"no image"))
    with pytest.raises(WorkbookError, match="image1"):
        list(Package(path).pieces("xl/media/image1.png"))
