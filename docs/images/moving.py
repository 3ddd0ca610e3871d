"""Record the moving pictures of the README and the gallery: `python docs/images/moving.py [NAME ..]`.

Needs sheetmbs with the extra test, Chromium, LibreOffice and poppler. Pages are those of `sheetmbs view`; the slider of the
page is moved step by step, so that every frame is drawn in full.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import openpyxl
from PIL import Image, ImageChops, ImageDraw, ImageFont

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))
from tests.support.browsers import chromium, opened  # noqa: E402 - found by the line above

FRAMES, PAUSE = 30, 90
"""number of frames that show one run of a motion, and the ms between two of them"""
COLOURS = 160
EDGE = "#c5ced6"
BARE = """document.querySelectorAll('main button, main input, main select, main label').forEach(
    each => { each.style.visibility = 'hidden'; const box = each.parentElement;
              if (box.clientHeight < 70) box.style.visibility = 'hidden'; })"""
"""hides what is pressed on the page, so that the picture shows the mechanism alone"""
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans{}.ttf"


@dataclass(frozen=True)
class Recorded:
    """What is recorded of a workbook. case: the tab. view: the button of the view. share: of the motion. swings: back too."""

    book: str
    case: str = ""
    view: str = ""
    share: tuple[float, float] = (0.0, 1.0)
    swings: bool = False
    size: tuple[int, int] = (1500, 1150)


RECORDED = {
    "suspension": Recorded("formula-student", case="heave", swings=True),
    "gait": Recorded("gait-walk", share=(0.3, 0.75)),
    "mechanism": Recorded("slider-crank", share=(0.0, 0.5)),
    "andrews": Recorded("andrews", share=(0.0, 1.0)),
    "four-bar": Recorded("four-bar"),
    "governor": Recorded("flyball-governor", share=(0.0, 0.4)),
    "bricard": Recorded("bricard", share=(0.0, 0.5)),
    "turbine": Recorded("wind-turbine"),
}


def frames(recorded: Recorded, folder: Path) -> Iterator[tuple[Image.Image, Image.Image | None]]:
    """The scene and the first chart, step by step."""
    page_file = folder / f"{recorded.book}.html"
    book = ROOT / "workbooks" / f"{recorded.book}.xlsx"
    case = [] if not recorded.case or recorded.book == "formula-student" else ["--case", recorded.case]
    subprocess.run([sys.executable, "-m", "sheetmbs", "view", book, "--html", page_file, *case], check=True, cwd=ROOT)
    with chromium() as browser:
        page = opened(browser, page_file, viewport=dict(zip(("width", "height"), recorded.size, strict=True)))
        if recorded.view:
            page.press(recorded.view)
        page.tab.evaluate(BARE)
        slider = page.tab.locator("main input[type=range]").last
        chart = page.tab.locator(".u-wrap").first
        for step in range(FRAMES):
            along = step / FRAMES
            along = 1.0 - abs(2.0 * along - 1.0) if recorded.swings else along
            low, high = recorded.share
            slider.evaluate(
                "(each, at) => { each.value = Number(each.min) + at * (Number(each.max) - Number(each.min));"
                " each.dispatchEvent(new Event('input')); }",
                low + (high - low) * along,
            )
            page.picture()
            scene = Image.open(BytesIO(page.tab.locator(".scene").screenshot())).convert("RGB")
            drawn = Image.open(BytesIO(chart.screenshot())).convert("RGB") if chart.count() else None
            yield scene, drawn


def cropped(pictures: list[Image.Image], shape: float, border: int = 24) -> list[Image.Image]:
    """Pictures cut to what moves in any of them and stands out from the background, to a shape of width over height."""
    box = None
    for picture in pictures:
        grey = picture.convert("L")
        outline = ImageChops.difference(grey, Image.new("L", grey.size, 238)).point(lambda v: 255 if v > 60 else 0)
        found = outline.getbbox()
        if found:
            box = (
                found
                if box is None
                else tuple(f(a, b) for f, a, b in zip((min, min, max, max), box, found, strict=True))
            )
    if box is None:
        raise ValueError("nothing is seen in these pictures")
    left, top, right, bottom = box[0] - border, box[1] - border, box[2] + border, box[3] + border
    width, height = right - left, bottom - top
    if width < shape * height:
        left, right = left - (shape * height - width) / 2, right + (shape * height - width) / 2
    else:
        top, bottom = top - (width / shape - height) / 2, bottom + (width / shape - height) / 2
    return [_cut(picture, tuple(int(each) for each in (left, top, right, bottom))) for picture in pictures]


def _cut(picture: Image.Image, box: tuple[int, int, int, int]) -> Image.Image:
    """A part of a picture; what lies beyond its edges has the colour of the edge."""
    left, top, right, bottom = box
    inside = (max(left, 0), max(top, 0), min(right, picture.width), min(bottom, picture.height))
    part = Image.new("RGB", (right - left, bottom - top), picture.getpixel((2, picture.height - 2)))
    part.paste(picture.getpixel((2, 2)), (0, 0, part.width, max(0, -top)))
    part.paste(picture.crop(inside), (inside[0] - left, inside[1] - top))
    return part


def saved(pictures: list[Image.Image], path: Path) -> None:
    """Write a GIF of few colours that goes on for ever."""
    palette = pictures[len(pictures) // 2].quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=1)
    few = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    few[0].save(path, save_all=True, append_images=few[1:], duration=PAUSE, loop=0, optimize=True)
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {few[0].size}")


def sheet_picture(folder: Path) -> Image.Image:
    """The first rows of the sheet Hardpoints as a spreadsheet program shows them."""
    book = openpyxl.load_workbook(ROOT / "workbooks" / "formula-student.xlsx")
    for name in set(book.sheetnames) - {"Hardpoints"}:
        book.remove(book[name])
    sheet = book["Hardpoints"]
    sheet.print_area = "A1:E15"
    sheet.print_options.headings = True
    sheet.print_title_rows = None
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    for part in (sheet.oddHeader, sheet.oddFooter):
        for place in (part.left, part.center, part.right):
            place.text = None
    book.save(folder / "points.xlsx")
    subprocess.run(
        ["soffice", "--headless", "--convert-to", "pdf", "points.xlsx"], check=True, cwd=folder, capture_output=True
    )
    subprocess.run(
        ["pdftoppm", "-png", "-r", "200", "-f", "1", "-singlefile", "points.pdf", "points"], check=True, cwd=folder
    )
    picture = Image.open(folder / "points.png").convert("RGB")
    box = ImageChops.difference(picture, Image.new("RGB", picture.size, "white")).getbbox()
    return picture.crop(box)


def hero(folder: Path) -> None:
    """The picture of the README: points in the workbook, the car that moves, and its camber."""
    scenes, charts = zip(*frames(RECORDED["suspension"], folder), strict=True)
    width, height, gap, head, left = 960, 470, 16, 30, 404
    right = width - left - 3 * gap
    scenes = cropped(list(scenes), right / (height - head - gap - 4))
    sheet = sheet_picture(folder)
    sheet = sheet.resize((left, int(sheet.height * left / sheet.width)), Image.Resampling.LANCZOS)
    bold = ImageFont.truetype(FONT.format("-Bold"), 15)
    pictures = []
    for scene, chart in zip(scenes, charts, strict=True):
        canvas = Image.new("RGB", (width, height), "white")
        draw = ImageDraw.Draw(canvas)
        draw.text((gap, 9), "Your hardpoints in Excel ..", font=bold, fill="#1F2933")
        canvas.paste(sheet, (gap, head + 4))
        top = head + 4 + sheet.height + 8
        draw.text((gap, top), ".. become curves, here camber [deg] ..", font=bold, fill="#1F2933")
        drawn = chart.resize((left, int(chart.height * left / chart.width)), Image.Resampling.LANCZOS)
        canvas.paste(drawn, (gap, top + 26))
        draw.text((left + 2 * gap, 9), ".. loads, and a car that moves", font=bold, fill="#1F2933")
        moving = scene.resize((right, height - head - gap - 4), Image.Resampling.LANCZOS)
        canvas.paste(moving, (left + 2 * gap, head + 4))
        draw.rectangle((0, 0, width - 1, height - 1), outline=EDGE)
        pictures.append(canvas)
    saved(pictures, HERE / "moving.gif")


def tile(name: str, folder: Path) -> None:
    """A small picture for a door or the gallery."""
    scenes = cropped([scene for scene, _chart in frames(RECORDED[name], folder)], 1.5)
    saved([scene.resize((300, 200), Image.Resampling.LANCZOS) for scene in scenes], HERE / f"moving-{name}.gif")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        for chosen in sys.argv[1:] or ["hero", *RECORDED]:
            if chosen == "hero":
                hero(Path(work))
            else:
                tile(chosen, Path(work))
