"""Make all templates: the blank forms, and one for every example workbook.

Usage: python templates/make.py [FOLDER]

Run it again whenever a sheet, column, setting, type of joint or example workbook has changed; a test says so.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "workbooks")]

import blank_forms  # noqa: E402 - found by the line above
import form_readme  # noqa: E402 - the same
import gait_conventional  # noqa: E402 - the same
import gait_space  # noqa: E402 - the same
import gait_walks  # noqa: E402 - the same
import point_pictures  # noqa: E402 - the same
import suspension_cars  # noqa: E402 - the same
from form import Form  # noqa: E402 - the same
from gait_form import GaitForm  # noqa: E402 - the same
from suspension_form import SuspensionForm  # noqa: E402 - the same

BLANK = {
    "blank-2d": "form for a planar model, one rod on a hinge in it",
    "blank-3d": "form for a model in space, one rod on a hinge in it",
}
EXAMPLES = {
    "half-hat-leg": ("2D", "dynamic", "half a walking human, guided by measured motion"),
    "slider-crank": ("2D", "inverse dynamic", "slider-crank at constant speed, and its torque"),
    "four-bar": ("2D", "kinematic", "four-bar linkage with a coupler curve"),
    "quick-return": ("2D", "kinematic", "quick-return mechanism of a shaper"),
    "pendulum": ("2D", "dynamic", "simple pendulum over ten seconds"),
    "andrews": ("2D", "dynamic", "Andrews' squeezing mechanism, seven bodies"),
    "four-bar-windows": ("2D", "dynamic", "links that pass through singular positions"),
    "compressor": ("2D", "dynamic", "slider-crank against gas"),
    "flexible-four-bar": ("2D", "dynamic", "four-bar linkage with a coupler that bends"),
    "flexible-loops": ("2D", "dynamic", "three loops in a row with flexible beams"),
    "pins-and-slides": ("2D", "dynamic", "chain of pins and slides with a flexible beam"),
    "slider-crank-clearance": ("2D", "dynamic", "slider-crank with play in a pin, and its knocks"),
    "quarter-car": ("2D", "modes", "body and wheel of a car: frequencies, damping"),
    "slider-crank-3d": ("3D", "kinematic", "slider-crank in space, with a hinge on a sleeve"),
    "gyroscope": ("3D", "dynamic", "spinning wheel on a rod with a Cardan joint"),
    "wind-turbine": ("3D", "kinematic", "yaw, rotor and pitch of a turbine"),
    "bricard": ("3D", "dynamic", "loop of five rods and six hinges"),
    "flyball-governor": ("3D", "dynamic", "Watt's governor with stiff spring-dampers"),
    "double-wishbone": ("3D", "six cases", "suspension corner: bump, steer, loads, road"),
    "car": ("3D", "eight cases", "full car: bump, roll, cornering, braking, road"),
}
"""template -> models, analysis, one line"""
SUSPENSIONS = {
    "suspension-formula-student": "both axles with rockers and bars, from hardpoints",
    "suspension-handling": "the same car on its tyres: handling, and a study",
    "suspension-kc-rig": "front axle with elastic parts, load sweeps, rig readings",
    "suspension-double-wishbone": "front axle with direct dampers, from hardpoints",
    "suspension-macpherson": "front strut axle, from hardpoints",
    "suspension-multilink": "rear axle on five links, from hardpoints",
    "suspension-trailing-arm": "rear axle on semi-trailing arms, from hardpoints",
    "suspension-three-link": "rear axle on trailing arms and camber links",
    "suspension-solid-axle": "rear axle on four links, from hardpoints",
}
"""template -> one line"""
GAITS = {
    "gait-2d": "both legs and trunk from markers and plates, and the report",
    "gait-2d-running": "the same of a run: cut-off 20 Hz, flight",
    "gait-2d-leg": "one leg and trunk as in Winter's book, in cm",
    "gait-3d": "clusters and a standing trial: angles and moments in space",
    "gait-cgm": "conventional gait model: Plug-in Gait's markers, in space",
}
"""the same"""


def make(name: str, folder: Path) -> Path:
    """Write the template of this name into a folder; the same bytes every time."""
    if name in BLANK:
        space = name.endswith("3d")
        return blank_forms.make(folder, _form(BLANK[name], "dynamic", space=space), space=space)
    if name in SUSPENSIONS:
        return _suspension(name, folder)
    if name in GAITS:
        in_space = {each.NAME: each for each in (gait_space, gait_conventional)}
        form = partial(GaitForm, about=GAITS[name], analysis="gait", shown=[], space=name in in_space)
        return in_space[name].make(folder, form) if name in in_space else gait_walks.make(folder, form, name)
    models, analysis, about = EXAMPLES[name]
    script = import_module(f"make_{name.replace('-', '_')}")
    made: Path = script.make(folder, _form(about, analysis, space=models == "3D"))
    return made


def _points(name: str) -> list[tuple[Path, str]]:
    """The pictures of the points of a suspension."""
    return point_pictures.shown(SAME_CAR.get(name, name))


SAME_CAR = {
    "suspension-handling": "suspension-formula-student",
    "suspension-kc-rig": "suspension-double-wishbone",
}
"""templates of a car that another one shows"""


def _suspension(name: str, folder: Path) -> Path:
    layout = partial(SuspensionForm, about=SUSPENSIONS[name], analysis="suspension", shown=_points(name))
    if name in suspension_cars.CARS:
        return suspension_cars.make(folder, layout, name)
    script = import_module(f"make_{name.removeprefix('suspension-').replace('-', '_')}")
    made: Path = script.make(folder, layout, name)
    return made


def _form(about: str, analysis: str, *, space: bool) -> partial[Form]:
    picture = HERE / f"conventions-{'3d' if space else '2d'}.png"
    return partial(Form, about=about, analysis=analysis, shown=[(picture, form_readme.PICTURE)])


if __name__ == "__main__":
    for each in [*BLANK, *EXAMPLES, *SUSPENSIONS, *GAITS]:
        make(each, Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
