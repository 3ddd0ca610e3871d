"""Workbooks with beams, as users write them."""

from openpyxl import Workbook

HEAD = ["name", "body", "x", "y", "frame", "report"]


def beam_book(tmp_path, settings, beams, **sheets):
    """A planar workbook. settings: by name. beams: a dictionary each. sheets: rows by name, None for no such sheet."""
    columns = list(dict.fromkeys(column for beam in beams for column in beam))
    tables = {
        "Settings": [["setting", "value"], ["format", 1], ["dimension", "2D"], *map(list, settings.items())],
        "Beams": [columns, *([beam.get(column) for column in columns] for beam in beams)],
    } | sheets
    return saved_tables(tmp_path / "beams.xlsx", tables)


def saved_tables(path, tables):
    """A workbook of sheets with these rows, by their names; None for no such sheet. Returns its path."""
    made = Workbook()
    made.remove(made.active)
    for name, rows in tables.items():
        if rows is not None:
            sheet = made.create_sheet(name)
            for row in rows:
                sheet.append(row)
    made.save(path)
    return path


def frame_points(beam, places):
    """The sheet Points with reported places along a beam, by their names."""
    return [HEAD, *([name, beam, xi, 0, "body", "yes"] for name, xi in places.items())]
