"""What a volunteer's computer makes of a server's answers, good and bad, over real HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tabia.engine.weights_file import weights_hash
from tabia.worker.lender import Lender, RefusedError, TroubleError, UrlError, checked_url

Answer = tuple[int, dict[str, str], bytes]
asked: list[str] = []
"""What was asked of the servers of this file by GET."""


@pytest.fixture
def answering() -> Iterator[Callable[[Answer], Lender]]:
    """Starts a server that answers every request in one way."""
    servers: list[ThreadingHTTPServer] = []
    lenders: list[Lender] = []

    def start(answer: Answer) -> Lender:
        status, headers, body = answer

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.do_POST()

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        servers.append(server)
        lenders.append(Lender(f"http://127.0.0.1:{server.server_port}/"))
        return lenders[-1]

    yield start
    for lender in lenders:
        lender.close()
    for server in servers:
        server.shutdown()
        server.server_close()


def says(status: int, said: Any, **headers: str) -> Answer:
    return status, {"Content-Type": "application/json", **headers}, json.dumps(said).encode()


@pytest.mark.parametrize(
    "url",
    ["http://a.example", "https://a.example/tabia", "http://127.0.0.1:8000", "http://[::1]:8000"],
)
def test_addresses(url: str) -> None:
    assert checked_url(url) == checked_url(url + "/") == url


@pytest.mark.parametrize(
    "url",
    [
        "a.example", "a.example:8000", "ftp://a.example", "http://", "http://a:port", "http://a:0",
        "http://a:99999", "http://[::1", "http://a/?b", "http://a/#b", "http://a b", "",
    ],
)  # fmt: skip
def test_no_addresses(url: str) -> None:
    with pytest.raises(UrlError, match=r"^found .*, allowed: http:// or https://"):
        checked_url(url)


def test_nothing_to_play(answering: Callable[[Answer], Lender]) -> None:
    assert answering((204, {}, b"")).lend(worker="w", engine="e") is None


def test_a_refusal_says_what_the_server_says(answering: Callable[[Answer], Lender]) -> None:
    lender = answering(says(409, {"message": "install the same\nversion"}))
    with pytest.raises(RefusedError, match=r"^http://127.*: install the same version$") as refusal:
        lender.lend(worker="w", engine="e")
    assert refusal.value.status == 409


def test_a_server_that_is_busy_is_asked_later(answering: Callable[[Answer], Lender]) -> None:
    lender = answering(says(503, {"message": "soon"}, **{"Retry-After": "7"}))
    with pytest.raises(TroubleError, match="soon") as trouble:
        lender.lend(worker="w", engine="e")
    assert trouble.value.wait == 7


def test_a_gateway_without_json_is_trouble(answering: Callable[[Answer], Lender]) -> None:
    with pytest.raises(TroubleError, match="HTTP 502 Bad Gateway"):
        answering((502, {}, b"<html>nginx</html>")).lend(worker="w", engine="e")


@pytest.mark.parametrize("body", [b"<html>Welcome!</html>", b"[]", b"\xff\xfe"])
def test_another_kind_of_server_is_refused(
    answering: Callable[[Answer], Lender], body: bytes
) -> None:
    with pytest.raises(RefusedError, match="no Tabia server answers here"):
        answering((200, {}, body)).lend(worker="w", engine="e")


def test_another_version_of_the_server_is_refused(answering: Callable[[Answer], Lender]) -> None:
    with pytest.raises(RefusedError, match="not an answer of a Tabia server of this version"):
        answering(says(200, {"lease": "1", "task": {}})).lend(worker="w", engine="e")


def test_a_server_that_moved_is_named(answering: Callable[[Answer], Lender]) -> None:
    lender = answering((301, {"Location": "https://b.example/"}, b""))
    with pytest.raises(RefusedError, match=r"has moved, ask https://b\.example/"):
        lender.lend(worker="w", engine="e")


def test_a_lease_that_the_server_forgot_is_not_wanted(
    answering: Callable[[Answer], Lender],
) -> None:
    assert answering(says(404, {"message": "no lease"})).renew("1" * 32) is False


def test_nobody_there_is_trouble() -> None:
    lender = Lender("http://127.0.0.1:1")
    with pytest.raises(TroubleError, match=r"^http://127.0.0.1:1: .*refused"):
        lender.lend(worker="w", engine="e")
    lender.close()


def test_weights_are_asked_for_once(answering: Callable[[Answer], Lender]) -> None:
    weights = {"tempo": 1, "letters": {}}
    name, lender = weights_hash(weights), answering(says(200, weights))
    asked.clear()
    assert lender.weights(name) == lender.weights(name) == weights
    assert asked == [f"/api/v1/weights/{name}"]


def test_other_weights_than_were_asked_for_are_refused(
    answering: Callable[[Answer], Lender],
) -> None:
    lender = answering(says(200, {"tempo": 2, "letters": {}}))
    with pytest.raises(RefusedError, match="is something else"):
        lender.weights("0" * 64)
