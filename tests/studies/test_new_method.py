"""What a new method of studies costs: its declaration, its file, and its line in the list of methods."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import openpyxl

from sheetmbs.schema.study_methods import STUDY_METHODS
from sheetmbs.studies.methods.all_methods import METHODS
from tests.studies.study_books import study_book

PACKAGE = Path(__file__).parents[2] / "sheetmbs"
DECLARATION = 'HALTON = StudyMethod("halton", "samples of a Halton sequence", is_sampling=True)\n'
METHOD = '''
"""Samples of a Halton sequence."""

import numpy as np
from scipy.stats import qmc

from sheetmbs.schema import study_methods
from sheetmbs.studies.methods.method import ChosenVariants, Method
from sheetmbs.studies.methods.samples import spread


def _run(study, evaluate):
    sequence = qmc.Halton(len(study.variables), rng=np.random.default_rng(study.seed))
    evaluate(spread(study, sequence.random(study.samples)))
    return ChosenVariants()


HALTON = Method(study_methods.HALTON, _run, lambda study: study.samples)
'''
EDITS = {
    "schema/study_methods.py": [
        ("SOBOL = StudyMethod(", DECLARATION + "{}"),
        ("LATIN_HYPERCUBE, SOBOL),", "LATIN_HYPERCUBE, SOBOL, HALTON),"),
    ],
    "studies/methods/all_methods.py": [
        ("from sheetmbs.studies.methods.enumerated", "from sheetmbs.studies.methods.halton import HALTON\n{}"),
        ("LATIN_HYPERCUBE, SOBOL),", "LATIN_HYPERCUBE, SOBOL, HALTON),"),
    ],
}


def summary(book):
    """The rows of the summary of a study, without the numbers in them."""
    rows = openpyxl.load_workbook(book)["mbs Study Summary"].iter_rows(values_only=True)
    return [tuple(cell for cell in row if isinstance(cell, str)) for row in rows]


def with_method(folder):
    """A copy of the package with one method more."""
    copy = folder / "sheetmbs"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "studies" / "methods" / "halton.py").write_text(METHOD)
    for name, edits in EDITS.items():
        text = (copy / name).read_text(encoding="utf-8")
        for anchor, put in edits:
            assert text.count(anchor) == 1, anchor
            text = text.replace(anchor, put.format(anchor))
        (copy / name).write_text(text, encoding="utf-8")
    return folder


def test_a_method_that_is_added_by_the_recipe_has_all_that_another_sampling_method_has(tmp_path):
    package = with_method(tmp_path / "code")
    for name in ("halton", "sobol"):
        book = study_book(tmp_path / f"{name}.xlsx", name, samples=32.0)
        for command in ("check", "study"):
            done = subprocess.run(
                [sys.executable, "-m", "sheetmbs", command, str(book)],
                cwd=package,
                env=os.environ | {"PYTHONPATH": str(package)},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
    found, wanted = (summary(tmp_path / f"{name}.xlsx") for name in ("halton", "sobol"))
    titles = [row[0] for row in found if row]
    assert any("Standardised regression coefficients" in title for title in titles)
    assert [len(row) for row in found] == [len(row) for row in wanted]
    assert len(openpyxl.load_workbook(tmp_path / "halton.xlsx")["mbs Study Charts"]._charts) == len(
        openpyxl.load_workbook(tmp_path / "sobol.xlsx")["mbs Study Charts"]._charts
    )


def test_words_of_methods_stand_in_their_declaration_and_their_own_files_alone():
    places = [*(PACKAGE / "studies").rglob("*.py"), *(PACKAGE / "command").rglob("*.py"), *PACKAGE.glob("*.py")]
    spelled = [
        f"{path.relative_to(PACKAGE).as_posix()}: {node.value}"
        for path in places
        if path.parent.name != "methods"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in STUDY_METHODS
    ]
    assert spelled == []


def test_every_declared_method_can_be_run():
    assert list(METHODS) == list(STUDY_METHODS)
