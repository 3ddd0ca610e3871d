"""C3D files that the library cannot read, or reads wrongly: parameters and samples from the bytes themselves (c3d.org).

Where scales of analog channels are missing the library takes what happens to stand in memory, and it takes unsigned samples
for signed ones. So such files are read here, and those on which it fails.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from sheetmbs.gait.arrays import Vector

BLOCK = 512
DEC = 85
TEXT, BYTE, INTEGER, REAL = -1, 1, 2, 4
"""kinds of parameters"""
MOST_SIZES = 7
"""most dimensions that the array of a parameter has"""
VAX_FACTOR = 0.25
"""by which a real number of a DEC differs from an IEEE one with the same bits, once its two words are exchanged"""
FULL_WORD = 65_536
"""values of two bytes"""
PLAIN_SCALE = 1.0
"""scale of a channel for which the file holds none"""
Parameters = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class SampleLayout:
    """How the samples of a file lie. begin: byte of the first. first, last: frames as the header numbers them."""

    points: int
    channels: int
    per_frame: int
    first: int
    last: int
    scale: float
    rate: float
    begin: int
    is_dec: bool

    @property
    def words(self) -> int:
        """Numbers of one frame."""
        return 4 * self.points + self.channels * self.per_frame


def read_parameters(content: bytes) -> Parameters:
    """Parameters by group and name, as far as they make sense."""
    begin = BLOCK * (content[0] - 1)
    is_dec = content[begin + 3] == DEC
    groups: dict[int, str] = {}
    found: Parameters = {}
    waiting: list[tuple[int, str, Any]] = []
    at = begin + 4
    while at + 2 <= len(content):
        length, number = struct.unpack_from("<bb", content, at)
        name_end = at + 2 + abs(length)
        if not length or not number or name_end + 2 > len(content):
            break
        name = content[at + 2 : name_end].decode("latin-1").strip()
        (onward,) = struct.unpack_from("<h", content, name_end)
        if number < 0:
            groups[-number] = name
            found.setdefault(name, {})
        else:
            waiting.append((number, name, _value(content, name_end + 2, is_dec=is_dec)))
        if onward <= 0:
            break
        at = name_end + onward
    for number, name, value in waiting:
        if number in groups and value is not None:
            found[groups[number]][name] = value
    return found


def _value(content: bytes, at: int, *, is_dec: bool) -> Any:
    """A parameter as the library gives it: texts in a list, numbers in a list of the array's shape; None where it is cut."""
    if at + 2 > len(content):
        return None
    kind, count = struct.unpack_from("<bB", content, at)
    if count > MOST_SIZES or kind not in (TEXT, BYTE, INTEGER, REAL) or at + 2 + count > len(content):
        return None
    sizes = list(content[at + 2 : at + 2 + count])
    size = prod(sizes)
    raw = content[at + 2 + count : at + 2 + count + abs(kind) * size]
    if len(raw) < abs(kind) * size:
        return None
    if kind == TEXT:
        width = sizes[0] if sizes else 1
        number = prod(sizes[1:]) if len(sizes) > 1 else 1
        return [raw[each * width : (each + 1) * width].decode("utf-8", "replace").strip() for each in range(number)]
    if kind == REAL:
        numbers = _reals(raw, is_dec=is_dec)
    else:
        numbers = np.frombuffer(raw, "<i2" if kind == INTEGER else "i1").astype(np.float64)
    values = numbers.reshape(sizes or [1], order="F")
    return (values if kind == REAL else values.astype(np.int64)).tolist()


def _reals(raw: bytes, *, is_dec: bool) -> Vector:
    if not is_dec:
        return np.frombuffer(raw, "<f4").astype(np.float64)
    words = np.frombuffer(raw, "<u2").reshape(-1, 2)[:, ::-1]
    return VAX_FACTOR * np.ascontiguousarray(words).view("<f4").ravel().astype(np.float64)


def _number(parameters: Parameters, group: str, name: str) -> float | None:
    value = np.ravel(parameters.get(group, {}).get(name, []))
    return float(value[0]) if len(value) and value.dtype.kind in "if" else None


