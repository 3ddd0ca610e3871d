"""Input sheets of gait under names that we do not know, such as those of another language: what stands on them tells."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from sheetmbs.gait.reading.read_trials import trial_sheets
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema import gait_inputs as inputs
from sheetmbs.schema.column import Sheet, SheetLayout
from sheetmbs.schema.input_columns import CHARTS
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.settings import SETTINGS_BY_FOLD, SETTINGS_SHEET
from sheetmbs.workbook.cells.cells import Book, CellSheet
from sheetmbs.workbook.reading.fields import headers
from sheetmbs.workbook.reading.input_sheets import misnamed_sheets
from sheetmbs.workbook.reading.input_table import InputTable

SETTINGS = {
    inputs.SUBJECT.name: {fold(rule.name) for rule in inputs.SUBJECT_SETTINGS},
    inputs.PROCESSING.name: {fold(rule.name) for rule in inputs.PROCESSING_SETTINGS},
    SETTINGS_SHEET.name: set(SETTINGS_BY_FOLD),
}
"""sheets with a setting per row -> the settings, folded"""
SAMPLED = {inputs.FORCE_PLATES.name: (".fx", ".fy", ".fz"), inputs.MARKERS.name: (".x", ".y", ".z")}
"""sheets of samples -> how the headers of their columns end"""
MIN_SETTINGS, MIN_SAMPLED = 2, 3
"""rows or columns that must be known for a sheet to be one under another name"""
NEEDED = (inputs.SUBJECT.name, inputs.SEGMENTS.name, inputs.MARKERS.name)
"""sheets that every workbook has"""
LOCAL_NAMES = frozenset(
    (
        *("proband", "patient", "versuchsperson", "person", "verarbeitung", "auswertung", "segmente", "gelenke"),
        *("gelenkzentren", "ereignisse", "platten", "kraftmessplatten", "markernamen", "marker namen", "normwerte"),
        *("einstellungen", "marker", "trajektorien", "sujet", "traitement", "évènements", "événements", "evenements"),
        *("articulations", "plateformes", "marqueurs", "réglages", "sujeto", "paciente", "segmentos", "eventos"),
        *("articulaciones", "plataformas", "marcadores", "ajustes", "soggetto", "paziente", "segmenti", "eventi"),
        *("articolazioni", "piattaforme", "marcatori", "impostazioni"),
    )
)
"""folded names, in other languages, of sheets that may be input sheets"""


def misnamed_tabs(
    book: Book, tabs: Mapping[str, str], of_trials: Collection[str], report: ProblemList
) -> dict[str, str]:
    """Sheets with the contents of an input sheet that is missing, by its name. Each is reported as an error.

    All sheets are looked at where one is missing that every workbook needs, else only those with such a name in another
    language. tabs: names of sheets by those in the format. of_trials: the sheets of all trials.
    """
    there = {*tabs, *(each for each in SAMPLED if trial_sheets(book.sheets, each))}
    has_all = there.issuperset(NEEDED)
    others = [
        name
        for name in book.sheets
        if name not in tabs.values() and name not in of_trials and (not has_all or fold(name) in LOCAL_NAMES)
    ]
    found: dict[str, str] = {}
    for name in others:
        meant = _meant(book, name, {*SETTINGS, *SAMPLED} - there - found.keys())
        if meant:
            found[meant] = name
            what, problem = (
                f"the sheet {quoted(name)}",
                f"what stands on it belongs on {meant}, which the workbook lacks",
            )
            report.error("misnamed-sheet", Place(name), what, problem, f"rename {name} to {meant}")
    # what every workbook needs comes first: few headers may fit other sheets as well
    for is_needed in (True, False):
        missing = [each for each in _tables() if each.name not in tabs and (each.name in NEEDED) is is_needed]
        rest = [name for name in others if name not in found.values()]
        found |= misnamed_sheets(book, rest, missing, report)
    report.withdraw({("near-miss-sheet", name) for name in found.values()})
    return found


def _tables() -> Iterator[Sheet]:
    """Input sheets that their headers tell."""
    for each in (*inputs.GAIT_SHEETS, CHARTS):
        if each.layout is SheetLayout.TABLE and each.name not in {*SETTINGS, *SAMPLED}:
            yield each


def _meant(book: Book, name: str, missing: Collection[str]) -> str:
    """The sheet of settings or of samples, of those that are missing, whose contents a sheet has; "" for none."""
    try:
        cells = book.sheets[name]
        texts = [fold(header.text) for header in headers(cells, ProblemList(()))]
        settings = _settings(cells) if "setting" in texts else []
    except WorkbookError:
        return ""
    known = {each: sum(setting in SETTINGS[each] for setting in settings) for each in SETTINGS if each in missing}
    best = max(known, key=lambda each: known[each], default="")
    if best and known[best] >= MIN_SETTINGS:
        return best
    if not {"time", "frame"} & {text.partition(" ")[0] for text in texts[:2]}:
        return ""
    ends = {each: sum(text.partition(" ")[0].endswith(SAMPLED[each]) for text in texts) for each in SAMPLED}
    return next((each for each in SAMPLED if each in missing and ends[each] >= MIN_SAMPLED), "")


def _settings(cells: CellSheet) -> list[str]:
    """The settings in the rows of a sheet, folded."""
    table = InputTable(inputs.SUBJECT, cells, ProblemList(()), "3D")
    return [fold(record.text("setting")) for record in table.records()]
