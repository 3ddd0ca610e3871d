"""Workbooks with measured tyres: a car, the coefficients from which a fit begins, and readings of a planted tyre."""

from pathlib import Path

import numpy as np
import openpyxl

from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
from sheetmbs.studies.derived.fit_tyres import fit_tyres
from sheetmbs.studies.reading.read_study import read_study
from sheetmbs.studies.reading.study_cells import StudyCells
from sheetmbs.studies.reading.tyre_variables import with_tyre_variables
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.cells.written_book import written_book
from tests.support.tyres import of_file

CAR = Path(__file__).parents[2] / "templates" / "suspension-formula-student.xlsx"
DATA = ("tyre", "fz", "alpha", "kappa", "gamma", "pressure", "fx", "fy", "mz", "sweep")
COLD = (
    *(("FITTYP", 61), ("FNOMIN", 6752), ("UNLOADED_RADIUS", 0.3943), ("NOMPRES", 260e3), ("LONGVL", 16.6)),
    *(("VERTICAL_STIFFNESS", 314931), ("PCX1", 1.6), ("PDX1", 1.2), ("PKX1", 25), ("PCY1", 1.5), ("PDY1", 1.0)),
    *(("PEY1", -1), ("PKY1", -20), ("PKY2", 2)),
)
"""a generic tyre, with the nominal state of the planted one"""
LOADS = (1000.0, 2500.0, 4000.0, 5500.0, 7000.0, 8000.0)


def tyre_book(folder, data, measurements, *, coefficients=COLD, model=None, variables=(), name="tyre.xlsx", **more):
    """A car on one tyre T. data: rows under DATA without the tyre. measurements: name, of and sd."""
    book = openpyxl.load_workbook(CAR)
    sheets = {
        "Tyres": [("name", "model", "measured_side"), ("T", model, "right" if model is None else None)],
        "Tyre coefficients": [("tyre", "coefficient", "value", "unit"), *(("T", *each) for each in coefficients)],
        "Tyre data": [DATA, *(("T", *row) for row in data)],
        "Measurements": [("name", "of", "sd"), *measurements],
        "Study": [("setting", "value"), ("method", "fit")],
    }
    if variables:
        sheets["Variables"] = [("name", "cell", "low", "high", "sd"), *variables]
    for sheet, rows in (sheets | more).items():
        if sheet in book.sheetnames:
            del book[sheet]
        for row in rows:
            (book[sheet] if sheet in book.sheetnames else book.create_sheet(sheet)).append(row)
    book.save(folder / name)
    return folder / name


def study_of(path):
    """The study of a workbook with its variables."""
    book = open_book(path)
    formulas = WorkbookFormulas(written_book(book))
    return with_tyre_variables(read_study(StudyCells(book, formulas)), book, formulas)


def fitted(path):
    """The fit of a workbook, and its variables by name: number, value, sd, note."""
    study = study_of(path)
    found = fit_tyres(study)
    rows = zip(study.variables, found.values, found.estimate.sd, found.notes, strict=True)
    return found, {each.name: (float(value), float(sd), note) for each, value, sd, note in rows}


def states(alphas=(0.0,), kappas=(0.0,), gammas=(0.0,), loads=LOADS, pressures=(260e3,)):
    """(n, 6) every combination, angles in deg."""
    grid = np.meshgrid(kappas, np.radians(alphas), np.radians(gammas), loads, pressures, [16.6], indexing="ij")
    return np.stack([each.ravel() for each in grid], axis=-1)


def readings(at, columns=("fx", "fy", "mz"), *, noise=0.005, seed=0):
    """Rows under DATA of the tyre of the file for 6.1 at states, and the sd of each column; noise: of the largest force."""
    forces = of_file(61).evaluate(at).forces[:, :3]
    sd = noise * np.abs(forces).max(axis=0)
    read = forces + sd * np.random.default_rng(seed).standard_normal(forces.shape)
    wanted = np.array([name in columns for name in ("fx", "fy", "mz")])
    rows = [
        (fz, alpha, kappa, gamma, p, *(float(x) if w else None for x, w in zip(row, wanted, strict=True)))
        for (kappa, alpha, gamma, fz, p, _v), row in zip(at.tolist(), read, strict=True)
    ]
    return rows, dict(zip(("fx", "fy", "mz"), sd.tolist(), strict=True))
