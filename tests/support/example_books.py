"""The example workbooks and templates: those of bodies and joints, and those of suspensions and gait, read otherwise."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
SUSPENSIONS = ("formula-student", "handling", "kc-rig", "macpherson")
"""example workbooks of hardpoints"""
SUSPENSION_TEMPLATE = "suspension-"
"""how the names of templates of suspensions begin"""

HANDLING = ("truck-handling",)
"""example workbooks of cars on tyres that have no templates"""
STUDIES = ("bump-steer-study", "crank-fit", "mechanism-synthesis", "slider-crank-tolerance")
"""example workbooks of design studies, which have no templates"""

MEASURED = ("rig-toe",)
"""example workbooks with measured columns, which have no templates"""

GAIT = "gait-"
"""how the names of example workbooks and templates of gait begin"""


def is_of_gait(path: Path) -> bool:
    """Whether a workbook of ours, an example or a template, holds recorded trials of gait."""
    return path.stem.startswith(GAIT)


def is_of_hardpoints(path: Path) -> bool:
    """Whether a workbook of ours, an example or a template, is one of hardpoints."""
    return path.stem in SUSPENSIONS or path.stem.startswith(SUSPENSION_TEMPLATE)


EXAMPLES = sorted(
    path
    for path in (ROOT / "workbooks").glob("*.xlsx")
    if not is_of_hardpoints(path) and not is_of_gait(path) and path.stem not in (*STUDIES, *HANDLING, *MEASURED)
)
"""those of bodies and joints"""
HARDPOINT_BOOKS = sorted(
    path for folder in ("workbooks", "templates") for path in (ROOT / folder).glob("*.xlsx") if is_of_hardpoints(path)
)
"""examples and templates of suspensions"""
GAIT_BOOKS = sorted(
    path for folder in ("workbooks", "templates") for path in (ROOT / folder).glob("*.xlsx") if is_of_gait(path)
)
"""examples and templates of gait"""
