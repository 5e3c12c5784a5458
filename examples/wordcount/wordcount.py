"""The word count in Python: files to lines, lines to words, words to counts, counts to the most frequent ones."""

from __future__ import annotations

import collections
from pathlib import Path

from upcall import Batch, Context, Emit, Object

# Letters to lower case, all else to a space.
FOLD = bytes(c | 32 if chr(c) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" else 32 for c in range(256))


class Reader:
    """Emits each line of the file that its object names, from this folder on; the key is the line's number."""

    def on_object(self, obj: Object, emit: Emit) -> None:
        file = Path(__file__).parent / bytes(obj.value).decode()
        lines = file.read_bytes().splitlines()
        emit.many((b"%d" % number for number in range(1, len(lines) + 1)), lines)


class Splitter:
    """Emits each word of a line as a record of its own."""

    def on_object(self, obj: Object, emit: Emit) -> None:
        emit.many(bytes(obj.value).translate(FOLD).split(), b"")


class Counter:
    """Keeps a count per word, and emits each word that changed once a batch."""

    def __init__(self) -> None:
        self.counts: dict[bytes, int] = {}

    def on_batch(self, batch: Batch, emit: Emit) -> None:
        changed = collections.Counter(batch.keys())
        before = self.counts.get
        for word, count in changed.items():
            changed[word] = before(word, 0) + count
        self.counts.update(changed)
        emit.many(changed.keys(), changed.values())


class Reporter:
    """Prints the most frequent words once the input has ended."""

    def __init__(self) -> None:
        self.counts: dict[bytes, int] = {}

    def open(self, ctx: Context) -> None:
        self.top = int(ctx.settings.get("top", "10"))

    def on_batch(self, batch: Batch, emit: Emit) -> None:
        self.counts.update(zip(batch.keys(), batch.value_list()))

    def flush(self, emit: Emit) -> None:
        ranked = sorted(self.counts.items(), key=lambda pair: (-pair[1], pair[0]))
        for word, count in ranked[: self.top]:
            print(f"{count:7} {word.decode()}")
