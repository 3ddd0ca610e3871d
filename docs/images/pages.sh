#!/usr/bin/env bash
# Renders page-suspension.png, workbook-and-page.png and page-variants.png: pages in Chromium, a sheet in LibreOffice.
# Needs sheetmbs with the extra test, Chromium, LibreOffice, poppler and ImageMagick 6 or 7.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export PYTHONPATH="$here/../.."
python=${PYTHON:-python}

cp "$here/../../workbooks/formula-student.xlsx" "$here/../../workbooks/mechanism-synthesis.xlsx" .
"$python" -m sheetmbs view formula-student.xlsx --html suspension.html
"$python" -m sheetmbs study mechanism-synthesis.xlsx > /dev/null
"$python" -m sheetmbs view mechanism-synthesis.xlsx --html variants.html

"$python" - <<'PICTURES'
from pathlib import Path

import openpyxl

from tests.support.browsers import chromium, opened

with chromium() as browser:
    for name, size, share in (("suspension", (1280, 800), 0.8), ("variants", (1280, 760), 0.35)):
        page = opened(browser, Path(f"{name}.html").resolve(), viewport=dict(zip(("width", "height"), size, strict=True)))
        slider = page.tab.locator(".player input[type=range]")
        slider.evaluate(f"each => {{ each.value = {1000 * share}; each.dispatchEvent(new Event('input')); }}")
        page.picture()
        page.tab.screenshot(path=f"{name}.png")

book = openpyxl.load_workbook("formula-student.xlsx")
for name in set(book.sheetnames) - {"Hardpoints"}:
    book.remove(book[name])
points = book["Hardpoints"]
points.print_area = "A1:F39"
points.print_options.headings = True
points.page_setup.orientation = "portrait"
points.sheet_properties.pageSetUpPr.fitToPage = True
points.page_setup.fitToWidth = points.page_setup.fitToHeight = 1
for part in ("oddHeader", "oddFooter"):
    for place in ("left", "center", "right"):
        getattr(getattr(points, part), place).text = None
book.save("points.xlsx")
PICTURES

soffice --headless --convert-to pdf points.xlsx > /dev/null 2>&1
pdftoppm -png -r 150 -f 1 -l 1 -singlefile points.pdf points
convert points.png -trim +repage -resize x760 -bordercolor white -border 20 points.png
convert points.png suspension.png -gravity north -background white +append -bordercolor '#c5ced6' -border 1 \
    -colors 256 -strip "PNG8:$here/workbook-and-page.png"
for name in suspension variants; do
    convert "$name.png" -bordercolor '#c5ced6' -border 1 -colors 256 -strip "PNG8:$here/page-$name.png"
done
identify "$here/workbook-and-page.png" "$here/page-suspension.png" "$here/page-variants.png"
