"""Who holds connections to the page's server without asking for anything, and who reads what programs were started with."""

import asyncio
import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from sheetmbs.live import limited_connection
from sheetmbs.live.page_state import SharedPage, packed_document
from tests.command.test_cli import environment
from tests.live.test_served_page import served

BOOK = Path(__file__).parents[2] / "workbooks" / "pendulum.xlsx"


@pytest.fixture
def shown():
    found = SharedPage()
    found.show(packed_document(1, {"bodies": []}), 1)
    return found


async def is_closed(reader, within):
    """Whether the server closes a connection within some seconds, whatever it says before."""
    try:
        async with asyncio.timeout(within):
            while await reader.read(1024):
                pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


async def document(address):
    async with httpx.AsyncClient() as client:
        return (await client.get(f"{address}document", timeout=5.0)).status_code


BEGUN = {
    "nothing": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-",
    "a body that never comes": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\nx",
    "a whole request and half of another": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTT",
}


@pytest.mark.parametrize("begun", BEGUN)
def test_a_client_that_sends_a_byte_now_and_then_is_cut_off_in_time(shown, monkeypatch, begun):
    monkeypatch.setattr(limited_connection, "REQUEST_WITHIN", 1.0)

    async def follow(address):
        port = int(re.search(r":(\d+)/", address)[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(BEGUN[begun])

        async def drip():
            while True:
                await asyncio.sleep(0.1)
                writer.write(b"a")

        dripping = asyncio.create_task(drip()) if BEGUN[begun] else None
        try:
            return await is_closed(reader, 6.0), await document(address)
        finally:
            if dripping is not None:
                dripping.cancel()
            writer.close()

    assert served(shown, follow) == (True, 200)


def test_a_page_is_served_though_somebody_holds_more_connections_than_there_may_be(shown):
    most = limited_connection.MOST_CONNECTIONS

    async def follow(address):
        port = int(re.search(r":(\d+)/", address)[1])
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(most + 30)]
        status = await document(address)
        closed = await asyncio.gather(*(is_closed(reader, 0.5) for reader, _writer in held))
        for _reader, writer in held:
            writer.close()
        return status, sum(closed), closed[0], closed[-1]

    status, closed, first, last = served(shown, follow)
    assert status == 200
    assert 30 <= closed <= 35
    assert (first, last) == (True, False)


def test_a_head_that_does_not_end_is_refused(shown):
    async def follow(address):
        port = int(re.search(r":(\d+)/", address)[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nX: " + b"a" * 4 * limited_connection.LONGEST_HEAD)
        answer = await reader.read(64)
        writer.close()
        return answer

    assert b" 4" in served(shown, follow)[:16]


def test_who_follows_events_is_not_cut_off(shown, monkeypatch):
    monkeypatch.setattr(limited_connection, "REQUEST_WITHIN", 0.3)

    async def follow(address):
        async with httpx.AsyncClient() as client, client.stream("GET", f"{address}events", timeout=20.0) as answer:
            lines = answer.aiter_lines()
            first = await anext(lines)
            await asyncio.sleep(1.0)
            shown.tell(sentence="later")
            async for line in lines:
                if "later" in line:
                    return first
        return ""

    assert served(shown, follow).startswith("retry")


@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
def test_no_command_line_shows_the_token_and_the_file_that_leads_to_the_page_is_for_its_user_alone(tmp_path):
    started = tmp_path / "started"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" > {started}.new\nmv {started}.new {started}\nsleep 60\n')
    browser.chmod(0o755)
    program = subprocess.Popen(
        [sys.executable, "-m", "sheetmbs", "view", str(BOOK)],
        stderr=subprocess.PIPE,
        text=True,
        env=environment(BROWSER=str(browser), TMPDIR=str(tmp_path), HOME=str(tmp_path)),
        start_new_session=True,
    )
    try:
        address = next(found for line in program.stderr if (found := re.search(r"http://\S+/", line)))[0]
        token = address.split("/")[3].encode()
        end = time.monotonic() + 60.0
        while not started.exists() and time.monotonic() < end:
            time.sleep(0.05)
        (given,) = started.read_text().split()
        seen = 0
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = path.read_bytes()
            except OSError:
                continue
            assert token not in line
            seen += str(browser).encode() in line
        assert seen
        assert given.startswith("file://")
        file = Path(given.removeprefix("file://"))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert f"url={address}" in file.read_text(encoding="utf-8")
    finally:
        os.killpg(program.pid, signal.SIGINT)
        program.communicate(timeout=60)
    assert not file.exists()
