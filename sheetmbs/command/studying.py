"""The command that runs design studies and applies their variants."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sheetmbs.command import common_options as common
from sheetmbs.command.console import Messages
from sheetmbs.command.interrupts import STOPPED
from sheetmbs.command.outcome import Saved, export, print_json
from sheetmbs.command.progress_bars import StudyBar
from sheetmbs.command.solving import DONE, Asked, answering, exit_status, prepare_kernels, run_book, say_if_open
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import count

if TYPE_CHECKING:
    from sheetmbs.design_study import DesignStudy
    from sheetmbs.studies.running.cluster_tls import ClusterTls

BEST = "best"
EXAMPLES = """
    sheetmbs study car.xlsx -> a row for each variant, effects and charts in new sheets
    sheetmbs study car.xlsx -o out.xlsx --workers 4 -> in a copy, by four processes
    sheetmbs study car.xlsx --resume -> goes on after a kill or a power cut
    sheetmbs study car.xlsx --apply 17 -o new.xlsx -> a copy with the values of variant 17
    sheetmbs study car.xlsx --apply best --run -> a copy with those of the best variant, and its results
    sheetmbs study car.xlsx --start -> adds the sheets of a study, with two example rows
    """


def _tls(name: str, what: str) -> Any:
    return typer.Option(f"--tls-{name}", metavar="FILE", help=f"For a cluster at tls://: {what}, PEM.")


def study(
    book: common.Book,
    output: common.Output = None,
    start: Annotated[  # noqa: FBT002
        bool, typer.Option("--start", help="Add the sheets of a study, with two example rows, and run nothing.")
    ] = False,
    apply: Annotated[
        str | None,
        typer.Option("--apply", metavar="N", help="Write a copy with the values of variant N, or of the best one."),
    ] = None,
    run: Annotated[  # noqa: FBT002
        bool, typer.Option("--run", help="With --apply: run the copy too.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option("--workers", "-w", metavar="N", min=1, help="Processes; as many as cores if it pays.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler, such as tcp://host:8786.")
    ] = None,
    tls_ca_file: Annotated[
        Path | None, _tls("ca-file", "certificates of the authority that signed those of it")
    ] = None,
    tls_cert: Annotated[Path | None, _tls("cert", "your certificate")] = None,
    tls_key: Annotated[Path | None, _tls("key", "the key of that certificate, where it is a file of its own")] = None,
    resume: Annotated[  # noqa: FBT002
        bool, typer.Option("--resume", help="Continue an interrupted study; without one, start.")
    ] = False,
    restart: Annotated[  # noqa: FBT002
        bool, typer.Option("--restart", help="Begin afresh, and forget what an interrupted study had finished.")
    ] = False,
    also: common.AlsoVariants = None,
    analysis: common.Analysis = None,
    backup: common.Backup = False,  # noqa: FBT002
    every: common.Every = False,  # noqa: FBT002
    as_json: common.FoundAsJson = False,  # noqa: FBT002
    debug: common.Debug = False,  # noqa: FBT002, ARG001 - read in `main` of cli.py
) -> None:
    """Run the design study of a workbook: cells vary, responses answer.

    What varies and what is asked stands on the sheets Variables, Responses and Study. Exit status 0: done. 1: no variant
    worked. 2: wrong workbook or command. 3: done, but not all results are where they were asked for. 130: stopped; what
    was finished is written.
    """
    if backup and output is not None:
        raise typer.BadParameter("--backup and --output exclude each other: a copy leaves BOOK as it is.")
    if cluster is not None and workers is not None:
        raise typer.BadParameter("--workers and --cluster exclude each other: a cluster has workers of its own.")
    if resume and restart:
        raise typer.BadParameter("--resume and --restart exclude each other: go on, or begin afresh.")
    if run and apply is None:
        raise typer.BadParameter("--run belongs to --apply: a study runs without it.")
    if start and (apply is not None or resume or restart or also):
        raise typer.BadParameter("--start only adds sheets: run the study afterwards, by a command of its own.")
    tls = _tls_of(cluster, tls_ca_file, tls_cert, tls_key)
    asked = Asked(book, output, analysis, also=tuple(also or ()), backup=backup, every=every, as_json=as_json)
    messages = Messages()
    if start:
        raise typer.Exit(start_study(messages, asked))
    if apply is not None:
        raise typer.Exit(apply_variant(messages, asked, _number_of(apply), runs=run))
    raise typer.Exit(run_study_book(messages, asked, workers, cluster, resume=resume, restart=restart, tls=tls))


def _tls_of(cluster: str | None, ca: Path | None, certificate: Path | None, key: Path | None) -> ClusterTls | None:
    """The files for TLS that were named, None where none was. Raises typer.BadParameter where others are missing."""
    from sheetmbs.studies.running.cluster_tls import ClusterTls

    if ca is certificate is key is None:
        return None
    if cluster is None:
        raise typer.BadParameter("--tls-ca-file, --tls-cert and --tls-key are of a --cluster.")
    if ca is None or certificate is None:
        raise typer.BadParameter("TLS takes both --tls-ca-file and --tls-cert.")
    return ClusterTls(ca, certificate, key)


def run_study_book(
    messages: Messages,
    asked: Asked,
    workers: int | None,
    cluster: str | None,
    *,
    resume: bool,
    restart: bool = False,
    tls: ClusterTls | None = None,
) -> int:
    """Run a study, write its sheets and say what it found. Returns the exit status."""
    from sheetmbs import design_study
    from sheetmbs.studies.running.run_study import StudyOptions

    options = StudyOptions(asked.analysis, workers, cluster, resume, restart, tls)
    told: list[Problem] = []
    with answering(messages, asked):
        is_open = design_study.check_writable_study(asked.book, asked.output, asked.also)
        say_if_open(messages, is_open)
        if resume and not design_study.has_journal(asked.book):
            messages.say(
                f"There is no journal of an earlier study of {asked.book.name}: the study starts from the beginning."
            )
        prepare_kernels(messages)
        with StudyBar(messages) as bar:
            results = design_study.run_study_book(asked.book, options, bar)
        computed = perf_counter()
        exported, unwritten = export((results.export, path) for path in asked.also)
        written = results.save_somewhere(asked.output, backup=asked.backup, tell=told.append)
        saved = Saved(asked.book, asked.output, written, exported, told, perf_counter() - computed, backup=asked.backup)
    problems = [*results.found.warnings, *told, *unwritten]
    if asked.as_json:
        print_json(results.status, asked.book, problems, saved=saved, more=results.as_numbers)
    messages.problems(problems, every=asked.every)
    if not asked.as_json:
        _tell(messages, results, saved)
    if results.found.message:
        return STOPPED
    return exit_status(results.status, is_elsewhere=saved.moved or bool(unwritten))


def _tell(messages: Messages, results: DesignStudy, saved: Saved) -> None:
    failures = results.found.variants.failures
    as_it_is = failures.pop(0, "")
    for sentence in results.answer:
        messages.say(sentence, "green")
    if failures:
        number, reason = next(iter(failures.items()))
        messages.say(f"{count(len(failures), 'variant')} failed, number {number} because of {_ended(reason)}", "yellow")
    if as_it_is and as_it_is not in failures.values():
        messages.say(f"The workbook as it is failed because of {_ended(as_it_is)}", "yellow")
    if results.found.from_journal:
        total, known = len(results.found.variants) - 1, results.found.from_journal
        messages.say(
            f"{known:,} of {count(total, 'variant')} came from the journal, {total - known:,} were solved now."
        )
    if results.found.message:
        rest = "go on with --resume" if results.is_resumable else ""
        messages.say("; ".join(filter(None, (f"{results.found.message.capitalize()}", rest))) + ".", "yellow")
    messages.say(f"The results are in {saved.results}, on the sheets mbs Study.")
    if not results.found.message:
        messages.say(results.next_step(saved.results))


def _ended(text: str) -> str:
    """With a full stop where a sentence does not end with a mark of its own."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def start_study(messages: Messages, asked: Asked) -> int:
    """Add the sheets of a study to a workbook. Returns the exit status."""
    from sheetmbs import design_study
    from sheetmbs.studies.sheets.study_words import as_argument

    with answering(messages, asked):
        prepare_kernels(messages)
        started = design_study.start_study(asked.book, asked.output)
    path = asked.output or asked.book
    if asked.as_json:
        variables = [
            {"name": name, "cell": cell, "low": low, "high": high} for name, cell, low, high in started.variables
        ]
        responses = [{"name": name, "of": of} for name, of in started.responses]
        more = {"output": str(path), "variables": variables, "responses": responses}
        print_json("done", asked.book, (), more=more)
        return DONE
    messages.say(f"{path} has new sheets Variables, Responses and Study, with example rows:", "green")
    messages.lines(
        [
            *(
                (f"Variables: {name}", f"{cell} from {low:g} to {high:g}")
                for name, cell, low, high in started.variables
            ),
            *((f"Responses: {name}", of) for name, of in started.responses),
        ]
    )
    messages.say(f"Change them to what you ask, then run: sheetmbs study {as_argument(str(path))}")
    return DONE


