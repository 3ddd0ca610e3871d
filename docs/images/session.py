"""Render the pictures of docs/session.md from its steps: `python docs/images/session.py`.

Needs sheetmbs with the extra test, LibreOffice and poppler; LibreOffice stands in for Excel.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import openpyxl
from PIL import Image, ImageChops, ImageDraw, ImageFont

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))
from tests.command.test_session import PAGE, follow  # noqa: E402 - found by the line above

BOOK = "pump.xlsx"
DPI, COLOURS, MARGIN, BAR, FOOT = 110, 64, 12, 30, 60
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


def as_pdf(book: Path) -> Path:
    """The workbook as LibreOffice prints it."""
    subprocess.run(
        ["soffice", "--headless", "--convert-to", "pdf", book.name], check=True, cwd=book.parent, capture_output=True
    )
    return book.with_suffix(".pdf")


def page(pdf: Path, number: int) -> Image.Image:
    """A page without its margins."""
    subprocess.run(
        ["pdftoppm", "-png", "-r", str(DPI), "-f", str(number), "-l", str(number), "-singlefile", pdf.name, "page"],
        check=True,
        cwd=pdf.parent,
    )
    picture = Image.open(pdf.parent / "page.png").convert("RGB")
    box = ImageChops.difference(picture, Image.new("RGB", picture.size, "white")).getbbox()
    return picture.crop(box)


def page_with(pdf: Path, text: str) -> int:
    """The number of the first page that holds a text."""
    count = int(subprocess.check_output(["pdfinfo", pdf], text=True).split("Pages:")[1].split()[0])
    for number in range(1, count + 1):
        words = subprocess.check_output(
            ["pdftotext", "-layout", "-f", str(number), "-l", str(number), pdf, "-"], text=True
        )
        if text in " ".join(words.split()):
            return number
    raise LookupError(f"no page of {pdf.name} holds {text!r}")


def sheet(book: Path, name: str, area: str) -> Image.Image:
    """A part of a sheet with the letters of columns and the numbers of rows, and the tabs of the workbook below it."""
    copy = book.parent / "one.xlsx"
    opened = openpyxl.load_workbook(book)
    for each in opened:
        each.sheet_state = "visible" if each.title == name else "hidden"
    chosen = opened[name]
    opened.active = opened.index(chosen)
    chosen.print_area = area
    chosen.print_title_rows = chosen.print_title_cols = None
    chosen.print_options.headings = True
    chosen.page_setup.orientation = "landscape"
    chosen.sheet_properties.pageSetUpPr.fitToPage = True
    for part in (chosen.oddHeader, chosen.oddFooter):
        for place in (part.left, part.center, part.right):
            place.text = None
    opened.save(copy)
    return with_tabs(page(as_pdf(copy), 1), opened.sheetnames, name)


def with_tabs(picture: Image.Image, names: list[str], chosen: str) -> Image.Image:
    """A picture of a sheet with tabs below it, as many as there is room for."""
    font = ImageFont.truetype(FONT, 13)
    whole = Image.new("RGB", (picture.width, picture.height + BAR), "white")
    whole.paste(picture, (0, 0))
    draw = ImageDraw.Draw(whole)
    draw.rectangle((0, picture.height, picture.width, picture.height + BAR), fill="#E4E7EB")
    x = 8
    few = int(picture.width / 95)
    shown = names if chosen in names[:few] else names[names.index(chosen) - few + 2 :]
    for name in shown:
        wide = int(draw.textlength(name, font=font)) + 20
        if x + wide > picture.width - 8:
            break
        is_open = name == chosen
        draw.rectangle((x, picture.height, x + wide, picture.height + BAR - 5), fill="white" if is_open else "#F5F7FA")
        draw.text((x + 10, picture.height + 4), name, font=font, fill="#0B7A3B" if is_open else "#3E4C59")
        x += wide + 3
    return whole


def below_each_other(pictures: list[Image.Image], path: Path) -> None:
    """Write pictures into one file, one below the other."""
    width = max(each.width for each in pictures) + 2 * MARGIN
    height = sum(each.height + MARGIN for each in pictures) + MARGIN
    whole = Image.new("RGB", (width, height), "white")
    y = MARGIN
    for each in pictures:
        whole.paste(each, (MARGIN, y))
        y += each.height + MARGIN
    ImageDraw.Draw(whole).rectangle((0, 0, width - 1, height - 1), outline="#c5ced6")
    whole.quantize(COLOURS).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB, {whole.size}")


def main() -> None:
    """Follow the page, keep the workbook after every command, and render what the page shows."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        books = []
        for number, _step in enumerate(follow(PAGE, work, BOOK)):
            books.append(work / f"step{number}.xlsx")
            shutil.copy(work / BOOK, books[-1])
        form, wrong, _fixed, done = books
        below_each_other([sheet(form, "Bodies", "A1:K6")], HERE / "session-form.png")
        below_each_other([sheet(wrong, "Joints", "A1:G7")], HERE / "session-typed.png")
        below_each_other(
            [
                sheet(wrong, "Bodies", "A1:D5"),
                sheet(wrong, "mbs Problems", "A1:D4"),
            ],
            HERE / "session-problems.png",
        )
        pdf = as_pdf(done)
        charts = page(pdf, page_with(pdf, "charts of the results"))
        below_each_other([charts.crop((0, 0, charts.width, charts.height - FOOT))], HERE / "session-results.png")


if __name__ == "__main__":
    main()
