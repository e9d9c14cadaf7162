"""The reasons why a call has no answer."""

from __future__ import annotations


class IoClusterError(Exception):
    """A call has no answer.

    id: the id of the call. sent: "no" if the target has certainly not seen the call and will not see it, else "maybe".
    """

    def __init__(self, id: str | None, sent: str, message: str) -> None:
        super().__init__(message)
        self.id = id
        self.sent = sent


class CallTimeoutError(IoClusterError):
    """The deadline passed first. stage: "unconfirmed" by the broker, or "enqueued"."""

    def __init__(self, id: str | None, timeout: float, stage: str) -> None:
        reason = {
            "unconfirmed": "the broker or the door has not confirmed the request",
            "enqueued": "the request was put on the queue, but no node has answered; it may still wait or be a dead letter",
        }
        super().__init__(id, "maybe", f"no answer within {timeout:g} s: {reason[stage]}")
        self.stage = stage


class ClientFullError(IoClusterError):
    """The client has its maximum of outstanding calls."""

    def __init__(self, id: str | None, maximum: int) -> None:
        super().__init__(id, "no", f"{maximum} calls are outstanding; raise max_outstanding, or wait for answers")


class NotEnqueuedError(IoClusterError):
    """The broker refused the request ("no"), or did not confirm it ("maybe")."""

    def __init__(self, id: str | None, sent: str, problem: str) -> None:
        super().__init__(id, sent, f"not enqueued: {problem}")


class ClientClosedError(IoClusterError):
    """The client was closed."""

    def __init__(self, id: str | None, sent: str) -> None:
        super().__init__(id, sent, "the client is closed")


class UnreadableAnswerError(IoClusterError):
    """The message with the id of the call is not a valid answer."""

    def __init__(self, id: str | None, problem: str) -> None:
        super().__init__(id, "maybe", problem)


class DoorError(IoClusterError):
    """The door returned a problem. code: stable, see docs/door.md. retry_after: seconds, or None."""

    def __init__(self, id: str | None, status: int, code: str, detail: str, retry_after: float | None) -> None:
        super().__init__(id, "no" if status < 500 else "maybe", f"{code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.retry_after = retry_after
