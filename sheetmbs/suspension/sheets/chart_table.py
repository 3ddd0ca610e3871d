"""What the sheet of charts shows, page by page."""

from __future__ import annotations

from dataclasses import dataclass, field

from sheetmbs.schema.suspension_inputs import SpringKind

TOE = (-0.2, 0.2)
ARM_LIMITS, ROLL_CENTRE_LIMITS = (-20_000.0, 20_000.0), (-500.0, 500.0)
"""mm: swing arms and roll centres beyond are as good as infinitely far"""


@dataclass(frozen=True)
class Drawn:
    """What a chart draws. metrics: columns of wheels and of the axle, with what they are called where there are several.

    Later ones are thinner. elements: kinds of springs whose force or torque is drawn too.
    """

    metrics: tuple[tuple[str, str], ...]
    elements: tuple[str, ...] = ()


@dataclass(frozen=True)
class ChartSpec:
    """A chart. title; quantity: what its axis upward says. over: a metric across in place of what is swept, and its words.

    reach: what the axis covers at least, within: at most. is_path: it shows a way, on the same scale across and upward.
    has_steps: its lines may have steps, where a stop engages. is_fine: small changes are worth looking at.
    """

    title: str
    quantity: str
    drawn: Drawn
    over: tuple[str, str] | None = None
    reach: tuple[float, ...] = ()
    within: tuple[float, float] = (-float("inf"), float("inf"))
    is_path: bool = False
    has_steps: bool = False
    is_fine: bool = False


@dataclass(frozen=True)
class ChartPage:
    """Charts over sweeps of a type. only_steered: of steered axles."""

    title: str
    sweep: str
    charts: tuple[ChartSpec, ...] = field(default=())
    only_steered: bool = False


def _one(title: str, metric: str, **more: object) -> ChartSpec:
    return ChartSpec(title, title[0].lower() + title[1:], Drawn(((metric, ""),)), **more)  # type: ignore[arg-type]


CHART_PAGES: tuple[ChartPage, ...] = (
    ChartPage(
        "Heave",
        "heave",
        (
            _one("Camber", "camber"),
            _one("Toe", "toe", reach=TOE),
            ChartSpec(
                "Caster and kingpin inclination", "angle", Drawn((("caster", "caster"), ("kpi", "kingpin inclination")))
            ),
            ChartSpec(
                "Track and wheelbase change",
                "change",
                Drawn((("track_change", "track"), ("wheelbase_left_change", "wheelbase left"))),
            ),
            ChartSpec(
                "Roll centre height",
                "height above the road",
                Drawn((("roll_centre_height", "kinematic"), ("roll_centre_height_geometric", "geometric"))),
                within=ROLL_CENTRE_LIMITS,
            ),
            ChartSpec(
                "Motion ratio",
                "spring per wheel",
                Drawn((("motion_ratio", "spring"), ("damper_motion_ratio", "damper"))),
            ),
        ),
    ),
    ChartPage(
        "Rates",
        "heave",
        (
            ChartSpec(
                "Wheel rate",
                "rate",
                Drawn((("wheel_rate", "total"), ("wheel_rate_spring", "k MR²"), ("wheel_rate_preload", "F dMR/dz"))),
                reach=(0.0,),
                has_steps=True,
            ),
            _one("Ride rate", "ride_rate", reach=(0.0,), has_steps=True),
            ChartSpec(
                "Forces of springs",
                "compression",
                Drawn((), (SpringKind.SPRING, SpringKind.BUMP_STOP, SpringKind.DROOP_STOP, SpringKind.THIRD_SPRING)),
            ),
            ChartSpec("Bar ratio", "bar angle per travel", Drawn((("bar_motion_ratio", ""),))),
            ChartSpec(
                "Anti effects",
                "share of the full effect",
                Drawn(
                    (
                        ("anti_dive", "dive"),
                        ("anti_squat", "squat"),
                        ("anti_lift", "lift"),
                        ("anti_lift_drive", "lift in drive"),
                    )
                ),
            ),
            ChartSpec(
                "Swing arms",
                "length",
                Drawn((("fvsa", "front view"), ("svsa", "side view"))),
                reach=(0.0,),
                within=ARM_LIMITS,
            ),
        ),
    ),
    ChartPage(
        "Roll",
        "roll",
        (
            _one("Inclination to the road", "inclination"),
            _one("Toe", "toe", reach=TOE),
            ChartSpec(
                "Path of the roll centre",
                "height above the road",
                Drawn((("roll_centre_height", ""),)),
                over=("roll_centre_lateral", "lateral, + left"),
                within=ROLL_CENTRE_LIMITS,
            ),
            ChartSpec(
                "Roll moment",
                "moment",
                Drawn((("roll_moment", "total"), ("roll_moment_springs", "springs"), ("roll_moment_bar", "bars"))),
            ),
            ChartSpec("Wheel travel", "travel, + bump", Drawn((("wheel_z", ""),))),
            ChartSpec(
                "Jacking", "force up per side force", Drawn((("jacking_left", "left"), ("jacking_right", "right")))
            ),
        ),
    ),
    ChartPage(
        "Steer",
        "steer",
        (
            _one("Steer angle", "steer"),
            ChartSpec(
                "Ackermann error", "ideal less actual inner angle", Drawn((("ackermann_error", ""),)), reach=(-0.2, 0.2)
            ),
            ChartSpec("Camber over steer", "camber", Drawn((("camber", ""),)), over=("steer", "steer, + left")),
            ChartSpec(
                "Kingpin offset and trail",
                "length",
                Drawn((("kingpin_offset", "kingpin offset"), ("mechanical_trail", "mechanical trail"))),
            ),
            _one("Turn radius", "turn_radius", reach=(0.0,), within=(0.0, 50_000.0)),
            _one("Rack force", "steering_force"),
        ),
        only_steered=True,
    ),
    ChartPage(
        "Contact path",
        "heave",
        (
            ChartSpec(
                "Front view of the contact",
                "up",
                Drawn((("contact_z", "contact"),)),
                over=("contact_y", "outboard"),
                is_path=True,
            ),
            ChartSpec(
                "Front view of the wheel centre",
                "up",
                Drawn((("wheel_z", "wheel centre"),)),
                over=("wheel_y", "outboard"),
                is_path=True,
            ),
            ChartSpec(
                "Top view of the contact",
                "forward",
                Drawn((("contact_x", "contact"),)),
                over=("contact_y", "outboard"),
                is_path=True,
            ),
        ),
    ),
    *(
        ChartPage(
            "Compliance",
            sweep,
            (
                _one("Toe", "toe", is_fine=True),
                _one("Camber", "camber", is_fine=True),
                ChartSpec("Displacement of the contact", words, Drawn(((moved, ""),)), is_fine=True),
            ),
        )
        for sweep, moved, words in (
            ("lateral force", "contact_y", "outboard"),
            ("longitudinal force", "wheel_x", "wheel centre, forward"),
            ("aligning torque", "contact_y", "outboard"),
        )
    ),
)
