"""The analyses by their words on the sheet Settings."""

from __future__ import annotations


class Analysis:
    """The words of the setting analysis."""

    DYNAMIC = "dynamic"
    KINEMATIC = "kinematic"
    INVERSE_DYNAMIC = "inverse dynamic"
    EQUILIBRIUM = "equilibrium"
    MODES = "modes"
