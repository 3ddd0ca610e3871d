"""An OpenSim model as a workbook of gait: its bodies, joints and markers, and a walk of it that gives its own angles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openpyxl
import pytest
from scipy.spatial.transform import Rotation

from sheetmbs.gait.importing.osim_book import import_osim
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.problems.errors import WorkbookError
from tests.support.opened import sheet_values

BODIES = {
    "pelvis": (12.0, (-0.07, 0.0, 0.0), (0.1, 0.09, 0.06, 0, 0, 0)),
    "femur_r": (9.0, (0.0, -0.17, 0.0), (0.13, 0.03, 0.14, 0, 0, 0)),
    "tibia_r": (3.7, (0.0, -0.19, 0.0), (0.05, 0.005, 0.051, 0, 0, 0)),
    "talus_r": (0.1, (0.0, 0.0, 0.0), (0.001, 0.001, 0.001, 0, 0, 0)),
    "calcn_r": (1.2, (0.1, 0.03, 0.0), (0.0014, 0.0039, 0.0041, 0, 0, 0)),
}
OFFSETS = {
    "femur_r": ("pelvis", (-0.07, -0.066, 0.084)),
    "tibia_r": ("femur_r", (0.0, 0.0, 0.0)),
    "talus_r": ("tibia_r", (0.0, -0.43, 0.0)),
    "calcn_r": ("talus_r", (-0.049, -0.042, 0.008)),
}
MARKERS = {
    "pelvis": {
        "RASI": (0.02, 0.02, 0.12),
        "LASI": (0.02, 0.02, -0.12),
        "RPSI": (-0.15, 0.03, 0.05),
        "LPSI": (-0.15, 0.03, -0.05),
    },
    "femur_r": {"RT1": (0.07, -0.1, 0.06), "RT2": (-0.03, -0.2, 0.08), "RT3": (0.06, -0.3, 0.05)},
    "tibia_r": {"RS1": (0.05, -0.1, 0.04), "RS2": (-0.03, -0.2, 0.06), "RS3": (0.04, -0.3, 0.04)},
    "calcn_r": {
        "RCAL": (0.0, 0.03, 0.0),
        "RTOE": (0.2, 0.02, 0.02),
        "RMT5": (0.15, 0.0, 0.06),
        "RMT1": (0.16, 0.0, -0.04),
    },
}
KNEE_SHIFT = -0.4
"""m: the knee's joint puts the shank there where its coordinate is 0"""


def _joint(tag: str, name: str, parent: str, child: str, place: tuple, inside: str) -> str:
    translation = " ".join(map(str, place))
    where = "/ground" if parent == "ground" else f"/bodyset/{parent}"
    return f"""<{tag} name="{name}"><socket_parent_frame>{parent}_offset</socket_parent_frame>
    <socket_child_frame>{child}_offset</socket_child_frame>{inside}<frames>
    <PhysicalOffsetFrame name="{parent}_offset"><socket_parent>{where}</socket_parent>
    <translation>{translation}</translation><orientation>0 0 0</orientation></PhysicalOffsetFrame>
    <PhysicalOffsetFrame name="{child}_offset"><socket_parent>/bodyset/{child}</socket_parent>
    <translation>0 0 0</translation><orientation>0 0 0</orientation></PhysicalOffsetFrame></frames></{tag}>"""


def _knee() -> str:
    """A CustomJoint: one angle about z, and a spline that puts the shank below the thigh."""
    turn = "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"
    none = "<Constant><value>0</value></Constant>"
    spline = f"<SimmSpline><x>-1 0 1</x><y>-0.39 {KNEE_SHIFT} -0.41</y></SimmSpline>"
    moved = f"<MultiplierFunction><function>{spline}</function><scale>1</scale></MultiplierFunction>"
    axes = [("0 0 1", "knee", turn), ("0 1 0", "", none), ("1 0 0", "", none)]
    axes += [("1 0 0", "", none), ("0 1 0", "knee", moved), ("0 0 1", "", none)]
    inside = "".join(
        f"<TransformAxis><coordinates>{name}</coordinates><axis>{axis}</axis>{function}</TransformAxis>"
        for axis, name, function in axes
    )
    return f'<coordinates><Coordinate name="knee"/></coordinates><SpatialTransform>{inside}</SpatialTransform>'


def _osim(path: Path, version: int = 40000) -> Path:
    bodies = "".join(
        f'<Body name="{name}"><mass>{mass}</mass><mass_center>{" ".join(map(str, com))}</mass_center>'
        f"<inertia>{' '.join(map(str, inertia))}</inertia></Body>"
        for name, (mass, com, inertia) in BODIES.items()
    )
    free = '<coordinates><Coordinate name="x"/></coordinates>'
    joints = _joint("FreeJoint", "root", "ground", "pelvis", (0, 0, 0), free)
    kinds = {"femur_r": ("BallJoint", ""), "tibia_r": ("CustomJoint", _knee()), "talus_r": ("PinJoint", "")}
    for child, (parent, place) in OFFSETS.items():
        tag, inside = kinds.get(child, ("WeldJoint", ""))
        joints += _joint(tag, f"to_{child}", parent, child, place, inside)
    markers = "".join(
        f'<Marker name="{name}"><socket_parent_frame>/bodyset/{body}</socket_parent_frame>'
        f"<location>{' '.join(map(str, place))}</location></Marker>"
        for body, own in MARKERS.items()
        for name, place in own.items()
    )
    path.write_text(
        f'<?xml version="1.0"?><OpenSimDocument Version="{version}"><Model name="leg"><BodySet><objects>{bodies}</objects>'
        f"</BodySet><JointSet><objects>{joints}</objects></JointSet><MarkerSet><objects>{markers}</objects></MarkerSet>"
        "</Model></OpenSimDocument>",
        encoding="utf-8",
    )
    return path


