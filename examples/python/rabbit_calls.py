"""Makes HTTP calls through IOCluster over RabbitMQ, with the client for Python.

python rabbit_calls.py --uri amqp://guest:guest@127.0.0.1:5672/ http://127.0.0.1:8000/ http://127.0.0.1:8000/other

Prints each answer as one line of JSON. Exits with 0 if every call has an answer.
"""

import argparse
import sys

import pika.exceptions

import calls
from iocluster import QueueClient
from iocluster.rabbit import RabbitTransport


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("urls", nargs="+", metavar="URL")
    arguments.add_argument("--uri", default="amqp://guest:guest@127.0.0.1:5672/")
    arguments.add_argument("--requests", default="iocluster.requests", help="queue of the envelopes")
    arguments.add_argument("--answers", default="iocluster.answers", help="queue of the answers, not shared")
    arguments.add_argument("--timeout", type=float, default=30, help="seconds to wait for all answers")
    options = arguments.parse_args()

    transport = RabbitTransport(options.uri, requests=options.requests, answers=options.answers)
    with QueueClient(transport, timeout=options.timeout) as client:
        calls.make(client, options.urls)


if __name__ == "__main__":
    try:
        main()
    except pika.exceptions.AMQPError as failure:
        sys.exit(repr(failure))
