"""Echoes requests, as a WSGI application. Logs each URL before its answer."""

import hashlib
import os
import time
from urllib.parse import parse_qs

BODY_LIMIT = 100_000 if "${faultName}" == "body-limit" else 1 << 40


def app(environ, start_response):
    path = environ["PATH_INFO"]
    os.write(1, (path + "?" + environ["QUERY_STRING"] + "\n").encode())
    query = parse_qs(environ["QUERY_STRING"])
    if path == "/deny":
        return respond(start_response, "401 Unauthorized", b"denied\n")
    if int(environ.get("CONTENT_LENGTH") or 0) > BODY_LIMIT:
        return respond(start_response, "413 Payload Too Large", b"too large\n")
    digest = hashlib.sha256()
    length = 0
    while part := environ["wsgi.input"].read(16384):
        length += len(part)
        digest.update(part)
        if path == "/slow":
            time.sleep(0.005)
    text = f"id={query['id'][0]} length={length} sha256={digest.hexdigest()}\n" + "x" * int(query["size"][0]) + "\nend\n"
    return respond(start_response, "200 OK", text.encode())


def respond(start_response, status, body):
    start_response(status, [("Content-Length", str(len(body)))])
    return [body]
