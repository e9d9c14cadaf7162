"""Tests the client of a queue with a broker that the test plays."""

import asyncio
import json
import unittest

from iocluster import ClientClosedError, NotEnqueuedError, QueueClient


class FakeTransport:
    def __init__(self, reply_to="replies"):
        self.reply_to = reply_to
        self.sent = []
        self.closed = False

    def open(self, received):
        self.receive = received

    def publish(self, request):
        self.sent.append(request)

    def close(self):
        self.closed = True

    def answer(self, id, status=200):
        self.receive(json.dumps({"id": id, "outcome": "answered", "status": status}).encode())


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.broker = FakeTransport()
        self.client = QueueClient(self.broker)
        self.addCleanup(self.client.close)

    def last_envelope(self):
        return json.loads(self.broker.sent[-1].envelope)

    def test_requests_the_answer_at_its_queue_slightly_before_the_deadline(self):
        self.client.call(
            {"id": "a", "url": "http://h/", "deadlineMs": 2000}, key="k", message_headers={"traceparent": "t"})

        self.assertEqual(
            self.last_envelope(), {"id": "a", "url": "http://h/", "deadlineMs": 1950, "replyTo": "replies"})
        request = self.broker.sent[-1]
        self.assertEqual((request.key, request.headers, request.timeout), ("k", {"traceparent": "t"}, 2.0))

    def test_reserves_a_tenth_of_a_short_timeout_for_the_way_back(self):
        self.client.call({"url": "http://h/"}, timeout=0.1)

        self.assertEqual(self.last_envelope()["deadlineMs"], 90)

    def test_generates_a_unique_id_for_each_envelope_without_one(self):
        calls = [self.client.call({"url": "http://h/"}) for _ in range(2)]

        self.assertEqual([json.loads(each.envelope)["id"] for each in self.broker.sent], [each.id for each in calls])
        self.assertNotEqual(calls[0].id, calls[1].id)

    def test_a_call_ends_at_its_timeout(self):
        with self.assertRaisesRegex(Exception, "no answer within 0.05 s"):
            self.client.call({"url": "http://h/"}, timeout=0.05).result(60)

        self.assertFalse(self.broker.sent[-1].is_wanted())

    def test_the_longest_deadline_does_not_stop_the_others(self):
        self.client.call({"url": "http://h/", "deadlineMs": 2**63 - 1})

        for _ in range(2):
            with self.assertRaisesRegex(Exception, "no answer"):
                self.client.call({"url": "http://h/"}, timeout=0.05).result(60)

    def test_a_call_can_be_awaited(self):
        async def call():
            pending = self.client.call({"id": "a", "url": "http://h/"})
            asyncio.get_running_loop().call_soon(self.broker.answer, "a", 201)
            return await pending

        self.assertEqual(asyncio.run(call()).status, 201)

    def test_a_cancelled_call_is_not_outstanding(self):
        call = self.client.call({"id": "a", "url": "http://h/"})

        self.assertTrue(call.cancel())
        self.broker.answer("a")

        self.assertEqual(self.client.outstanding, 0)
        self.assertFalse(self.broker.sent[-1].is_wanted())

    def test_refuses_reply_and_reply_to(self):
        for field in ("reply", "replyTo"):
            with self.assertRaises(ValueError):
                self.client.call({"url": "http://h/", field: "always"})

        self.assertEqual(self.broker.sent, [])

    def test_an_enqueued_envelope_keeps_its_fields(self):
        enqueued = self.client.enqueue({"id": "a", "url": "http://h/", "reply": "never"})
        self.broker.sent[-1].confirmed()

        self.assertEqual(enqueued.result(0), "a")
        self.assertEqual(self.last_envelope(), {"id": "a", "url": "http://h/", "reply": "never"})

    def test_says_why_a_request_was_not_enqueued(self):
        call = self.client.call({"url": "http://h/"})
        self.broker.sent[-1].refused("no", "too large")

        with self.assertRaisesRegex(NotEnqueuedError, "too large"):
            call.result(0)

    def test_close_disconnects(self):
        call = self.client.call({"url": "http://h/"})

        self.client.close()

        self.assertIsInstance(call.exception(0), ClientClosedError)
        self.assertTrue(self.broker.closed)
        with self.assertRaises(ClientClosedError):
            self.client.call({"url": "http://h/"})


if __name__ == "__main__":
    unittest.main()
