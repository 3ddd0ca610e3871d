"""What tests ask of a workbook by its path, and the program of its open form."""

import openpyxl

from sheetmbs.all_products import PRODUCTS, product_of
from sheetmbs.suspension.solved_design import WantedCases, solve_designs
from sheetmbs.suspension.suspension_results import read_suspension
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.reading.read_workbook import list_cases


def cases(path):
    """The cases of a workbook, each with its analysis."""
    return list_cases(open_book(path))


def product_in(path):
    """The product of a workbook."""
    return product_of(open_book(path))


def checked(path):
    """What a workbook holds in words, and warnings."""
    found = product_in(path).check(open_book(path))
    return found.content, found.warnings


def swept_designs(path, *sweeps):
    """The designs of a workbook over some of its sweeps, none: at design alone. A run also solves load cases and sheets."""
    wanted = WantedCases(frozenset(sweeps), loads=False, handling=False)
    return solve_designs(read_suspension(open_book(path)).designs, wanted)


def import_files(form, files, book, **options):
    """Put files of another program into a workbook. Returns what was made."""
    found = next(each for product in PRODUCTS for each in product.imports if each.name == form)
    return found.run(files, book, options)


def sheet_values(path, sheet, *, data_only=False):
    """The values of a sheet, row by row: one sheet alone is read, which takes a tenth of what a whole workbook takes."""
    book = openpyxl.load_workbook(path, read_only=True, data_only=data_only)
    try:
        return list(book[sheet].iter_rows(values_only=True))
    finally:
        book.close()
