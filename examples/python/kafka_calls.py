"""Makes HTTP calls through IOCluster over Kafka, with the client for Python.

python kafka_calls.py --bootstrap-servers 127.0.0.1:9092 http://127.0.0.1:8000/ http://127.0.0.1:8000/other

Prints each answer as one line of JSON. Exits with 0 if every call has an answer.
"""

import argparse
import sys

from confluent_kafka import KafkaException

import calls
from iocluster import QueueClient
from iocluster.kafka import KafkaTransport


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("urls", nargs="+", metavar="URL")
    arguments.add_argument("--bootstrap-servers", default="127.0.0.1:9092")
    arguments.add_argument("--requests", default="iocluster.requests", help="topic of the envelopes")
    arguments.add_argument("--answers", default="iocluster.answers", help="topic of the answers")
    arguments.add_argument("--timeout", type=float, default=30, help="seconds to wait for all answers")
    options = arguments.parse_args()

    transport = KafkaTransport(options.bootstrap_servers, requests=options.requests, answers=options.answers)
    with QueueClient(transport, timeout=options.timeout) as client:
        calls.make(client, options.urls)


if __name__ == "__main__":
    try:
        main()
    except KafkaException as failure:
        sys.exit(failure.args[0].str())
