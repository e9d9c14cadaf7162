"""Makes the calls of the examples. The same for Kafka, RabbitMQ and the door."""

import json
import sys
from concurrent.futures import as_completed

from iocluster import CallTimeoutError, IoClusterError


def make(client, urls):
    """Makes a call to each URL. Prints each answer as soon as it arrives. You can add any field of docs/envelope.md to the envelope."""
    calls = [client.call({"url": url}) for url in urls]
    late = 0
    failures = []
    for call in as_completed(calls):
        try:
            print(json.dumps(call.result().raw), flush=True)
        except CallTimeoutError:
            late += 1
        except IoClusterError as failure:
            failures.append(str(failure))
    if late:
        failures.append(f"without an answer: {late}")
    if failures:
        sys.exit("\n".join(failures))
