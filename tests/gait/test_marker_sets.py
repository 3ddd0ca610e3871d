"""Marker sets as data: a file in the layout of each is recognised, fills the sheets to match, and runs without a cell typed."""

import numpy as np
import openpyxl
import pytest

from sheetmbs.command.cli import app
from sheetmbs.gait.importing.import_trial import import_trial
from sheetmbs.gait.marker_sets.all_sets import FILES, marker_sets, set_of, set_titles
from sheetmbs.gait.trial.marker_synonyms import guessed_names
from tests.support.sample_results import loaded_sheet
from tests.support.set_walks import forces, settle, trc, walk

LEG = {"{s} asis": "{S}ASI", "{s} thigh 1": "{S}THI", "{s} knee": "{S}KNE", "{s} shank 1": "{S}TIB"}
FOOT = {"{s} ankle": "{S}ANK", "{s} heel": "{S}HEE", "{s} toe": "{S}TOE"}
THORAX = {"c7": "C7", "t10": "T10", "clavicle": "CLAV", "sternum": "STRN"}
PSIS, SACRUM = {"{s} psis": "{S}PSI"}, {"sacrum": "SACR"}
MEDIAL = {"{s} knee medial": "{S}KNM", "{s} ankle medial": "{S}MED"}
BONES = {
    "{s} asis": "{S}_IAS",
    "{s} psis": "{S}_IPS",
    "{s} knee": "{S}_FLE",
    "{s} ankle": "{S}_FAL",
    "{s} heel": "{S}_FCC",
    "{s} mt1": "{S}_FM1",
    "{s} mt5": "{S}_FM5",
    "{s} toe": "{S}_FM2",
}
INNER_BONES = {"{s} knee medial": "{S}_FME", "{s} ankle medial": "{S}_TAM"}
POINTS = {
    "{s} hip": "{S}Hip",
    "{s} knee": "{S}Knee",
    "{s} ankle": "{S}Ankle",
    "{s} heel": "{S}Heel",
    "{s} toe": "{S}BigToe",
    "{s} mt5": "{S}SmallToe",
    "{s} acromion": "{S}Shoulder",
}
STUDY = {
    "{s} asis": "{s}.ASIS_study",
    "{s} psis": "{s}.PSIS_study",
    "{s} hip": "{S}HJC_study",
    "{s} knee": "{s}_knee_study",
    "{s} ankle": "{s}_ankle_study",
    "{s} heel": "{s}_calc_study",
    "{s} toe": "{s}_toe_study",
    "{s} mt5": "{s}_5meta_study",
    "{s} acromion": "{s}_shoulder_study",
    **{f"{{s}} thigh {at}": f"{{s}}_thigh{at}_study" for at in (1, 2, 3)},
    **{f"{{s}} shank {at}": f"{{s}}_sh{at}_study" for at in (1, 2, 3)},
}
CLEVELAND = {
    "{s} asis": "{S}.ASIS",
    "sacrum": "V.Sacral",
    "{s} thigh 1": "{S}.Thigh.Upper",
    "{s} thigh 2": "{S}.Thigh.Front",
    "{s} thigh 3": "{S}.Thigh.Rear",
    "{s} knee": "{S}.Knee.Lat",
    "{s} shank 1": "{S}.Shank.Upper",
    "{s} shank 2": "{S}.Shank.Front",
    "{s} shank 3": "{S}.Shank.Rear",
    "{s} ankle": "{S}.Ankle.Lat",
    "{s} heel": "{S}.Heel",
    "{s} toe": "{S}.Toe.Tip",
    "{s} mt5": "{S}.Toe.Lat",
    "{s} mt1": "{S}.Toe.Med",
    "{s} acromion": "{S}.Acromium",
}
RAJAGOPAL = {
    "{s} asis": "{S}ASI",
    "{s} psis": "{S}PSI",
    "{s} knee": "{S}LFC",
    "{s} ankle": "{S}LMAL",
    "{s} heel": "{S}CAL",
    "{s} toe": "{S}TOE",
    "{s} mt5": "{S}MT5",
    "{s} acromion": "{S}ACR",
    **{f"{{s}} thigh {at}": f"{{S}}TH{at}" for at in (1, 2, 3)},
    **{f"{{s}} shank {at}": f"{{S}}TB{at}" for at in (1, 2, 3)},
}
CGM2 = (
    LEG
    | FOOT
    | PSIS
    | {
        "{s} thigh 2": "{S}THAP",
        "{s} thigh 3": "{S}THAD",
        "{s} shank 2": "{S}TIAP",
        "{s} shank 3": "{S}TIAD",
        "{s} mt1": "{S}FMH",
        "{s} mt5": "{S}VMH",
    }
)
CAST = BONES | {
    **{f"{{s}} thigh {at}": f"{{S}}_TH{at}" for at in (1, 2, 3, 4)},
    **{f"{{s}} shank {at}": f"{{S}}_SK{at}" for at in (1, 2, 3, 4)},
}
IOR = BONES | INNER_BONES | {"{s} thigh 1": "{S}_FTC", "{s} shank 1": "{S}_FAX", "{s} shank 3": "{S}_TTC"}
IN_PLANE = {
    "plug-in gait": [LEG | FOOT | PSIS, LEG | FOOT | SACRUM, LEG | FOOT | PSIS | THORAX],
    "conventional medial": [LEG | FOOT | PSIS | MEDIAL],
    "cgm2": [CGM2],
    "ior": [BONES | {"{s} shank 1": "{S}_FAX", "{s} shank 3": "{S}_TTC"}],
    "cast": [CAST],
    "rajagopal": [RAJAGOPAL],
    "cleveland": [CLEVELAND],
    "opencap": [STUDY],
    "halpe 26": [POINTS | {"sacrum": "Hip", "c7": "Neck"}],
    "body 25b": [POINTS | {"sacrum": "CHip", "c7": "Neck"}],
}
CASES = [(title, at) for title, layouts in IN_PLANE.items() for at in range(len(layouts))]