def sample_layout(content: bytes, parameters: Parameters) -> SampleLayout:
    """How samples lie, by the header; where that says nothing, by the parameters."""
    is_dec = content[BLOCK * (content[0] - 1) + 3] == DEC
    points, measured, first, last, _gap = struct.unpack_from("<5H", content, 2)
    begin, per_frame = struct.unpack_from("<2H", content, 16)
    scale, rate = (float(_reals(content[at : at + 4], is_dec=is_dec)[0]) for at in (12, 20))
    told = _number(parameters, "POINT", "DATA_START")
    begin = begin or int(told or 0)
    per_frame = max(per_frame, 1)
    return SampleLayout(
        points, measured // per_frame, per_frame, first, last, scale, rate, BLOCK * (max(begin, 1) - 1), is_dec
    )


def needs_own_reader(content: bytes, parameters: Parameters) -> str:
    """Why the library would read a file wrongly; "" where it does not."""
    layout = sample_layout(content, parameters)
    analog = parameters.get("ANALOG", {})
    if not layout.channels:
        return ""
    if len(np.ravel(analog.get("SCALE", []))) < layout.channels:
        return "scales of analog channels are missing: their numbers are taken as they stand"
    if len(np.ravel(analog.get("OFFSET", []))) < layout.channels:
        return "offsets of analog channels are missing: 0 is taken"
    return "its analog samples are unsigned integers" if _is_unsigned(parameters) and layout.scale > 0.0 else ""


def _is_unsigned(parameters: Parameters) -> bool:
    told = parameters.get("ANALOG", {}).get("FORMAT", [])
    return any(str(each).strip().upper() == "UNSIGNED" for each in np.ravel(told))


def read_content(content: bytes) -> dict[str, Any]:
    """Header, parameters and data in the form of the library. Raises ValueError where samples are cut off."""
    parameters = read_parameters(content)
    layout = sample_layout(content, parameters)
    frames = max(layout.last - layout.first + 1, 0)
    size = 4 if layout.scale < 0.0 else 2
    raw = content[layout.begin : layout.begin + frames * layout.words * size]
    if len(raw) < frames * layout.words * size:
        message = f"its {frames:,} frames are not all there"
        raise ValueError(message)
    rows = _samples(raw, layout).reshape(frames, layout.words)
    points = rows[:, : 4 * layout.points].reshape(frames, layout.points, 4).transpose(2, 1, 0)
    positions = np.ones((4, layout.points, frames))
    positions[:3] = points[:3] * (1.0 if size == 4 else abs(layout.scale))
    residuals = np.where(points[3:] < 0.0, -1.0, 0.0)
    return {
        "header": {
            "points": {"size": layout.points, "frame_rate": layout.rate, "first_frame": layout.first - 1},
            "analogs": {
                "size": layout.channels,
                "frame_rate": layout.rate * layout.per_frame,
                "first_frame": (layout.first - 1) * layout.per_frame,
            },
        },
        "parameters": {
            group: {name: {"value": value} for name, value in given.items()} for group, given in parameters.items()
        },
        "data": {
            "points": positions,
            "meta_points": {"residuals": residuals},
            "analogs": _scaled(rows[:, 4 * layout.points :], layout, parameters)[None],
        },
    }


def _samples(raw: bytes, layout: SampleLayout) -> Vector:
    if layout.scale < 0.0:
        return _reals(raw, is_dec=layout.is_dec)
    return np.frombuffer(raw, "<i2").astype(np.float64)


def _scaled(rows: Vector, layout: SampleLayout, parameters: Parameters) -> Vector:
    """Analog samples (channels, samples) in their units: (sample - offset) x scale x general scale."""
    stored = rows.reshape(len(rows) * layout.per_frame, layout.channels).T.copy()
    offsets = _of_channels(parameters, "OFFSET", layout.channels, 0.0)
    if _is_unsigned(parameters):
        offsets = np.mod(offsets, FULL_WORD)
        stored = np.mod(stored, FULL_WORD) if layout.scale > 0.0 else stored
    general = _number(parameters, "ANALOG", "GEN_SCALE")
    scales = _of_channels(parameters, "SCALE", layout.channels, PLAIN_SCALE)
    return np.asarray((stored - offsets[:, None]) * scales[:, None] * (PLAIN_SCALE if general is None else general))


def _of_channels(parameters: Parameters, name: str, count: int, otherwise: float) -> Vector:
    """A number for each channel; what the file does not tell is ``otherwise``."""
    told = np.ravel(parameters.get("ANALOG", {}).get(name, []))[:count].astype(np.float64)
    return np.concatenate((told, np.full(count - len(told), otherwise)))
