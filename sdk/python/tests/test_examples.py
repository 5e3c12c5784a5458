"""The examples' handlers, each against a plain computation of the same."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import importlib.util
import re
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from types import ModuleType

import pytest

from upcall.testing import Failed, Harness

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
TEXT = "In the beginning, God's word -- THE Word: 1st of 2.\n\nand the end's end\tZebra\u00e9ta\n" * 50


def example(name: str) -> ModuleType:
    path = EXAMPLES / name
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_word_count_equals_a_plain_one(capsys: pytest.CaptureFixture[str]) -> None:
    wordcount = example("wordcount/wordcount.py")
    expected = collections.Counter(re.findall("[a-z]+", re.sub("[A-Z]", lambda m: m[0].lower(), TEXT)))

    splitter = Harness(wordcount.Splitter(), pools=["/words"])
    splitter.batch((str(number), line) for number, line in enumerate(TEXT.split("\n"), 1))
    assert all(each.value == b"" for each in splitter.emitted)

    counter = Harness(wordcount.Counter(), pools={"/counts": "u64"})
    words = [(each.key, b"") for each in splitter.emitted]
    for start in range(0, len(words), 100):
        counter.batch(words[start : start + 100])
    assert counter.numbers("/counts") == expected
    assert len(counter.emitted) < len(words), "a word that changed is emitted once per batch"

    with Harness(wordcount.Reporter(), input="/counts", input_type="u64", settings={"top": "3"}) as reporter:
        reporter.batch((each.key, each.value) for each in counter.emitted)
        reporter.flush()
    ranked = sorted(expected.items(), key=lambda pair: (-pair[1], pair[0]))[:3]
    assert capsys.readouterr().out == "".join(f"{count:7} {word}\n" for word, count in ranked)


def test_a_line_longer_than_4_kib_is_split_too() -> None:
    splitter = Harness(example("wordcount/wordcount.py").Splitter(), pools=["/words"])
    splitter.put("1", "Word " * 2000)
    assert {each.key for each in splitter.emitted} == {b"word"} and len(splitter.emitted) == 2000


def test_the_printer_prints_sender_pool_key_and_value(capsys: pytest.CaptureFixture[str]) -> None:
    with Harness(example("console-printer/printer.py").Printer(), input="/things") as printer:
        printer.put("key", "value")
    assert capsys.readouterr().out == "harness /things key value\n"


def test_the_fetcher_emits_what_a_service_answers() -> None:
    """100 at once, over connections that are kept, and a failure where there is no such page."""
    accepted = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.append(writer)
        with contextlib.suppress(asyncio.CancelledError):
            await answer(reader, writer)
        writer.close()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            key = line.split()[1].decode()
            await reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(0.01)
            if key == "/bad":
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            text = f"page {key}".encode()
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(text), text))

    ready: Future[tuple[int, Callable[[], None]]] = Future()

    async def run() -> None:
        server, stop, loop = await asyncio.start_server(serve, "127.0.0.1", 0), asyncio.Event(), asyncio.get_running_loop()
        ready.set_result((server.sockets[0].getsockname()[1], lambda: loop.call_soon_threadsafe(stop.set) and None))
        await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    port, stop = ready.result()
    try:
        settings = {"url": f"http://127.0.0.1:{port}"}
        with Harness(example("later/fetch.py").Fetch(), pools=["/pages"], settings=settings) as harness:
            harness.put("a key")
            for _ in range(3):
                harness.batch((f"{n}", "") for n in range(100))
            assert harness.emitted[0].value == b"page /a%20key"
            assert [each.value for each in harness.emitted[-100:]] == [b"page /%d" % n for n in range(100)]
            assert len(accepted) <= 100
            with pytest.raises(Failed, match="GET bad: it answers 404"):
                harness.put("bad")
    finally:
        stop()
        thread.join()


def test_vectors_are_scored_in_a_flow_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    example("embedded/python/score.py").main()
    scored, how = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"10000 vectors scored, \d+% of them right", scored)
    assert how == "in fewer batches than vectors"
