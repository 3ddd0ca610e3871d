"""Cells moved on the page: who may ask, what is refused, and numbers equal to those of a workbook that was saved so."""

import asyncio
import base64
import json
import shutil
from pathlib import Path

import httpx
import numpy as np
import openpyxl
import pytest

from sheetmbs.elements.rotation import matrix_of
from sheetmbs.live.moved_cells import MovedCells
from sheetmbs.live.page_state import SharedPage
from sheetmbs.live.served_page import MAX_POST, served_page
from sheetmbs.live.workbook_page import view
from tests.live.test_served_page import FILES, HOST, PORT, TOKEN
from tests.support.hardpoint_books import hardpoint_book

ROOT = Path(__file__).parents[2]
CAR = ROOT / "templates" / "suspension-double-wishbone.xlsx"
WHOLE_CAR = ROOT / "templates" / "suspension-formula-student.xlsx"
LINKAGE = ROOT / "workbooks" / "mechanism-synthesis.xlsx"
CRANK = ROOT / "templates" / "slider-crank.xlsx"
BALL_JOINT = ("Hardpoints!C5", "Hardpoints!D5", "Hardpoints!E5")


@pytest.fixture
def car(tmp_path):
    return Path(shutil.copy(CAR, tmp_path / "car.xlsx"))


def ask(cells, path, content, method="POST", **headers):
    """What the application answers to a post."""
    sent = {"host": HOST, "origin": f"http://{HOST}", "content-type": "application/json"} | headers
    sent = {name: value for name, value in sent.items() if value is not None}

    async def answer():
        transport = httpx.ASGITransport(served_page(SharedPage(), FILES, TOKEN, PORT, cells))
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            return await client.request(method, path, content=content, headers=sent)

    return asyncio.run(answer())


def numbers(part):
    """An array of a document."""
    return np.frombuffer(base64.b64decode(part["f32"]), dtype="<f4").reshape(part["shape"]).astype(float)


def saved_with(book, changes):
    """The workbook with other numbers, as a spreadsheet program saves it."""
    opened = openpyxl.load_workbook(book)
    for cell, value in changes.items():
        sheet, address = cell.split("!")
        opened[sheet][address] = value
    opened.save(book)


class Untouched:
    """Cells that nobody may reach."""

    def __getattr__(self, name):
        raise AssertionError(name)


MOVE = json.dumps({"case": "heave", "changes": {BALL_JOINT[2]: 170.0}}).encode()


@pytest.mark.parametrize("path", ["move", "write"])
@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": None}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": None}, 415),
    ],
)
def test_posts_of_others_are_refused(path, changed, status):
    assert ask(Untouched(), f"/{TOKEN}/{path}", MOVE, **changed).status_code == status


@pytest.mark.parametrize("token", ["", "another", TOKEN[:-1], f"{TOKEN}a", TOKEN.upper()])
def test_a_post_with_a_wrong_token_finds_nothing(token):
    for path in ("move", "write"):
        assert ask(Untouched(), f"/{token}/{path}", MOVE).status_code == 404


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_moves_are_only_posted(method):
    for path in ("move", "write"):
        assert ask(Untouched(), f"/{TOKEN}/{path}", b"", method).status_code == 405


def test_nothing_else_can_be_posted():
    for path in ("", "document", "events", "handles", "move/", "moves"):
        assert ask(Untouched(), f"/{TOKEN}/{path}", MOVE).status_code == 405


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'"move"',
        b"{}",
        b'{"changes": [1]}',
        b'{"changes": {"Hardpoints!E5": "170"}}',
        b'{"changes": {"Hardpoints!E5": true}}',
        b'{"changes": {"Hardpoints!E5": NaN}}',
        b'{"changes": {"Hardpoints!E5": Infinity}}',
        b'{"changes": {"Hardpoints!E5": 1e999}}',
        b'{"changes": {"Hardpoints!E5": 1' + b"0" * 400 + b"}}",
        b'{"changes": {}, "case": 3}',
        b"[" * 100_000,
        b" " * (MAX_POST + 1) + MOVE,
    ],
    ids=lambda content: content[:24].decode(),
)
def test_what_no_page_of_ours_posts_is_refused(content):
    assert ask(Untouched(), f"/{TOKEN}/move", content).status_code == 400


def test_a_post_of_the_page_is_answered_with_the_tab(car):
    answer = ask(MovedCells(car), f"/{TOKEN}/move", MOVE)
    assert (answer.status_code, answer.json()["case"]["name"]) == (200, "heave")


