"""Makes HTTP calls through a door. Needs only the standard library.

python3 door_calls.py http://127.0.0.1:8000/ http://127.0.0.1:8000/other

Prints each answer as one line of JSON as soon as its call ends. Exits with 0 if every call has an answer of its target.
"""

import argparse
import http.client
import json
import os
import sys
import urllib.parse


class Door:
    """A connection to a door. One thread at a time may use it."""

    def __init__(self, address, token=None):
        parts = urllib.parse.urlsplit(address)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.connection = kind(parts.hostname, parts.port or (443 if parts.scheme == "https" else 80), timeout=60)
        self.token = token

    def call(self, envelope):
        """Makes one call and returns its answer. You can add any field of docs/envelope.md to the envelope."""
        response = self.post("/v1/calls", "application/json", json.dumps(envelope))
        return json.loads(response.read())

    def calls(self, envelopes):
        """Makes many calls, and yields each answer as soon as its call ends. The order differs."""
        lines = "".join(json.dumps(each) + "\n" for each in envelopes)
        response = self.post("/v1/calls:batch", "application/x-ndjson", lines)
        for line in response:
            yield json.loads(line)

    def post(self, path, content_type, body):
        headers = {"Content-Type": content_type}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        self.connection.request("POST", path, body.encode(), headers)
        response = self.connection.getresponse()
        if response.status != 200:
            problem = json.loads(response.read())
            retry = response.getheader("Retry-After")
            sys.exit(f"{problem['code']}: {problem['detail']}" + (f"; retry after {retry} s" if retry else ""))
        return response


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("urls", nargs="+", metavar="URL")
    arguments.add_argument("--door", default="http://127.0.0.1:8081")
    given = arguments.parse_args()

    door = Door(given.door, os.environ.get("DOOR_TOKEN"))
    envelopes = [{"url": url, "deadlineMs": 10_000} for url in given.urls]
    answers = [door.call(envelopes[0])] if len(envelopes) == 1 else door.calls(envelopes)
    answered = 0
    for answer in answers:
        print(json.dumps(answer), flush=True)
        answered += answer.get("outcome") == "answered"
    sys.exit(0 if answered == len(given.urls) else 1)


if __name__ == "__main__":
    main()
