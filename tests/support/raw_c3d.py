"""C3D files byte by byte (c3d.org), for what libraries never write: integers, missing scales, odd groups."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

BLOCK = 512
INTEL = 84


def write_raw_c3d(
    path: Path,
    labels: tuple[str, ...],
    points: np.ndarray,
    groups: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    rate: float = 100.0,
    first: int = 1,
    analogs: np.ndarray | None = None,
    per_frame: int = 1,
    scale: float = -1.0,
    units: str = "mm",
    processor: int = INTEL,
    used_analogs: int | None = None,
) -> Path:
    """A file in little-endian numbers.

    points: (points, frames, 3) in ``units``, NaN is missing. groups: parameters by group and name; a value is a text, texts, a
    number or an array in the order that numpy prints it, first index first. analogs: (channels, samples) as they are stored.
    scale: below 0 real numbers, above 0 integers times that.
    """
    count, frames = points.shape[:2]
    channels = 0 if analogs is None else len(analogs)
    wanted: dict[str, dict[str, Any]] = {
        "POINT": {
            "USED": count,
            "FRAMES": frames,
            "SCALE": float(scale),
            "RATE": float(rate),
            "UNITS": units,
            "LABELS": list(labels),
        },
        "ANALOG": {"USED": channels if used_analogs is None else used_analogs},
    }
    for group, given in (groups or {}).items():
        wanted.setdefault(group, {}).update(given)
    wanted = {
        group: {name: each for name, each in given.items() if each is not None} for group, given in wanted.items()
    }
    parameters = _parameters(wanted, processor)
    begin = 2 + len(parameters) // BLOCK
    head = struct.pack(
        "<BB H H HHH f HH f",
        2,
        0x50,
        count,
        channels * per_frame,
        first,
        first + frames - 1,
        0,
        scale,
        begin,
        per_frame,
        rate,
    ).ljust(BLOCK, b"\0")
    path.write_bytes(head + parameters + _samples(points, analogs, per_frame, scale))
    return path


def _samples(points: np.ndarray, analogs: np.ndarray | None, per_frame: int, scale: float) -> bytes:
    is_real = scale < 0.0
    kind = "<f4" if is_real else "<u2"
    out = []
    for at in range(points.shape[1]):
        here = points[:, at]
        seen = np.isfinite(here).all(axis=1)
        row = np.zeros((len(here), 4))
        row[seen, :3] = here[seen] if is_real else np.rint(here[seen] / scale)
        row[~seen, 3] = -1.0
        out.append(row.astype("<f4").tobytes() if is_real else row.astype("<i2").tobytes())
        if analogs is not None:
            block = analogs[:, at * per_frame : (at + 1) * per_frame].T
            out.append(block.astype(kind).tobytes() if is_real else block.astype(np.int64).astype(kind).tobytes())
    return b"".join(out)


def _parameters(groups: Mapping[str, Mapping[str, Any]], processor: int) -> bytes:
    content = b""
    for number, (group, given) in enumerate(groups.items(), start=1):
        content += _entry(-number, group, b"")
        for name, value in given.items():
            content += _entry(number, name, _value(value))
    content += b"\0\0"
    blocks = -(-(len(content) + 4) // BLOCK)
    return (bytes([1, 0x50, blocks, processor]) + content).ljust(blocks * BLOCK, b"\0")


def _entry(number: int, name: str, value: bytes) -> bytes:
    """A group (number below 0) or a parameter: the way to the next one counts from where it stands."""
    behind = value + b"\0"
    return struct.pack("<bb", len(name), number) + name.encode("latin-1") + struct.pack("<h", 2 + len(behind)) + behind


def _value(value: Any) -> bytes:
    if isinstance(value, str):
        text = value.encode("latin-1")
        return struct.pack("<bBB", -1, 1, len(text)) + text
    if isinstance(value, list) and (not value or isinstance(value[0], str)):
        texts = [each.encode("latin-1") for each in value]
        width = max([len(each) for each in texts], default=0)
        return struct.pack("<bBBB", -1, 2, width, len(texts)) + b"".join(each.ljust(width) for each in texts)
    array = np.asarray(value)
    code, kind = (2, "<i2") if array.dtype.kind in "iu" else (4, "<f4")
    sizes = bytes([array.ndim, *array.shape])
    return (
        struct.pack("<b", code)
        + sizes
        + array.astype(np.int64 if code == 2 else float).ravel(order="F").astype(kind).tobytes()
    )