def test_formulas_are_refused_by_name_and_the_file_stays(tmp_path):
    book = Path(shutil.copy(CRANK, tmp_path / "crank.xlsx"))
    before = book.read_bytes()
    cells = MovedCells(book)
    offered = {cell["cell"]: cell["formula"] for handle in cells.offered()["handles"] for cell in handle["cells"]}
    assert offered["Points!C4"].startswith("Dimensions!$B$2*COS(")
    for answer in (cells.moved("", {"Points!C4": 1.0}), cells.write({"Points!C4": 1.0})):
        (problem,) = answer["problems"]
        assert problem["cell"] == "Points!C4"
        assert "Dimensions!B2" in problem["problem"]
    assert book.read_bytes() == before


@pytest.mark.parametrize("cell", ["Hardpoints!B5", "Suspension!B2", "Nothing!A1", "Hardpoints!E900", "../x", "E5", ""])
def test_cells_that_are_not_offered_are_refused_and_the_file_stays(car, cell):
    before = car.read_bytes()
    cells = MovedCells(car)
    for answer in (cells.moved("heave", {cell: 1.0}), cells.write({BALL_JOINT[0]: 6.5, cell: 1.0})):
        assert [problem["cell"] for problem in answer["problems"]] == [cell]
    assert car.read_bytes() == before


def test_a_workbook_that_is_open_elsewhere_is_not_written(car):
    before = car.read_bytes()
    car.with_name(f"~${car.name}").write_bytes(b"\x05owner")
    answer = MovedCells(car).write({BALL_JOINT[2]: 170.0})
    assert "written" not in answer
    assert answer["problems"][0]["severity"] == "error"
    assert car.read_bytes() == before


def test_writing_changes_these_cells_and_no_others(car):
    before = openpyxl.load_workbook(car)
    assert MovedCells(car).write({BALL_JOINT[1]: 701.5, BALL_JOINT[2]: 170.25}) == {"written": True, "problems": []}
    after = openpyxl.load_workbook(car)
    assert before.sheetnames == after.sheetnames
    changed = {
        f"{name}!{cell.coordinate}": cell.value
        for name in after.sheetnames
        for row in after[name].iter_rows()
        for cell in row
        if cell.value != before[name][cell.coordinate].value
    }
    assert changed == {BALL_JOINT[1]: 701.5, BALL_JOINT[2]: 170.25}


def test_the_summary_of_a_whole_car_follows_as_a_run_gives_it(tmp_path):
    book = Path(shutil.copy(WHOLE_CAR, tmp_path / "car.xlsx"))
    cells = MovedCells(book)
    summary = {item: value for item, value, _unit in cells.moved("heave", {BALL_JOINT[2]: 116.0})["case"]["summary"]}
    assert cells.write({BALL_JOINT[2]: 116.0})["written"]
    saved = {item: value for item, value, _unit in view(book, case="heave").document["cases"][0]["summary"]}
    assert "rear roll centre height" in summary
    assert summary == {item: saved[item] for item in summary}


@pytest.mark.parametrize("sweep", ["heave", "roll", "steer"])
def test_a_dragged_hardpoint_gives_the_numbers_of_a_workbook_saved_so(car, sweep):
    cells = MovedCells(car)
    cells.moved(sweep, {BALL_JOINT[1]: 650.0, BALL_JOINT[2]: 175.0})  # what is kept of a move before must not count
    changes = {BALL_JOINT[1]: 701.5, BALL_JOINT[2]: 170.25}
    moved = cells.moved(sweep, changes)["case"]
    saved_with(car, changes)
    (saved,) = view(car, case=sweep, variants="none").document["cases"]
    at_start = view(CAR, case=sweep, variants="none").document["cases"][0]
    compared = 0
    for table in moved["tables"]:
        other = next(each for each in saved["tables"] if each["name"] == table["name"])
        first = next(each for each in at_start["tables"] if each["name"] == table["name"])
        mine, theirs, before = numbers(table["values"]), numbers(other["values"]), numbers(first["values"])
        for k, name in enumerate(table["columns"]):
            np.testing.assert_array_equal(mine[k], theirs[other["columns"].index(name)], err_msg=name)
            compared += not np.array_equal(mine[k], before[first["columns"].index(name)], equal_nan=True)
    assert compared > 20
    assert moved["scene"]["poses"] == saved["scene"]["poses"]
    summary = {item: (value, unit) for item, value, unit in saved["summary"]}
    followed = [(item, value, unit) for item, value, unit in moved["summary"] if item in summary]
    assert len(followed) > 10
    assert all(summary[item] == (value, unit) for item, value, unit in followed)


