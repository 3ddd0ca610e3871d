"""The help pages: what the program does, its commands and options, and an example to start from."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from typer import BadParameter
from typer.core import TyperCommand, TyperGroup

WIDEST = 100
Rows = list[tuple[str, str]]


def show(title: str, purpose: str, sections: list[tuple[str, Rows]], remark: str) -> None:
    """Print a page to standard output: title, purpose, sections of two columns, a last remark."""
    console = Console(highlight=False, markup=False, emoji=False)
    console.width = min(console.width, WIDEST)
    parts: list[Any] = [Text.assemble((title, "bold cyan"), "  ", (purpose, "bold"))]
    for heading, rows in sections:
        grid = Table.grid(padding=(0, 3, 0, 0))
        grid.add_column(width=min(max(len(left) for left, _right in rows), console.width // 2), style="cyan")
        grid.add_column(ratio=1)
        for left, right in rows:
            grid.add_row(Text(left), Text(right))
        parts += [Text(""), Text(heading, "bold"), Padding(grid, (0, 0, 0, 2))]
    parts += [Text(""), Text(remark, "dim")]
    console.print(Group(*parts))


def _options(command: Any, context: Any) -> Rows:
    rows = []
    for parameter in command.get_params(context):
        if parameter.param_type_name == "option":
            names = ", ".join(sorted(parameter.opts, key=len, reverse=True))
            words = "Show this page." if parameter.name == "help" else parameter.help or ""
            rows.append((f"{names} {parameter.metavar}" if parameter.metavar else names, words))
    return rows


def _arguments(command: Any) -> str:
    """The words that a command needs, with a blank after each."""
    return "".join(f"{each.metavar} " for each in command.params if each.param_type_name == "argument")


def _meanings(command: Any) -> str:
    """What these words mean."""
    return "; ".join(f"{each.metavar} is {each.help}" for each in command.params if each.param_type_name == "argument")


def _examples(epilog: str | None) -> Rows:
    """Lines of ``command -> what it does``, which is how examples stand in an epilog."""
    pairs = [line.split("->") for line in (epilog or "").splitlines() if "->" in line]
    return [(left.strip(), right.strip()) for left, right in pairs]


REMARK = "Exit status 0: done. 1: the analysis failed. 2: wrong workbook or command."
ELSEWHERE = "3: done, but not all results are where they were asked for."


MIN_LONG_OPTION = 2
"""characters of a short option with its dash"""
BOOK_SUFFIXES = (".xlsx", ".xlsm")

PLAIN: dict[Any, Callable[[str], Any]] = {str: str, Path: Path}
"""types of parameters that a word of the command line becomes as it is"""


def _plain_value(parameter: Any, usual: Callable[[Any, Any], Any], context: Any, value: Any) -> Any:
    """The value of a parameter for its command. What is left out, or is a plain word, is not worth typer's own way.

    That (``usual``) imports pydantic, which takes as long as numpy; numbers and whatever is wrong go there.
    """
    if value is None and not parameter.required:
        return () if parameter.multiple else None
    if isinstance(value, str) and "\0" in value:
        raise BadParameter("it contains a null byte, which no file name can contain", context, parameter)
    described = getattr(parameter, "type_descriptor", None)  # another version of typer may have none
    plain = PLAIN.get(getattr(described, "annotation", None))
    return plain(value) if plain and isinstance(value, str) else usual(context, value)


def _starting_fast(parameters: list[Any]) -> list[Any]:
    """The parameters of a command, to be understood by `_plain_value`."""
    for each in parameters:
        if not isinstance(each.process_value, partial):
            each.process_value = partial(_plain_value, each, each.process_value)
    return parameters


class Command(TyperCommand):
    """A command whose help is a page of ours."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse a long option with one dash, which would be read as a short one with a value."""
        flags = [flag for parameter in self.params for flag in parameter.opts if flag.startswith("--")]
        for word in args:
            meant = [flag for flag in flags if len(word) > MIN_LONG_OPTION and flag[1:].startswith(word)]
            if meant and not word.startswith("--"):
                short = next((each for each in self.params if meant[0] in each.opts), None)
                names = " or ".join(sorted(short.opts, key=len)) if short else meant[0]
                raise BadParameter(f"{word} is no option: write {names}", ctx)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        """All parameters, with the option that shows the help page."""
        return _starting_fast(super().get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer's signature
        """Print the help page of the command."""
        purpose, _blank, more = (self.help or "").partition("\n\n")
        sections = [
            ("Usage", [(f"{ctx.command_path} {_arguments(self)}[OPTIONS]", _meanings(self))]),
            ("Options", _options(self, ctx)),
            ("Examples", _examples(self.epilog)),
        ]
        show(ctx.command_path, purpose, sections, " ".join(more.split()) or REMARK)


class Commands(TyperGroup):
    """Group of all commands of the program. A workbook in place of a command is run."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``run`` before a workbook that stands where a command is expected."""
        if args and args[0] not in self.commands and Path(args[0]).suffix.casefold() in BOOK_SUFFIXES:
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        """Parameters of the command, with the options that every command has."""
        return _starting_fast(super().get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer's signature
        """Print the help page of the command."""
        commands = [
            (f"{name} {_arguments(command)}".rstrip(), (command.help or "").split("\n\n")[0])
            for name, command in self.commands.items()
        ]
        sections = [
            ("Commands", commands),
            ("Options", _options(self, ctx)),
            ("Examples", _examples(self.epilog)),
        ]
        show(
            ctx.command_path,
            self.help or "",
            sections,
            f"{REMARK} {ELSEWHERE}",
        )
