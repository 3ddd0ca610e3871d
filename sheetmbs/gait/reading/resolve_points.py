"""Names of points on Segments, Joint centres and Anatomical frames, held against the markers of every trial."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from sheetmbs.gait.reading.read_gait_joints import VERTICAL
from sheetmbs.gait.reading.read_trials import LabelRow, label_key
from sheetmbs.gait.trial.gait_book import CentreRow, FrameRow, JointRow, SegmentRow, Side, Trial
from sheetmbs.gait.trial.marker_synonyms import model_name
from sheetmbs.schema.names import fold, nearest
from sheetmbs.schema.problem_list import ProblemList, place_of, quoted


class KnownPoints:
    """The points that may be named: joint centres, markers by this workbook's names, and markers by their labels.

    They are sought in this order. names: rows of Marker names. report: where a name is missed.
    standing: in space the trials that must have what is no marker of a cluster, for that carries it through the others.
    """

    def __init__(
        self,
        trials: Sequence[Trial],
        centres: Sequence[CentreRow],
        names: Sequence[LabelRow],
        report: ProblemList,
        standing: Sequence[Trial] | None = None,
    ) -> None:
        self._trials = trials
        self._standing = trials if standing is None else standing
        self._report = report
        self._exact = {fold(label): label for trial in trials for label in trial.markers.labels}
        self._of_label = {label_key(row.label): row for row in names if fold(row.model) in self._exact}
        self._centres = {fold(row.name): row.name for row in centres}
        self._told: set[tuple[str, str]] = set()

    def find(self, name: str) -> str | None:
        """The exact name of a point."""
        return self._centres.get(fold(name)) or self._marker(name)

    def _marker(self, name: str) -> str | None:
        """The exact name of a marker: as this workbook calls it, else as the laboratory labels it."""
        exact = self._exact.get(fold(name))
        row = self._of_label.get(label_key(name))
        return exact or (self._exact[fold(row.model)] if row is not None else None)

    def is_near(self, name: str) -> bool:
        """Whether a point has nearly this name."""
        return nearest(name, self._names()) is not None

    def _names(self) -> list[str]:
        labels = (row.label for row in self._of_label.values())
        return [*self._exact.values(), *self._centres.values(), *labels]

    def resolve(self, name: str, cell: str, *, of_cluster: bool = False, above: Collection[str] | None = None) -> str:
        """The exact name of a point that trials have; what is missing is reported, and the name returned as it is.

        above: the joint centres that count, which are made before this cell's; None all.
        """
        centre = self._centres.get(fold(name))
        if centre is not None and (above is None or centre in above):
            return centre
        if centre is not None and self._marker(name) is None:
            problem = "a joint centre is made of markers and of joint centres above it"
            mend = f"name markers, or put the row of {centre} above this one"
            self._report.error("not-above", place_of(cell), quoted(name), problem, mend)
            return centre
        exact = self._marker(name)
        needed = self._trials if of_cluster else self._standing
        if not needed:
            return exact or name
        without = [trial for trial in needed if fold(exact or name) not in map(fold, trial.markers.labels)]
        if (exact is None or without) and (cell, name) not in self._told:
            self._told.add((cell, name))
            # a joint centre is not advised to be made of itself, nor of those below it
            below = set() if above is None else set(self._centres.values()) - set(above)
            names = [each for each in self._names() if fold(each) != fold(name) and each not in below]
            meant = model_name(name)
            synonym = next((each for each in names if meant and model_name(each) == meant), None)
            otherwise = f"did you mean {synonym}?" if synonym else "write which label it is on the sheet Marker names"
            mend = self._report.did_you_mean(name, names, otherwise)
            sheets = ", ".join(quoted(trial.sheets[0]) for trial in without)
            problem = f"no marker or joint centre has this name on {sheets}"
            self._report.error("unknown-marker", place_of(cell), quoted(name), problem, mend)
        return exact or name


def present_segments(
    segments: Sequence[SegmentRow], joints: Sequence[JointRow], points: KnownPoints, sides: Iterable[Side]
) -> tuple[tuple[SegmentRow, ...], tuple[JointRow, ...]]:
    """The segments and joints of the legs that are analysed, without a trunk of which no marker is there.

    What hung on the trunk hangs on nothing then, and its joint is seen against the vertical.
    """
    kept = [row for row in segments if row.side is None or row.side in sides]
    gone = {row.name for row in kept if row.table == "hat" and _is_unseen(row, kept, points)}
    names = {row.name for row in kept} - gone
    rows = tuple(row if row.parent in names else replace(row, parent=None) for row in kept if row.name in names)
    shown = tuple(
        replace(joint, proximal=VERTICAL) if joint.proximal in gone else joint
        for joint in joints
        if joint.distal in names and (joint.proximal in names or joint.proximal in gone or joint.proximal == VERTICAL)
    )
    return rows, shown


def _is_unseen(trunk: SegmentRow, rows: Sequence[SegmentRow], points: KnownPoints) -> bool:
    """Whether a trunk has no marker of its own, and no marker has nearly such a name."""
    ends = {fold(name) for row in rows if row is not trunk for name in (row.proximal, row.distal)}
    own = [name for name in (trunk.proximal, trunk.distal) if fold(name) not in ends]
    return not any(points.find(name) or points.is_near(name) for name in own)


def resolved_segments(segments: Sequence[SegmentRow], points: KnownPoints) -> tuple[SegmentRow, ...]:
    """Segments with exact names of points."""
    return tuple(
        replace(
            row,
            proximal=points.resolve(row.proximal, row.cells["proximal"]),
            distal=points.resolve(row.distal, row.cells["distal"]),
            line=(
                points.resolve(row.line[0], _line_cell(row, 0)),
                points.resolve(row.line[1], _line_cell(row, 1)),
            ),
            markers=tuple(points.resolve(name, row.cells["markers"], of_cluster=True) for name in row.markers),
        )
        for row in segments
    )


def _line_cell(row: SegmentRow, end: int) -> str:
    """Where an end of the line is named: in its own column, else in that of the segment's end."""
    is_own = row.line[end] != (row.distal, row.proximal)[end]
    own, default = ("line_from", "line_to")[end], ("distal", "proximal")[end]
    return row.cells[own if is_own else default]