def test_a_slid_variable_moves_formulas_and_gives_the_numbers_of_the_workbook_written_so(tmp_path):
    book = Path(shutil.copy(LINKAGE, tmp_path / "linkage.xlsx"))
    cells = MovedCells(book)
    slider = next(each for each in cells.offered()["sliders"] if each["name"] == "crank")
    (cell,) = slider["cells"]
    cells.moved("", {cell: 2.2})
    moved = cells.moved("", {cell: 2.3})["case"]
    start = cells.moved("", {})["case"]
    assert cells.write({cell: 2.3})["written"]
    (written,) = view(book, variants="none").document["cases"]
    assert moved["tables"] == written["tables"]
    assert moved["scene"] == written["scene"]
    assert moved["tables"] != start["tables"]


def place_of(case, name, time):
    """Where a point of the scene is, m."""
    scene = case["scene"]
    marker = next(each["marker"] for each in scene["points"] if each["name"] == name)
    if marker["body"] < 0:
        return np.array(marker["at"])
    frame = int(np.argmin(np.abs(numbers(scene["times"]).ravel() - time)))
    pose = numbers(scene["poses"])[frame, marker["body"]]
    if len(pose) == 3:
        c, s = np.cos(pose[2]), np.sin(pose[2])
        x, y = marker["at"][:2]
        return np.array([pose[0] + c * x - s * y, pose[1] + s * x + c * y, 0.0])
    return pose[:3] + matrix_of(pose[3:]) @ np.array(marker["at"])


@pytest.mark.parametrize(("axes", "side"), [("ISO 8855", "left"), ("SAE J670", "left"), ("Lotus", "right")])
def test_a_point_and_its_mirror_image_go_where_their_handle_says(tmp_path, axes, side):
    signs = {"ISO 8855": (1, 1, 1), "SAE J670": (1, -1, -1), "Lotus": (-1, 1, 1)}[axes]
    points = {
        "lower arm front": (130, 250, 120),
        "lower arm rear": (-140, 260, 115),
        "lower ball joint": (5, 580, 110),
        "upper arm front": (110, 290, 260),
        "upper arm rear": (-130, 300, 250),
        "upper ball joint": (-8, 550, 300),
        "tie rod inner": (-70, 240, 140),
        "tie rod outer": (-80, 560, 150),
        "wheel centre": (0, 620, 230),
    }
    given = {name: tuple(s * x for s, x in zip(signs, at, strict=True)) for name, at in points.items()}
    settings = (("type", "double wishbone"), ("tyre radius", "230 mm"), ("axes", axes), ("input side", side))
    sweeps = (("name", "type", "travel_from", "travel_to", "steps"), ("bounce", "heave", "-20 mm", "20 mm", 5))
    book = hardpoint_book(tmp_path / "axes.xlsx", given, settings, sweeps=sweeps)
    cells = MovedCells(book)
    start = cells.moved("bounce", {})["case"]
    opens = start["course"]["opens"]
    handles = {handle["name"]: handle for handle in cells.offered()["handles"]}
    for name in ("front lower ball joint", "front upper arm front"):
        handle = handles[name]
        assert [place["point"][:2] for place in handle["places"]] == ["FL", "FR"]
        for k, cell in enumerate(handle["cells"]):
            moved = cells.moved("bounce", {cell["cell"]: cell["value"] + 4.0})["case"]
            for place in handle["places"]:
                gone = place_of(moved, place["point"], opens) - place_of(start, place["point"], opens)
                np.testing.assert_allclose(gone, 4.0 * np.array(place["along"][k]), atol=1e-6)


def test_a_point_of_a_turned_body_goes_where_its_handle_says(tmp_path):
    book = Path(shutil.copy(LINKAGE, tmp_path / "linkage.xlsx"))
    opened = openpyxl.load_workbook(book, data_only=True)
    opened.save(book)  # numbers in place of formulas
    cells = MovedCells(book)
    start = cells.moved("", {})["case"]
    at = numbers(start["scene"]["times"]).ravel()[0]
    checked = 0
    for handle in cells.offered()["handles"]:
        (place,) = handle["places"]
        marker = next(each["marker"] for each in start["scene"]["points"] if each["name"] == place["point"])
        for cell, along in zip(handle["cells"], place["along"], strict=True):
            moved = cells.moved("", {cell["cell"]: cell["value"] + 1e-3}).get("case")
            if moved is None or moved["scene"]["poses"] != start["scene"]["poses"]:
                continue  # the bodies have been assembled elsewhere
            other = next(each["marker"] for each in moved["scene"]["points"] if each["name"] == place["point"])
            np.testing.assert_allclose(
                np.subtract(other["at"], marker["at"]), 1e-3 * np.array(along)[: len(marker["at"])], atol=1e-7
            )
            checked += marker["body"] >= 0
    assert np.isfinite(at)
    assert checked
