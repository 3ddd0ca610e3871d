"""`sheetmbs run BOOK --pdf`: the pages of the report alone, and a plain sentence where LibreOffice is not installed."""

import re
import subprocess
from io import BytesIO
from zipfile import ZipFile

import openpyxl
import pytest
from lxml import etree
from typer.testing import CliRunner

from sheetmbs.command.cli import app
from sheetmbs.gait import printed_report
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.sheets.clinical_parameters import ANGLES
from sheetmbs.gait.sheets.report_words import LANGUAGES, WORDS, in_language
from sheetmbs.schema.uncertainty_inputs import SOURCE_WORDS
from tests.support.gait_books import Recording, gait_book, walker_sheets
from tests.support.opened import sheet_values
from tests.support.sample_results import needs_libreoffice


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """A workbook in German with a sheet of the user's own."""
    folder = tmp_path_factory.mktemp("printed")
    sheets = walker_sheets(Recording(end=2.9, settings={"language": "de", "bands": "no"}))
    path = gait_book(folder / "walk.xlsx", sheets)
    book = openpyxl.load_workbook(path)
    book.create_sheet("Mine", 0)["A1"] = "a sheet of ours"
    book.save(path)
    return path


def test_without_libreoffice_a_sentence_stands_in_place_of_the_pdf(walked, tmp_path, monkeypatch):
    monkeypatch.setattr(printed_report, "libreoffice", lambda: None)
    found = CliRunner().invoke(
        app, ["run", str(walked), "-o", str(tmp_path / "o.xlsx"), "--pdf", str(tmp_path / "o.pdf")]
    )
    assert found.exit_code == 3, found.output
    said = " ".join(found.output.split())
    assert "LibreOffice makes it, and is not installed here" in said
    assert not (tmp_path / "o.pdf").exists()
    assert "mbs Gait report" in openpyxl.load_workbook(tmp_path / "o.xlsx").sheetnames


def test_a_picture_of_the_workbook_stands_on_every_page_and_a_missing_one_is_named(walked, tmp_path):
    pictures = pytest.importorskip("PIL.Image")
    book = openpyxl.load_workbook(walked)
    pictures.new("RGB", (300, 100), (0, 80, 160)).save(tmp_path / "hospital.png")
    content = BytesIO((tmp_path / "hospital.png").read_bytes())
    book["Mine"].add_image(openpyxl.drawing.image.Image(content), "C3")
    book["Subject"].append(["logo", "Image 1"])
    row = book["Subject"].max_row
    book.save(tmp_path / "logo.xlsx")
    for _run in range(2):
        found = run_gait(tmp_path / "logo.xlsx")
        assert not [each for each in found.sheets.problems if "logo" in each.found]
        found.save()
    with ZipFile(tmp_path / "logo.xlsx") as written:
        media = [name for name in written.namelist() if "/media/" in name]
        drawings = [name for name in written.namelist() if re.fullmatch(r"xl/drawings/drawing[0-9]+\.xml", name)]
        drawn = {name: etree.fromstring(written.read(name)) for name in drawings}
    assert len(media) == 1, "the pages show the part that the user's sheet shows"
    of_page = next(each for each in drawn.values() if len(list(each.iter("{*}pic"))) > 1)
    shapes = [each.find("{*}ext") for each in of_page if each.find("{*}pic") is not None]
    areas = openpyxl.load_workbook(tmp_path / "logo.xlsx")["mbs Gait report"].print_area.split(",")
    assert len(shapes) == len(areas) == 3
    for each in shapes:
        assert int(each.get("cx")) / int(each.get("cy")) == pytest.approx(3.0, rel=0.03)
    (told,) = [
        each
        for each in run_gait(tmp_path / "logo.xlsx", changes={f"Subject!B{row}": "Ours"}).sheets.problems
        if "logo" in each.found
    ]
    assert (told.severity, told.cell) == ("warning", f"Subject!B{row}")
    assert "Image 1" in told.mend


@needs_libreoffice
def test_the_pdf_holds_the_pages_of_the_report_alone_in_the_language_of_the_book(walked, tmp_path):
    pdf = tmp_path / "report.pdf"
    found = CliRunner().invoke(app, ["run", str(walked), "-o", str(tmp_path / "o.xlsx"), "--pdf", str(pdf)])
    assert found.exit_code == 0, found.output
    said = subprocess.run(["pdftotext", "-layout", pdf, "-"], check=True, capture_output=True, text=True).stdout
    pages = [page for page in said.split("\f") if page.strip()]
    assert len(pages) == 3
    assert "Ganganalyse" in pages[0]
    assert "Seite 1 von 3" in pages[0]
    assert "Kniewinkel" in pages[0]
    assert "Zeiten und Längen" in pages[1]
    assert "a sheet of ours" not in said


def test_a_folder_that_is_not_there_is_said(walked, tmp_path):
    if printed_report.libreoffice() is None:
        pytest.skip("LibreOffice is not installed")
    pdf = tmp_path / "nowhere" / "report.pdf"
    found = CliRunner().invoke(app, ["run", str(walked), "-o", str(tmp_path / "o.xlsx"), "--pdf", str(pdf)])
    assert found.exit_code == 3
    assert "cannot be written" in " ".join(found.output.split())


def test_every_heading_is_in_all_languages_and_names_of_columns_stay():
    for english, others in WORDS.items():
        assert len(others) == len(LANGUAGES) - 1
        assert all(others), english
    assert in_language("Knee flexion", "fr") == "Genou, flexion"
    assert in_language("Knee flexion", "en") == "Knee flexion"
    assert in_language("right knee.angle.mean", "ja") == "right knee.angle.mean"


def test_parameters_peaks_and_sources_of_the_pages_are_in_all_languages(walked, tmp_path):
    run_gait(walked).save(tmp_path / "walked.xlsx")
    told = {row[0] for row in sheet_values(tmp_path / "walked.xlsx", "mbs Gait clinical")[2:]}
    peaks = [f"{quantity} {end}" for quantity in ("angle", "moment", "power") for end in ("max", "min")]
    for name in (*told, *(each[0] for each in ANGLES), *peaks, "hip", "knee", "ankle", *SOURCE_WORDS):
        assert name in WORDS, name
