"""Which columns of a sweep go on paper: of hundreds those of each wheel, axle and car that most readers look up."""

from __future__ import annotations

from dataclasses import replace

from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheetxml import last_on_page

BEGIN = ("camber", "wheel_rate", "roll_centre_height", "wheelbase_left")
"""metrics at which a page of paper begins; it goes on to the right as far as there is room and the same part is meant"""


def on_paper(table: Table, swept: int) -> Table:
    """A sweep with its pages of the first design. swept: how many columns say what a row is: they stand on every page."""
    owners = [name.rpartition(".")[0] for name in table.columns]
    runs = []
    for number, name in enumerate(table.columns):
        if name.rpartition(".")[2] in BEGIN and "/" not in name:
            own = next((at for at in range(number, len(owners)) if owners[at] != owners[number]), len(owners))
            runs.append((number, last_on_page(table.columns, number, own - 1, swept)))
    return replace(table, printed=tuple(runs), repeated=swept)
