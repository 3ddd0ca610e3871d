"""Names that other programs give to the hardpoints. A list is read by them, an export writes the first of each program."""

from __future__ import annotations

from dataclasses import dataclass

OPTIMUMK, LOTUS, ADAMS = PROGRAMS = ("OptimumK", "Lotus", "Adams")
SHORT = "short"


@dataclass(frozen=True)
class ProgramNames:
    """Names of one hardpoint by program, those that an export writes first.

    with_rocker: names in place of the first ones where the damper stands on a rocker. short: further names for pasting.
    """

    optimumk: tuple[str, ...] = ()
    lotus: tuple[str, ...] = ()
    adams: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    with_rocker: tuple[tuple[str, str], ...] = ()

    def of(self, program: str) -> tuple[str, ...]:
        """All names in one of `PROGRAMS`, or the short ones."""
        known = {OPTIMUMK: self.optimumk, LOTUS: self.lotus, ADAMS: self.adams, SHORT: self.short}
        return known[program]

    def written(self, program: str, *, on_rocker: bool) -> str:
        """The name that an export writes, ``""`` where the program has none. on_rocker: whether a rocker moves the damper."""
        names = self.of(program)
        return dict(self.with_rocker).get(program, names[0]) if names and on_rocker else next(iter(names), "")

    @property
    def all(self) -> tuple[str, ...]:
        """Names of all programs, each once."""
        return tuple(dict.fromkeys((*self.short, *self.optimumk, *self.lotus, *self.adams)))


def _arm(level: str, letter: str, short: str) -> dict[str, ProgramNames]:
    """The points of the lower or upper arm."""
    return {
        f"{level} arm front": ProgramNames(
            (f"CHAS_{short}For",), (f"{level.capitalize()} wishbone front pivot",), (f"{letter}ca_front",)
        ),
        f"{level} arm rear": ProgramNames(
            (f"CHAS_{short}Aft",), (f"{level.capitalize()} wishbone rear pivot",), (f"{letter}ca_rear",)
        ),
        f"{level} ball joint": ProgramNames(
            (f"UPRI_{short}Pnt",), (f"{level.capitalize()} wishbone outer ball joint",), (f"{letter}ca_outer",)
        ),
    }


POINT_NAMES: dict[str, ProgramNames] = {
    **_arm("lower", "l", "Low"),
    **_arm("upper", "u", "Upp"),
    "tie rod inner": ProgramNames(("CHAS_TiePnt",), ("Inner track rod ball joint",), ("tierod_inner",)),
    "tie rod outer": ProgramNames(("UPRI_TiePnt",), ("Outer track rod ball joint",), ("tierod_outer",)),
    "rod outer": ProgramNames(
        ("NSMA_PPAttPnt", "NSMA_PPAtt"), ("Push rod wishbone end",), ("prod_outer", "prod_outboard"), ("pushrod_outer",)
    ),
    "rod rocker": ProgramNames(
        ("ROCK_RodPnt",), ("Push rod rocker end",), ("prod_to_bellcrank", "prod_inboard"), ("pushrod_rocker",)
    ),
    "rocker pivot": ProgramNames(("CHAS_RocPiv",), ("Rocker axis 1st point",), ("bellcrank_pivot",)),
    "rocker axis": ProgramNames(("CHAS_RocAxi",), ("Rocker axis 2nd point",), ("bellcrank_pivot_orient",)),
    "damper rocker": ProgramNames(
        ("ROCK_CoiPnt",), ("Damper to rocker point",), ("shock_to_bellcrank",), ("damper_rocker",)
    ),
    "damper outer": ProgramNames((), ("Damper wishbone end",), ("lwr_strut_mount", "spring_lower"), ("damper_outer",)),
    "damper chassis": ProgramNames(
        ("CHAS_AttPnt",),
        ("Damper body end", "Damper to body point"),
        ("top_mount", "spring_upper", "shock_to_chassis"),
        ("damper_chassis",),
        ((LOTUS, "Damper to body point"), (ADAMS, "shock_to_chassis")),
    ),
    "spring rocker": ProgramNames((), ("Lower spring pivot point",), (), ("spring_rocker",)),
    "spring chassis": ProgramNames((), ("Upper spring pivot point",), (), ("spring_chassis",)),
    "bar link suspension": ProgramNames(("NSMA_UBarAttPnt",), (), ("arblink_to_bellcrank",), ("arb_rocker",)),
    "bar link bar": ProgramNames(("UBAR_AttPnt",), (), ("droplink_to_arb",), ("arb_arm",)),
    "bar axis": ProgramNames(("CHAS_PivPnt",), (), (), ("arb_axis",)),
    "wheel centre": ProgramNames((), ("Wheel centre point",), ("wheel_center",), ("wheel center", "wc")),
}
"""names by standard name"""
