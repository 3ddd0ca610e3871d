"""What is too long for sheets or charts is thinned, said so, and keeps its ends and its extremes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import openpyxl
import pytest
import xlsxwriter

from sheetmbs.model.model import Chart
from sheetmbs.results.judging.notes import fewer_rows
from sheetmbs.schema.table import Table
from sheetmbs.workbook.charts import chartdata
from sheetmbs.workbook.charts.chartdata import DECIMATION_REMARK
from sheetmbs.workbook.sheets import decimation, sheetxml
from sheetmbs.workbook.sheets.decimation import decimated, every_nth_row, extreme_rows, row_step
from sheetmbs.workbook.sheets.sheet_contents import CHART_DATA, ResultSheets
from sheetmbs.workbook.writing.write import write_results
from tests.support.excel import chart_parts
from tests.support.opened import sheet_values
from tests.support.sample_results import read_parts, sheet_names, slider_crank


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet("Model")
    return path


def long_table(rows, columns=3):
    """A slow wave in every column, with a spike of its own in a single row."""
    t = np.arange(rows) * 1e-3
    waves = np.sin(np.outer(t, np.arange(1, columns)))
    for column in range(columns - 1):
        waves[(rows // 2 + 7 * column) % rows, column] = 100.0 + column
    names = ("time", *(f"b{number}.x" for number in range(1, columns)))
    return Table("mbs Bodies", names, ("s", *["m"] * (columns - 1)), np.column_stack([t, waves]))


def rows_of(book, sheet):
    _names, _units, *rows = sheet_values(book, sheet)
    return rows


def test_a_table_that_fits_is_shown_as_it_is():
    given = (long_table(100),)
    assert row_step(given) == 1
    assert decimated(given, row_step(given)) == given
    assert list(fewer_rows(given)) == []


@pytest.mark.parametrize("rows", [100, 101, 103])
def test_sheets_hold_rows_at_equal_distances_and_the_last_one(book, monkeypatch, rows):
    monkeypatch.setattr(decimation, "MAX_CELLS", 100)
    given = long_table(rows)
    write_results(book, None, ResultSheets((), (given,)))
    times = [row[0] for row in rows_of(book, "mbs Bodies")]
    step = row_step((given,))
    assert times[:-1] == given.values[: rows - 1 : step, 0].tolist()
    assert times[-1] == given.values[-1, 0]
    assert 3 * len(times) <= 100 + 3


def test_what_is_no_sample_of_the_motion_is_never_thinned(monkeypatch):
    monkeypatch.setattr(decimation, "MAX_CELLS", 100)
    given = (long_table(100), replace(long_table(41), name="mbs Impacts"))
    motion, impacts = decimated(given, row_step(given))
    assert len(motion.values) < 100
    assert impacts is given[1]


def test_a_note_says_how_many_rows_the_sheets_leave_out(monkeypatch):
    monkeypatch.setattr(decimation, "MAX_CELLS", 100)
    [note] = fewer_rows((long_table(100),))
    assert note.severity == "note"
    assert "100 rows" in note.found
    assert "--also" in note.mend


def test_the_extremes_of_every_column_and_both_ends_are_drawn():
    given = long_table(50_000, 5)
    columns = list(given.values[:, 1:].T)
    rows = extreme_rows(columns)
    assert len(rows) <= decimation.DECIMATED_ROWS + 2
    assert rows[0] == 0
    assert rows[-1] == 49_999
    assert np.all(np.diff(rows) > 0)
    for column in columns:
        assert column[rows].max() == column.max()
        assert column[rows].min() == column.min()


def test_a_gap_stays_a_gap_and_hides_no_extreme():
    values = np.sin(np.arange(50_000) * 1e-3)
    values[10_000:20_000] = np.nan
    values[30_000] = 9.0
    drawn = values[extreme_rows([values])]
    assert np.isnan(drawn).any()
    assert np.nanmax(drawn) == 9.0


@pytest.mark.parametrize(("count", "step"), [(0, 3), (1, 3), (9, 3), (10, 3), (11, 3)])
def test_every_so_many_rows_end_with_the_last_one(count, step):
    rows = every_nth_row(count, step).tolist()
    assert rows[:-1] == list(range(0, max(count - 1, 0), step))
    assert rows[-1:] == [count - 1][:count]


def test_a_long_series_is_drawn_over_all_its_sheets_from_a_sheet_of_its_own(book, monkeypatch):
    monkeypatch.setattr(sheetxml, "ROWS", 16_000)
    given = long_table(30_000)
    asked = (Chart("Waves", "time", ("b1.x", "b2.x")), Chart("Path", "b1.x", ("b2.x",), "xy"))
    write_results(book, None, ResultSheets((), (given,), asked))
    expected = ["Model", "mbs Summary", "mbs Charts", "mbs Bodies", "mbs Bodies 2", CHART_DATA]
    assert sheet_names(book) == expected
    loaded = openpyxl.load_workbook(book)
    assert DECIMATION_REMARK in [cell.value for cell in loaded["mbs Charts"]["A"]]
    names = [cell.value for cell in loaded[CHART_DATA][1]]
    assert names == ["time", "b1.x", "b2.x", "b1.x", "b2.x"]
    columns = [[cell.value for cell in column[2:] if cell.value is not None] for column in loaded[CHART_DATA].columns]
    assert columns[0][0] == 0.0
    assert columns[0][-1] == given.values[-1, 0]
    assert max(columns[1]) == 100.0
    assert max(columns[2]) == 101.0
    np.testing.assert_array_equal(
        columns[3], given.values[every_nth_row(30_000, 30_000 // decimation.MAX_DRAWN_ROWS), 1]
    )
    waves = read_parts(book)[chart_parts(book)["mbs chart 1"]].decode()
    assert f"'{CHART_DATA}'!$C$3:$C${len(columns[2]) + 2}" in waves
    assert waves.count("<c:pt ") == 2 * len(columns[0]) + 2 * len(columns[0]) + 2


def test_charts_of_shorter_series_refer_to_the_result_sheets_and_need_no_further_one(book):
    write_results(book, None, slider_crank())
    assert CHART_DATA not in sheet_names(book)
    assert DECIMATION_REMARK not in [cell.value for cell in openpyxl.load_workbook(book)["mbs Charts"]["A"]]


def test_where_sheets_are_thinned_charts_still_draw_every_row(book, monkeypatch):
    results = slider_crank()
    monkeypatch.setattr(decimation, "MAX_CELLS", 200)
    write_results(book, None, replace(results, charts=(Chart("Moment", "time", ("motor.moment",)),)))
    assert len(rows_of(book, "mbs Drivers")) < 51
    moments = [row[1] for row in rows_of(book, CHART_DATA)]
    [driver] = [table for table in results.tables if table.name == "mbs Drivers"]
    assert moments == driver.values[:, 1].tolist()


def test_both_limits_of_a_sheet_at_once_lose_nothing(book, monkeypatch):
    monkeypatch.setattr(sheetxml, "ROWS", 12)
    monkeypatch.setattr(sheetxml, "COLUMNS", 4)
    given = long_table(25, 8)
    write_results(book, None, ResultSheets((), (given,)))
    sheets = [name for name in sheet_names(book) if name.startswith("mbs Bodies")]
    assert sheets == ["mbs Bodies", *(f"mbs Bodies {number}" for number in range(2, 10))]
    parts = [np.array(rows_of(book, name), float) for name in sheets]
    whole = [np.hstack([parts[k], parts[k + 1][:, 1:], parts[k + 2][:, 1:]]) for k in (0, 3, 6)]
    np.testing.assert_array_equal(np.vstack(whole), given.values)


def test_the_limit_of_drawn_rows_is_not_below_what_thinning_leaves():
    assert decimation.DECIMATED_ROWS <= decimation.MAX_DRAWN_ROWS
    assert chartdata.MAX_DRAWN_ROWS == decimation.MAX_DRAWN_ROWS
