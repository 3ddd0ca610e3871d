"""The server of the page: who may ask, what is answered, and that pages that come back have missed nothing."""

import asyncio
import gzip
import json

import httpx
import pytest

from sheetmbs.live.local_server import LocalServer, listening
from sheetmbs.live.page_state import SharedPage, packed_document
from sheetmbs.live.served_page import PAGE, PageFile, script_hashes, served_page
from sheetmbs.problems.errors import Problem, WorkbookError

TOKEN, PORT = "a-token", 8123
HOST = f"127.0.0.1:{PORT}"
INLINE = b"<!doctype html><script>let a = 1;</script><script type=module src=main.js></script>"
FILES = {
    PAGE: PageFile(INLINE, "text/html"),
    "main.js": PageFile(b"// ours", "text/javascript"),
    "vendor/three.js": PageFile(b"// theirs", "text/javascript"),
}
BODIES = {"bodies": ["<script>alert(1)</script>", "=cmd|' /C calc'!A0", "größe"]}


@pytest.fixture
def shown():
    found = SharedPage()
    found.show(packed_document(1, BODIES), 1)
    return found


def ask(shown, path, host=HOST, method="GET", **headers):
    """What the application answers."""

    async def answer():
        transport = httpx.ASGITransport(served_page(shown, FILES, TOKEN, PORT))
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            return await client.request(method, path, headers={"host": host, **headers})

    return asyncio.run(answer())


@pytest.mark.parametrize(
    ("path", "kind", "content"),
    [
        ("", "text/html; charset=utf-8", INLINE),
        ("main.js", "text/javascript; charset=utf-8", b"// ours"),
        ("vendor/three.js", "text/javascript; charset=utf-8", b"// theirs"),
    ],
)
def test_files_of_the_page_are_served_as_they_are(shown, path, kind, content):
    answer = ask(shown, f"/{TOKEN}/{path}")
    assert (answer.status_code, answer.headers["content-type"], answer.content) == (200, kind, content)


def test_the_document_comes_with_its_number_packed_or_plain(shown):
    packed, plain = (
        ask(shown, f"/{TOKEN}/document"),
        ask(shown, f"/{TOKEN}/document", **{"accept-encoding": "identity"}),
    )
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json() == {"number": 1, "document": BODIES}


def test_a_number_that_json_has_not_never_leaves():
    with pytest.raises(ValueError, match="JSON"):
        packed_document(1, {"value": float("nan")})


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        "127.0.0.1",
        "127.0.0.1:80",
        f"127.0.0.1.evil.example:{PORT}",
        "",
        f"[::1]:{PORT}",
    ],
)
def test_another_host_is_refused(shown, host):
    assert ask(shown, f"/{TOKEN}/document", host=host).status_code == 421


def test_localhost_is_this_machine_too(shown):
    assert ask(shown, f"/{TOKEN}/", host=f"localhost:{PORT}").status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"https://{HOST}", "http://127.0.0.1:9999", f"http://{HOST}.evil.example"]
)
def test_another_origin_is_refused(shown, origin):
    answer = ask(shown, f"/{TOKEN}/document", origin=origin)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


def test_the_page_itself_is_an_origin_that_may_ask(shown):
    assert ask(shown, f"/{TOKEN}/document", origin=f"http://{HOST}").status_code == 200


@pytest.mark.parametrize(
    "token", ["", "another", TOKEN[:-1], f"{TOKEN}a", "document", "%61-tokem", "größe", TOKEN.upper()]
)
def test_a_wrong_token_finds_nothing(shown, token):
    for path in (f"/{token}/", f"/{token}/document", f"/{token}/main.js", f"/{token}/events"):
        answer = ask(shown, path)
        assert (answer.status_code, answer.text) == (404, "There is no such page.")


