"""The server that lends batches, as a volunteer's computer sees it: four requests over HTTP."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

import httpx

from tabia.engine.match import UnknownWeightsError
from tabia.engine.match.own_weights import verified

_CONNECT_SECONDS = 10.0
_ANSWER_SECONDS = 60.0
_BEAT_SECONDS = 5.0
_LONGEST_MESSAGE = 300


class UrlError(ValueError):
    """The text is not the address of a server."""


class TroubleError(Exception):
    """No answer, or one that says to come back: asking again may help.

    ``wait`` is how many seconds the server wants to be left alone, if it said so.
    """

    def __init__(self, problem: str, wait: float | None = None) -> None:
        super().__init__(problem)
        self.wait = wait


class RefusedError(Exception):
    """The server says no, and why; asking again would not help. ``status`` is HTTP's."""

    def __init__(self, problem: str, status: int) -> None:
        super().__init__(problem)
        self.status = status


@dataclass(frozen=True)
class Loan:
    """A batch to play under a lease that must be renewed within ``renew_within`` seconds."""

    lease: str
    renew_within: float
    batch: dict[str, Any]


class Lender:
    """The server at ``url``; threads may share it.

    Raises UrlError; every request raises TroubleError or RefusedError.
    """

    def __init__(self, url: str, *, transport: httpx.BaseTransport | None = None) -> None:
        self.url = checked_url(url)
        self._http = httpx.Client(
            base_url=f"{self.url}/api/v1/",
            headers={"User-Agent": f"tabia/{version('tabia')}"},
            transport=transport,
        )
        self._weights: dict[str, dict[str, Any]] = {}

    def lend(self, *, worker: str, engine: str) -> Loan | None:
        """Ask for a batch; None: there is nothing to play now."""
        answer = self._ask("POST", "leases", {"worker": worker, "engine": engine})
        if answer.status_code == httpx.codes.NO_CONTENT:
            return None
        said = _json(answer)
        try:
            return Loan(str(said["lease"]), float(said["renew_within"]), dict(said["batch"]))
        except (KeyError, TypeError, ValueError):
            raise RefusedError(
                f"{self.url}: not an answer of a Tabia server of this version", answer.status_code
            ) from None

    def weights(self, name: str) -> dict[str, Any]:
        """The weights whose hash is ``name``, asked for once. Raises RefusedError too when what
        comes has another hash."""
        if name not in self._weights:
            try:
                self._weights[name] = verified(name, _json(self._ask("GET", f"weights/{name}")))
            except UnknownWeightsError as error:
                raise RefusedError(f"{self.url}: {error}", httpx.codes.OK) from None
        return self._weights[name]

    def renew(self, lease: str) -> bool:
        """Say that the batch is being played; returns whether it is still wanted."""
        try:
            answer = self._ask("POST", f"leases/{lease}/heartbeat", patience=_BEAT_SECONDS)
            return bool(_json(answer).get("wanted", True))
        except RefusedError as error:
            if error.status == httpx.codes.NOT_FOUND:
                return False
            raise

    def deliver(self, lease: str, result: dict[str, Any]) -> str:
        """Hand the result in; returns "recorded" or "duplicate"."""
        answer = self._ask("POST", "results", {"lease": lease, "result": result})
        return str(_json(answer).get("receipt", ""))

    def give_back(self, lease: str) -> None:
        """The batch will not be played here."""
        self._ask("DELETE", f"leases/{lease}")

    def report_failure(self, lease: str, problem: str) -> None:
        """The batch could not be played, and why."""
        self._ask("POST", f"leases/{lease}/failure", {"message": problem[:_LONGEST_MESSAGE]})

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _ask(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        *,
        patience: float = _ANSWER_SECONDS,
    ) -> httpx.Response:
        timeout = httpx.Timeout(patience, connect=min(patience, _CONNECT_SECONDS))
        try:
            answer = self._http.request(method, path, json=body, timeout=timeout)
        except httpx.TimeoutException:
            raise TroubleError(f"{self.url}: no answer in time") from None
        except httpx.TransportError as error:
            raise TroubleError(f"{self.url}: {error}") from None
        status = answer.status_code
        if status == httpx.codes.TOO_MANY_REQUESTS or status >= 500:
            raise TroubleError(f"{self.url}: {_message(answer)}", _retry_after(answer))
        if answer.is_redirect:
            place = answer.headers.get("location", "another address")
            raise RefusedError(f"{self.url}: the server has moved, ask {place}", status)
        if status >= 400:
            raise RefusedError(f"{self.url}: {_message(answer)}", status)
        return answer


def checked_url(url: str) -> str:
    """``url`` without a slash at its end. Raises UrlError with what is allowed."""
    allowed = "allowed: http:// or https://, a host and perhaps a port and a path"
    try:
        parts = urlsplit(url)
        port_is_good = parts.port != 0
    except ValueError as error:
        raise UrlError(f"found {url!r} ({error}), {allowed}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_good:
        raise UrlError(f"found {url!r}, {allowed}")
    if parts.query or parts.fragment or any(character.isspace() for character in url):
        raise UrlError(f"found {url!r}, {allowed}")
    return url.rstrip("/")


def _json(answer: httpx.Response) -> dict[str, Any]:
    try:
        said = answer.json()
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise RefusedError(
            f"{answer.url.copy_with(path='/')}: no Tabia server answers here", answer.status_code
        )
    return said


def _message(answer: httpx.Response) -> str:
    try:
        said = answer.json()
    except ValueError:
        said = None
    message = said.get("message") if isinstance(said, dict) else None
    if not isinstance(message, str) or not message:
        return f"HTTP {answer.status_code} {answer.reason_phrase}, no Tabia server answers here"
    return " ".join(message.split())[:_LONGEST_MESSAGE]


def _retry_after(answer: httpx.Response) -> float | None:
    text = answer.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() else None
