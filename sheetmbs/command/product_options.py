"""Commands and options that products declare, as typer takes them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from sheetmbs.all_products import PRODUCTS
from sheetmbs.command import common_options as common
from sheetmbs.command.console import Messages
from sheetmbs.command.making import making, tell_made
from sheetmbs.command.pages import Command
from sheetmbs.products.product import BookCommand, Product, ProductOption


def with_options(options: Iterable[ProductOption]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator that adds options of products to those of a command, which takes their values as ``**options``.

    They stand before its last two, which are --json and --debug.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
        added = map(_parameter, options)
        command.__signature__ = signature.replace(parameters=[*own[:-2], *added, *own[-2:]])  # type: ignore[attr-defined]
        return command

    return decorate


def _parameter(option: ProductOption) -> inspect.Parameter:
    if option.type is bool:
        return _keyword(option.name, Annotated[bool, typer.Option(option.flag, help=option.help)], default=False)
    described = typer.Option(option.flag, metavar=option.metavar, help=option.help)
    return _keyword(option.name, Annotated[option.type | None, described], default=None)


def _keyword(name: str, annotation: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation)


def product_options() -> list[ProductOption]:
    """All options of `sheetmbs run` that belong to one product."""
    return [option for product in PRODUCTS for option in product.options]


def given_flags(options: Iterable[ProductOption], values: Mapping[str, Any]) -> list[str]:
    """Flags of the options that were given on the command line."""
    return [each.flag for each in options if values.get(each.name) not in (None, False)]


def add_commands(app: typer.Typer, products: Iterable[Product]) -> None:
    """Add the commands that products declare."""
    for product in products:
        for declared in product.commands:
            app.command(declared.name, cls=Command, epilog=declared.examples)(_command(declared))


def _command(declared: BookCommand) -> Callable[..., None]:
    """The command that makes a new workbook from others."""

    def command(books: Any, out: Path, *, as_json: bool, debug: bool, **options: Any) -> None:  # noqa: ARG001 - debug: read in `main` of cli.py
        paths = books if declared.takes_several else [books]
        messages = Messages()
        source = "" if declared.takes_several else str(books)
        with making(messages, out, source, f"{out} was not made.", as_json=as_json):
            made = declared.run(paths, out, options)
        tell_made(messages, out, made.warnings, made.sentences, as_json=as_json, more=made.more)

    metavar = "BOOK.." if declared.takes_several else "BOOK"
    books_type = list[Path] if declared.takes_several else Path
    parameters = [
        _keyword("books", Annotated[books_type, typer.Argument(metavar=metavar, help=declared.books)]),
        _keyword("out", common.NewBook),
        *map(_parameter, declared.options),
        _keyword("as_json", common.MadeAsJson, default=False),
        _keyword("debug", common.Debug, default=False),
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__doc__ = inspect.cleandoc(declared.purpose)
    return command
