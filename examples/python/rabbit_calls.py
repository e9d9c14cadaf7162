"""Makes HTTP calls through IOCluster over RabbitMQ: sends envelopes to one queue and reads answers from another.

python rabbit_calls.py --uri amqp://guest:guest@127.0.0.1:5672/ http://127.0.0.1:8000/ http://127.0.0.1:8000/other

Prints each answer as one line of JSON. Exits with 0 if every call has an answer.
"""

import argparse
import json
import sys
import time
import uuid

import pika
import pika.exceptions


def envelope(call_id, url):
    """You can add any field of docs/envelope.md: method, headers, body, retry, context…"""
    return json.dumps({"id": call_id, "url": url, "deadlineMs": 10_000}).encode()


def send(channel, queue, urls):
    """Sends one envelope for each URL and returns the ids when the broker has confirmed all."""
    channel.confirm_delivery()  # makes basic_publish wait for the broker's confirm
    ids = set()
    for url in urls:
        call_id = str(uuid.uuid4())
        ids.add(call_id)
        properties = pika.BasicProperties(
            content_type="application/json",
            correlation_id=call_id,
            delivery_mode=pika.DeliveryMode.Persistent,
            # The start of deadlineMs, in milliseconds; AMQP's timestamp property has a resolution of one second.
            headers={"timestamp_in_ms": int(time.time() * 1000)},
        )
        try:
            channel.basic_publish("", queue, envelope(call_id, url), properties, mandatory=True)
        except (pika.exceptions.UnroutableError, pika.exceptions.NackError) as refused:
            sys.exit(f"not sent to {queue}: {type(refused).__name__}")
    return ids


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("urls", nargs="+", metavar="URL")
    arguments.add_argument("--uri", default="amqp://guest:guest@127.0.0.1:5672/")
    arguments.add_argument("--requests", default="iocluster.requests", help="queue of the envelopes")
    arguments.add_argument("--answers", default="iocluster.answers", help="queue of the answers, not shared")
    arguments.add_argument("--patience", type=float, default=30, help="seconds to wait for all answers")
    options = arguments.parse_args()

    connection = pika.BlockingConnection(pika.URLParameters(options.uri))
    channel = connection.channel()
    waiting = send(channel, options.requests, options.urls)
    until = time.monotonic() + options.patience
    channel.basic_qos(prefetch_count=100)
    for method, _, body in channel.consume(options.answers, inactivity_timeout=0.5):
        if method is not None:
            answer = json.loads(body)
            # An answer may arrive twice: check the id.
            if answer["id"] in waiting:
                waiting.remove(answer["id"])
                print(json.dumps(answer), flush=True)
            channel.basic_ack(method.delivery_tag)
        if not waiting or time.monotonic() > until:
            break
    channel.cancel()
    connection.close()
    if waiting:
        sys.exit(f"without an answer: {len(waiting)}")


if __name__ == "__main__":
    try:
        main()
    except pika.exceptions.AMQPError as failure:
        sys.exit(repr(failure))
