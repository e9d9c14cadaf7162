"""The door as a way to make calls. Needs only the standard library."""

from __future__ import annotations

import http.client
import selectors
import socket
import ssl
import threading
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from .client import Client, IdGenerator, timeout_of, with_deadline
from .errors import CallTimeoutError, ClientClosedError, ClientFullError, DoorError, UnreadableAnswerError
from .messages import Answer, Envelope, encode, parse
from .pending import PendingCall

# How much longer than its deadline a call waits for the response of the door, in seconds.
_GRACE = 1.0


class DoorClient(Client):
    """Makes calls through a door. max_outstanding: calls at the same time, each with its thread and connection."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8081",
        *,
        token: str | None = None,
        timeout: float = 30.0,
        max_outstanding: int = 64,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._address = urllib.parse.urlsplit(url)
        if self._address.scheme not in ("http", "https") or not self._address.hostname:
            raise ValueError(f"the URL of the door must be http://host:port or https://host:port: {url}")
        self._token = token
        self._timeout = timeout
        self._maximum = max_outstanding
        self._tls = tls
        self._ids = IdGenerator()
        self._lock = threading.Lock()
        self._open: set[PendingCall[Any]] = set()
        self._idle: list[http.client.HTTPConnection] = []
        self._closed = False
        self._threads = ThreadPoolExecutor(max_outstanding, "iocluster-door")

    def call(
        self,
        envelope: Envelope,
        *,
        timeout: float | None = None,
        message_headers: Mapping[str, str] | None = None,
    ) -> PendingCall[Answer]:
        seconds = timeout_of(envelope, timeout, self._timeout)
        id = envelope.get("id") or self._ids.next()
        body = encode(with_deadline(envelope, id, seconds))
        call: PendingCall[Answer] = PendingCall(id, seconds)
        with self._lock:
            if self._closed:
                raise ClientClosedError(id, "no")
            if len(self._open) >= self._maximum:
                raise ClientFullError(id, self._maximum)
            self._open.add(call)
        call.add_done_callback(self._open.discard)
        self._threads.submit(self._make, call, body, message_headers or {})
        return call

    def _make(self, call: PendingCall[Answer], body: bytes, headers: Mapping[str, str]) -> None:
        if not call.set_running_or_notify_cancel():
            return
        try:
            payload = self._exchange(call.id, "POST", "/v1/calls", body, headers, call.timeout)
            try:
                call.set_result(Answer.decode(payload))
            except ValueError as unreadable:
                call.set_exception(UnreadableAnswerError(call.id, str(unreadable)))
        except TimeoutError:
            call.set_exception(CallTimeoutError(call.id, call.timeout, "unconfirmed"))
        except Exception as failure:
            call.set_exception(failure)

    def start(self, envelope: Envelope, *, message_headers: Mapping[str, str] | None = None) -> str:
        """Starts an asynchronous call and returns its id. The door keeps the answer for a while: see fetch."""
        id = envelope.get("id") or self._ids.next()
        headers = {**(message_headers or {}), "Prefer": "respond-async"}
        self._exchange(id, "POST", "/v1/calls", encode({**envelope, "id": id}), headers, self._timeout)
        return id

    def fetch(self, id: str, *, wait: float = 0) -> Answer | None:
        """Returns the answer to an asynchronous call, or None while it is open. wait: seconds to wait for it."""
        path = "/v1/calls/" + urllib.parse.quote(id, safe="")
        payload = self._exchange(id, "GET", path, None, {"Prefer": f"wait={int(wait)}"}, wait + self._timeout)
        raw = parse(payload)
        return None if raw.get("state") == "pending" else Answer.of(raw)

    def batch(self, envelopes: Iterable[Envelope]) -> Iterator[tuple[int, Answer | DoorError]]:
        """Makes many calls. Yields the index of each envelope with its answer or problem, as soon as its call ends."""
        lines = b"".join(encode(each) + b"\n" for each in envelopes)
        connection = self._connection(None)
        try:
            response = self._send(connection, None, "POST", "/v1/calls:batch", lines, {"Content-Type": "application/x-ndjson"})
            for line in response:
                raw = parse(line)
                problem = raw.get("problem")
                index = raw["line"] - 1
                yield index, _door_error(raw.get("id"), problem, None) if problem else Answer.of(raw)
        finally:
            connection.close()

    def _exchange(
        self, id: str, method: str, path: str, body: bytes | None, headers: Mapping[str, str], timeout: float
    ) -> bytes:
        """Returns the body of a response with a status below 300. Raises DoorError for others, and OSError."""
        connection = self._take(timeout + _GRACE)
        try:
            response = self._send(connection, id, method, path, body, {"Content-Type": "application/json", **headers})
            payload = response.read()
        except BaseException:
            connection.close()
            raise
        with self._lock:
            if not self._closed and not response.will_close:
                self._idle.append(connection)
                return payload
        connection.close()
        return payload

    def _send(
        self,
        connection: http.client.HTTPConnection,
        id: str | None,
        method: str,
        path: str,
        body: bytes | None,
        headers: Mapping[str, str],
    ) -> http.client.HTTPResponse:
        authorization = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        connection.request(method, self._address.path.rstrip("/") + path, body, {**headers, **authorization})
        response = connection.getresponse()
        if response.status >= 300:
            content = response.read()
            try:
                problem = parse(content)
                problem["code"], problem["detail"]
            except (ValueError, KeyError, TypeError):
                problem = {"status": response.status, "code": "protocol-error", "detail": "the response is not one of a door"}
            raise _door_error(id, problem, response.getheader("Retry-After"))
        return response

    def _take(self, timeout: float) -> http.client.HTTPConnection:
        """Returns a connection that the door has not closed."""
        while True:
            with self._lock:
                if self._closed:
                    raise ClientClosedError(None, "no")
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._connection(timeout)
            if connection.sock is not None and not _is_readable(connection.sock):
                connection.sock.settimeout(timeout)
                return connection
            connection.close()

    def _connection(self, timeout: float | None) -> http.client.HTTPConnection:
        host, port = str(self._address.hostname), self._address.port
        if self._address.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=timeout, context=self._tls)
        return http.client.HTTPConnection(host, port, timeout=timeout)

    def close(self) -> None:
        """Refuses further calls, waits for those that have begun, and disconnects."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
        self._threads.shutdown()


def _is_readable(connection: socket.socket) -> bool:
    """An idle connection is readable if the door has closed it."""
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        return bool(selector.select(0))


def _door_error(id: str | None, problem: Mapping[str, Any], retry_after: str | None) -> DoorError:
    delay = float(retry_after) if retry_after and retry_after.isdigit() else None
    return DoorError(id, int(problem.get("status", 0)), problem["code"], problem["detail"], delay)
