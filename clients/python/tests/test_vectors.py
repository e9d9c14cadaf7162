"""Runs the test vectors that the clients of all languages share."""

import base64
import json
import os
import unittest
from pathlib import Path

from iocluster import (
    Answer,
    CallTimeoutError,
    ClientClosedError,
    ClientFullError,
    NotEnqueuedError,
    UnreadableAnswerError,
)
from iocluster.messages import encode
from iocluster.pending import PendingCalls

VECTORS = Path(os.environ.get("IOCLUSTER_VECTORS") or Path(__file__).parents[2] / "vectors")

FAILURES = {
    "client-closed": ClientClosedError,
    "client-full": ClientFullError,
    "id-in-use": ValueError,
    "not-enqueued": NotEnqueuedError,
    "timeout": CallTimeoutError,
    "unreadable-answer": UnreadableAnswerError,
}


def load(name):
    return json.loads((VECTORS / name).read_text("utf-8"))


class EnvelopesTest(unittest.TestCase):
    def test_writes_valid_envelopes_unchanged(self):
        for line in (VECTORS / "envelopes-valid.ndjson").read_text("utf-8").splitlines():
            with self.subTest(line):
                envelope = json.loads(line)
                self.assertEqual(json.loads(encode(envelope)), envelope)

    def test_writes_bytes_as_base64(self):
        written = json.loads(encode({"any": [{"url": "http://a/", "body": b"\x00\xff"}], "id": "i"}))

        self.assertEqual(written, {"any": [{"url": "http://a/", "bodyBase64": "AP8="}], "id": "i"})


class AnswersTest(unittest.TestCase):
    def test_reads_answers(self):
        for vector in load("answers.json"):
            with self.subTest(vector["name"]):
                text = vector["text"] if "text" in vector else json.dumps(vector["answer"])
                if vector.get("invalid"):
                    self.assertRaises(ValueError, Answer.decode, text.encode())
                else:
                    self.check(Answer.decode(text.encode()), vector["expect"])

    def test_refuses_bytes_that_are_not_utf8(self):
        self.assertRaises(ValueError, Answer.decode, b'{"id": "\xff", "outcome": "answered"}')

    def check(self, answer, expected):
        for name, value in expected.items():
            if name == "results":
                self.assertEqual(len(answer.results), len(value))
                for each, expected_result in zip(answer.results, value):
                    self.check(each, expected_result)
            else:
                self.assertEqual(self.field(answer, name), value, name)

    @staticmethod
    def field(answer, name):
        if name == "headers":
            return {key: list(values) for key, values in answer.headers.items()}
        if name == "body":
            return answer.text
        if name == "bodyBase64":
            return base64.b64encode(answer.body).decode()
        if name == "error":
            error = answer.error
            return error and {"code": error.code, "message": error.message, "sent": error.sent}
        if name == "cache":
            cache = answer.cache
            return cache and {"hit": cache.hit, "ageMs": cache.age_ms, "stale": cache.stale}
        if name == "timing":
            timing = answer.timing
            return {
                "queuedMs": timing.queued_ms, "totalMs": timing.total_ms, "dnsMs": timing.dns_ms,
                "connectMs": timing.connect_ms, "tlsMs": timing.tls_ms, "firstByteMs": timing.first_byte_ms}
        return getattr(answer, name)


class MatchingTest(unittest.TestCase):
    def test_matches_answers_to_calls(self):
        for vector in load("matching.json"):
            with self.subTest(vector["name"]):
                Scenario(self, vector).run()


class Scenario:
    def __init__(self, test, vector):
        self.test = test
        self.steps = vector["steps"]
        self.millis = 0
        self.calls = PendingCalls(vector.get("maxOutstanding", 1000), lambda: self.millis / 1000)
        self.by_id = {}

    def run(self):
        for step in self.steps:
            (name, value) = next(iter(step.items()))
            getattr(self, name)(value, step)

    def call(self, id, step, answered=True):
        def start():
            return self.calls.start(id, step.get("timeoutMs", 60_000) / 1000, answered)

        if "failure" in step:
            with self.test.assertRaises(FAILURES[step["failure"]]) as raised:
                start()
            self.test.assertEqual(getattr(raised.exception, "sent", None), step.get("sent"))
        else:
            self.by_id[id] = start()

    def enqueue(self, id, step):
        self.call(id, step, answered=False)

    def confirm(self, id, step):
        self.calls.confirmed(self.by_id[id])

    def refuse(self, id, step):
        self.calls.refused(self.by_id[id], step["sent"], "for people")

    def receive(self, answer, step):
        self.calls.received(json.dumps(answer).encode())

    def receiveText(self, text, step):
        self.calls.received(text.encode())

    def advanceMs(self, millis, step):
        self.millis += millis
        self.calls.expire()

    def close(self, value, step):
        self.calls.close()

    def outstanding(self, count, step):
        self.test.assertEqual(len(self.calls), count)

    def expect(self, id, step):
        call = self.by_id[id]
        if "pending" in step:
            self.test.assertFalse(call.done())
        elif "failure" in step:
            failure = call.exception(0)
            self.test.assertIsInstance(failure, FAILURES[step["failure"]])
            self.test.assertEqual((failure.id, failure.sent), (id, step["sent"]))
            self.test.assertEqual(getattr(failure, "stage", None), step.get("stage"))
        elif "enqueued" in step:
            self.test.assertEqual(call.result(0), id)
        else:
            answer = call.result(0)
            for name in ("status", "outcome"):
                self.test.assertEqual(getattr(answer, name), step.get(name, getattr(answer, name)))


if __name__ == "__main__":
    unittest.main()
