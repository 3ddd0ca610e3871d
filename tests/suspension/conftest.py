"""Workbooks whose pages several modules check."""

from __future__ import annotations

import openpyxl
import pytest

from sheetmbs.suspension.run_suspension import run_suspension
from tests.suspension.page_books import (
    car_book,
)


@pytest.fixture(scope="session")
def car(tmp_path_factory):
    path = car_book(tmp_path_factory.mktemp("car") / "car.xlsx")
    results = run_suspension(path)
    results.save()
    return path, results


@pytest.fixture(scope="session")
def designs(tmp_path_factory):
    path = car_book(tmp_path_factory.mktemp("designs") / "designs.xlsx", designs=True)
    results = run_suspension(path)
    results.save()
    return path, results


@pytest.fixture(scope="session")
def aims(tmp_path_factory):
    path = car_book(tmp_path_factory.mktemp("aims") / "aims.xlsx")
    book = openpyxl.load_workbook(path)
    sheet = book.create_sheet("Targets")
    for row in (
        ("metric", "sweep", "value", "min", "max", "tolerance"),
        ("FL.camber", None, "-1.2 deg", None, None, "0.05 deg"),
        ("front.roll_centre_height", None, None, "30 mm", "50 mm", None),
        ("FL.contact_dy_dz", None, 0.2, None, None, 0.01),
        ("FL.toe", "heave", "-0.15 deg", None, None, "0.1 deg"),
        ("FL.camber", "heave", None, "-1.4 deg", "-1 deg", None),
    ):
        sheet.append(row)
    book.save(path)
    results = run_suspension(path)
    results.save()
    return path, results
