"""`sheetmbs batch`: which forms there are, and what is said of what was made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sheetmbs.all_products import PRODUCTS
from sheetmbs.command.console import Messages
from sheetmbs.command.making import making, tell_made
from sheetmbs.products.product import BatchForm
from sheetmbs.schema.names import did_you_mean, fold

FORMS: dict[str, BatchForm] = {form.name: form for product in PRODUCTS for form in product.batches}
EXAMPLES = "\n".join(form.examples for form in FORMS.values())

Form = Annotated[str, typer.Argument(metavar="|".join(FORMS), help=" or ".join(form.reads for form in FORMS.values()))]
Root = Annotated[Path, typer.Argument(metavar="ROOT", help="the folder with a folder for each workbook")]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="the folder to write into")]
Template = Annotated[Path | None, typer.Option("--template", metavar="BOOK", help="the workbook that each begins as")]


def make_batch(messages: Messages, text: str, root: Path, template: Path | None, out: Path, *, as_json: bool) -> None:
    """Make all workbooks and say what came of it. Raises BadParameter where there is no such form."""
    form = FORMS.get(fold(text))
    if form is None:
        mend = did_you_mean(text, FORMS, "name one of these")
        raise typer.BadParameter(f"unknown-format: there is no batch of '{text}'; there are {', '.join(FORMS)}; {mend}")
    with making(messages, out, str(root), f"Nothing was written to {out}.", as_json=as_json):
        made = form.run(root, template, out)
    tell_made(messages, out, made.warnings, made.sentences, as_json=as_json, more=made.more)
