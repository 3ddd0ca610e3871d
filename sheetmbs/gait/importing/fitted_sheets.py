"""The sheets of a template made to match the markers of a recording.

Templates name markers that not every set has: inner knees, heads of metatarsals, spines. Here each row that a template has and
nobody has changed gets what the set allows, in the order of preference that `_rules` has. A row with contents of the user's
own stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sheetmbs.gait.importing.sheet_rows import PageRows
from sheetmbs.gait.marker_sets.all_sets import MarkerSet, by_plain_form
from sheetmbs.schema.gait_inputs import JOINT_CENTRES, MARKERS, SEGMENTS, SIDES, CentreKind
from sheetmbs.schema.names import fold
from sheetmbs.schema.settings import SETTINGS_SHEET
from sheetmbs.workbook.cells.cells import Book

MIN_CLUSTER = 3
"""markers from which the pose of a segment follows"""
SPINES = "right asis; left asis"
HIPS = ("right asis", "left asis", "right psis", "left psis")
TRUNK_TOPS = (("right acromion", "left acromion"), ("c7", "clavicle"))
"""markers whose middle is the upper end of a trunk"""
Contents = Mapping[str, str]
"""texts by column"""


@dataclass(frozen=True)
class FitRule:
    """A row of a template and what may stand in it. choices: the first whose markers are all there."""

    sheet: str
    row: str
    choices: Sequence[tuple[Sequence[str], Contents]]


@dataclass
class FittedSheets:
    """Contents of cells by sheet, and what was changed, for people. sparse: segments with too few markers for a pose."""

    fillings: dict[str, dict[tuple[int, int], str | float]]
    told: list[str]
    sparse: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class RecordedLabels:
    """Labels of recordings. walks: of each trial that comes, or of the standing one alone: is_static. static: labels of that.

    trials: labels of each trial that the workbook then has.
    """

    walks: Sequence[Sequence[str]]
    is_static: bool
    static: Sequence[str]
    trials: Sequence[Sequence[str]]

    @property
    def labels(self) -> list[str]:
        """Labels that all recordings which are imported have."""
        return _common(self.walks)

    @property
    def everywhere(self) -> list[str]:
        """Labels that all trials of the workbook will have."""
        return _common([self.labels, *self.trials])


def _common(trials: Sequence[Sequence[str]]) -> list[str]:
    sets = [set(map(fold, each)) for each in trials if each]
    return [label for label in trials[0] if all(fold(label) in each for each in sets)] if sets else []


def labels_of_trials(book: Book, replaced: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Labels by trial, from the headers of sheets Markers. replaced: sheets that do not count."""
    found = {}
    for name, cells in book.sheets.items():
        if name in replaced or not fold(name).startswith(f"{fold(MARKERS.name)} "):
            continue
        heads = [str(cell.value) for cell in cells.rows.get(1, {}).values()]
        labels = dict.fromkeys(head.rpartition(".")[0] for head in heads if "." in head)
        found[name[len(MARKERS.name) + 1 :].strip()] = tuple(labels)
    return found


def fitted_sheets(
    book: Book, recorded: RecordedLabels, names: Mapping[str, str], found: MarkerSet | None
) -> FittedSheets:
    """The cells of Joint centres and Segments that change.

    names: labels by the names of markers in templates. found: the set of these markers. In the plane a point must be there in
    the walk; in space the standing trial may have it alone.
    """
    in_space = _is_in_space(book)
    done = FittedSheets({}, [])
    if recorded.is_static and not in_space:
        return done
    seen = {fold(label) for label in (*recorded.labels, *(recorded.static if in_space else ()))}
    there = seen | {fold(name) for name, label in names.items() if fold(label) in seen}
    if in_space and found is not None:
        there |= set(map(fold, found.names(by_plain_form(recorded.static))))
    pages: dict[str, PageRows] = {}
    for sheet in (JOINT_CENTRES.name, SEGMENTS.name):
        cells = book.find_sheet(sheet)
        if cells is not None:
            pages[sheet] = PageRows(cells)
    if len(pages) < 2:
        return done
    if not in_space:
        _add_shoulder(pages[JOINT_CENTRES.name], there, done)
    for rule in (*_rules(found), *_clusters(recorded.everywhere, found)):
        _apply(pages[rule.sheet], rule, there, done)
    done.fillings = {page.cells.name: page.filling for page in pages.values() if page.filling}
    if in_space and found is not None:
        done.sparse = list(_sparse(pages[SEGMENTS.name], recorded.everywhere, found))
    return done


def _is_in_space(book: Book) -> bool:
    settings = book.find_sheet(SETTINGS_SHEET.name)
    if settings is None:
        return False
    page = PageRows(settings)
    row = page.row_of("dimension", "setting")
    return row is not None and fold(page.text(row, "value")) == fold("3D")


