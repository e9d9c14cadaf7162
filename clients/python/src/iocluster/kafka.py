"""Kafka as a transport. Needs confluent-kafka: pip install "iocluster[kafka]"."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition

from .client import OutgoingRequest

LOG = logging.getLogger("iocluster")

_CONNECT_TIMEOUT = 10.0
_REFRESH_SECONDS = 5.0
# The topic may have records up to this size, and an answer that is dropped for its size is lost.
_MAX_MESSAGE_BYTES = 128 * 1024 * 1024
_REFUSALS = {KafkaError.MSG_SIZE_TOO_LARGE, KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError._UNKNOWN_TOPIC}


class KafkaTransport:
    """Publishes requests to one topic, and reads the answers of another without a consumer group, from the moment of connecting.

    answers: another topic than that of the nodes, which each envelope then names; nodes must allow it in kafka.answers.reply-to.
    properties: more properties of librdkafka, such as security.protocol.
    """

    def __init__(
        self,
        bootstrap_servers: str,
        *,
        requests: str = "iocluster.requests",
        answers: str | None = None,
        properties: Mapping[str, Any] | None = None,
    ) -> None:
        self._requests = requests
        self._answers = answers or "iocluster.answers"
        self.reply_to = answers
        self._properties = {"bootstrap.servers": bootstrap_servers, **(properties or {})}
        self._closed = threading.Event()
        self._threads: list[threading.Thread] = []

    def open(self, received: Callable[[bytes], Any]) -> None:
        consumer = self._consumer(f"iocluster-client-{uuid.uuid4()}")  # a new group, because it commits no offsets
        try:
            self._seek_to_end(consumer)
        except Exception:
            consumer.close()
            raise
        # Retries end with the call: see publish.
        self._producer = Producer({
            "acks": "all", "enable.idempotence": True, "linger.ms": 1, **self._properties})
        self._start("iocluster-answers", lambda: self._read(consumer, received))
        self._start("iocluster-requests", self._confirm)

    def _start(self, name: str, run: Callable[[], None]) -> None:
        self._threads.append(threading.Thread(target=run, name=name, daemon=True))
        self._threads[-1].start()

    def _consumer(self, group: str) -> Consumer:
        return Consumer({
            "group.id": group,
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            "fetch.message.max.bytes": _MAX_MESSAGE_BYTES // 8,
            "receive.message.max.bytes": _MAX_MESSAGE_BYTES,
            **self._properties})

    def _partitions(self, consumer: Consumer, timeout: float) -> set[int]:
        found = consumer.list_topics(self._answers, timeout=timeout).topics[self._answers]
        if found.error:
            raise KafkaException(KafkaError(found.error.code(), f"{self._answers}: {found.error.str()}"))
        return set(found.partitions)

    def _seek_to_end(self, consumer: Consumer) -> None:
        ends = [TopicPartition(self._answers, each) for each in self._partitions(consumer, _CONNECT_TIMEOUT)]
        for end in ends:
            # The position now, so that no answer to the next request is missed.
            end.offset = consumer.get_watermark_offsets(end, timeout=_CONNECT_TIMEOUT)[1]
        consumer.assign(ends)

    def _read(self, consumer: Consumer, received: Callable[[bytes], Any]) -> None:
        refreshed = time.monotonic()
        while not self._closed.is_set():
            message = consumer.poll(0.2)
            if message is not None and not message.error() and message.value() is not None:
                received(message.value())
            if time.monotonic() - refreshed > _REFRESH_SECONDS:
                self._add_partitions(consumer)
                refreshed = time.monotonic()
        consumer.close()

    def _add_partitions(self, consumer: Consumer) -> None:
        """Reads new partitions from their beginning, because all their answers are new."""
        try:
            known = {each.partition for each in consumer.assignment()}
            added = self._partitions(consumer, 1.0) - known
            if added:
                consumer.incremental_assign([TopicPartition(self._answers, each, OFFSET_BEGINNING) for each in added])
        except KafkaException as unreachable:
            LOG.debug("Partitions not refreshed topic=%s error=%s", self._answers, unreachable)

    def _confirm(self) -> None:
        while not self._closed.is_set():
            self._producer.poll(0.2)

    def publish(self, request: OutgoingRequest) -> None:
        """Publishes an envelope. A request that reaches the broker after its deadline is not tried by the nodes."""

        def delivered(error: KafkaError | None, message: Message) -> None:
            if error is None:
                request.confirmed()
            else:
                request.refused("no" if error.code() in _REFUSALS else "maybe", f"{self._requests}: {error.str()}")

        try:
            self._producer.produce(
                self._requests,
                request.envelope,
                key=request.key,
                # Deadlines are relative to this timestamp, even if the broker is unreachable for a while.
                timestamp=int(request.created * 1000),
                headers=dict(request.headers),
                on_delivery=delivered)
        except (BufferError, KafkaException) as failure:
            request.refused("no", f"{self._requests}: {failure}")

    def close(self) -> None:
        self._closed.set()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()
        self._producer.purge()

