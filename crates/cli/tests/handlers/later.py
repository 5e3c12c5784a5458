"""Handlers that answer later, for the tests of flows."""

import asyncio
import logging
import os
import time

import upcall
from upcall import Context, Emit, Object


class Slow:
    """Emits after 10 ms what it was given, and at the flush how many it had at once."""

    async def open(self, ctx: Context) -> None:
        await asyncio.sleep(0)
        self.now = self.most = 0

    async def on_object(self, obj: Object, emit: Emit) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        emit(obj.key, obj.value)
        await asyncio.sleep(0.01)
        self.now -= 1
        if obj.key == b"bad":
            raise KeyError("bad after an await")

    async def flush(self, emit: Emit) -> None:
        await asyncio.sleep(0.001)
        emit("most", str(self.most), "/most")


class AtOnce:
    async def on_object(self, obj: Object, emit: Emit) -> None:
        emit(obj.key, obj.value)


class Awaits:
    async def on_object(self, obj: Object, emit: Emit) -> None:
        await asyncio.sleep(0)
        emit(obj.key, obj.value)


class Nothing:
    async def on_object(self, obj: Object, emit: Emit) -> None:
        pass


class Yields:
    async def on_object(self, obj: Object, emit: Emit) -> None:
        await asyncio.sleep(0)


class Deposit:
    """Adds to an account, by a read and a conditional emission."""

    async def on_object(self, obj: Object[str], emit: Emit[int]) -> None:
        account, amount = obj.value.split()
        found = emit.read("/accounts", account)
        await asyncio.sleep(0.0005)
        balance = int.from_bytes(found.value, "little", signed=True) if found else 0
        logging.getLogger("upcall").info("%s has %d", account, balance)
        emit.put_if(account, balance + int(amount), found.version if found else 0)


class Hangs:
    """Waits for ever where its key says so, and writes down what it has seen of its end."""

    def open(self, ctx: Context) -> None:
        self.file = ctx.settings["file"]

    async def on_object(self, obj: Object, emit: Emit) -> None:
        key = obj.key
        if not key.startswith(b"hang"):
            emit(key, obj.value)
            return
        self.saw("begun", None)
        try:
            await asyncio.sleep(1000)
        except asyncio.CancelledError as error:
            self.saw("cancelled", error.args[0])
            self.saw("reason", obj.cancelled)
            try:
                emit("late", "")
            except (upcall.TimedOut, upcall.Cancelled, upcall.Closed) as late:
                self.saw("emit", late)
            if key == b"hang on":
                await asyncio.sleep(0.01)
                raise KeyError("nobody hears it")
            raise

    def saw(self, what: str, error: BaseException | None) -> None:
        with open(self.file, "a") as file:
            file.write(f"{what} {type(error).__name__}\n")


class Blocks:
    """Blocks its loop where its key says so, until a file is there, and writes down what it was handed."""

    def open(self, ctx: Context) -> None:
        self.file, self.go = ctx.settings["file"], ctx.settings["go"]

    async def on_object(self, obj: Object, emit: Emit) -> None:
        with open(self.file, "a") as file:
            file.write(f"begun {obj.key.decode()}\n")
        while obj.key == b"block" and not os.path.exists(self.go):
            time.sleep(0.001)
        emit(obj.key, obj.value)


class Own:
    """Cancels itself."""

    async def on_object(self, obj: Object, emit: Emit) -> None:
        asyncio.current_task().cancel("mine")
        await asyncio.sleep(1000)


class Jitters:
    """Answers about when its deadline passes."""

    async def on_object(self, obj: Object, emit: Emit) -> None:
        emit(obj.key, obj.value)
        await asyncio.sleep(int(obj.key) % 7 * 0.001)
        emit(obj.key, bytes(5000), "/most")
