"""What a C3D file holds, as the child process that reads it hands it over: no pickle, only JSON and raw numbers."""

from __future__ import annotations

import json
from math import prod
from struct import Struct
from typing import Any

import numpy as np

LENGTH = Struct("<Q")
"""before the JSON text: its bytes"""
SERIES = ("points", "residuals", "analogs", "rotations")
"""behind the text, as float64 (4, points, frames), (1, points, frames), (1, channels, samples), (4, 4, segments, frames)"""
LENIENT = b"lenient:"
"""before the path of a file that the library could not read"""


def content_of(answer: bytes) -> dict[str, Any]:
    """The header, parameters and data in the form that ezc3d has for them; or ``fault``: why they cannot be read."""
    (length,) = LENGTH.unpack_from(answer)
    begin = LENGTH.size + length
    content: dict[str, Any] = json.loads(answer[LENGTH.size : begin])
    if "fault" in content:
        return content
    series = {}
    for name in SERIES:
        shape = content["shapes"][name]
        series[name] = np.frombuffer(answer, "<f8", prod(shape), begin).reshape(shape)
        begin += 8 * prod(shape)
    data = {name: series[name] for name in ("points", "analogs", "rotations")}
    return content | {"data": data | {"meta_points": {"residuals": series["residuals"]}}}
