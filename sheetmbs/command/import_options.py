"""Arguments of `sheetmbs import`: which forms there are, and which options each of them takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from sheetmbs.all_products import PRODUCTS
from sheetmbs.command.product_options import given_flags
from sheetmbs.products.product import ImportForm
from sheetmbs.schema.names import did_you_mean, fold

FORMS: dict[str, ImportForm] = {form.name: form for product in PRODUCTS for form in product.imports}
OPTIONS = list({option.name: option for form in FORMS.values() for option in form.options}.values())
EXAMPLES = "\n".join(form.examples for form in FORMS.values())
SEVERAL = " and ".join(form.name for form in FORMS.values() if form.takes_several)

Form = Annotated[str, typer.Argument(metavar="|".join(FORMS), help=" or ".join(form.reads for form in FORMS.values()))]
Files = Annotated[list[Path], typer.Argument(metavar="FILE..", help=f"the file to read; of {SEVERAL} one or several")]
Target = Annotated[
    Path,
    typer.Argument(metavar="BOOK", help="the workbook to make, .xlsx; an existing one is filled where that can be"),
]


def form_of(text: str, files: Sequence[Path], options: Mapping[str, Any]) -> ImportForm:
    """The form that a text names. Raises BadParameter where there is none, or where it does not take what was given."""
    form = FORMS.get(fold(text))
    if form is None:
        rule = f"sheetmbs reads {', '.join(FORMS)}"
        mend = did_you_mean(text, FORMS, "name one of these")
        raise typer.BadParameter(f"unknown-format: there is no format '{text}'; {rule}; {mend}")
    for other in FORMS.values():
        foreign = [option for option in other.options if option not in form.options]
        if given_flags(foreign, options):
            flags = [each.flag for each in foreign]
            named = f"{', '.join(flags[:-1])} and {flags[-1]} are" if len(flags) > 1 else f"{flags[0]} is"
            raise typer.BadParameter(f"{named} for sheetmbs import {other.name}.")
    if len(files) > 1 and not form.takes_several:
        raise typer.BadParameter(f"only sheetmbs import {SEVERAL} reads several files.")
    return form
