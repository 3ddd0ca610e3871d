"""What other programs and lists call the hardpoints; matched by name, never by number."""

from __future__ import annotations

from sheetmbs.schema.names import fold
from sheetmbs.suspension.layout.types import TYPES_BY_NAME

ALIASES: dict[str, tuple[str, ...]] = {
    "lower arm front": ("lca_front", "CHAS_LowFor", "Lower wishbone front pivot"),
    "lower arm rear": ("lca_rear", "CHAS_LowAft", "Lower wishbone rear pivot"),
    "lower ball joint": ("lca_outer", "UPRI_LowPnt", "Lower wishbone outer ball joint"),
    "upper arm front": ("uca_front", "CHAS_UppFor", "Upper wishbone front pivot"),
    "upper arm rear": ("uca_rear", "CHAS_UppAft", "Upper wishbone rear pivot"),
    "upper ball joint": ("uca_outer", "UPRI_UppPnt", "Upper wishbone outer ball joint"),
    "tie rod inner": ("tierod_inner", "CHAS_TiePnt", "Inner track rod ball joint"),
    "tie rod outer": ("tierod_outer", "UPRI_TiePnt", "Outer track rod ball joint"),
    "rod outer": ("pushrod_outer", "NSMA_PPAttPnt", "NSMA_PPAtt", "Push rod wishbone end"),
    "rod rocker": ("pushrod_rocker", "ROCK_RodPnt", "Push rod rocker end"),
    "rocker pivot": ("CHAS_RocPiv", "Rocker axis 1st point"),
    "rocker axis": ("CHAS_RocAxi", "Rocker axis 2nd point"),
    "damper rocker": ("damper_rocker", "ROCK_CoiPnt", "Damper to rocker point"),
    "damper outer": ("damper_outer", "Damper wishbone end"),
    "damper chassis": ("damper_chassis", "CHAS_AttPnt", "Damper body end", "Damper to body point"),
    "spring rocker": ("spring_rocker", "Lower spring pivot point"),
    "spring chassis": ("spring_chassis", "Upper spring pivot point"),
    "bar link suspension": ("arb_rocker", "NSMA_UBarAttPnt"),
    "bar link bar": ("arb_arm", "UBAR_AttPnt"),
    "bar axis": ("arb_axis", "CHAS_PivPnt"),
    "wheel centre": ("wheel_center", "wheel center", "wc", "Wheel centre point"),
}
"""standard name: short name, OptimumK, Lotus label"""

_ENDS = ("inner", "outer")
ADDED_POINTS = (
    *("kingpin lower", "kingpin upper"),
    *(f"link {number} {end}" for number in range(1, 10) for end in _ENDS),
    *(f"panhard {end}" for end in _ENDS),
    *("watt pivot", *(f"watt {side} {end}" for side in ("left", "right") for end in _ENDS)),
    *("T-bar base", "bar axis 2", "bracket plane point"),
)
"""points of what an axle may have besides its type, for which other programs' lists have no name of their own"""

STANDARD_POINTS = tuple(
    dict.fromkeys((*ALIASES, *(point.name for each in TYPES_BY_NAME.values() for point in each.points), *ADDED_POINTS))
)

STANDARD: dict[str, str] = {
    **{fold(f"{name} bracket"): f"{name} bracket" for name in STANDARD_POINTS},
    **{fold(name): name for name in STANDARD_POINTS},
    **{fold(alias): name for name, known in ALIASES.items() for alias in known},
}
"""standard names by the folded names that lists have"""

SIDES: tuple[tuple[str, str], ...] = (("_l", "left"), ("_r", "right"), (" left", "left"), (" right", "right"))
"""endings that say the side"""


def standard_name(text: str) -> tuple[str, str]:
    """The standard name of a point and the side that its ending tells, ``""`` where it tells none.

    A name that is no alias is returned as it is.
    """
    folded = fold(text)
    if folded in STANDARD:
        return STANDARD[folded], ""
    for ending, side in SIDES:
        if text.lower().rstrip().endswith(ending):
            stem = text.rstrip()[: -len(ending)]
            return STANDARD.get(fold(stem), stem.strip()), side
    return text.strip(), ""
