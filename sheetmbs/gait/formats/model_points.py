"""Points of a recording that no marker stands for: unlabelled ones, and the points on axes of a model's segments.

Vicon writes four points for each segment of a model: its origin and one along each axis, as RFEO, RFEA, RFEL, RFEP of the
right femur.
"""

from __future__ import annotations

import re

from sheetmbs.gait.formats.sampled_cells import plain_label

UNLABELLED = re.compile(r"\*\d+|uname\*?\d*|u_?\d+|c_\d+|unlabell?ed[\W_]*\d*", re.IGNORECASE)
"""what Vicon, Cortex and Qualisys call points to which nobody gave a label"""
SEGMENTS = (
    *("PEL", "SAC", "THO", "TRX", "SPI", "HED", "HEA"),
    *("RFE", "LFE", "RTI", "LTI", "RTA", "LTA", "RFO", "LFO", "RTO", "LTO", "RFT", "LFT"),
    *("RCL", "LCL", "RHU", "LHU", "RRA", "LRA", "RHN", "LHN", "RFA", "LFA", "RHA", "LHA"),
)
"""codes of segments in the models of Vicon"""
CENTRES = ("CENTREOFMASS", "CENTREOFMASSFLOOR", "CENTEROFMASS", "CENTEROFMASSFLOOR")
"""points of whole bodies in the same models"""
AXIS_POINT = re.compile(rf"(?:{'|'.join(SEGMENTS)})[OALP]")


def is_unlabelled(label: str) -> bool:
    """Whether a label is one that programs give to points without a name: ``*12``, ``uname*3``, ``C_4``."""
    return bool(UNLABELLED.fullmatch(label.rpartition(":")[2].strip()))


def is_axis_point(label: str) -> bool:
    """Whether a label is that of a point on an axis of a model's segment, or of its mass: ``RFEO``, ``CentreOfMass``."""
    plain = plain_label(label)
    return bool(AXIS_POINT.fullmatch(plain)) or plain.upper() in CENTRES
