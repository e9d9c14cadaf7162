"""The clients, and what they need of a broker."""

from __future__ import annotations

import threading
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol

from .messages import Answer, Envelope, encode
from .pending import PendingCall, PendingCalls

# The fraction of the timeout that is reserved for the answer's way back, and its maximum in seconds.
_RETURN_FRACTION = 0.1
_MAX_RETURN_TIME = 0.05


class Client(ABC):
    """Makes calls. Thread-safe: one client is enough for a program. Use it in a with statement, or close it."""

    @abstractmethod
    def call(
        self,
        envelope: Envelope,
        *,
        timeout: float | None = None,
        message_headers: Mapping[str, str] | None = None,
    ) -> PendingCall[Answer]:
        """Makes a call, which ends after the timeout in seconds, even if the broker and all nodes are down.

        The default timeout is the deadlineMs of the envelope, else that of the client. Nodes get a slightly earlier deadline.
        The future has the answer, whatever its outcome, or an IoClusterError.
        """

    @abstractmethod
    def close(self) -> None:
        """Disconnects. A QueueClient fails its outstanding calls, a DoorClient waits for them."""

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def timeout_of(envelope: Envelope, given: float | None, default: float) -> float:
    """Returns the timeout of a call in seconds."""
    if given is not None:
        return given
    deadline = envelope.get("deadlineMs")
    return deadline / 1000 if deadline else default


def with_deadline(envelope: Envelope, id: str, timeout: float) -> Envelope:
    """Returns the envelope with its id, and with a deadline so that an answer still arrives within the timeout."""
    left = timeout - min(_MAX_RETURN_TIME, timeout * _RETURN_FRACTION)
    return {**envelope, "id": id, "deadlineMs": max(1, int(left * 1000))}


class IdGenerator:
    """Creates unique ids. Thread-safe."""

    def __init__(self) -> None:
        self._prefix = uuid.uuid4().hex
        self._lock = threading.Lock()
        self._count = 0

    def next(self) -> str:
        with self._lock:
            self._count += 1
            return f"{self._prefix}.{self._count}"


@dataclass(frozen=True)
class OutgoingRequest:
    """An encoded envelope with its message properties.

    key: the Kafka record key or AMQP correlation id. created: the wall clock, in seconds. timeout: seconds until the message expires,
    or None. is_wanted: returns False if the call has ended, so that the request need not be sent. confirmed: called if the broker has
    it. refused: called with "no" or "maybe" and the problem if not.
    """

    envelope: bytes
    key: str | None
    headers: Mapping[str, str]
    timeout: float | None
    is_wanted: Callable[[], bool]
    confirmed: Callable[[], None]
    refused: Callable[[str, str], None]
    created: float = field(default_factory=time.time)


class Transport(Protocol):
    """A broker and its queues."""

    @property
    def reply_to(self) -> str | None:
        """The topic or queue of answers to calls that each envelope names; None for that of the node."""

    def open(self, received: Callable[[bytes], Any]) -> None:
        """Connects, and passes each answer that is published from now on to the function."""

    def publish(self, request: OutgoingRequest) -> None:
        """Publishes an envelope without blocking."""

    def close(self) -> None:
        """Disconnects."""


class QueueClient(Client):
    """Makes calls over a KafkaTransport or a RabbitTransport. Raises an error of the broker's library if it cannot connect."""

    def __init__(self, transport: Transport, *, timeout: float = 30.0, max_outstanding: int = 1000) -> None:
        self._transport = transport
        self._timeout = timeout
        self._ids = IdGenerator()
        self._calls = PendingCalls(max_outstanding)
        transport.open(self._calls.received)
        threading.Thread(target=self._calls.expire_until_closed, name="iocluster-timer", daemon=True).start()

    def call(
        self,
        envelope: Envelope,
        *,
        timeout: float | None = None,
        message_headers: Mapping[str, str] | None = None,
        key: str | None = None,
    ) -> PendingCall[Answer]:
        """Makes a call; see Client.call. key: the Kafka record key or AMQP correlation id."""
        if envelope.get("reply") or envelope.get("replyTo"):
            raise ValueError("call() does not support reply or replyTo; use enqueue()")
        seconds = timeout_of(envelope, timeout, self._timeout)
        id = envelope.get("id") or self._ids.next()
        outgoing = with_deadline(envelope, id, seconds)
        if self._transport.reply_to:
            outgoing["replyTo"] = self._transport.reply_to
        payload = encode(outgoing)
        call = self._calls.start(id, seconds)
        self._publish(call, payload, key, message_headers, seconds)
        return call

    def enqueue(
        self,
        envelope: Envelope,
        *,
        message_headers: Mapping[str, str] | None = None,
        key: str | None = None,
    ) -> PendingCall[str]:
        """Puts an envelope on the queue. The future has its id when the broker has confirmed it. Another consumer gets the answer."""
        id = envelope.get("id") or self._ids.next()
        payload = encode({**envelope, "id": id})
        call = self._calls.start(id, self._timeout, answered=False)
        self._publish(call, payload, key, message_headers, None)
        return call

    def _publish(
        self,
        call: PendingCall[Any],
        payload: bytes,
        key: str | None,
        headers: Mapping[str, str] | None,
        timeout: float | None,
    ) -> None:
        self._transport.publish(
            OutgoingRequest(
                payload,
                key,
                headers or {},
                timeout,
                lambda: self._calls.is_open(call),
                lambda: self._calls.confirmed(call),
                lambda sent, problem: self._calls.refused(call, sent, problem)))

    @property
    def outstanding(self) -> int:
        """The number of outstanding calls and unconfirmed envelopes."""
        return len(self._calls)

    def close(self) -> None:
        self._calls.close()
        self._transport.close()