def _apply(page: PageRows, rule: FitRule, there: set[str], done: FittedSheets) -> None:
    row = page.row_of(rule.row, "name")
    chosen = next((text for needed, text in rule.choices if all(fold(each) in there for each in needed)), None)
    if row is None or chosen is None:
        return
    here = {column: page.text(row, column) for column in chosen}
    known = [{column: fold(text) for column, text in contents.items()} for _needed, contents in rule.choices]
    if {column: fold(text) for column, text in here.items()} not in known or here == chosen:
        return
    for column, text in chosen.items():
        if fold(here[column]) != fold(text):
            page.write(row, column, text)
            done.told.append(f"{rule.row}: {column} = {text}")


def _rules(found: MarkerSet | None) -> Iterator[FitRule]:
    is_centre = found is not None and "hip" in found.centres
    for side in SIDES:
        hip = ([f"{side} hip"], {"kind": CentreKind.MARKER, "markers": f"{side} hip"})
        regressions = [
            (HIPS, {"kind": CentreKind.HARRINGTON, "markers": "; ".join(HIPS)}),
            (("right asis", "left asis", "sacrum"), {"kind": CentreKind.HARRINGTON, "markers": f"{SPINES}; sacrum"}),
        ]
        yield FitRule(
            JOINT_CENTRES.name, f"{side} hip centre", [hip, *regressions] if is_centre else [*regressions, hip]
        )
        for joint in ("knee", "ankle"):
            outer, inner = f"{side} {joint}", f"{side} {joint} medial"
            both = {"kind": CentreKind.MEAN, "markers": f"{outer}; {inner}"}
            alone = {"kind": CentreKind.MEAN, "markers": outer}
            yield FitRule(JOINT_CENTRES.name, f"{side} {joint} centre", [((outer, inner), both), ((outer,), alone)])
        outer, inner, toe = f"{side} mt5", f"{side} mt1", f"{side} toe"
        yield FitRule(
            SEGMENTS.name,
            f"{side} foot",
            [((each,), {"distal": each, "line_from": each}) for each in (outer, toe)],
        )
        yield FitRule(
            JOINT_CENTRES.name,
            f"{side} forefoot",
            [
                ((outer, inner), {"markers": f"{outer}; {inner}"}),
                ((outer,), {"markers": outer}),
                ((toe,), {"markers": toe}),
            ],
        )
    yield FitRule(
        JOINT_CENTRES.name,
        "back",
        [(HIPS[2:], {"markers": "; ".join(HIPS[2:])}), (("sacrum",), {"markers": "sacrum"})],
    )
    yield FitRule(
        JOINT_CENTRES.name,
        "shoulder middle",
        [*((needed, {"markers": "; ".join(needed)}) for needed in TRUNK_TOPS), (HIPS[:2], {"markers": SPINES})],
    )


def _add_shoulder(page: PageRows, there: set[str], done: FittedSheets) -> None:
    """In the plane the upper end of the trunk, where no marker has that name; a template in space has its own row."""
    top = next((needed for needed in TRUNK_TOPS if all(fold(each) in there for each in needed)), None)
    is_there = fold("shoulder") in there or page.row_of("shoulder", "name") is not None
    if is_there or top is None or page.row_of("right hip centre", "name") is None:
        return
    row = page.add()
    for column, text in (("name", "shoulder"), ("kind", CentreKind.MEAN), ("markers", "; ".join(top))):
        page.write(row, column, text)
    done.told.append(f"shoulder: markers = {'; '.join(top)}")


def _clusters(labels: Sequence[str], found: MarkerSet | None) -> Iterator[FitRule]:
    """The markers on each segment, by their labels."""
    plain = by_plain_form(labels)
    if found is None:
        return
    for segment, side, usual in _usual_clusters():
        cluster = found.cluster(segment, side, plain)
        if len(cluster) >= MIN_CLUSTER:
            name = f"{side} {segment}".strip()
            own: tuple[tuple[str, ...], Contents] = ((), {"markers": "; ".join(cluster)})
            yield FitRule(SEGMENTS.name, name, [own, ((), {"markers": "; ".join(usual)})])


def _sparse(page: PageRows, labels: Sequence[str], found: MarkerSet) -> Iterator[str]:
    """Thighs and shanks with rows of the template's on which the set has no three markers."""
    plain = by_plain_form(labels)
    for segment, side, usual in _usual_clusters():
        row = page.row_of(f"{side} {segment}", "name")
        is_usual = row is not None and fold(page.text(row, "markers")) == fold("; ".join(usual))
        if side and segment != "foot" and is_usual and len(found.cluster(segment, side, plain)) < MIN_CLUSTER:
            yield f"{side} {segment}"


def _usual_clusters() -> Iterator[tuple[str, str, list[str]]]:
    """What the template in space has on each segment: its name, its side, markers."""
    for side in SIDES:
        for segment in ("thigh", "shank"):
            yield segment, side, [f"{side} {segment} {number}" for number in (1, 2, 3, 4)]
        yield "foot", side, [f"{side} {each}" for each in ("heel", "mt5", "mt1", "toe")]
    yield "trunk", "", list(HIPS)
