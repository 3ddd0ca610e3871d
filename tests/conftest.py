"""Settings for all tests."""

import gc
import os
import sys

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # tests run side by side: threads of linear algebra would only wait


def pytest_collection_finish():
    """What is imported and collected stays: nobody looks through it for rubbish again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def call(monkeypatch, capsys):
    """The program in this process: (exit status, standard output, standard error)."""
    from sheetmbs.command import cli

    def program(*arguments):
        monkeypatch.setattr(sys, "argv", ["sheetmbs", *map(str, arguments)])
        status = cli.call()
        streams = capsys.readouterr()
        return status, streams.out, streams.err

    return program


@pytest.fixture(scope="module")
def browser():
    """A browser without a window, for the pages of a module."""
    from tests.support.browsers import chromium

    with chromium() as found:
        yield found


SLOWEST = ("kernels_without_jit", "valid_files", "round_trip", "fuzz", "compiled", "compiled_with", "new_force")


def pytest_collection_modifyitems(items):
    """Begin with what takes longest, so that workers side by side end together: the last tests to be shared out are short."""
    items.sort(key=lambda item: item.path.stem.removeprefix("test_") not in SLOWEST)


WATCHED = ("charts", "kept_drawings", "merge", "places", "restyled")


@pytest.fixture(autouse=True)
def every_file_is_sound(request, monkeypatch):
    """Whatever a test of these modules writes keeps to the schemas and to Excel's rules, if it did so before."""
    if request.path.stem.removeprefix("test_") not in WATCHED:
        return
    from sheetmbs.workbook.writing import write
    from tests.support.validators import SCHEMAS, against_schemas, broken_by_a_run

    check_written = write.check_written

    def check(merge, source, written):
        check_written(merge, source, written)
        try:
            found = broken_by_a_run(written, source.content)
        except (ValueError, SyntaxError):  # a test of a damaged workbook
            return
        assert found + (against_schemas(written, source.content) if SCHEMAS.is_dir() else []) == []

    monkeypatch.setattr(write, "check_written", check)
