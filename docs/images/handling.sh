#!/usr/bin/env bash
# Renders handling-page.png from a run of handling.xlsx.
# Needs sheetmbs, LibreOffice, poppler and ImageMagick 6 or 7.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cp "$here/../../workbooks/handling.xlsx" handling.xlsx
"${PYTHON:-python}" -m sheetmbs run handling.xlsx > /dev/null
few='pdf:calc_pdf_Export:{"PageRange":{"type":"string","value":"1-40"}}'
soffice --headless --convert-to "$few" handling.xlsx > /dev/null 2>&1
for number in $(seq 1 40); do
    if pdftotext -layout -f "$number" -l "$number" handling.pdf - | grep -q 'handling.xlsx, mbs Handling  '; then
        break
    fi
done
pdftoppm -png -r 130 -f "$number" -l "$number" -singlefile handling.pdf page
convert page.png -gravity south -chop 0x70 -trim +repage -bordercolor white -border 18 -bordercolor '#c5ced6' -border 1 \
    -colors 96 -strip "PNG8:$here/handling-page.png"
identify "$here/handling-page.png"
