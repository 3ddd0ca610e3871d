"""How programs save a workbook: what each does with files, as seen on disk."""

from io import BytesIO

import openpyxl


def changed(book, value):
    """The bytes of a workbook with another number beside its settings."""
    opened = openpyxl.load_workbook(book)
    opened["Settings"]["Z99"] = value
    held = BytesIO()
    opened.save(held)
    return held.getvalue()


def in_place(book, content):
    """openpyxl and scripts: the file is emptied and written again."""
    book.write_bytes(content)


def excel(book, content):
    """Excel: a new file beside, the old one under another name, the new one in its place, the old one deleted; lock file."""
    lock, new, old = (book.with_name(name) for name in (f"~${book.name}", "7C41A200", "9D20B100.tmp"))
    lock.write_bytes(b"\x05owner")
    with new.open("wb") as file:
        file.write(content[: len(content) // 2])
        file.flush()
        file.write(content[len(content) // 2 :])
    book.rename(old)
    new.rename(book)
    old.unlink()
    lock.unlink()


def libreoffice(book, content):
    """LibreOffice: a lock file while it is open, the whole file beside and then renamed over the old one."""
    lock, new = book.with_name(f".~lock.{book.name}#"), book.with_name("lu1234abcd.tmp")
    lock.write_text("owner")
    new.write_bytes(content)
    new.replace(book)
    lock.unlink()


def numbers(book, content):
    """Numbers: the export is made elsewhere and takes the place of the old file, which is removed first."""
    folder = book.with_name(".sb-0a1b2c3d")
    folder.mkdir()
    new = folder / book.name
    new.write_bytes(content)
    book.unlink()
    new.rename(book)
    folder.rmdir()


MANNERS = (in_place, excel, libreoffice, numbers)
