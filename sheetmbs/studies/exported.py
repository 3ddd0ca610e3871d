"""All variants of a study in one file: CSV, or Parquet, which needs pyarrow."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from sheetmbs.results.export import OFFER, AlsoKind, as_text, is_csv
from sheetmbs.studies.sheets.study_table import DONE, FAILED
from sheetmbs.studies.study_results import BEFORE, StudyResults
from sheetmbs.workbook.package.replace import replace_file

if TYPE_CHECKING:
    import pandas as pd

MARK = "sheetmbs"
VARIANTS = AlsoKind(
    "variants of a study",
    "those of an earlier study",
    lambda header: tuple(header[: len(BEFORE)]) == BEFORE,
    lambda description: f'"source": "{MARK}"'.encode() in description,
)


def variants_frame(found: StudyResults) -> pd.DataFrame:
    """A row for each variant, as on the sheet `mbs Study`; ``attrs["units"]`` are the units of variables and responses."""
    import pandas as pd

    variants, study = found.variants, found.study
    count = len(variants)
    columns: dict[str, object] = {
        "number": np.arange(count),
        "name": [variants.names.get(number, "") for number in range(count)],
        "status": np.where(variants.done, DONE, FAILED),
    }
    values = variants.values  # noqa: PD011 - no data frame
    columns |= {each.name: values[:, place] for place, each in enumerate(study.variables)}
    columns |= {each.name: variants.responses[:, place] for place, each in enumerate(study.responses)}
    columns["feasible"] = found.feasible
    columns["best"] = np.isin(np.arange(count), found.front if found.best is None else [found.best])
    columns["message"] = [variants.messages.get(number, "") for number in range(count)]
    frame = pd.DataFrame(columns)
    units = {each.name: each.unit for each in study.variables} | {each.name: each.unit for each in study.responses}
    frame.attrs["units"] = units
    frame.attrs["source"] = MARK
    return frame


def check_exportable(path: str | PathLike[str]) -> Path:
    """Find out, before a study is begun, whether its variants could be written to a file.

    Returns the file, links followed. Raises WorkbookError with the reason why not.
    """
    return VARIANTS.check(path)


def export(found: StudyResults, path: str | PathLike[str]) -> Path:
    """Write all variants into a file, which is returned.

    Raises WorkbookError where that cannot be; an earlier file is then as it was.
    """
    place = check_exportable(path)
    frame = variants_frame(found)

    def write(file: IO[bytes]) -> None:
        if is_csv(place):
            texts = frame.assign(name=frame["name"].map(as_text), message=frame["message"].map(as_text))
            texts.rename(columns=as_text).to_csv(file, index=False)
        else:
            frame.to_parquet(file, index=False)

    replace_file(place, None, write, offer=OFFER)
    return place