def needed_centres(
    centres: Sequence[CentreRow], segments: Sequence[SegmentRow], points: KnownPoints
) -> tuple[CentreRow, ...]:
    """The joint centres that segments need, and those of which all markers are there."""
    wanted = {fold(name) for row in segments for name in row.points}
    kept: list[CentreRow] = []
    for row in reversed(centres):
        if fold(row.name) in wanted or all(map(points.find, row.markers)):
            kept.insert(0, row)
            wanted |= set(map(fold, row.markers))
    return tuple(kept)


def resolved_centres(centres: Sequence[CentreRow], points: KnownPoints) -> tuple[CentreRow, ...]:
    """Joint centres with exact names of their markers. One may bear the name of a marker that it is made of."""
    return tuple(
        replace(
            row,
            markers=tuple(
                points.resolve(name, row.cells["markers"], above=[each.name for each in centres[:number]])
                for name in row.markers
            ),
            near=tuple(points.resolve(name, row.cells["near"], above=[]) for name in row.near),
        )
        for number, row in enumerate(centres)
    )


def resolved_frames(frames: Sequence[FrameRow], points: KnownPoints) -> tuple[FrameRow, ...]:
    """Anatomical frames with exact names of points."""
    return tuple(
        replace(
            row,
            origin=points.resolve(row.origin, row.cell),
            ends=(points.resolve(row.ends[0], row.cell), points.resolve(row.ends[1], row.cell)),
            plane=points.resolve(row.plane, row.cell),
        )
        for row in frames
    )
