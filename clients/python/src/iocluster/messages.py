"""The envelopes. Their fields are those of docs/envelope.md."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, Union

OUTCOMES = ("answered", "failed", "rejected", "expired")


class Retry(TypedDict, total=False):
    maxAttempts: int


class UsableJson(TypedDict, total=False):
    pointer: str
    equals: Union[str, float, bool]
    exists: bool
    # "in" is a keyword: write it with a dict.
    less: float
    greater: float


class Usable(TypedDict, total=False):
    status: Sequence[Union[int, str]]
    json: Union[UsableJson, Mapping[str, Any]]


class Branch(TypedDict, total=False):
    """One of several calls. Bytes as the body are sent as bodyBase64."""

    url: str
    method: str
    headers: Mapping[str, Union[str, Sequence[str]]]
    body: Union[str, bytes]
    bodyBase64: str
    timeoutMs: int
    retry: Retry
    idempotencyKey: str
    auth: str
    usable: Usable


class Envelope(Branch, total=False):
    """A request: one call, or several in any or all."""

    id: str
    deadlineMs: int
    reply: str
    replyTo: str
    context: Any
    any: Sequence[Branch]
    all: Sequence[Branch]


def encode(envelope: Mapping[str, Any]) -> bytes:
    """Returns the envelope as JSON."""
    return json.dumps(_without_bytes(envelope), ensure_ascii=False, allow_nan=False).encode()


def _without_bytes(call: Mapping[str, Any]) -> dict[str, Any]:
    encoded = dict(call)
    if isinstance(call.get("body"), (bytes, bytearray)):
        encoded["bodyBase64"] = base64.b64encode(encoded.pop("body")).decode()
    for name in ("any", "all"):
        if isinstance(call.get(name), (list, tuple)):
            encoded[name] = [_without_bytes(each) if isinstance(each, Mapping) else each for each in call[name]]
    return encoded


@dataclass(frozen=True)
class CallError:
    code: str
    message: str
    sent: str


@dataclass(frozen=True)
class Timing:
    """Durations in milliseconds."""

    queued_ms: int = 0
    total_ms: int = 0
    dns_ms: int = 0
    connect_ms: int = 0
    tls_ms: int = 0
    first_byte_ms: int = 0


@dataclass(frozen=True)
class CacheUse:
    hit: bool
    age_ms: int
    stale: bool


@dataclass(frozen=True)
class Answer:
    """The answer to a call, whatever its outcome. Immutable.

    status is 0, and body empty, unless outcome is "answered". error is None if it is. raw has all fields as they arrived.
    """

    id: str | None
    outcome: str
    status: int
    headers: Mapping[str, Sequence[str]]
    body: bytes
    truncated: bool
    unusable: str | None
    error: CallError | None
    attempts: int
    node: str | None
    timing: Timing
    cache: CacheUse | None
    branch: int | None
    results: Sequence[Answer]
    context: Any
    raw: Mapping[str, Any] = field(repr=False)

    @property
    def text(self) -> str:
        """Returns the body as text in UTF-8."""
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """Returns the body, read as JSON."""
        return json.loads(self.body)

    def header(self, name: str) -> str | None:
        """Returns the first value of a header, or None."""
        return next(iter(self.headers.get(name.lower(), ())), None)

    @staticmethod
    def decode(payload: bytes) -> Answer:
        """Reads an answer. Ignores fields that it does not know. Raises ValueError if the bytes are not an answer."""
        return Answer.of(parse(payload))

    @staticmethod
    def of(raw: Any) -> Answer:
        """Returns the answer that was read as a JSON object."""
        if not isinstance(raw, dict):
            raise ValueError("not an answer: not a JSON object")
        outcome = _typed(raw, "outcome", str)
        if outcome not in OUTCOMES:
            raise ValueError(f"not an answer: the outcome is {outcome!r}")
        error = _typed(raw, "error", dict)
        cache = _typed(raw, "cache", dict)
        timing = _typed(raw, "timing", dict) or {}
        return Answer(
            id=_typed(raw, "id", str),
            outcome=outcome,
            status=_typed(raw, "status", int) or 0,
            headers={name: _values(value) for name, value in (_typed(raw, "headers", dict) or {}).items()},
            body=_body(raw),
            truncated=_typed(raw, "truncated", bool) or False,
            unusable=_typed(raw, "unusable", str),
            error=error and CallError(
                _typed(error, "code", str) or "",
                _typed(error, "message", str) or "",
                "no" if error.get("sent") == "no" else "maybe"),
            attempts=_typed(raw, "attempts", int) or 0,
            node=_typed(raw, "node", str),
            timing=Timing(*(
                _typed(timing, name, int) or 0
                for name in ("queuedMs", "totalMs", "dnsMs", "connectMs", "tlsMs", "firstByteMs"))),
            cache=cache and CacheUse(
                _typed(cache, "hit", bool) or False, _typed(cache, "ageMs", int) or 0, _typed(cache, "stale", bool) or False),
            branch=_typed(raw, "branch", int),
            results=tuple(Answer.of(each) for each in _typed(raw, "results", list) or ()),
            context=raw.get("context"),
            raw=raw)


def parse(payload: bytes) -> Any:
    """Returns the JSON of an answer. Raises ValueError if the bytes are not JSON in UTF-8."""
    try:
        return json.loads(payload.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as broken:
        raise ValueError(f"not an answer: {broken}") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _typed(raw: Mapping[str, Any], name: str, kind: type) -> Any:
    value = raw.get(name)
    if value is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        raise ValueError(f"not an answer: {name} has the wrong type")
    return value


def _values(value: Any) -> Sequence[str]:
    values = (value,) if isinstance(value, str) else value
    if not isinstance(values, (list, tuple)) or not all(isinstance(each, str) for each in values):
        raise ValueError("not an answer: headers has the wrong type")
    return tuple(values)


def _body(raw: Mapping[str, Any]) -> bytes:
    encoded = _typed(raw, "bodyBase64", str)
    if encoded is None:
        return (_typed(raw, "body", str) or "").encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(encoded, validate=True)
    except binascii.Error:
        raise ValueError("not an answer: bodyBase64 is not base64") from None