def _number_of(text: str) -> int | None:
    """The number of a variant; None for the best one. Raises typer.BadParameter for anything else."""
    if text.strip().lower() == BEST:
        return None
    if not text.strip().isdecimal():
        raise typer.BadParameter(f"--apply takes the number of a variant on mbs Study, or {BEST}, not {text!r}.")
    return int(text)


def apply_variant(messages: Messages, asked: Asked, number: int | None, *, runs: bool = False) -> int:
    """Write a copy of a workbook with the values of a variant. Returns the exit status.

    number: None for the best variant. runs: whether the copy is run too; its name may be left out then.
    """
    from sheetmbs import design_study

    if asked.output is None and not runs:
        raise typer.BadParameter("--apply writes a copy: say where with --output.")
    told: list[Problem] = []
    with answering(messages, asked):
        chosen = design_study.best_variant(asked.book) if number is None else number
        output = asked.output or asked.book.with_stem(f"{asked.book.stem}-variant-{chosen}")
        changed = design_study.apply_variant(asked.book, chosen, output, told.append)
    messages.problems(told, every=asked.every)
    if not asked.as_json:
        cells = ", ".join(f"{cell} = {value:.9g}" for cell, value in changed.items() if isinstance(value, float | int))
        messages.say(f"{output}: {asked.book.name} with variant {chosen}: {cells}.", "green")
    if runs:
        return run_book(messages, replace(asked, book=output, output=None))
    if asked.as_json:
        more = {"output": str(output), "variant": chosen, "changed": changed}
        print_json("done", asked.book, told, more=more)
    return DONE
