"""New parts are packed in blocks by several threads: any program can unpack them, and the threads do not show in the bytes."""

from __future__ import annotations

import io
import zipfile
import zlib

import numpy as np
import pytest

from sheetmbs.schema.table import Table
from sheetmbs.workbook.package import zipcopy
from sheetmbs.workbook.package.zipcopy import BLOCK, ZipCopy

RNG = np.random.default_rng(2)


def text(length):
    return bytes(RNG.integers(48, 58, length, dtype=np.uint8))


def packed(*parts, is_large=False):
    file = io.BytesIO()
    with ZipCopy(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, chunks in enumerate(parts):
            archive.pack(f"part{number}", chunks, 1, is_large=is_large)
    return file.getvalue()


@pytest.mark.parametrize("is_large", [False, True])
@pytest.mark.parametrize(
    "chunks",
    [[], [b""], [b"a"], [b"a", b"", b"b"], [text(3 * BLOCK + 7)], [text(BLOCK)], [text(BLOCK // 3) for _ in range(20)]],
    ids=["no chunk", "nothing", "a byte", "three chunks", "a long chunk", "one block", "many chunks"],
)
def test_what_was_packed_is_unpacked(chunks, is_large):
    content = packed([b"first"], chunks, [b"last"], is_large=is_large)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        assert [archive.read(name) for name in archive.namelist()] == [b"first", b"".join(chunks), b"last"]


def test_sizes_and_checksum_stand_before_the_data():
    content = packed([text(2 * BLOCK)])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        [entry] = archive.infolist()
    crc, size, whole = (int.from_bytes(content[at : at + 4], "little") for at in (14, 18, 22))
    assert (crc, size, whole) == (entry.CRC, entry.compress_size, entry.file_size)
    assert entry.flag_bits & zipcopy.SIZES_FOLLOW_THE_DATA == 0


def test_the_packed_data_are_a_single_stream():
    data = text(5 * BLOCK)
    content = packed([data])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        stored = zipcopy.stored(content, archive.infolist()[0])
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    assert unpacker.decompress(stored) == data
    assert unpacker.eof
    assert unpacker.unused_data == b""


def test_the_bytes_are_the_same_however_many_threads_there_are(monkeypatch):
    chunks = [text(BLOCK // 2) for _ in range(30)]
    several = packed(chunks)
    monkeypatch.setattr(zipcopy, "THREADS", 1)
    assert packed(chunks) == several


def test_an_error_while_a_part_is_made_reaches_the_caller():
    def chunks():
        yield text(2 * BLOCK)
        raise ArithmeticError

    with pytest.raises(ArithmeticError):
        packed(chunks())


def test_frames_share_the_numbers_of_their_table_until_they_are_changed():
    table = Table("mbs Bodies", ("time", "a.x"), ("s", "m"), np.zeros((3, 2)))
    frame = table.frame()
    assert np.shares_memory(frame.to_numpy(), table.values)
    frame.iloc[0, 0] = 1.0
    frame["a.x"] += 2.0
    assert not table.values.any()
    assert table.frame().attrs["units"] == {"time": "s", "a.x": "m"}
    assert not table.frame().to_numpy().any()
