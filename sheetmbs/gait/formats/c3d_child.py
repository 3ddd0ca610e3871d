"""The child process in which ezc3d reads a file: what it found as JSON, with the long series behind that as raw numbers."""

from __future__ import annotations

import json
import os
from typing import Any

import ezc3d
import numpy as np

from sheetmbs.gait.formats.c3d_content import LENGTH, SERIES


def answer(request: bytes) -> bytes:
    """What the file whose path is asked for holds, as `c3d_content.content_of` takes it; or why it cannot be read."""
    try:
        file = ezc3d.c3d(os.fsdecode(request))
    except Exception as error:  # noqa: BLE001 - the library raises whatever its C++ throws
        return _packed({"fault": str(error).partition(":")[0]}, [])
    data = file["data"]
    series = [
        np.ascontiguousarray(each, "<f8")
        for each in (data["points"], data["meta_points"]["residuals"], data["analogs"])
    ]
    return _packed(
        {
            "header": {name: _plain(file["header"][name]) for name in ("points", "analogs")},
            "parameters": {name: _group(file["parameters"][name]) for name in file["parameters"]},
            "shapes": dict(zip(SERIES, (each.shape for each in series), strict=True)),
        },
        series,
    )


def _group(group: Any) -> dict[str, Any]:
    return {name: {"value": _plain(group[name]["value"])} for name in group if "value" in group[name]}


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _packed(head: dict[str, Any], series: list[np.ndarray[Any, Any]]) -> bytes:
    text = json.dumps(head).encode()
    text = text.ljust(-(-len(text) // 8) * 8)  # the numbers behind it begin at a multiple of their size
    return b"".join([LENGTH.pack(len(text)), text, *(each.tobytes() for each in series)])
