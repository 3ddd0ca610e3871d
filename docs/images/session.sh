#!/usr/bin/env bash
# Renders session-problems.png and session-results.png from the steps of docs/session.md. Needs what render.sh needs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

PYTHONPATH="$here/../.." "${PYTHON:-python}" - "$here/../session.md" <<'STEPS'
import shutil
import sys
from pathlib import Path

from tests.test_session import follow

for number, _step in enumerate(follow(Path(sys.argv[1]), Path())):
    shutil.copy("pump.xlsx", f"step{number}.xlsx")
STEPS
soffice --headless --convert-to pdf step1.xlsx step3.xlsx > /dev/null 2>&1

page() { # file, the first page that holds a text
    local pages number
    pages=$(pdfinfo "$1" | awk '/^Pages/ {print $2}')
    for number in $(seq 1 "$pages"); do
        if pdftotext -layout -f "$number" -l "$number" "$1" - | tr -s ' \n' ' ' | grep -q "$2"; then
            echo "$number"
            return
        fi
    done
}

strip() { # file, page, name, top, height in pixels: between the page's own header and its empty rest
    pdftoppm -png -r 110 -f "$2" -l "$2" -singlefile "$1" "$3"
    convert "$3.png" -crop "x$5+0+$4" +repage -trim +repage -bordercolor white -border 14 "$3.png"
}

strip step1.pdf "$(page step1.pdf '0,8')" bodies 66 94
strip step1.pdf "$(page step1.pdf 'cylinder translational')" joints 52 100
strip step1.pdf "$(page step1.pdf '300 rpn')" drivers 52 70
strip step1.pdf "$(page step1.pdf 'severity cell')" problems 30 160
convert bodies.png joints.png drivers.png problems.png -background white -gravity west -append -bordercolor '#c5ced6' -border 1 -colors 128 -strip \
    "PNG8:$here/session-problems.png"
pdftoppm -png -r 90 -f "$(page step3.pdf 'charts of the results')" -l "$(page step3.pdf 'charts of the results')" -singlefile step3.pdf charts
convert charts.png -trim +repage -bordercolor white -border 14 -bordercolor '#c5ced6' -border 1 -colors 128 -strip "PNG8:$here/session-results.png"
identify "$here"/session-*.png
