"""The mathematics of a fit, of arrays alone: least squares with priors and bounds, and what data say of each variable."""
