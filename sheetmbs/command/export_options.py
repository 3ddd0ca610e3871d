"""`sheetmbs export`: which forms there are, which options each of them takes, and what is said of what was written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from sheetmbs.all_products import PRODUCTS
from sheetmbs.command.console import Messages
from sheetmbs.command.making import making, tell_made
from sheetmbs.command.product_options import given_flags
from sheetmbs.products.product import ExportForm
from sheetmbs.schema.names import did_you_mean, fold

FORMS: dict[str, ExportForm] = {form.name: form for product in PRODUCTS for form in product.exports}
OPTIONS = [option for form in FORMS.values() for option in form.options]
EXAMPLES = "\n".join(form.examples for form in FORMS.values())

Form = Annotated[str, typer.Argument(metavar="|".join(FORMS), help=" or ".join(form.writes for form in FORMS.values()))]
Source = Annotated[Path, typer.Argument(metavar="BOOK", help="the workbook to read")]
Target = Annotated[Path, typer.Argument(metavar="FILE", help="the file to write")]


def form_of(text: str, options: Mapping[str, Any]) -> ExportForm:
    """The form that a text names. Raises BadParameter where there is none, or where it does not take what was given."""
    form = FORMS.get(fold(text))
    if form is None:
        mend = did_you_mean(text, FORMS, "name one of these")
        raise typer.BadParameter(
            f"unknown-format: there is no export of '{text}'; sheetmbs writes {', '.join(FORMS)}; {mend}"
        )
    for other in FORMS.values():
        if other is not form and (flags := given_flags(other.options, options)):
            raise typer.BadParameter(f"{' and '.join(flags)} {'is' if len(flags) == 1 else 'are'} for {other.name}.")
    return form


def export_book(
    messages: Messages, form: ExportForm, book: Path, file: Path, options: Mapping[str, Any], *, as_json: bool
) -> None:
    """Write a file from a workbook and say what came of it."""
    with making(messages, file, str(book), f"{file} was not written.", as_json=as_json):
        made = form.run(book, file, options)
    tell_made(messages, file, made.warnings, made.sentences, as_json=as_json, more=made.more)
