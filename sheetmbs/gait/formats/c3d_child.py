"""The child process in which a C3D is read: what it found as JSON, with the long series behind that as raw numbers.

The library reads it. What that reads wrongly or not at all is read from the bytes, once and with a note.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import ezc3d
import numpy as np

from sheetmbs.gait.formats.c3d_bytes import needs_own_reader, read_content, read_parameters
from sheetmbs.gait.formats.c3d_content import LENGTH, LENIENT, SERIES


def answer(request: bytes) -> bytes:
    """What the file whose path is asked for holds, as `c3d_content.content_of` takes it; or why it cannot be read."""
    is_lenient = request.startswith(LENIENT)
    path = Path(os.fsdecode(request.removeprefix(LENIENT)))
    content = path.read_bytes()
    why = needs_own_reader(content, read_parameters(content))
    if not why and not is_lenient:
        try:
            file = ezc3d.c3d(str(path))
        except Exception as error:  # noqa: BLE001 - the library raises whatever its C++ throws
            why = f"it is badly formed ({str(error).partition(':')[0]})"
        else:
            return _answered(file, [], file["data"].get("rotations", np.zeros((4, 4, 0, 0))))
    why = why or "the library that reads such files ended"
    try:
        return _answered(read_content(content), [f"{path.name} is read leniently: {why}"], np.zeros((4, 4, 0, 0)))
    except (ValueError, IndexError, OverflowError) as error:
        return _packed({"fault": f"{why}; {error}"}, [])


def _answered(file: Any, notes: list[str], rotations: Any) -> bytes:
    data = file["data"]
    series = [
        np.ascontiguousarray(each, "<f8")
        for each in (data["points"], data["meta_points"]["residuals"], data["analogs"], rotations)
    ]
    return _packed(
        {
            "header": {name: _plain(dict(file["header"][name])) for name in ("points", "analogs")},
            "parameters": {name: _group(file["parameters"][name]) for name in file["parameters"]},
            "shapes": dict(zip(SERIES, (each.shape for each in series), strict=True)),
            "notes": notes,
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
