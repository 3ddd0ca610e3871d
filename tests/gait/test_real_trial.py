"""A real walking trial (BMClab, CC-BY 4.0), where it is there: prepared as it should be it raises no warning."""

from pathlib import Path

import numpy as np
import pytest
from openpyxl import Workbook
from scipy.signal import butter, sosfiltfilt

import sheetmbs
from tests.support.planar_books import saved

NEAR = Path(__file__).resolve().parents[3:5]
TRIAL = next((folder for each in NEAR if (folder := each / "shared" / "gait-data").is_dir()), None)
RATE, PLATE_RATE = 150, 450
SEGMENTS = {
    "thigh": ("R.GTR", "R.Knee", 7.65, 0.15),
    "shank": ("R.Knee", "R.Ankle", 3.6, 0.06),
    "foot": ("R.Heel", "R.MT5", 1.1, 0.004),
}

pytestmark = pytest.mark.skipif(TRIAL is None, reason="the trial is not in ../shared/gait-data")


def markers():
    """Times as printed, and forward and upward coordinates in m by the marker's name."""
    lines = (TRIAL / "walk2.trc").read_text(encoding="latin-1").splitlines()
    names = [name for name in lines[3].split("\t")[2:] if name.strip()][:28]
    rows = [line.split("\t") for line in lines[5:] if line.strip()]
    numbers = np.array([[float(text) for text in row[1 : 2 + 3 * len(names)]] for row in rows])
    return numbers[:, 0], {name: numbers[:, 1 + 3 * k : 3 + 3 * k] / 1000.0 for k, name in enumerate(names)}


def ground_force():
    """Of the plate with the largest force, at the rate of the markers: forward, up, and where it acts forward."""
    rows = (TRIAL / "walk2.forces").read_text(encoding="latin-1").splitlines()[5:]
    numbers = np.array([[float(text) for text in row.split("\t")[1:43]] for row in rows if row[:1].isdigit()])
    plates = numbers.reshape(len(numbers), 7, 6)[:: PLATE_RATE // RATE]
    plate = plates[:, int(np.argmax(np.max(np.abs(plates[:, :, 1]), axis=0)))]
    return plate[:, 0], plate[:, 1], plate[:, 3] / 1000.0


def trial_book(cutoff):
    """A leg whose segments are guided one by one. cutoff: of the low-pass, Hz; None for raw markers."""
    t, places = markers()
    if cutoff:
        sections = butter(2, cutoff / 0.802, fs=RATE, output="sos")
        places = {name: sosfiltfilt(sections, place, axis=0) for name, place in places.items()}
    guiding, bodies = {"time": t}, [["name", "mass", "inertia", "x", "y", "phi"]]
    for name, (upper, lower, mass, inertia) in SEGMENTS.items():
        middle, along = 0.5 * (places[upper] + places[lower]), places[upper] - places[lower]
        phi = np.unwrap(np.arctan2(along[:, 1], along[:, 0]))
        guiding |= {f"{name}.x": middle[:, 0], f"{name}.y": middle[:, 1], f"{name}.phi": phi}
        bodies.append([name, mass, inertia, middle[0, 0], middle[0, 1], phi[0]])
    count = len(t)
    force = dict(zip(("foot.fx", "foot.fy", "foot.px"), (each[:count] for each in ground_force()), strict=True))
    settings = [["setting", "value"], ["analysis", "inverse dynamic"], ["t_end", t[-1]], ["t_step", 0.01]]
    book = Workbook()
    book.remove(book.active)
    tables = {"Settings": settings, "Bodies": bodies}
    for name, columns in (("Guiding", guiding), ("ForceSeries", {"time": t, **force})):
        tables[name] = [list(columns), *(list(map(float, row)) for row in zip(*columns.values(), strict=True))]
    for name, rows in tables.items():
        page = book.create_sheet(name)
        for row in rows:
            page.append(row)
    return book


@pytest.mark.parametrize("cutoff", [6.0, 12.0])
def test_a_real_trial_raises_no_warning_once_it_is_filtered(cutoff, tmp_path):
    results = sheetmbs.run(sheetmbs.read(saved(trial_book(cutoff), tmp_path)))
    told = [(each.code, each.cell) for each in results.sheets.problems]
    assert told == [("rounded-times", "Guiding!A1"), ("rounded-times", "ForceSeries!A1")]


def test_raw_markers_are_told_to_be_noisy(tmp_path):
    told = {each.code for each in sheetmbs.read(saved(trial_book(None), tmp_path)).warnings}
    assert told == {"rounded-times", "noisy-motion"}
