"""White noise of the markers of a trial, and what its filter leaves of it."""

from __future__ import annotations

from functools import partial

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.signals.derivatives import derivatives
from sheetmbs.gait.signals.low_pass import low_pass
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.trial.error_sources import deviation
from sheetmbs.gait.trial.gait_book import GaitBook
from sheetmbs.gait.uncertainty.noise_response import filter_products
from sheetmbs.schema.uncertainty_inputs import SourceKind


def marker_noise(trial: SolvedTrial, book: GaitBook) -> dict[str, tuple[float, Vector]]:
    """Noise in m of each marker that segments are made of, and (6, n) the sums of `filter_products` behind its filter."""
    how, rate, count = book.processing, trial.prepared.time.rate, len(trial.prepared.time.time)
    products: dict[float, Vector] = {}
    noise: dict[str, tuple[float, Vector]] = {}
    needed = used_markers(trial, book)
    for index, label in enumerate(trial.prepared.labels):
        home = book.home_of(label)
        owners = (label, *(() if home is None else (home.name,)))
        sd = deviation(book.errors, SourceKind.NOISE, owners)
        sd = float(trial.prepared.advice.noise[index]) if sd is None else sd
        if label not in needed or not sd > 0.0:
            continue
        cutoff = float(trial.cutoffs[index])
        if cutoff not in products:
            filtered = partial(
                low_pass,
                rate=rate,
                cutoff=cutoff,
                order=how.filter_order,
                meaning=how.cutoff_meaning,
                padding=how.padding,
            )
            products[cutoff] = filter_products(filtered, partial(derivatives, rate=rate, kind=how.derivative), count)
        noise[label] = sd, products[cutoff]
    return noise


def used_markers(trial: SolvedTrial, book: GaitBook) -> list[str]:
    """The markers of a trial that segments are made of."""
    needed = book.made_of(name for row in book.segments for name in row.points)
    return [label for label in trial.prepared.labels if label in needed]
