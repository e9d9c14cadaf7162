"""Matches answers to outstanding calls."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from .errors import (
    CallTimeoutError,
    ClientClosedError,
    ClientFullError,
    IoClusterError,
    NotEnqueuedError,
    UnreadableAnswerError,
)
from .messages import Answer, parse

T = TypeVar("T")


class PendingCall(Future[T], Generic[T]):
    """A call without an answer yet: a future for threads (result, add_done_callback), and for await."""

    def __init__(self, id: str, timeout: float) -> None:
        super().__init__()
        self.id = id
        self.timeout = timeout
        self.confirmed = False

    def __await__(self) -> Generator[Any, None, T]:
        return asyncio.wrap_future(self).__await__()


class PendingCalls:
    """The outstanding calls of one client.

    A call ends once: by its answer, a failed publish, its deadline, a cancellation or close. Thread-safe. Owned by its client.
    """

    def __init__(self, maximum: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._maximum = maximum
        self._clock = clock
        self._changed = threading.Condition()
        self._open: set[PendingCall[Any]] = set()
        self._by_id: dict[str, PendingCall[Answer]] = {}
        self._deadlines: list[tuple[float, int, PendingCall[Any]]] = []
        self._order = itertools.count()
        self._closed = False

    def start(self, id: str, timeout: float, answered: bool = True) -> PendingCall[Any]:
        """Adds a call. It ends when its answer arrives or, if answered is False, when the broker has confirmed its request.

        Raises ValueError if a call with the id is outstanding.
        """
        call: PendingCall[Any] = PendingCall(id, timeout)
        with self._changed:
            if self._closed:
                raise ClientClosedError(id, "no")
            if len(self._open) >= self._maximum:
                raise ClientFullError(id, self._maximum)
            if answered and id in self._by_id:
                raise ValueError(f"a call with the id {id} is already outstanding")
            self._open.add(call)
            if answered:
                self._by_id[id] = call
            deadline = self._clock() + timeout
            heapq.heappush(self._deadlines, (deadline, next(self._order), call))
            if self._deadlines[0][0] == deadline:
                self._changed.notify()
        call.add_done_callback(self._forget)
        return call

    def is_open(self, call: PendingCall[Any]) -> bool:
        """Returns whether the call has not ended, so that its request is still worth sending."""
        return call in self._open

    def confirmed(self, call: PendingCall[Any]) -> None:
        """Records that the broker has the request."""
        call.confirmed = True
        if self._by_id.get(call.id) is not call and self._end(call):
            call.set_result(call.id)

    def refused(self, call: PendingCall[Any], sent: str, problem: str) -> None:
        """Fails the call, because the broker does not have the request, or may not have it."""
        self._fail(call, NotEnqueuedError(call.id, sent, problem))

    def received(self, payload: bytes) -> bool:
        """Ends the call of an answer. Returns false if no call is outstanding that has its id."""
        try:
            raw = parse(payload)
            call = self._by_id.get(raw["id"])
        except (ValueError, KeyError, TypeError):
            return False
        if call is None or not self._end(call):
            return False
        try:
            call.set_result(Answer.of(raw))
        except ValueError as unreadable:
            call.set_exception(UnreadableAnswerError(call.id, str(unreadable)))
        return True

    def expire(self) -> None:
        """Ends the calls whose deadline has passed."""
        while True:
            with self._changed:
                if not self._deadlines or self._deadlines[0][0] > self._clock():
                    return
                call = heapq.heappop(self._deadlines)[2]
            self._fail(call, CallTimeoutError(call.id, call.timeout, "enqueued" if call.confirmed else "unconfirmed"))

    def expire_until_closed(self) -> None:
        """Ends each call at its deadline. Returns after close."""
        while not self._closed:
            self.expire()
            with self._changed:
                if not self._closed:
                    # At most an hour, because a condition refuses to wait for centuries.
                    self._changed.wait(min(self._deadlines[0][0] - self._clock(), 3600) if self._deadlines else None)

    def close(self) -> None:
        """Fails all calls."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            left = list(self._open)
        for call in left:
            self._fail(call, ClientClosedError(call.id, "maybe"))

    def __len__(self) -> int:
        return len(self._open)

    def _fail(self, call: PendingCall[Any], failure: IoClusterError) -> None:
        if self._end(call):
            call.set_exception(failure)

    def _end(self, call: PendingCall[Any]) -> bool:
        """Removes the call. Returns true if this caller now owns it and must complete it."""
        return self._remove(call) and call.set_running_or_notify_cancel()

    def _forget(self, call: Future[Any]) -> None:
        """Removes a cancelled call."""
        self._remove(call)  # type: ignore[arg-type]

    def _remove(self, call: PendingCall[Any]) -> bool:
        with self._changed:
            if call not in self._open:
                return False
            self._open.remove(call)
            if self._by_id.get(call.id) is call:
                del self._by_id[call.id]
            # Deadlines of ended calls leave memory when they are most of the heap.
            if len(self._deadlines) > 64 and len(self._deadlines) > 2 * len(self._open):
                self._deadlines = [each for each in self._deadlines if each[2] in self._open]
                heapq.heapify(self._deadlines)
            return True