def _made(tmp_path: Path) -> Path:
    import_osim(_osim(tmp_path / "leg.osim"), tmp_path / "leg.xlsx")
    return tmp_path / "leg.xlsx"


def _rows(path: Path, sheet: str) -> list[dict]:
    rows = sheet_values(path, sheet)
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:] if row[0]]


def test_bodies_become_segments_and_those_without_markers_go_with_the_next(tmp_path: Path) -> None:
    found = {row["name"]: row for row in _rows(_made(tmp_path), "Segments") if row["proximal"]}
    assert list(found) == ["pelvis", "femur_r", "tibia_r", "calcn_r"]
    assert found["calcn_r"]["mass"] == pytest.approx(1.3)
    assert found["femur_r"]["inertia"] == pytest.approx(0.5 * (0.13 + 0.14))
    assert [found[name]["parent"] for name in found] == [None, "pelvis", "femur_r", "tibia_r"]
    assert [found[name]["table"] for name in found] == [None, "thigh", "shank", "foot"]
    assert found["tibia_r"]["markers"] == "RS1; RS2; RS3"


def test_joints_have_the_kinds_of_the_model(tmp_path: Path) -> None:
    found = {row["name"]: row for row in _rows(_made(tmp_path), "Gait joints") if row["proximal"]}
    assert {name: row["type"] for name, row in found.items()} == {"hip": "ball", "knee": "hinge", "ankle": "hinge"}
    assert {row["side"] for row in found.values()} == {"right"}


def test_a_walk_of_the_model_gives_its_own_angles(tmp_path: Path) -> None:
    """Every marker is placed by the joints of the model written out here, bent by angles that come back."""
    path, count = _made(tmp_path), 120
    phase = np.linspace(0.0, 4.0 * np.pi, count)
    hip = np.radians([[20.0], [5.0], [8.0]]) * np.sin(phase + np.arange(3.0)[:, None])
    knee, ankle = np.radians(30.0 - 25.0 * np.cos(phase)), np.radians(12.0 * np.sin(phase))
    pelvis = np.eye(3)[None].repeat(count, 0), np.stack((np.linspace(0, 2, count), 0.9 + 0 * phase, 0 * phase), axis=1)
    turns = {
        "femur_r": Rotation.from_euler("ZXY", hip.T).as_matrix(),
        "tibia_r": Rotation.from_euler("z", -knee[:, None]).as_matrix(),
        "talus_r": Rotation.from_euler("z", ankle[:, None]).as_matrix(),
        "calcn_r": np.eye(3)[None],
    }
    poses = {"pelvis": pelvis}
    for child, (parent, place) in OFFSETS.items():
        shift = np.array(place) + ([0.0, KNEE_SHIFT, 0.0] if child == "tibia_r" else 0.0)
        rotation, origin = poses[parent]
        poses[child] = rotation @ turns[child], origin + rotation @ shift
    headers, columns = ["time"], [np.arange(count) / 100.0]
    for body, own in MARKERS.items():
        for name, local in own.items():
            rotation, origin = poses[body]
            seen = origin + rotation @ np.array(local)
            headers += [f"{name}.{axis}" for axis in "xyz"]
            columns += list(seen.T)
    book = openpyxl.load_workbook(path)
    sheet = book.create_sheet("Markers walk")
    for row in (headers, ["s", *("m",) * (len(headers) - 1)], *np.column_stack(columns).tolist()):
        sheet.append(row)
    rows = {row[0].value: row[0].row for row in book["Processing"].iter_rows() if row[0].value}
    book["Processing"].cell(max(book["Processing"].max_row + 1, 9), 1).value = "cutoff"
    book["Processing"].cell(book["Processing"].max_row, 2).value = "none"
    assert "cutoff" not in rows
    book.save(path)
    solved = run_gait(path).solved.courses[0]
    for name, expected in zip(("flexion", "adduction", "rotation"), hip, strict=True):
        assert np.degrees(np.abs(solved.joints["right hip"][name] - expected)).max() < 1e-5
    assert np.degrees(np.abs(solved.joints["right knee"]["flexion"] - knee)).max() < 1e-5
    assert np.degrees(np.abs(solved.joints["right ankle"]["flexion"] - ankle)).max() < 1e-5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello", "no XML"),
        ("<a/>", "no model of OpenSim"),
        ('<OpenSimDocument Version="30000"><Model/></OpenSimDocument>', "before OpenSim 4"),
        ('<OpenSimDocument Version="40000"><Model/></OpenSimDocument>', "no bodies"),
    ],
)
def test_what_is_no_model_is_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "a.osim").write_text(text, encoding="utf-8")
    with pytest.raises(WorkbookError, match=words):
        import_osim(tmp_path / "a.osim", tmp_path / "a.xlsx")
    assert not (tmp_path / "a.xlsx").exists()


def test_an_existing_workbook_is_never_overwritten(tmp_path: Path) -> None:
    path = _made(tmp_path)
    before = path.read_bytes()
    with pytest.raises(WorkbookError, match="is there"):
        import_osim(tmp_path / "leg.osim", path)
    assert path.read_bytes() == before
