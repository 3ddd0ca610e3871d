"""What the README of a form says beside the words of its example: how to run it, five steps, what colours mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from look import GREY, INPUT

RUN = """\
sheetmbs run BOOK, with the name of this file for BOOK.

The result sheets, whose names begin with mbs, go behind the sheets of this file; nothing else in it changes. With --output
copy.xlsx they go into a copy."""
STEPS = """
# Five steps
1. Settings: what to find out (analysis) and until when (t_end, t_step). What is left blank has the default that stands
beside it.

2. Bodies, Points, Joints: a row for each, with names of your own; overwrite the rows that are there. Units stand in row 2,
where they may be changed, or in a cell, as 30 deg. A note on every header says what belongs below it.

3. What moves and loads the model: Drivers, Forces, Springs; what was measured: Guiding, ForceSeries; curves: Curves. Leave
empty what you do not need. A row that begins with # is an example and does not count.

4. Save, then sheetmbs check BOOK --mark, with the name of this file for BOOK. Every mistake is listed on a sheet
mbs Problems, and its cell turns red.

5. sheetmbs run BOOK. Motion, forces and charts come in new sheets; yours stay as they are.
"""
SUSPENSION_STEPS = """
# Five steps
1. Hardpoints: overwrite the coordinates with those of your left side, the car standing on the road. Units stand in row 2.
The picture shows what each point is called; names of OptimumK and labels of Lotus count too, so a list can be pasted.

2. Suspension: axes, static camber and toe, tyre radius, wheelbase, mass. What is left blank has the default that stands
beside it. With other axes than those of the picture choose them in the row axes.

3. Suspension springs: springs, dampers, stops and bars. Delete the parts that your car does not have, and their points.

4. Save, then sheetmbs check BOOK --mark, with the name of this file for BOOK. Every mistake is listed on a sheet
mbs Problems, and its cell turns red.

5. sheetmbs run BOOK. The page mbs Suspension comes first; what you compare stands in rows with a name in the column design.
"""
GAIT_STEPS = """
# Five steps
1. Markers, Force plates: paste the exports of your system over what is there, as they are (TRC, Vicon CSV, Qualisys TSV, .mot),
or let sheetmbs import gait FILE.. BOOK write the sheets. Units stand in row 2.

2. Marker names: which label of your laboratory is which marker of Segments and Joint centres, and which is heel, toe, sacrum.
Not needed where the labels are the same. Plates: corners, where the export does not tell where plates lie.

3. Subject: mass in kg, with all that is carried, and height. Processing: cut-off, threshold, signs. What is left blank has the
default that stands beside it.

4. Save, then sheetmbs check BOOK --mark, with the name of this file for BOOK. Every mistake is listed on a sheet
mbs Problems, and its cell turns red.

5. sheetmbs run BOOK. The page mbs Gait report comes first; every number on it says how it was made.
"""
MORE_SHEETS = """
# More sheets
Empty, and hidden until you need one (right-click any tab, Unhide): {}.
"""
ROW = 15.75
"""points, of a row that says nothing else"""
PICTURE = "Frames and signs: body axes xi and eta at the centre of mass, angles, joint angles and forces that count as positive"
"""for those who cannot see the picture"""


def write_legend(
    sheet: Any, format_of: Callable[..., Any], row: int, looks: Sequence[tuple[dict[str, Any], str, str]]
) -> None:
    """What colours mean, from ``row`` on. looks: (format, sample, meaning)."""
    body = format_of(text_wrap=True, valign="top")
    sheet.write(row, 1, "Colours", format_of(bold=True, valign="top"))
    for number, (look, sample, meaning) in enumerate(looks, start=row + 1):
        sheet.write(number, 1, sample, format_of(**look))
        sheet.write(number, 2, meaning, format_of(indent=1))
    last = row + len(looks) + 1
    words = [format_of(font_color=INPUT), "blue: typed in", body, "; black: words, and numbers from formulas; "]
    sheet.write_rich_string(last, 2, *words, format_of(font_color=GREY), "grey: units, notes, examples", body)
    folds = "[+] above the columns opens columns that few models need, or that say the same in another way."
    sheet.write(last + 1, 2, folds, body)
    sheet.set_row(last + 1, 2 * ROW)
