"""The results of an analysis, as data frames and as sheets."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Literal

import numpy as np

from sheetmbs.model.named import unknown_name
from sheetmbs.results.columns.collect import written
from sheetmbs.schema.names import fold
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets, SummaryValue
from sheetmbs.workbook.writing.write import check_writable, write_results

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from pathlib import Path

    import pandas as pd

    from sheetmbs.analysis.solution import Solution
    from sheetmbs.lower import Lowered
    from sheetmbs.measured.residuals import Residuals
    from sheetmbs.model.model import Model
    from sheetmbs.problems.errors import Problem
    from sheetmbs.results.pictures.drawing import Figure
    from sheetmbs.workbook.sheets.sheet_contents import MovingPicture


class Writable:
    """Results that can be written into the workbook they came from."""

    def save(self, path: str | PathLike[str] | None = None, *, backup: bool = False) -> Path:
        """Write the results into the workbook they came from, or into a copy of it.

        Parameters
        ----------
        path
            Where to write a copy of the workbook with the results; default: into the workbook itself.
        backup
            Whether to keep the workbook as it was before as ``BOOK.xlsx.bak``.

        Returns
        -------
        Path
            The file written. If the workbook is open in another program, or was changed since it was read, that is
            ``BOOK-results.xlsx`` beside it, and a Python warning says why.

        Raises
        ------
        WorkbookError
            If the file cannot be written; every file is then as it was.

        Warns
        -----
        UserWarning
            For formulas and charts of the user's that refer to results which are no longer there.
        """
        check_writable(self._source, path)
        told: list[Problem] = []
        written = self.save_somewhere(path, backup=backup, tell=told.append)
        for problem in told:
            warnings.warn(str(problem), stacklevel=2)
        return written

    def save_somewhere(
        self, path: str | PathLike[str] | None, *, backup: bool, tell: Callable[[Problem], None]
    ) -> Path:
        """Write as `save` does, to a place that could be written before the analysis; whatever happened to it since.

        Parameters
        ----------
        path
            As in `save`.
        backup
            As in `save`.
        tell
            A function that is called with a problem if the results had to go to another file, and for each reference that
            lost its results.

        Returns
        -------
        Path
            The file written.
        """
        return write_results(self._source, path, self._written(), content=self._content, backup=backup, tell=tell)

    @property
    def _source(self) -> Path:
        """The workbook."""
        raise NotImplementedError

    @property
    def _content(self) -> bytes | None:
        """Its bytes as it was read, if they may have changed since."""
        raise NotImplementedError

    def _written(self) -> ResultSheets:
        """What is to stand on the result sheets."""
        raise NotImplementedError


class ResultsOfBook(Writable):
    """Results that know the workbook they came from. path: its file. content: its bytes as it was read."""

    path: Path
    content: bytes

    @property
    def _source(self) -> Path:
        return self.path

    @property
    def _content(self) -> bytes:
        return self.content


class SheetsByName:
    """Results of which each result sheet is a pandas frame, by its name."""

    sheets: ResultSheets

    def __getitem__(self, sheet: str) -> pd.DataFrame:
        """A result sheet as a pandas frame, by its name with or without ``mbs``: ``results["mbs Bodies"]``, ``["bodies"]``.

        Raises
        ------
        KeyError
            If there is no such sheet. Its message lists those that there are.
        """
        tables = {table.name: table for table in (*self.sheets.tables, *self.sheets.frames)}
        found = [
            table for name, table in tables.items() if fold(sheet) in (fold(name), fold(name).removeprefix("mbs "))
        ]
        if not found:
            raise KeyError(unknown_name(sheet, [name.removeprefix("mbs ") for name in tables]))
        return found[0].frame()

    @property
    def sheet_names(self) -> tuple[str, ...]:
        """Names of the result sheets that are tables of numbers."""
        return tuple(table.name for table in self.sheets.tables)

    def _repr_html_(self) -> str:
        """What a notebook shows: the summary line, and the names of sheets."""
        names = "".join(f"<li>{escape(name)}</li>" for name in self.sheet_names)
        return f"<p>{escape(repr(self))}</p><ul>{names}</ul>"


@dataclass(frozen=True, kw_only=True, repr=False)
class PagedResults(SheetsByName, ResultsOfBook):
    """Results whose sheets are laid out once, where they are found."""

    sheets: ResultSheets
    path: Path
    content: bytes = field(repr=False)
    measured: tuple[Residuals, ...] = field(default=(), repr=False)

    @property
    def status(self) -> Literal["done", "failed"]:
        """``done`` unless a subclass knows better: what cannot be found out raises an error."""
        return "done"

    def _written(self) -> ResultSheets:
        return self.sheets


@dataclass(frozen=True, repr=False)
class Results(SheetsByName, Writable):
    """Results of an analysis. Every result sheet is a pandas frame whose ``attrs["units"]`` are the units of its columns."""

    model: Model
    """what was analysed"""
    status: Literal["done", "failed"]
    """``failed`` if the analysis could not be completed; the frames then hold what was computed until then"""
    sheets: ResultSheets
    """everything that the result sheets show; ``sheets.problems`` are warnings and reasons of a failure"""
    lowered: Lowered = field(repr=False)
    """the model as arrays, from which the results were computed"""
    solution: Solution = field(repr=False)
    """the motion in the solver's coordinates"""
    measured: tuple[Residuals, ...] = field(default=(), repr=False)
    """what was measured, beside what was computed there"""

    def __repr__(self) -> str:
        """How the analysis ended, in a few words."""
        settings, solution = self.model.settings, self.solution
        what = f"case {settings.case}, {settings.analysis}" if settings.case else settings.analysis
        title = settings.title or (self.model.source.stem if self.model.source else "")
        check = "failed" if self.status == "failed" else f"accuracy check {self.summary['accuracy check']}"
        return f"<Results {title}: {what}, {len(solution.times)} rows, {len(self.model.bodies)} bodies, {check}>"

    def _frame(self, sheet: str) -> pd.DataFrame:
        found = [table for table in self.sheets.tables if table.name == sheet]
        return (found[0] if found else Table(sheet, (), (), np.zeros((0, 0)))).frame()

    @property
    def summary(self) -> dict[str, SummaryValue]:
        """The items of `mbs Summary` and their values."""
        return {item: value for item, value, _unit in self.sheets.summary}

    @cached_property
    def bodies(self) -> pd.DataFrame:
        """Positions, angles, velocities and accelerations of the bodies over ``time``."""
        return self._frame("mbs Bodies")

    @cached_property
    def points(self) -> pd.DataFrame:
        """Positions, velocities and accelerations of the points with ``report`` = yes."""
        return self._frame("mbs Points")

    @cached_property
    def joints(self) -> pd.DataFrame:
        """Reactions on both bodies of each joint, and the joints' own coordinates."""
        return self._frame("mbs Joints")

    @cached_property
    def drivers(self) -> pd.DataFrame:
        """Forces, moments and powers of drivers and guiding constraints."""
        return self._frame("mbs Drivers")

    @cached_property
    def springs(self) -> pd.DataFrame:
        """Lengths, rates and forces of the springs."""
        return self._frame("mbs Springs")

    @cached_property
    def clearances(self) -> pd.DataFrame:
        """Eccentricities, contact forces and paths of the journals of joints with clearance."""
        return self._frame("mbs Clearances")

    @cached_property
    def impacts(self) -> pd.DataFrame:
        """A row for every contact in a joint with clearance: when it began, how fast, how long, how hard."""
        return self._frame("mbs Impacts")

    @cached_property
    def constraints(self) -> pd.DataFrame:
        """Constraint violations and energies over ``time``."""
        return self._frame("mbs Constraints")

    @cached_property
    def modes(self) -> pd.DataFrame:
        """Frequencies, damping ratios and shapes: one row per mode; empty but after the analysis ``modes``."""
        return self._frame("mbs Modes")

    @property
    def _source(self) -> Path:
        if self.model.source is None:
            raise ValueError("a model made in Python has no workbook to write into")
        return self.model.source

    @property
    def _content(self) -> bytes | None:
        return self.model.source_bytes

    def _written(self) -> ResultSheets:
        return replace(written(self.sheets, self.model.settings.results), animation=self.animation())

    def animation(self) -> MovingPicture | None:
        """Content of the sheet `mbs Animation`; None where it is not asked for."""
        if self.model.settings.animation == "no":
            return None
        from sheetmbs.results.pictures.moving_picture import moving_picture

        return moving_picture(self.model, self.sheets.tables)

    def plot(self, times: Sequence[float] | None = None) -> Figure:
        """Draw the mechanism at chosen times, as `sheetmbs.plot` does: one view in the plane, four in space.

        Parameters
        ----------
        times
            Times to draw in s, each at the nearest reported row; default: beginning, middle and end.

        Returns
        -------
        Figure
            A matplotlib figure; ``savefig`` stores it, and notebooks show it.

        Raises
        ------
        ValueError
            If a time lies outside the run.
        ImportError
            If matplotlib is not installed.
        """
        from sheetmbs.results.pictures.drawing import plot

        return plot(self, times)

    def export(self, path: str | PathLike[str]) -> Path:
        """Write all tables over time into one file, side by side.

        Parameters
        ----------
        path
            A file whose name ends in ``.csv`` or ``.parquet``; an earlier one is replaced. Parquet needs pyarrow
            (``pip install "sheetmbs[parquet]"``).

        Returns
        -------
        Path
            The file written.

        Raises
        ------
        WorkbookError
            If it cannot be written; an earlier file is then as it was.
        """
        from sheetmbs.results.export import export

        return export(self.sheets.tables, path, self.model.source)

    def report(self, path: str | PathLike[str]) -> Path:
        """Write a planar model's results as text in the order of the program MUBODYNA, in SI.

        Parameters
        ----------
        path
            The file to write; an earlier report of ours is replaced.

        Returns
        -------
        Path
            The file written.

        Raises
        ------
        WorkbookError
            If there is no such report of such a model, or the file cannot be written.
        """
        from sheetmbs.results.text.report_file import write_report

        return write_report(self.lowered, self.solution, self.sheets.tables, path)
