"""Tests the client of a door. With DOOR it uses a real one, else a server that the test plays."""

import json
import os
import selectors
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from iocluster import Answer, DoorClient, DoorError, UnreadableAnswerError

VECTORS = Path(os.environ.get("IOCLUSTER_VECTORS") or Path(__file__).parents[2] / "vectors")


class FakeDoor(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.server.seen.append((self.path, dict(self.headers)))
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/v1/calls:batch":
            lines = [json.loads(each) for each in body.splitlines()]
            answers = [{"line": i + 1, "id": each.get("id"), **self.result(each)} for i, each in enumerate(lines)]
            self.respond(200, "".join(json.dumps(each) + "\n" for each in reversed(answers)))
            return
        envelope = json.loads(body)
        self.close_connection = envelope["url"] == "http://closing/"
        if "problem" in (result := self.result(envelope)):
            self.respond(result["problem"]["status"], json.dumps(result["problem"]), {"Retry-After": "7"})
        elif self.headers.get("Prefer") == "respond-async":
            self.respond(202, json.dumps({"id": envelope["id"], "state": "pending"}))
        else:
            self.respond(200, json.dumps({"id": envelope["id"], **result}))

    def do_GET(self):
        self.server.seen.append((self.path, dict(self.headers)))
        self.respond(200, '{"id": "a/b", "outcome": "answered", "status": 200}' if self.path.endswith("a%2Fb") else "{}")

    def result(self, envelope):
        if envelope["url"] == "http://full/":
            return {"problem": {"title": "Too Many Requests", "status": 429, "code": "door-full", "detail": "full"}}
        return {"outcome": "won" if envelope["url"] == "http://broken/" else "answered", "status": 200}

    def respond(self, status, text, headers=()):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments):
        pass


class DoorClientTest(unittest.TestCase):
    def setUp(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), FakeDoor)
        self.server.daemon_threads = True
        self.server.seen = []
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.client = DoorClient(f"http://127.0.0.1:{self.server.server_port}", token="s3cr3t")
        self.addCleanup(self.client.close)

    def test_makes_a_call_with_its_token(self):
        answer = self.client.call({"id": "a", "url": "http://h/"}, message_headers={"traceparent": "t"}).result(60)

        self.assertEqual((answer.id, answer.status), ("a", 200))
        headers = self.server.seen[-1][1]
        self.assertEqual((headers["Authorization"], headers["traceparent"]), ("Bearer s3cr3t", "t"))

    def test_reports_a_problem(self):
        with self.assertRaises(DoorError) as raised:
            self.client.call({"id": "a", "url": "http://full/"}).result(60)

        problem = raised.exception
        self.assertEqual((problem.id, problem.status, problem.code), ("a", 429, "door-full"))
        self.assertEqual((problem.sent, problem.retry_after), ("no", 7.0))

    def test_reports_an_answer_that_is_not_valid(self):
        with self.assertRaises(UnreadableAnswerError):
            self.client.call({"url": "http://broken/"}).result(60)

    def test_starts_a_call_and_fetches_its_answer(self):
        self.assertEqual(self.client.start({"id": "a/b", "url": "http://h/"}), "a/b")

        self.assertEqual(self.client.fetch("a/b", wait=3).status, 200)
        path, headers = self.server.seen[-1]
        self.assertEqual((path, headers["Prefer"]), ("/v1/calls/a%2Fb", "wait=3"))

    def test_matches_the_results_of_a_batch_by_their_lines(self):
        envelopes = [{"url": "http://h/"}, {"url": "http://full/"}, {"url": "http://h/"}]

        results = dict(self.client.batch(envelopes))

        self.assertEqual(set(results), {0, 1, 2})
        self.assertIsInstance(results[0], Answer)
        self.assertEqual(results[1].code, "door-full")

    def test_replaces_a_connection_that_the_door_closed(self):
        self.client.call({"url": "http://closing/"}).result(60)
        (idle,) = self.client._idle
        with selectors.DefaultSelector() as closed:
            closed.register(idle.sock, selectors.EVENT_READ)
            self.assertTrue(closed.select(60))

        self.assertEqual(self.client.call({"url": "http://h/"}).result(60).status, 200)


@unittest.skipUnless(os.environ.get("DOOR"), "no real door")
class RealDoorTest(unittest.TestCase):
    """TARGET is the address of a server that answers each GET with 200."""

    def setUp(self):
        self.client = DoorClient(os.environ["DOOR"])
        self.addCleanup(self.client.close)
        self.target = os.environ["TARGET"]

    def test_makes_each_kind_of_call(self):
        self.assertEqual(self.client.call({"url": self.target}).result(60).status, 200)
        id = self.client.start({"url": self.target})
        answer = None
        while answer is None:
            answer = self.client.fetch(id, wait=10)
        self.assertEqual((answer.id, answer.status), (id, 200))
        results = dict(self.client.batch([{"url": self.target}, {"url": "ftp://h/"}]))
        self.assertEqual((results[0].status, results[1].code), (200, "scheme-not-allowed"))

    def test_refuses_invalid_envelopes_with_their_code(self):
        for line in (VECTORS / "envelopes-invalid.ndjson").read_text("utf-8").splitlines():
            code, envelope = line.split(" ", 1)
            with self.subTest(line):
                with self.assertRaises(DoorError) as raised:
                    self.client._exchange("i", "POST", "/v1/calls", envelope.encode(), {}, 60)
                self.assertEqual((raised.exception.status, raised.exception.code), (400, code))


if __name__ == "__main__":
    unittest.main()
