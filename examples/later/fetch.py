"""Asks an HTTP service for each key, and emits what it answers.

By the standard library alone, so that it runs anywhere; a handler of your own would use aiohttp or httpx, which know all of
HTTP. Both are opened in `open` and closed in `close`, as the connections are here.
"""

from __future__ import annotations

import asyncio
from urllib.parse import quote, urlsplit

from upcall import Context, Emit, Object

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Fetch:
    """Has as many items at once as the flow's file says by `in_flight`."""

    def open(self, ctx: Context) -> None:
        url = urlsplit(ctx.settings["url"])
        if url.scheme != "http" or not url.hostname:
            raise ValueError(f"url = {ctx.settings['url']}: give one like http://127.0.0.1:8080")
        self.host, self.port, self.path = url.hostname, url.port or 80, url.path.rstrip("/")
        self.head = f" HTTP/1.1\r\nHost: {url.netloc}\r\n\r\n".encode()
        self.idle: list[Connection] = []

    async def on_object(self, obj: Object, emit: Emit) -> None:
        status, text = await self.get(obj.key)
        if status != 200:
            raise RuntimeError(f"GET {obj.key.decode()}: it answers {status}")
        emit(obj.key, text)

    async def close(self) -> None:
        for _, writer in self.idle:
            writer.close()

    async def get(self, key: bytes) -> tuple[int, bytes]:
        request = f"GET {self.path}/{quote(key)}".encode() + self.head
        while self.idle:
            connection = self.idle.pop()
            try:
                return await self.ask(connection, request)
            except (ConnectionError, asyncio.IncompleteReadError):
                pass  # the service has closed it since
        return await self.ask(await asyncio.open_connection(self.host, self.port), request)

    async def ask(self, connection: Connection, request: bytes) -> tuple[int, bytes]:
        reader, writer = connection
        reusable = False
        try:
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            status = int(head.split(b" ", 2)[1])
            fields = dict(line.split(b":", 1) for line in head.split(b"\r\n")[1:] if b":" in line)
            length = fields.get(b"content-length")
            if length is None:
                if b"transfer-encoding" in fields:
                    raise ValueError("it answers in chunks, which this example does not read")
                return status, await reader.read()
            text = await reader.readexactly(int(length))
            reusable = fields.get(b"connection", b"").strip() != b"close"
            return status, text
        finally:
            # Cancelled in between, an answer is still under way on it.
            if reusable:
                self.idle.append(connection)
            else:
                writer.close()
