"""Suspensions from hardpoints: named points and a few settings become a model, sweeps, loads and a page."""
