#!/usr/bin/env bash
# Renders page-suspension.png and page-variants.png in Chromium.
# Needs sheetmbs with the extra test, Chromium and ImageMagick 6 or 7.
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
PICTURES

for name in suspension variants; do
    convert "$name.png" -bordercolor '#c5ced6' -border 1 -colors 256 -strip "PNG8:$here/page-$name.png"
done
identify "$here/page-suspension.png" "$here/page-variants.png"
