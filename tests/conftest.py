"""Settings for all tests."""

import os
import sys

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # tests run side by side: threads of linear algebra would only wait


@pytest.fixture
def call(monkeypatch, capsys):
    """The program in this process: (exit status, standard output, standard error)."""
    from sheetmbs import cli

    def program(*arguments):
        monkeypatch.setattr(sys, "argv", ["sheetmbs", *map(str, arguments)])
        status = cli.call()
        streams = capsys.readouterr()
        return status, streams.out, streams.err

    return program
