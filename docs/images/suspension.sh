#!/usr/bin/env bash
# Renders suspension-page.png from a run of formula-student.xlsx.
# Needs sheetmbs, LibreOffice, poppler and ImageMagick 6 or 7.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cp "$here/../../workbooks/formula-student.xlsx" formula-student.xlsx
"${PYTHON:-python}" -m sheetmbs run formula-student.xlsx > /dev/null
few='pdf:calc_pdf_Export:{"PageRange":{"type":"string","value":"1-30"}}'
soffice --headless --convert-to "$few" formula-student.xlsx > /dev/null 2>&1
for number in $(seq 1 30); do
    if pdftotext -layout -f "$number" -l "$number" formula-student.pdf - | grep -q 'formula-student.xlsx, mbs Suspension  '; then
        break
    fi
done
pdftoppm -png -r 130 -f "$number" -l "$number" -singlefile formula-student.pdf page
convert page.png -gravity south -chop 0x70 -trim +repage -bordercolor white -border 18 -bordercolor '#c5ced6' -border 1 \
    -colors 96 -strip "PNG8:$here/suspension-page.png"
identify "$here/suspension-page.png"
