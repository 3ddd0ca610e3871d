"""Runs of mechanisms: one case or all of them, and what people, programs and pages get of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sheetmbs.measured.with_measured import in_words
from sheetmbs.mechanism.measured_run import MeasuredRun
from sheetmbs.mechanism.run_model import analysis_name, in_case, run_model, run_models
from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.problems.listing import counted
from sheetmbs.products.product import (
    FAILURE,
    SUCCESS,
    Json,
    PreparedRun,
    ProductRun,
    Progress,
    RunReport,
    RunRequest,
    SheetsRun,
    Status,
)
from sheetmbs.results.case_results import CaseResults
from sheetmbs.results.results import Results
from sheetmbs.schema.settings import STATIC_ANALYSES
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.reading.cases import deduplicate
from sheetmbs.workbook.reading.read_workbook import CaseModels, build_each_case, list_cases, with_remarks


def read_case_models(
    book: Book, analysis: str | None = None, report_step: float | None = None, since: float | None = None
) -> CaseModels:
    """The models of all cases that can be read. analysis, report_step: of all, in place of their own.

    Raises WorkbookError where there are no cases, or none of them can be read.
    """
    found = build_each_case(book, None if analysis is None else analysis_name(analysis), report_step)
    if not found.models:
        raise WorkbookError(deduplicate(found.refused))
    models = {name: with_remarks(model, book) for name, model in found.models.items()}
    return replace(found, models=models, began=since)


class PreparedModel(PreparedRun):
    """A model that was read. Further files of the request are checked. Raises WorkbookError where these cannot be."""

    def __init__(self, model: Model, request: RunRequest, measured: MeasuredRun) -> None:
        told = measured.check(model, is_alone=True)
        self._model = replace(model, warnings=(*model.warnings, *told))
        self._measured = measured
        self._since = request.since
        if request.also:
            from sheetmbs.results.export import check_exportable

            for path in request.also:
                check_exportable(path)
        if request.report is not None:
            from sheetmbs.results.text.report_file import check_report

            check_report(model, request.report)

    @property
    def warnings(self) -> Sequence[Problem]:
        """Findings that do not prevent the analysis."""
        return self._model.warnings

    def solve(self, progress: Progress | None = None) -> ProductRun:
        """Analyse the model that was read."""
        return ModelRun(run_model(self._model, progress=progress, since=self._since, measured=self._measured))


class PreparedCases(PreparedRun):
    """The models of all cases."""

    def __init__(self, models: CaseModels, book: Book, measured: MeasuredRun) -> None:
        self._models = models
        self._measured = measured
        for model in models.models.values():
            measured.check(model)
        self._default = next((each.name for each in list_cases(book) if each.is_default), None)

    @property
    def warnings(self) -> Sequence[Problem]:
        """Findings in the models that can be analysed."""
        return [problem for model in self._models.models.values() for problem in model.warnings]

    def solve(self, progress: Progress | None = None) -> ProductRun:
        """Analyse all models. A case that fails stops no other. Raises WorkbookError where none can be analysed."""
        return CasesRun(run_models(self._models, progress=progress, measured=self._measured), self._default)


@dataclass
class ModelRun(SheetsRun):
    """A model that was analysed."""

    results: Results

    @property
    def one_line_summary(self) -> str:
        """The analysis, and how its accuracy was judged."""
        settings = self.results.model.settings
        what = f"case {settings.case}, {settings.analysis}" if settings.case else settings.analysis
        if self.status == "failed":
            return f"{what}: the analysis failed; what was computed until then is shown"
        return f"{what}: accuracy check {self.results.summary['accuracy check']}"

    @property
    def has_motion(self) -> bool:
        """False for an analysis that failed at once."""
        return self.status == "done" or len(self.results.solution.times) > 1

    def document(self, case: str | None = None) -> Json:
        """The document of its page."""
        from sheetmbs.viewing.page_document import page_document

        return page_document(self.results, case=case)

    def further_files(self, request: RunRequest) -> Sequence[tuple[Callable[[Path], Path], Path]]:
        """Tables of all rows, and the text report."""
        reports = [] if request.report is None else [(self.results.report, request.report)]
        return [*((self.results.export, path) for path in request.also), *reports]

    def report(self, book: Path, files: Mapping[str, str], seconds: float) -> RunReport:
        """How the analysis ended, and the first items of its summary."""
        name = f"{book}{in_case(self.results.model)}"
        if self.status == "failed":
            what = f"{name}: the analysis failed; what was computed until then is in {files['results']}."
            sentences = [(what, FAILURE)]
        else:
            sentences = [(f"{name}: done.", SUCCESS)]
        lines = [*summary_lines(self.results, seconds), *files.items()]
        return RunReport(sentences, lines=lines, closing=in_words(self.results.measured))


@dataclass
class CasesRun(ProductRun):
    """All cases of a workbook that were analysed. default: the one that a plain run analyses, None where there is none."""

    results: CaseResults
    default: str | None

    @property
    def refused(self) -> bool:  # type: ignore[override]
        """Whether the models of some cases could not be read."""
        return bool(self.results.refused)

    @property
    def status(self) -> Status:
        """``failed`` where a case failed or could not be analysed."""
        return self.results.status

    @property
    def problems(self) -> Sequence[Problem]:
        """Problems of all cases, then those of some cases with their names."""
        return self.results.problems

    @property
    def one_line_summary(self) -> str:
        """How many cases were analysed."""
        return f"{len(self.results)} of {len(self.results.names)} cases analysed"

    def document(self, case: str | None = None) -> Json:
        """The document of a page with a tab for each case."""
        from sheetmbs.viewing.page_document import page_document

        return page_document(self.results, case=self.default if case is None else case)

    def items(self) -> Mapping[str, object]:
        """The summary of each case."""
        return {
            "cases": {
                name: {"status": "error"}
                if name in self.results.refused
                else {
                    "status": self.results[name].status,
                    "summary": self.results[name].summary,
                    "units": {item: unit for item, _value, unit in self.results[name].sheets.summary if unit},
                }
                for name in self.results.names
            }
        }

    def report(self, book: Path, files: Mapping[str, str], seconds: float) -> RunReport:  # noqa: ARG002 - the interface
        """How the analysis of each case ended."""
        sentences = []
        for name in self.results.names:
            if name in self.results.refused:
                what = f"{book}, case {name}: {counted(self.results.refused[name])}; it was not analysed."
                sentences.append((what, FAILURE))
            elif self.results[name].status == "failed":
                what = f"{book}, case {name}: the analysis failed; what was computed until then is kept."
                sentences.append((what, FAILURE))
            else:
                items = self.results[name].summary
                what = f"{items['analysis']} done; accuracy check: {items['accuracy check']}"
                sentences.append((f"{book}, case {name}: {what}.", SUCCESS))
        told = in_words(self.results.measured)
        return RunReport(sentences, closing=[*told, f"The results are in {files['results']}."])


def summary_lines(results: Results, writing: float) -> list[tuple[str, str]]:
    """What a person wants to see first of `mbs Summary`, as (label, text). writing: seconds spent on the workbook."""
    items, settings = results.summary, results.model.settings
    redundant = items["redundant constraints"]
    lines = [
        ("analysis", f"{items['analysis']}, {_when(results)}"),
        ("degrees of freedom", f"{items['degrees of freedom']}"),
        ("redundant constraints", "none" if redundant == 0 else f"{redundant}"),
    ]
    position, velocity = items["position violation"], items["velocity violation"]
    if settings.case:
        lines.insert(0, ("case", settings.case))
    if position is not None:
        lines.append(("worst violation", f"{position:.2g} in positions, {velocity:.2g} in velocities"))
    if items["energy drift"] is not None:
        lines.append(("energy drift", f"{items['energy drift']:.2g} J"))
    lines.append(("accuracy check", f"{items['accuracy check']}"))
    shares = [f"{_seconds(results, 'solve time'):.2f} s solving", f"{writing:.2f} s writing"]
    return [*lines, ("time", f"{', '.join(shares)}, {_seconds(results, 'wall time') + writing:.2f} s in all")]


def _when(results: Results) -> str:
    settings = results.model.settings
    if settings.analysis in STATIC_ANALYSES:
        return f"at {settings.t_start:g} s"
    return f"from {settings.t_start:g} s to {settings.t_end:g} s"


def _seconds(results: Results, item: str) -> float:
    return float(results.summary[item] or 0.0)