def run(path):
    with pytest.raises(SystemExit) as ended:
        app(["run", str(path)])
    return ended.value.code


def made(folder, labels, sheet="Markers", name="walk"):
    paths = [folder / f"{name}.trc"]
    paths[0].write_text(trc(labels, sheet), encoding="utf-8")
    if sheet == "Markers":
        paths.append(folder / f"{name}-forces.csv")
        paths[1].write_text(forces(), encoding="utf-8")
    return paths


def mean_curve(path, column):
    page = loaded_sheet(path, "mbs Gait angles")
    at = [cell.value for cell in page[1]].index(column)
    values = [row[at] for row in page.iter_rows(min_row=3, values_only=True)]
    return np.array([np.nan if value in (None, "") else value for value in values], float)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The knee of the walk under the names of templates."""
    folder = tmp_path_factory.mktemp("plain")
    names = {f"{{s}} {name}": f"{{S}}_{name}" for name in ("asis", "psis", "knee", "ankle", "heel", "mt5")}
    book = folder / "plain.xlsx"
    import_trial(made(folder, names | {"{s} mt5": "{S}_MT5"}), book)
    _typed_mass(book)
    assert run(book) == 0
    return mean_curve(book, "right knee.angle.mean")


def _typed_mass(path, *, with_bands=False):
    """The mass that these files do not tell; uncertainties have nothing to do with sets, and cost most of a run."""
    settle(path, "Subject", mass=70.0)
    if not with_bands:
        settle(path, "Processing", bands="no")


@pytest.mark.parametrize(("title", "at"), CASES)
def test_a_set_is_recognised_and_runs_in_the_plane_with_nothing_typed_but_the_mass(tmp_path, title, at, plain):
    book = tmp_path / "anna.xlsx"
    done = import_trial(made(tmp_path, IN_PLANE[title][at]), book)
    assert dict(done.found)["marker set"] == title
    _typed_mass(book, with_bands=title == "conventional medial")
    assert run(book) == 0
    knee = mean_curve(book, "right knee.angle.mean")
    assert np.isfinite(knee).all()
    assert np.abs(knee - plain).max() < 4.0, "other hips and inner knees move the knee by a few degrees"


@pytest.mark.parametrize(
    ("title", "moving", "standing", "is_static_first"),
    [
        ("cgm2", CGM2, CGM2 | MEDIAL, False),
        ("cgm2", CGM2, CGM2 | MEDIAL, True),
        ("ior", IOR, IOR, True),
        ("cast", CAST, CAST | INNER_BONES, True),
        ("rajagopal", RAJAGOPAL, RAJAGOPAL | {"{s} knee medial": "{S}MFC", "{s} ankle medial": "{S}MMAL"}, True),
        (
            "cleveland",
            CLEVELAND,
            CLEVELAND | {"{s} knee medial": "{S}.Knee.Med", "{s} ankle medial": "{S}.Ankle.Med"},
            True,
        ),
        ("opencap", STUDY | {"{s} knee medial": "{s}_mknee_study", "{s} ankle medial": "{s}_mankle_study"}, None, True),
    ],
)
def test_sets_with_clusters_run_in_space_whichever_trial_comes_first(
    tmp_path, title, moving, standing, is_static_first
):
    first, second = ("static", "walk") if is_static_first else ("walk", "static")
    files = {
        "static": made(tmp_path, standing or moving, "Markers static", "static"),
        "walk": made(tmp_path, moving),
    }
    book = tmp_path / "anna.xlsx"
    done = import_trial(files[first], book, first, "gait-3d")
    assert dict(done.found)["marker set"] == title
    import_trial(files[second], book, second)
    _typed_mass(book)
    assert run(book) == 0
    page = loaded_sheet(book, "mbs Gait angles")
    assert "right knee.flexion.mean" in [cell.value for cell in page[1]]
    assert np.isfinite(mean_curve(book, "right knee.flexion.mean")).all()


THEIA = {"thigh": "hip", "shank": "knee", "foot": "ankle", "toes": "mt5", "uarm": "acromion"}


def theia(path):
    """A C3D with matrices of segments alone. A foot looks from its ankle to its toes, x ahead."""
    import ezc3d

    time, points = walk()
    labels, matrices = [], []
    for side in ("right", "left"):
        for segment, origin in THEIA.items():
            matrix = np.tile(np.eye(4)[:, :, None], (1, 1, len(time)))
            matrix[:3, 3] = points[f"{side} {origin}"].T
            if segment == "foot":
                ahead = points[f"{side} mt5"] - points[f"{side} ankle"]
                ahead[:, 1] = 0.0
                ahead /= np.linalg.norm(ahead, axis=1)[:, None]
                across = np.array([0.0, 1.0, 0.0])
                matrix[:3, :3] = np.stack(
                    [ahead.T, np.broadcast_to(across, ahead.shape).T, np.cross(ahead, across).T], axis=1
                )
            labels.append(f"{side[0]}_{segment}_4X4")
            matrices.append(matrix)
    file = ezc3d.c3d()
    rate = (len(time) - 1) / (time[-1] - time[0])
    file["parameters"]["POINT"]["RATE"]["value"] = [rate]
    file["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    file["parameters"]["POINT"]["LABELS"]["value"] = ("nothing",)
    file["data"]["points"] = np.full((4, 1, len(time)), np.nan)
    file.add_parameter("ROTATION", "LABELS", labels)
    file.add_parameter("ROTATION", "RATE", [rate])
    file["data"]["rotations"] = np.stack(matrices, axis=2)
    file.write(str(path))
    return path


def test_segments_given_as_matrices_are_a_set_too(tmp_path, plain):
    book = tmp_path / "anna.xlsx"
    path = tmp_path / "walk-forces.csv"
    path.write_text(forces(), encoding="utf-8")
    done = import_trial([theia(tmp_path / "walk.c3d"), path], book)
    assert dict(done.found)["marker set"] == "theia"
    _typed_mass(book)
    assert run(book) == 0
    knee = mean_curve(book, "right knee.angle.mean")
    assert np.abs(knee - plain).max() < 4.0
    page = loaded_sheet(book, "Markers walk")
    heads = [cell.value for cell in page[1]]
    heel, ankle, toe = (
        np.array([row[heads.index(f"r_{name}_4X4.z")] for row in page.iter_rows(min_row=3, values_only=True)], float)
        for name in ("heel", "foot", "toes")
    )
    assert np.min(heel) < np.min(ankle)
    assert abs(np.percentile(heel, 20) - np.percentile(toe, 20)) < 20.0, "level with the toes while it stands"


def test_both_the_raw_label_and_the_name_stand_in_any_cell_that_takes_a_marker(tmp_path):
    curves = []
    for at, (knee, foot) in enumerate((("right knee", "right toe"), ("RKNE", "RTOE"))):
        book = tmp_path / f"anna{at}.xlsx"
        import_trial(made(tmp_path, LEG | FOOT | PSIS), book)
        _typed_mass(book)
        made_book = openpyxl.load_workbook(book)
        page = made_book["Joint centres"]
        row = next(row for row in range(1, 40) if page.cell(row, 1).value == "right knee centre")
        page.cell(row, 3).value = knee
        page = made_book["Segments"]
        row = next(row for row in range(1, 40) if page.cell(row, 1).value == "right foot")
        heads = [cell.value for cell in page[1]]
        for column in ("distal", "line_from"):
            page.cell(row, heads.index(column) + 1).value = foot
        made_book.save(book)
        assert run(book) == 0
        curves.append(mean_curve(book, "right ankle.angle.mean"))
    np.testing.assert_array_equal(*curves)


def test_rows_of_the_users_own_stay(tmp_path):
    book = tmp_path / "anna.xlsx"
    import_trial(made(tmp_path, LEG | FOOT | PSIS), book)
    made_book = openpyxl.load_workbook(book)
    page = made_book["Joint centres"]
    row = next(row for row in range(1, 40) if page.cell(row, 1).value == "right knee centre")
    page.cell(row, 3).value = "RTIB"
    made_book.save(book)
    import_trial(made(tmp_path, LEG | FOOT | PSIS, name="again"), book)
    assert openpyxl.load_workbook(book)["Joint centres"].cell(row, 3).value == "RTIB"


def test_a_leg_is_guessed_whole_or_not_at_all():
    assert guessed_names(["LFC", "LKNE", "MKNE"]) == {}, "L may say lateral"
    whole = guessed_names(["LKNE", "LANK", "LHEE", "LTOE"])
    assert whole["left knee"] == "LKNE"
    assert set(guessed_names(["LKNE", "RKNE", "LANK"])) == {"right knee", "left knee", "left ankle"}


def test_every_set_has_a_file_and_none_hides_another():
    assert len(set(FILES)) == len(FILES) == len(list(set_titles()))
    for found in marker_sets():
        labels = [label.replace("{s}", side) for labels in found.required for label in labels for side in "rl"]
        assert set_of(labels) is found, found.title


def test_a_set_without_clusters_says_which_template_it_needs_in_space(tmp_path):
    book = tmp_path / "anna.xlsx"
    done = import_trial(made(tmp_path, LEG | FOOT | PSIS), book, None, "gait-3d")
    (told,) = [text for kind, text in done.found if kind == "to do" and "three markers" in text]
    assert "right thigh, right shank, left thigh, left shank" in told
    assert "--template gait-cgm" in told
