"""Where material lies that belongs to nobody's checkout: in a folder `shared` beside it, or beside one further up."""

from __future__ import annotations

from pathlib import Path


def shared(name: str) -> Path:
    """A folder of that material; one that does not exist where there is none."""
    parents = Path(__file__).resolve().parents
    found = (parent / "shared" / name for parent in parents[3:])
    return next((folder for folder in found if folder.is_dir()), parents[3] / "shared" / name)
