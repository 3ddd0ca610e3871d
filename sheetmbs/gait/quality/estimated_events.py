"""Events that are estimated from markers: how far they lie from plates and from each other, and toe offs that are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheetmbs.gait.quality.checked_trials import setting_place
from sheetmbs.gait.quality.plausible_strides import has_flight
from sheetmbs.gait.trial.gait_book import GaitBook
from sheetmbs.gait.trial.trial_courses import GaitEvent, TrialCourses
from sheetmbs.schema.problem_list import ProblemList, place_of

USUAL = {"heel strike": (-0.130, 0.020), "toe off": (-0.060, 0.070)}
"""s of motion - plate that walking and running have"""
MAX_APART = 0.040
"""s between the two methods of estimates, beyond which one of them must be wrong"""


def check_event_offsets(
    offsets: Mapping[str, float], trials: Sequence[TrialCourses], book: GaitBook, report: ProblemList
) -> None:
    """A warning for each kind whose offset is no way of walking; of running nobody knows. offsets: motion - plate in s."""
    if any(has_flight(each, book) for each in trials):
        return
    for kind, offset in offsets.items():
        low, high = USUAL[kind]
        if not low <= offset <= high:
            found = f"{kind}s: plates and markers are {1e3 * abs(offset):.0f} ms apart"
            problem = f"estimates from markers lie {1e3 * low:+.0f} to {1e3 * high:+.0f} ms from the force"
            mend = "look at force_delay, axis_forward and the names of heels and toes; or write event_offset none"
            place = setting_place(book, "event_offset" if "event_offset" in book.processing.places else "force_delay")
            report.warning("event-offset", place, found, problem, mend)


def _beside(courses: TrialCourses, kind: str) -> list[GaitEvent]:
    """Estimates of a kind beside which the other method stands."""
    return [each for each in courses.events if each.kind == kind and each.is_estimated and each.other is not None]


def check_estimates(courses: TrialCourses, sheet: str, report: ProblemList) -> None:
    """A warning where the two methods of estimates differ, and where toes never leave the ground. sheet: of the markers."""
    if report.has_errors or report.found({"no-load", "weak-forces"}):
        return
    for kind in USUAL:
        apart = {each: abs(each.other - each.time) for each in _beside(courses, kind) if each.other is not None}
        far = {each: away for each, away in apart.items() if away > MAX_APART}
        if far:
            frames = ", ".join(f"{each.side} {each.time:.3f} s (frame {each.frame})" for each in far)
            found = f"{sheet}: {kind} {frames}"
            them, most = "it" if len(far) == 1 else "them", 1e3 * max(far.values())
            problem = f"the other method of estimates has {them} up to {most:.0f} ms away"
            mend = "look at the film and write them on a sheet Events, or choose kinematic or speed for events"
            report.warning("methods-apart", place_of(sheet), found, problem, mend)
    for side in dict.fromkeys(side for side, _ in courses.dragged):
        times = [f"{time:.3f}" for each, time in courses.dragged if each == side]
        found = f"no toe off of the {side} foot near {', '.join(times)} s"
        problem = "its toes do not rise by 10 mm after it, so that they drag on the ground and no toe off is estimated"
        mend = "write the toe offs on a sheet Events where the foot is unloaded, if stance and swing are wanted"
        report.warning("no-toe-off", place_of(sheet), found, problem, mend)
