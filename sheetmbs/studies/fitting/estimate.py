"""What data and priors say of each variable near the solution of a fit: covariance, intervals, and what data determine.

With J = dh/dtheta divided by the standard deviations of readings, and S0 the diagonal covariance of priors, the covariance is
P = (J'J + S0^-1)^-1 (Gelman et al., Bayesian Data Analysis, 3rd ed., section 14.8). A variable without prior has 0 in the place
of its part of S0^-1; directions that nothing determines are left out of the inverse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sheetmbs.studies.fitting.fit_space import FitSpace, Flags, Floats

Interval = Literal["given", "estimated"]
NORMAL_95 = 1.959963984540054
"""half width of the central 95 % of a normal distribution, in standard deviations"""
SINGULAR = 1e-12
"""of the largest singular value, below which there is only rounding"""
MOST_ROUNDS, SETTLED = 100, 1e-12
"""rounds in which the scale of readings and the number that they determine agree, and by how much"""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Covariance and what follows from it.

    covariance: (p, p) in the units of the variables, 0 in rows of held variables. sd, low_95, high_95: (p,) NaN where there is
    no interval. prior_share: (p,) of the variance, 1: all prior; NaN without prior. determined: trace(J P J').
    determined_by: (n,) part of each reading in it. chi2: sum of squared residuals over sd. dof: n - determined - free offsets.
    probability: that chi2 of random readings is larger, NaN without degrees of freedom. scale: s of the readings' sd, 1 where
    these are believed.
    """

    covariance: Floats
    sd: Floats
    low_95: Floats
    high_95: Floats
    prior_share: Floats
    determined: float
    determined_by: Floats
    chi2: float
    dof: float
    probability: float
    scale: float

    @property
    def correlation(self) -> Floats:
        """(p, p), NaN where a variable has no variance."""
        sd = np.sqrt(np.diag(self.covariance))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.covariance / np.outer(sd, sd))


def estimate(
    space: FitSpace,
    values: Floats,
    jacobian: Floats,
    residuals: Floats,
    *,
    free_constants: int = 0,
    held: Flags | None = None,
    unseen: Floats | None = None,
    interval: Interval = "given",
) -> Estimate:
    """What is known of each variable at the solution.

    Parameters
    ----------
    space, values
        Variables, and their values (p,) at the solution.
    jacobian
        (n, p) of the computed values over the sd of the readings, by the variables in their units.
    residuals
        (n,) measured less computed values over the sd of the readings.
    free_constants
        Number of free offsets, each of which costs a degree of freedom.
    held
        (p,) variables at a bound, which are held there; None: none.
    unseen
        (k, p) directions in scaled variables that change no reading; None: none.
    interval
        given: standard deviations of readings are believed. estimated: they are scaled to chi2 = dof.
    """
    count = len(values)
    free = np.ones(count, np.bool_) if held is None else ~held
    scaled = _without(jacobian * space.scale, unseen)[:, free]
    prior = space.has_prior[free].astype(np.float64)
    chi2 = float(residuals @ residuals)

    def of_scale(scale: float) -> tuple[Floats, Floats, float]:
        covariance = _inverse(scaled / scale, prior)
        by_reading = np.einsum("ij,jk,ik->i", scaled, covariance, scaled) / scale**2
        return covariance, by_reading, len(residuals) - float(by_reading.sum()) - free_constants

    scale = 1.0
    covariance, by_reading, dof = of_scale(scale)
    if interval == "estimated" and dof > 0.0 and chi2 > 0.0:
        for _round in range(MOST_ROUNDS):
            before, scale = scale, float(np.sqrt(chi2 / max(dof, SINGULAR)))
            covariance, by_reading, dof = of_scale(scale)
            if abs(scale - before) <= SETTLED * scale:
                break
    whole = np.zeros((count, count))
    whole[np.ix_(free, free)] = covariance
    sd = np.where(_has_interval(space, free, unseen), np.sqrt(np.diag(whole)) * space.scale, np.nan)
    share = np.where(space.has_prior & free, np.diag(whole), np.nan)
    half = _quantile(interval, dof) * sd
    return Estimate(
        whole * np.outer(space.scale, space.scale),
        sd,
        values - half,
        values + half,
        share,
        float(by_reading.sum()),
        by_reading,
        chi2,
        dof,
        _probability(chi2, dof),
        scale,
    )


def _without(jacobian: Floats, unseen: Floats | None) -> Floats:
    """A scaled Jacobian without what errors of differences leave along unseen directions."""
    if unseen is None or not len(unseen):
        return jacobian
    basis = np.linalg.qr(unseen.T)[0]
    return np.asarray(jacobian - (jacobian @ basis) @ basis.T)


def _inverse(jacobian: Floats, prior: Floats) -> Floats:
    """(J'J + prior)^-1 by the singular values of both together; what nothing determines is left out."""
    if not len(prior):
        return np.zeros((0, 0))
    _left, values, right = np.linalg.svd(np.vstack([jacobian, np.diag(prior)]), full_matrices=False)
    kept = values > SINGULAR * max(float(values[0]), 1.0) * len(prior)
    return np.asarray((right[kept].T / values[kept] ** 2) @ right[kept])


NO_PART = 1e-6
"""of a direction of length 1, below which a variable has no part in it"""


def _has_interval(space: FitSpace, free: Flags, unseen: Floats | None) -> Flags:
    """(p,) not of variables at a bound, nor of those without prior that have a part in an unseen direction."""
    if unseen is None or not len(unseen):
        return free
    return np.asarray(free & (space.has_prior | (np.abs(unseen).max(axis=0) < NO_PART)))


def _quantile(interval: Interval, dof: float) -> float:
    if interval == "given":
        return NORMAL_95
    from scipy.stats import t

    return float(t.ppf(0.975, dof)) if dof > 0.0 else np.nan


def _probability(chi2: float, dof: float) -> float:
    from scipy.stats import chi2 as distribution

    return float(distribution.sf(chi2, dof)) if dof > 0.0 else np.nan
