"""All variants of a study in one file: CSV, or Parquet, which needs pyarrow."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from sheetmbs.studying.study_results import StudyResults
from sheetmbs.workbook.package.archive import refusal
from sheetmbs.workbook.package.file_names import check_file_name
from sheetmbs.workbook.package.replace import replace_file

if TYPE_CHECKING:
    import pandas as pd

OFFER = "name another file with --also"
FIRST = b"number,name,status,"
"""how a file of ours begins"""
MARK = "sheetmbs"


def variants_frame(found: StudyResults) -> pd.DataFrame:
    """A row for each variant, as on the sheet `mbs Study`; ``attrs["units"]`` are the units of variables and responses."""
    import pandas as pd

    variants, study = found.variants, found.study
    count = len(variants)
    columns: dict[str, object] = {
        "number": np.arange(count),
        "name": [variants.names.get(number, "") for number in range(count)],
        "status": np.where(variants.done, "done", "failed"),
    }
    values = variants.values  # noqa: PD011 - no data frame
    columns |= {each.name: values[:, place] for place, each in enumerate(study.variables)}
    columns |= {each.name: variants.responses[:, place] for place, each in enumerate(study.responses)}
    columns["feasible"] = found.feasible
    columns["best"] = np.arange(count) == (-1 if found.best is None else found.best)
    columns["message"] = [variants.messages.get(number, "") for number in range(count)]
    frame = pd.DataFrame(columns)
    units = {each.name: each.unit for each in study.variables} | {each.name: each.unit for each in study.responses}
    frame.attrs["units"] = units
    frame.attrs["source"] = MARK
    return frame


def check_exportable(path: Path) -> None:
    """Find out, before a study is begun, whether its variants could be written to a file. Raises WorkbookError."""
    check_file_name(path, OFFER)
    kind = path.suffix.casefold()
    if kind not in (".csv", ".parquet"):
        found = f"{path.name} does not end in .csv or .parquet"
        raise refusal("export-type", found, "its ending says what it is to be", OFFER)
    if kind == ".parquet" and find_spec("pyarrow") is None:
        found = f"{path.name} needs the package pyarrow, which is not installed"
        raise refusal("no-pyarrow", found, "it writes Parquet", "pip install 'sheetmbs[parquet]', or name a .csv file")
    if not path.parent.is_dir():
        raise refusal("no-folder", f"there is no folder {path.parent}", "a file needs one", f"make it, or {OFFER}")
    if path.exists() and not _is_ours(path):
        found = f"{path} exists and holds no variants of a study"
        raise refusal("foreign-output", found, "only those of an earlier study are replaced", f"delete it, or {OFFER}")


def export(found: StudyResults, path: Path) -> Path:
    """Write all variants into a file. Raises WorkbookError where that cannot be; an earlier file is then as it was."""
    check_exportable(path)
    frame = variants_frame(found)

    def write(file: IO[bytes]) -> None:
        if path.suffix.casefold() == ".csv":
            frame.to_csv(file, index=False)
        else:
            frame.to_parquet(file, index=False)

    replace_file(path, None, write, offer=OFFER)
    return path


def _is_ours(path: Path) -> bool:
    try:
        content = path.read_bytes()
    except OSError:
        return False
    is_parquet = content[:4] == b"PAR1" and MARK.encode() in content[-65536:]
    return is_parquet or content.startswith(FIRST)
