"""Echoes requests, as an ASGI application. Logs each URL before its answer."""

import asyncio
import hashlib
import os
from urllib.parse import parse_qs

BODY_LIMIT = 100_000 if "${faultName}" == "body-limit" else 1 << 40


async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            event = await receive()
            await send({"type": event["type"] + ".complete"})
            if event["type"] == "lifespan.shutdown":
                return
    path = scope["path"]
    os.write(1, (path + "?" + scope["query_string"].decode() + "\n").encode())
    query = parse_qs(scope["query_string"].decode())
    if path == "/deny":
        return await respond(send, 401, b"denied\n")
    digest = hashlib.sha256()
    length = 0
    more = True
    while more:
        event = await receive()
        if event["type"] == "http.disconnect":
            return
        part = event.get("body", b"")
        length += len(part)
        if length > BODY_LIMIT:
            return await respond(send, 413, b"too large\n")
        digest.update(part)
        if path == "/slow":
            await asyncio.sleep(0.005)
        more = event.get("more_body", False)
    text = f"id={query['id'][0]} length={length} sha256={digest.hexdigest()}\n" + "x" * int(query["size"][0]) + "\nend\n"
    await respond(send, 200, text.encode())


async def respond(send, status, body):
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
