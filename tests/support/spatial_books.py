"""Workbooks of spatial models for tests, sheet by sheet."""

from openpyxl import Workbook

SETTINGS = {"dimension": "3D", "analysis": "dynamic", "t_end": 1, "t_step": 0.1}
BODY = ("name", "mass", "ixx", "iyy", "izz")


def space_book(path, settings=None, **sheets):
    """Write a workbook and return its path. sheets: name of a sheet with the dict of each row's cells by header."""
    book = Workbook()
    book.active.title = "Settings"
    book.active.append(["setting", "value"])
    for name, value in (SETTINGS | (settings or {})).items():
        book.active.append([name, value])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        headers = list(dict.fromkeys(header for row in rows for header in row))
        sheet.append(headers)
        for row in rows:
            sheet.append([row.get(header) for header in headers])
    book.save(path)
    return path


def body(name="b", mass=2.0, inertia=(0.1, 0.2, 0.25), **more):
    return dict(zip(BODY, (name, mass, *inertia), strict=True)) | more


def joint(kind, body_i="ground", body_j="b", point="P", name="j", **more):
    return {"name": name, "type": kind, "body_i": body_i, "body_j": body_j, "point": point} | more


def axis(x, y, z):
    return {"axis_x": x, "axis_y": y, "axis_z": z}


def axis2(x, y, z):
    return {"axis2_x": x, "axis2_y": y, "axis2_z": z}


def at(x=0, y=0, z=0, name="P", **more):
    return {"name": name, "x": x, "y": y, "z": z} | more
