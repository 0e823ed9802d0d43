"""Keep-alive clients in a process of their own that post bodies and count the answers.

Reads one JSON job on stdin: {port, seconds, clients: [{path, bodies: [text, …]}]}; prints
{done, refused, seconds}. A client waits for each answer before it sends the next body.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any


class Client(asyncio.Protocol):
    """One connection: send, wait for the whole answer, send the next."""

    def __init__(self, path: str, bodies: list[str], port: int, deadline: float) -> None:
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            "Sec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: "
        )
        self.requests = [f"{head}{len(body.encode())}\r\n\r\n{body}".encode() for body in bodies]
        self.deadline = deadline
        self.done = self.refused = 0
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.buffer = b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.send()

    def send(self) -> None:
        number = self.done + self.refused
        if number >= len(self.requests) or time.perf_counter() >= self.deadline:
            self.transport.close()
            return
        self.transport.write(self.requests[number])

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return
        length = next(
            int(line[15:]) for line in head.split(b"\r\n") if line[:15].lower() == b"content-length:"
        )
        if len(rest) < length:
            return
        self.buffer = rest[length:]
        if head.startswith(b"HTTP/1.1 200") and b'"ok":true' in rest.replace(b" ", b""):
            self.done += 1
        else:
            self.refused += 1
        self.send()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.finished.done():
            self.finished.set_result(None)


async def run(job: dict[str, Any]) -> dict[str, float]:
    loop = asyncio.get_running_loop()
    began = time.perf_counter()
    deadline = began + job["seconds"]
    clients = [Client(client["path"], client["bodies"], job["port"], deadline) for client in job["clients"]]
    for client in clients:
        await loop.create_connection(lambda client=client: client, "127.0.0.1", job["port"])
    await asyncio.gather(*(client.finished for client in clients))
    return {
        "done": sum(client.done for client in clients),
        "refused": sum(client.refused for client in clients),
        "seconds": time.perf_counter() - began,
    }


if __name__ == "__main__":
    try:
        import uvloop
    except ImportError:
        print(json.dumps(asyncio.run(run(json.load(sys.stdin)))))
    else:
        print(json.dumps(uvloop.run(run(json.load(sys.stdin)))))
