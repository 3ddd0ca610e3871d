"""The command line: `sheetmbs run`, `check`, `cases`, `new`, `import` and `templates`.

Exit status 0: done. 1: the analysis failed, or sheetmbs did, or standard output takes nothing. 2: the workbook or the
command line is wrong. 3: done, but the results, or a file of --also or --report, are not where they were asked for. 130:
stopped by the user. Messages go to standard error; ``--json`` puts the summary on standard output.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from sheetmbs import __version__
from sheetmbs.all_products import PRODUCTS
from sheetmbs.command import batch_options as batching
from sheetmbs.command import common_options as common
from sheetmbs.command import desktop, studying, viewing, watching
from sheetmbs.command import export_options as exporting
from sheetmbs.command import import_options as given
from sheetmbs.command import run_options as asking
from sheetmbs.command.checking import checked
from sheetmbs.command.console import Messages, show_cases, show_templates
from sheetmbs.command.interrupts import STOPPED, Stopped, raise_again
from sheetmbs.command.making import import_files, make
from sheetmbs.command.outcome import fault, mark_problems, print_json, refuse
from sheetmbs.command.pages import Command, Commands
from sheetmbs.command.product_options import add_commands, product_options, with_options
from sheetmbs.command.solving import DONE, FAILED, WRONG, Asked, answering, run_books
from sheetmbs.command.streams import Unprinted, lost_pages_told, open_streams, print_as_json, printed, unprinted
from sheetmbs.problems.errors import SheetmbsError
from sheetmbs.problems.listing import counted

app = typer.Typer(
    name="sheetmbs",
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    invoke_without_command=True,
    context_settings={"help_option_names": ["--help", "-h"]},
    epilog="""
    sheetmbs new blank-2d crank.xlsx -> a form to fill in
    sheetmbs check crank.xlsx -> find every mistake, cell by cell
    sheetmbs run crank.xlsx -> results and charts in new sheets
    sheetmbs run crank.xlsx -o out.xlsx -> the same in a copy
    """,
)


@app.callback(help="Multibody analysis in which the spreadsheet is the model.")
def sheetmbs(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,  # noqa: FBT002
) -> None:
    """Handle options that need no command."""
    if version:
        printed(f"sheetmbs {__version__}")
        raise typer.Exit(DONE)
    if ctx.invoked_subcommand is None:
        ctx.get_help()
        raise typer.Exit(WRONG)


RUN_EXAMPLES = """
    sheetmbs run crank.xlsx -> results and charts in new sheets
    sheetmbs run crank.xlsx -o out.xlsx -> the same in a copy
    sheetmbs run crank.xlsx -a kinematic -> not the analysis of Settings
    sheetmbs run a.xlsx b.xlsx c.xlsx -> one after another
    sheetmbs run crank.xlsx --open -> and show the result
    sheetmbs run car.xlsx -c bump -> in one of its cases
    sheetmbs run car.xlsx --set Dimensions!B3=-2 -> with another camber
    sheetmbs run car.xlsx --all-cases -> in all of them, side by side
    sheetmbs run car.xlsx --backup -> car.xlsx before the run: car.xlsx.bak
    sheetmbs run car.xlsx --also all.csv -> every row in a text file too
    """


@app.command(cls=Command, epilog=RUN_EXAMPLES + "".join(product.run_examples for product in PRODUCTS))
@with_options(product_options())
def run(
    books: common.Books,
    output: common.Output = None,
    analysis: common.Analysis = None,
    case: common.Case = None,
    all_cases: common.AllCases = False,  # noqa: FBT002
    report_step: asking.ReportStep = None,
    set_cells: asking.SetCells = None,
    also: common.Also = None,
    report: asking.Report = None,
    backup: common.Backup = False,  # noqa: FBT002
    mark: common.Mark = False,  # noqa: FBT002
    every: common.Every = False,  # noqa: FBT002
    opens: common.Open = False,  # noqa: FBT002
    as_json: common.AsJson = False,  # noqa: FBT002
    debug: common.Debug = False,  # noqa: FBT002, ARG001 - read in `main`
    **options: Any,
) -> None:
    """Analyse a workbook; results and charts go into new sheets.

    Only sheets whose names begin with "mbs " are written. Nothing else changes. Where BOOK is open in another
    program or was changed meanwhile, the results go into a copy beside it. Exit status 0: done. 1: the analysis failed.
    2: wrong workbook or command. 3: done, but not all results are where they were asked for. Of several workbooks the worst
    status counts. The word `run` may be left out: sheetmbs BOOK.
    """
    if backup and output is not None:
        raise typer.BadParameter("--backup and --output exclude each other: a copy leaves BOOK as it is.")
    if all_cases and (case is not None or also or report is not None):
        raise typer.BadParameter("--all-cases excludes --case, --also and --report: those are of one case.")
    asked = Asked(
        books[0],
        output=output,
        analysis=analysis,
        report_step=report_step,
        case=case,
        all_cases=all_cases,
        also=tuple(also or ()),
        report=report,
        backup=backup,
        mark=mark,
        every=every,
        as_json=as_json,
        opens=opens,
        options=options,
        changes=asking.changes_of(set_cells),
    )
    raise typer.Exit(run_books(Messages(), books, asked))


@app.command(
    cls=Command,
    epilog="""
    sheetmbs check crank.xlsx -> every mistake and how to mend it
    sheetmbs check crank.xlsx --mark -> the list in the workbook, with links
    sheetmbs check car.xlsx --all-cases -> whichever case they belong to
    """,
)
def check(
    book: common.Book,
    case: common.Case = None,
    all_cases: common.AllCases = False,  # noqa: FBT002
    mark: common.Mark = False,  # noqa: FBT002
    every: common.Every = False,  # noqa: FBT002
    as_json: common.AsJson = False,  # noqa: FBT002
    debug: common.Debug = False,  # noqa: FBT002, ARG001 - read in `main`
) -> None:
    """Find every mistake in a workbook, cell by cell."""
    if all_cases and case is not None:
        raise typer.BadParameter("--case and --all-cases exclude each other.")
    messages = Messages()
    with answering(messages, Asked(book, mark=mark, every=every, as_json=as_json)):
        found = checked(book, case, all_cases=all_cases)
        if mark:
            mark_problems(book, found.warnings)
    if as_json:
        print_json("done", book, found.warnings)
    messages.problems(found.warnings, every=every)
    if not as_json:
        verdict = counted(found.warnings) or "no mistake was found"
        messages.say(f"{book}{found.part}: {verdict}{found.content}.", "green")


@app.command(
    cls=Command,
    epilog="""
    sheetmbs cases car.xlsx -> bump, roll, road and what they analyse
    sheetmbs cases car.xlsx --json -> the same for a program
    """,
)
def cases(
    book: common.Book,
    as_json: common.ListAsJson = False,  # noqa: FBT002
    debug: common.Debug = False,  # noqa: FBT002, ARG001 - read in `main`
) -> None:
    """List the cases of a workbook with their analyses.

    Each is a value of --case. Exit status 0: done. 2: wrong workbook or command.
    """
    from sheetmbs.workbook.cells.cells import open_book
    from sheetmbs.workbook.reading.read_workbook import list_cases

    messages = Messages()
    try:
        found = list_cases(open_book(book))
    except SheetmbsError as error:
        refuse(messages, book, error, mark=False, every=False, as_json=as_json)
    if as_json:
        listed = [{"case": each.name, "analysis": each.analysis, "default": each.is_default} for each in found]
        print_as_json(listed)
    elif found:
        show_cases(found)
    else:
        messages.say(f"{book} has no cases: its sheet Settings has no column headed case and a name.")


@app.command(
    cls=Command,
    epilog="""
    sheetmbs new blank-2d crank.xlsx -> a form with one rod on a hinge
    sheetmbs new slider-crank pump.xlsx -> a working model to start from
    """,
)
def new(
    template: Annotated[str, typer.Argument(metavar="TEMPLATE", help="a name that sheetmbs templates lists")],
    book: Annotated[Path, typer.Argument(metavar="BOOK", help="the workbook to make, .xlsx")],
    as_json: common.MadeAsJson = False,  # noqa: FBT002
    debug: common.Debug = False,  # noqa: FBT002, ARG001 - read in `main`
) -> None:
    """Make a workbook from a template.

    A file that is there already is never overwritten. Exit status 0: done. 2: wrong template or file.
    """
    make(Messages(), template, book, as_json=as_json)


@app.command("import", cls=Command, epilog=given.EXAMPLES)
@with_options(given.OPTIONS)
def import_(
    form: given.Form,
    files: given.Files,
    book: given.Target,
    as_json: common.MadeAsJson = False,  # noqa: FBT002
    debug: common.Debug = False,  # noqa: FBT002, ARG001 - read in `main`
    **options: Any,
) -> None:
    """Put files of another program into a workbook.

    An old model makes a new workbook and never overwrites a file. The other forms write their own sheets of BOOK, if it is
    there, and nothing else. Exit status 0: done. 2: wrong file or command.
    """
    import_files(Messages(), given.form_of(form, files, options), files, book, options, as_json=as_json)


@app.command("export", cls=Command, epilog=exporting.EXAMPLES)
@with_options(exporting.OPTIONS)
def export(
    form: exporting.Form,
    book: exporting.Source,
    file: exporting.Target,
    as_json: common.MadeAsJson = False,  # noqa: FBT002
    debug: common.Debug = False,  # noqa: FBT002, ARG001 - read in `main`
    **options: Any,
) -> None:
    """Write what a workbook holds into a file for another program.

    The workbook is only read. A file that is there already is never overwritten. Exit status 0: done. 2: wrong workbook, file
    or command.
    """
    exporting.export_book(Messages(), exporting.form_of(form, options), book, file, options, as_json=as_json)


@app.command("batch", cls=Command, epilog=batching.EXAMPLES)
def batch(
    form: batching.Form,
    root: batching.Root,
    out: batching.Out,
    template: batching.Template = None,
    as_json: common.MadeAsJson = False,  # noqa: FBT002
    debug: common.Debug = False,  # noqa: FBT002, ARG001 - read in `main`
) -> None:
    """Make and solve a workbook for each folder of a folder.

    One that fails is named in the list batch.xlsx, and the next one goes on. Started again, it skips what has not changed.
    Exit status 0: done. 2: wrong folder or command.
    """
    batching.make_batch(Messages(), form, root, template, out, as_json=as_json)


add_commands(app, PRODUCTS)
OF_THEIR_OWN = (
    (studying, studying.study),
    (viewing, viewing.view),
    (watching, watching.watch),
    (desktop, desktop.desktop),
)
for home, command in OF_THEIR_OWN:
    app.command(cls=Command, epilog=home.EXAMPLES)(command)


@app.command(
    cls=Command,
    epilog="""
    sheetmbs templates -> their names, and one line about each
    sheetmbs templates --json -> the same for a program
    """,
)
def templates(
    as_json: common.ListAsJson = False,  # noqa: FBT002
    debug: common.Debug = False,  # noqa: FBT002, ARG001 - read in `main`
) -> None:
    """List the templates for sheetmbs new.

    Each is a value of TEMPLATE. Exit status 0: done. 2: wrong command.
    """
    from sheetmbs.workbook.writing.new_workbook import list_templates

    found = list_templates()
    if as_json:
        print_as_json([each._asdict() for each in found])
    else:
        show_templates(found)


def main() -> None:
    """Obey the command line and end the process."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads that wait for large matrices would only cost time
    os.environ.setdefault(
        "PYTHONSAFEPATH", "1"
    )  # processes that are begun import nothing from the folder of the workbook
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # a user cannot mend them; tests show them to those who can
    sys.unraisablehook = raise_again
    open_streams()
    try:
        status = call()
    except OSError:  # standard error takes nothing either
        status = FAILED
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # there is nothing left to stop
    try:
        sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # else the reader of our output has gone: nobody is left to tell
            status = unprinted(Messages(), error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    gc.freeze()  # rubbish is not looked for at the end either
    sys.exit(status)


def call() -> int:
    """Obey the command line. Whatever happens ends in a sentence and an exit status."""
    messages = Messages()
    try:
        with lost_pages_told():
            status: int = app(standalone_mode=False, prog_name="sheetmbs") or DONE
    except Stopped as stopped:
        messages.say(str(stopped))
        return STOPPED
    except typer.TyperException as error:
        messages.say(_usage(error))
        return WRONG
    except (KeyboardInterrupt, typer.Abort):
        messages.say("Stopped.")
        return STOPPED
    except BrokenPipeError:
        return FAILED
    except Unprinted as lost:
        return unprinted(messages, lost.error)
    except MemoryError:
        messages.say("There is not enough memory for this. Choose a larger t_step, or close other programs.")
        return FAILED
    except Exception as error:  # noqa: BLE001 - the last resort, so that no one is shown a traceback
        return fault(messages, error)
    if status == STOPPED:  # typer has answered Ctrl-C, but without a word
        messages.say("Stopped.")
    return status


def _usage(error: typer.TyperException) -> str:
    message = error.format_message().rstrip()
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "sheetmbs"
    return f"{message}{'' if message.endswith(('.', '?')) else '.'} See {command} --help."
