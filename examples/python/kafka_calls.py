"""Makes HTTP calls through IOCluster over Kafka: sends envelopes to one topic and reads answers from another.

python kafka_calls.py --bootstrap-servers 127.0.0.1:9092 http://127.0.0.1:8000/ http://127.0.0.1:8000/other

Prints each answer as one line of JSON. Exits with 0 if every call has an answer.
"""

import argparse
import json
import sys
import time
import uuid

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition


def answers_from_now_on(bootstrap_servers, topic):
    """Returns a consumer that reads all partitions from their current ends. Call it before sending."""
    consumer = Consumer({
        "bootstrap.servers": bootstrap_servers,
        "group.id": f"example-{uuid.uuid4()}",  # a new group, because this program commits no offsets
        "enable.auto.commit": False,
    })
    found = consumer.list_topics(topic, timeout=10).topics[topic]
    if found.error:
        sys.exit(f"{topic}: {found.error}")
    ends = [TopicPartition(topic, each) for each in found.partitions]
    for end in ends:
        end.offset = consumer.get_watermark_offsets(end, timeout=10)[1]
    consumer.assign(ends)
    return consumer


def envelope(call_id, url):
    """You can add any field of docs/envelope.md: method, headers, body, retry, context…"""
    return json.dumps({"id": call_id, "url": url, "deadlineMs": 10_000}).encode()


def send(bootstrap_servers, topic, urls):
    """Sends one envelope for each URL and returns the ids when the broker has confirmed all."""
    producer = Producer({"bootstrap.servers": bootstrap_servers, "acks": "all", "enable.idempotence": True})
    refused = []
    ids = set()
    for url in urls:
        call_id = str(uuid.uuid4())
        ids.add(call_id)
        producer.produce(topic, envelope(call_id, url), on_delivery=lambda error, _: error and refused.append(error))
        producer.poll(0)
    if producer.flush(30) or refused:
        sys.exit(f"not sent: {refused or 'the broker does not answer'}")
    return ids


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("urls", nargs="+", metavar="URL")
    arguments.add_argument("--bootstrap-servers", default="127.0.0.1:9092")
    arguments.add_argument("--requests", default="iocluster.requests", help="topic of the envelopes")
    arguments.add_argument("--answers", default="iocluster.answers", help="topic of the answers")
    arguments.add_argument("--patience", type=float, default=30, help="seconds to wait for all answers")
    options = arguments.parse_args()

    consumer = answers_from_now_on(options.bootstrap_servers, options.answers)
    waiting = send(options.bootstrap_servers, options.requests, options.urls)
    until = time.monotonic() + options.patience
    while waiting and time.monotonic() < until:
        message = consumer.poll(0.5)
        if message is None or message.error():
            continue
        answer = json.loads(message.value())
        # The topic also has answers to other programs, and an answer may arrive twice: check the id.
        if answer["id"] in waiting:
            waiting.remove(answer["id"])
            print(json.dumps(answer), flush=True)
    consumer.close()
    if waiting:
        sys.exit(f"without an answer: {len(waiting)}")


if __name__ == "__main__":
    try:
        main()
    except KafkaException as failure:
        sys.exit(failure.args[0].str())
