"""The sheets of a form that hold series, as long as they are empty: what is to be done there."""

from __future__ import annotations

from typing import Any

from look import FONT, INK, LINE

from sheetmbs.schema.column import Dimensionality, Sheet

BOX = {
    "line": {"color": LINE},
    "fill": {"color": "#FFFCEB"},
    "align": {"vertical": "top"},
    "object_position": 3,
    "width": 470,
}
WORDS = BOX | {"font": {"name": FONT, "size": 11, "color": INK}, "height": 190}
SAMPLE = BOX | {"font": {"name": "Courier New", "size": 10, "color": INK}, "height": 130, "y_offset": 200}
WORDS_OF = {
    "Guiding": """
Measured motion goes here, one column for each guided coordinate: {columns}.

Times increase from row to row, need not be evenly spaced, and must cover the analysis from t_start to t_end. Between the
rows lies a cubic spline.

Leave the sheet as it is if nothing is guided. Delete these boxes when they are in the way.
""",
    "ForceSeries": """
Measured forces go here, one column for each component: {columns}. Where no point of application is given, the force acts at
the centre of mass.

Times increase from row to row, need not be evenly spaced, and must cover the analysis from t_start to t_end.

Leave the sheet as it is if there are none. Delete these boxes when they are in the way.
""",
    "Curves": """
Curves go here, each in two columns: <curve>.x and <curve>.y, with units of their own. A third column <curve>.interpolation
may hold linear (the default) or cubic in its first cell. Curves may differ in length.

Springs use them in curve_k and curve_c, drivers and forces in curve, over time.

Leave the sheet as it is if there are none. Delete these boxes when they are in the way.
""",
    "Normative": """
Bands of other people's gait go here, over the stride from 0 to 100 percent: <joint>.<quantity>.mean and .sd, or .low and .high,
in the signs and units of this workbook, as knee.angle.mean and knee.angle.sd. They hold for both sides.

A row whose first cell is source names where they come from; it is printed under the charts.

Leave the sheet as it is if there are none: no band comes with sheetmbs. Delete these boxes when they are in the way.
""",
    "Mass properties": """
The name of a body goes into row 1, and below it the whole text of SolidWorks (Mass Properties) or Fusion (Properties), copied
to the clipboard and pasted as it is. The next name stands to the right of what the text fills.

On Bodies mass, inertia and place of that body then stay blank; where a part has an origin of its own, cad_x, cad_y and cad_z
say where that lies.

Leave the sheet as it is if there are none. Delete these boxes when they are in the way.
""",
}
SAMPLES_OF = {
    "Guiding": """
time    thigh.phi   hip.x    hip.y
s       deg         mm       mm
0       12.5        0        910
0.02    13.1        24       912
0.04    13.9        49       915
""",
    "ForceSeries": """
time    foot.fx   foot.fy   foot.px
s       N         N         mm
0       -12       310       1244
0.02    -15       420       1251
0.04    -17       515       1260
""",
    "Curves": """
damper.x   damper.y   road.x   road.y
m/s        N          s        mm
-1         -900       0        0
0          0          0.5      12
1          600        1        -4
""",
    "Normative": """
percent  knee.angle.mean  knee.angle.sd
0        5                4
2        7                4
4        10               5
""",
    "Mass properties": """
upright
Mass properties of upright
Mass = 3200.00 grams
Center of mass: ( millimeters )
     X = -4.00
     ...
""",
}
HINTS = {
    "Guiding": "Name of a body or joint, a point, and what is guided, as crank.phi: {columns}",
    "ForceSeries": "Name of a body, a point and the component, as foot.fy: {columns}",
    "Normative": "Joint, quantity and end of the band, as knee.angle.mean: {columns}",
    "Mass properties": "Name of the body whose text stands below",
    "Curves": "Two columns for each curve: its name and .x, its name and .y, as damper.x and damper.y",
}


def hint(sheet: Sheet, models: Dimensionality) -> str:
    """What is shown beside a selected header."""
    return HINTS[sheet.name].format(columns=_columns(sheet, models))


def explain(page: Any, column: int, sheet: Sheet, models: Dimensionality) -> None:
    """Put two boxes beside the columns: words, and a sample."""
    words = WORDS_OF[sheet.name].format(columns=_columns(sheet, models)).strip()
    paragraphs = [" ".join(paragraph.split()) for paragraph in words.split("\n\n")]
    page.insert_textbox(3, column, "\n\n".join(paragraphs), WORDS)
    page.insert_textbox(3, column, SAMPLES_OF[sheet.name].strip(), SAMPLE)


def _columns(sheet: Sheet, models: Dimensionality) -> str:
    names = [column.name for column in sheet.columns[1:] if column.is_numeric and models in column.models]
    return ", ".join(f".{name}" for name in names)
