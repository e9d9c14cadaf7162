"""RabbitMQ as a transport. Needs pika: pip install "iocluster[rabbit]"."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable
from typing import Any

import pika
from pika.adapters.blocking_connection import BlockingChannel
from pika.exceptions import AMQPError, ChannelClosedByBroker, NackError, UnroutableError

from .client import OutgoingRequest

LOG = logging.getLogger("iocluster")

# Longer than any call may take, so that the queue still exists when the connection comes back.
_REPLY_QUEUE_EXPIRY_MS = 30 * 60 * 1000
_FIRST_BACKOFF = 0.1
_MAX_BACKOFF = 5.0


class RabbitTransport:
    """Publishes requests to one queue, and reads the answers to calls from another. Connects again after an outage.

    answers: a queue that exists and that only this client reads. By default each client has its own, which nodes must allow:
    rabbit.answers.reply-to: [iocluster.replies.*]. parameters: used instead of the uri, for example for certificates.
    """

    def __init__(
        self,
        uri: str = "amqp://guest:guest@127.0.0.1:5672/",
        *,
        requests: str = "iocluster.requests",
        answers: str | None = None,
        parameters: pika.connection.Parameters | None = None,
    ) -> None:
        self._parameters = parameters or pika.URLParameters(uri)
        self._requests = requests
        self._owns_queue = answers is None
        self.reply_to = answers or f"iocluster.replies.python.{uuid.uuid4()}"
        self._outgoing: deque[OutgoingRequest] = deque()
        self._closed = threading.Event()
        self._connection: pika.BlockingConnection | None = None

    def open(self, received: Callable[[bytes], Any]) -> None:
        channel = self._connect(received)
        self._thread = threading.Thread(target=lambda: self._run(channel, received), name="iocluster-rabbit", daemon=True)
        self._thread.start()

    def _connect(self, received: Callable[[bytes], Any]) -> BlockingChannel:
        """Opens a connection whose channel publishes with confirms and consumes the answers."""
        connection = pika.BlockingConnection(self._parameters)
        try:
            channel = connection.channel()
            channel.confirm_delivery()
            channel.basic_qos(prefetch_count=1000)
            if self._owns_queue:
                channel.queue_declare(
                    self.reply_to,
                    durable=True,
                    arguments={"x-queue-type": "classic", "x-expires": _REPLY_QUEUE_EXPIRY_MS})

            def deliver(channel: BlockingChannel, method: Any, properties: Any, body: bytes) -> None:
                received(body)
                channel.basic_ack(method.delivery_tag)

            channel.basic_consume(self.reply_to, deliver)
        except Exception:
            if connection.is_open:
                connection.close()
            raise
        self._connection = connection
        return channel

    def _run(self, channel: BlockingChannel | None, received: Callable[[bytes], Any]) -> None:
        """Owns the connection."""
        backoff = _FIRST_BACKOFF
        while not self._closed.is_set():
            try:
                if channel is None:
                    channel = self._connect(received)
                while not self._closed.is_set():
                    channel.connection.process_data_events(time_limit=0.2 if not self._outgoing else 0)
                    self._send(channel)
                    backoff = _FIRST_BACKOFF
            except (AMQPError, OSError) as broken:
                LOG.warning("Connection to RabbitMQ lost; connecting again error=%r", broken)
                channel = None
                self._closed.wait(backoff)
                backoff = min(_MAX_BACKOFF, 2 * backoff)
        if channel is not None and channel.connection.is_open:
            channel.connection.close()

    def _send(self, channel: BlockingChannel) -> None:
        """Sends what waits. A request whose confirm is lost with the connection is sent again, so a node may see it twice."""
        while self._outgoing and not self._closed.is_set():
            request = self._outgoing[0]
            if request.is_wanted():
                try:
                    channel.basic_publish("", self._requests, request.envelope, _properties(request), mandatory=True)
                except UnroutableError:
                    request.refused("no", f'the queue "{self._requests}" does not exist')
                except NackError:
                    request.refused("maybe", f'RabbitMQ did not accept the message for the queue "{self._requests}"')
                except ChannelClosedByBroker as refused:  # for example because the message is too large
                    request.refused("no", refused.reply_text)
                    self._outgoing.popleft()
                    raise
                else:
                    request.confirmed()
            self._outgoing.popleft()

    def publish(self, request: OutgoingRequest) -> None:
        """Publishes an envelope as soon as there is a connection, unless its call has ended before."""
        self._outgoing.append(request)
        connection = self._connection
        if connection is not None:
            try:
                connection.add_callback_threadsafe(lambda: None)  # ends the wait for data
            except AMQPError:
                pass  # the next connection sends the request

    def close(self) -> None:
        self._closed.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()


def _properties(request: OutgoingRequest) -> pika.BasicProperties:
    expires = None if request.timeout is None else request.timeout - (time.time() - request.created)
    return pika.BasicProperties(
        content_type="application/json",
        correlation_id=request.key,
        delivery_mode=2,
        expiration=None if expires is None else str(max(1, int(expires * 1000))),
        # The start of deadlineMs, in milliseconds; AMQP's timestamp property has a resolution of one second.
        headers={**request.headers, "timestamp_in_ms": int(request.created * 1000)})

