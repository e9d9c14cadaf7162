"""Makes HTTP calls through a door, with the client for Python. Needs no other package.

python door_calls.py http://127.0.0.1:8000/ http://127.0.0.1:8000/other

Prints each answer as one line of JSON as soon as its call ends. Exits with 0 if every call has an answer.
"""

import argparse
import os
import sys

import calls
from iocluster import DoorClient


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("urls", nargs="+", metavar="URL")
    arguments.add_argument("--door", default="http://127.0.0.1:8081")
    arguments.add_argument("--timeout", type=float, default=10, help="seconds to wait for all answers")
    options = arguments.parse_args()

    with DoorClient(options.door, token=os.environ.get("DOOR_TOKEN"), timeout=options.timeout) as client:
        calls.make(client, options.urls)


if __name__ == "__main__":
    try:
        main()
    except OSError as failure:
        sys.exit(repr(failure))