@pytest.mark.parametrize(
    "path",
    [
        "../../pyproject.toml",
        "..%2f..%2fpyproject.toml",
        "%2e%2e/%2e%2e/etc/passwd",
        "vendor/../../../etc/passwd",
        "/etc/passwd",
        "//etc/passwd",
        "..\\..\\pyproject.toml",
        "main.js/",
        "main.js%00.html",
        "vendor",
        "vendor/",
        "MAIN.JS",
        "__init__.py",
    ],
)
def test_nothing_but_the_files_of_the_page_is_served(shown, path):
    answer = ask(shown, httpx.URL(f"http://{HOST}").copy_with(raw_path=f"/{TOKEN}/{path}".encode()))
    assert answer.status_code == 404
    assert b"root:" not in answer.content


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
@pytest.mark.parametrize("path", ["", "document", "events"])
def test_the_page_can_only_be_read(shown, method, path):
    assert ask(shown, f"/{TOKEN}/{path}", method=method).status_code == 405


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        (f"/{TOKEN}/", {}),
        (f"/{TOKEN}/main.js", {}),
        (f"/{TOKEN}/document", {}),
        (f"/{TOKEN}/nothing", {}),
        ("/wrong/", {}),
        (f"/{TOKEN}/", {"origin": "http://evil.example"}),
    ],
)
def test_every_answer_tells_the_browser_to_be_strict(shown, path, headers):
    told = ask(shown, path, **headers).headers
    policy = dict(part.strip().split(" ", 1) for part in told["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["script-src"] == f"'self' '{script_hashes(INLINE)[0]}'"
    assert "unsafe" not in told["content-security-policy"]
    assert "*" not in told["content-security-policy"]
    assert told["x-content-type-options"] == "nosniff"
    assert told["cache-control"] == "no-store"
    assert told["referrer-policy"] == "no-referrer"
    assert told["x-frame-options"] == "DENY"
    assert told["cross-origin-resource-policy"] == "same-origin"


def test_only_scripts_within_the_page_are_named_by_their_hashes():
    # the value for alert('Hello, world.'); is the example of the specification, CSP level 2, section 7.17.2
    page = b"<script>alert('Hello, world.');</script><script src='x.js'></script>"
    assert script_hashes(page) == ["sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng="]


class Page:
    """A page that follows events of a server that runs."""

    def __init__(self, address, **headers):
        self._address = address
        self._headers = headers

    async def __aenter__(self):
        self._client = httpx.AsyncClient(timeout=10.0)
        self._stream = self._client.stream("GET", f"{self._address}events", headers=self._headers)
        answer = await self._stream.__aenter__()
        assert answer.headers["content-type"].startswith("text/event-stream")
        self._lines = answer.aiter_lines()
        return self

    async def __aexit__(self, *error):
        await self._stream.__aexit__(*error)
        await self._client.aclose()

    async def next(self):
        """The next state that is told."""
        kind = ""
        async for line in self._lines:
            name, _colon, value = line.partition(": ")
            kind = value if name == "event" else kind
            if name == "data" and kind == "state":
                return json.loads(value)
        return None

    async def document(self):
        return (await self._client.get(f"{self._address}document")).json()


def served(shown, follow):
    """Let ``follow`` use a server on a free port by its address."""

    async def serve():
        server = LocalServer(shown, listening(0), FILES)
        serving = asyncio.create_task(server.run_until_ended())
        try:
            async with asyncio.timeout(20):
                return await follow(server.address)
        finally:
            server.end()
            await serving

    return asyncio.run(serve())


def test_the_server_listens_on_this_machine_only_under_a_long_token_that_no_other_run_has(shown):
    addresses = []
    for _run in range(2):
        held = listening(0)
        assert held.getsockname()[0] == "127.0.0.1"
        addresses.append(LocalServer(shown, held, FILES).address)
        held.close()
    tokens = [address.split("/")[3] for address in addresses]
    assert tokens[0] != tokens[1]
    assert all(len(token) >= 32 for token in tokens)


def test_a_port_that_is_taken_is_a_sentence():
    held = listening(0)
    with held, pytest.raises(WorkbookError, match="--port") as raised:
        listening(held.getsockname()[1])
    assert raised.value.problems[0].code == "port-taken"


def test_several_pages_are_told_of_the_same_changes(shown):
    async def follow(address):
        async with Page(address) as one, Page(address) as other:
            first = [await one.next(), await other.next()]
            shown.show(packed_document(2, {"bodies": []}), 2)
            second = [await one.next(), await other.next()]
            return first, second, await one.document()

    first, second, document = served(shown, follow)
    assert [state["number"] for state in first] == [1, 1]
    assert [state["number"] for state in second] == [2, 2]
    assert document == {"number": 2, "document": {"bodies": []}}


def test_a_page_that_comes_back_is_told_at_once_how_things_are_now(shown):
    async def follow(address):
        async with Page(address) as page:
            await page.next()
        shown.show(packed_document(7, {}), 7)
        shown.tell(status="error", problems=(Problem("x", "error", "Joints!C7", "found", "rule", "mend"),))
        async with Page(address, **{"last-event-id": "1"}) as page:
            return await page.next()

    state = served(shown, follow)
    assert (state["number"], state["status"]) == (7, "error")
    assert state["problems"][0]["cell"] == "Joints!C7"


def test_a_page_that_sleeps_gets_the_newest_state_and_not_all_before_it(shown):
    async def follow():
        states = shown.follow()
        await anext(states)
        for number in range(2, 1000):
            shown.show(packed_document(number, {}), number)
        return (await anext(states)).number

    assert asyncio.run(follow()) == 999


def test_silence_is_broken_by_a_heartbeat(shown):
    async def follow():
        states = shown.follow(heartbeat=0.01)
        return [await anext(states), await anext(states), await anext(states)]

    assert asyncio.run(follow())[1:] == [None, None]


def test_pages_are_told_of_the_end_and_the_server_ends_at_once(shown):
    async def follow(address):
        async with Page(address) as page:
            await page.next()
            shown.tell(ended=True)
            return await page.next(), await page.next()

    last, beyond = served(shown, follow)
    assert last["ended"]
    assert beyond is None


def test_names_from_a_workbook_reach_the_page_as_text_in_json(shown):
    packed = ask(shown, f"/{TOKEN}/document")
    assert packed.headers["content-type"] == "application/json"
    assert json.loads(gzip.decompress(shown.packed))["document"] == BODIES
    shown.tell(sentence="a\n\nevent: state\ndata: {}")

    async def follow(address):
        async with Page(address) as page:
            return await page.next()

    assert served(shown, follow)["sentence"] == "a\n\nevent: state\ndata: {}"
