"""Errors that gait trials share, planted and found from their residuals: what nobody applies to the whole body."""

from pathlib import Path

import numpy as np
import openpyxl
import pytest

from sheetmbs.all_products import varied
from sheetmbs.workbook.cells.cells import open_book
from tests.studies.fit_books import run_fit

WALK = Path(__file__).parents[2] / "templates" / "gait-2d.xlsx"
COLUMNS = ("fx", "fy", "m")
SD = np.array([2.0, 2.0, 0.5])
MASS, DELAY, EDGE, FRAMES = 70.0, 0.002, 600.0, 326
"""kg, s and mm, the far edge of the right plate; how many frames of markers the walk has"""


TRIALS = {"first": slice(0, None), "second": slice(40, 260)}
"""rows of the recorded walk that each trial has: the second is cut at both ends, so that its filter works on another series"""


def walk(mass, delay, shift):
    """The walk of the template as two trials, with its right plate given by corners."""
    book = openpyxl.load_workbook(WALK)
    for name in ("Markers", "Force plates"):
        whole = list(book[name].iter_rows(values_only=True))
        heads = next(k for k, row in enumerate(whole) if isinstance(row[0], float | int))
        share = round((len(whole) - heads) / FRAMES)
        for trial, frames in TRIALS.items():
            sheet = book.create_sheet(f"{name} {trial}")
            last = len(whole) if frames.stop is None else heads + share * frames.stop
            for row in (*whole[:heads], *whole[heads + share * frames.start : last]):
                sheet.append(row)
        del book[name]
    book["Subject"]["B2"] = mass
    book["Processing"]["B9"] = delay
    plate = {"A3": "right", "B3": "right", "R3": "marker"}
    for corner, (x, y) in enumerate(((EDGE, 400.0), (EDGE, 0.0), (0.0, 0.0), (0.0, 400.0))):
        names = ("CDE", "FGH", "IJK", "LMN")[corner]
        plate |= {f"{names[0]}3": x + shift, f"{names[1]}3": y, f"{names[2]}3": 0.0}
    for cell, value in plate.items():
        book["Plates"][cell] = value
    return book


@pytest.mark.nightly
def test_mass_delay_and_a_shifted_plate_are_found_from_the_residuals_of_two_trials(tmp_path):
    walk(MASS, DELAY, 0.0).save(tmp_path / "truth.xlsx")
    cases = varied(open_book(tmp_path / "truth.xlsx"), ()).as_it_is()
    book = walk(73.0, 0.006, 8.0)
    corners = "; ".join(f"Plates!{letter}3" for letter in "CFIL")
    sheets = {
        "Measurements": [("name", "of", "sheet", "column", "sweep", "sd")],
        "Variables": [
            ("name", "cell", "how", "low", "high", "sd"),
            ("mass", "Subject!B2", "value", None, None, 5.0),
            ("delay", "Processing!B9", "value", -0.02, 0.02, None),
            ("plate", corners, "offset", -30.0, 30.0, 10.0),
        ],
        "Study": [("setting", "value"), ("method", "fit")],
    }
    random = np.random.default_rng(0)
    for trial in TRIALS:
        table = cases[trial].tables[f"mbs Gait series {trial}"]
        columns = [table.columns.index(name) for name in ("time", *(f"residual.{name}" for name in COLUMNS))]
        rows = table.values[10:200:6, columns]
        rows[:, 1:] += SD * random.standard_normal((len(rows), 3))
        sheets[f"Measured {trial}"] = [("time", *COLUMNS), *rows.tolist()]
        sheets["Measurements"] += [
            (f"{trial} {name}", f"residual.{name}", f"Measured {trial}", name, trial, sd)
            for name, sd in zip(COLUMNS, SD.tolist(), strict=True)
        ]
    for name, table_rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in table_rows:
            sheet.append(row)
    book.save(tmp_path / "fit.xlsx")
    fit = run_fit(tmp_path / "fit.xlsx").fit
    assert fit.converged
    assert len(fit.measurements) == 2 * len(COLUMNS)
    assert fit.estimate.probability > 0.01
    assert np.all(np.abs(fit.values - [MASS, DELAY, EDGE]) < 3.0 * fit.estimate.sd)
    assert np.all(fit.estimate.sd < [0.1, 1e-4, 0.5])
