"""Lines of a page that a reader types into a shell."""

import io
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from types import SimpleNamespace
from unittest import mock

from sheetmbs.command import cli


def run(line, folder):
    """Run one line of ours in a folder, in this process: what became of it, with its outputs as through pipes."""
    program, *arguments = line.split("#")[0].split()
    assert program == "sheetmbs", "this knows how to run no other program"
    out, err = io.StringIO(), io.StringIO()
    with (
        chdir(folder),
        redirect_stdout(out),
        redirect_stderr(err),
        mock.patch.object(sys, "argv", [program, *arguments]),
    ):
        status = cli.call()
    return SimpleNamespace(returncode=status, stdout=out.getvalue(), stderr=err.getvalue())
