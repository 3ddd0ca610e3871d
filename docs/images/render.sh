#!/usr/bin/env bash
# Renders half-hat-leg.png from a run of the gait workbook. Needs sheetmbs, LibreOffice, poppler and ImageMagick 6 or 7.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"${PYTHON:-python}" -m sheetmbs run "$here/../../workbooks/half-hat-leg.xlsx" --output results.xlsx
soffice --headless --convert-to pdf results.xlsx > /dev/null 2>&1

page() { # the first page that holds a text
    local pages number
    pages=$(pdfinfo results.pdf | awk '/^Pages/ {print $2}')
    for number in $(seq 1 "$pages"); do
        if pdftotext -layout -f "$number" -l "$number" results.pdf - | tr -s ' \n' ' ' | grep -q "$1"; then
            echo "$number"
            return
        fi
    done
}

picture() { # page, resolution, name
    pdftoppm -png -r "$2" -f "$1" -l "$1" -singlefile results.pdf "$3"
    convert "$3.png" -trim +repage "$3.png"
}

picture "$(page 'results.xlsx, mbs Bodies')" 120 bodies
picture "$(page 'charts of the results')" 120 charts
width=$(identify -format %w charts.png)
convert bodies.png -resize "${width}x" -gravity north -crop "${width}x236+0+0" +repage bodies.png
for sheet in bodies charts; do
    convert "$sheet.png" -bordercolor white -border 18 -bordercolor '#c5ced6' -border 1 "$sheet.png"
done
convert bodies.png charts.png -background white -append -colors 128 -strip "PNG8:$here/half-hat-leg.png"
identify "$here/half-hat-leg.png"
