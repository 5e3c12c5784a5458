"""A flow inside a handler of another flow."""

from __future__ import annotations

import upcall
from upcall.flow import FlowBuilder


def test_an_exception_goes_through_three_layers() -> None:
    builder = FlowBuilder()
    builder.pool("/in", kind="trigger").pool("/out")

    @builder.on("/in", to="/out")
    def nested(obj: upcall.Object, emit: upcall.Emit) -> None:
        emit(obj.key, inner(bytes(obj.value).decode()))

    with builder.start() as flow:
        flow.pool("/in").put_many({"starts": "good", "fails": "bad"})
        flow.drain()
        (letter,) = flow.dead_letters("/in")
        assert (letter.key, letter.type_name) == ("fails", "RuntimeError")
        assert letter.message == "the inner flow: ValueError: not bad"
        assert "in nested" in letter.stack and "in inner" in letter.stack
        found = flow.pool("/out").get("starts")
        assert found is not None and found.value == b"GOOD"


def inner(text: str) -> bytes:
    builder = FlowBuilder()
    builder.pool("/a", kind="trigger").pool("/b")

    @builder.on("/a", to="/b")
    def innermost(word: upcall.Object, emit: upcall.Emit) -> None:
        if word.value == b"bad":
            raise ValueError("not bad")
        emit(word.key, bytes(word.value).upper())

    with builder.start() as flow:
        flow.pool("/a").put("word", text)
        flow.drain()
        for letter in flow.dead_letters("/a"):
            raise RuntimeError(f"the inner flow: {letter.type_name}: {letter.message}")
        found = flow.pool("/b").get("word")
        assert found is not None
        return found.value
