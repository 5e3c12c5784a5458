"""Counts the words of a file as a peer would, and tells how long it took.

    wordcount_peers.py VARIANT FILE COUNTS

A word is a run of ASCII letters, lower-cased. The counts go to the file COUNTS, one line per word: word, tab,
count; the time goes to standard output as one line of JSON. It runs from handing the flow to the peer until the
peer returns: the interpreter's start, imports and the building of the flow are not in it. Whoever calls this
subtracts what a file of one line takes, which is the peer's own start-up.

All variants but one split with the same function, the fastest of those tried (`re.findall` and
`str.translate` take 1.6 and 1.2 times as long); `bytewax-tutorial` is written as Bytewax's examples have it.
"""

from __future__ import annotations

import collections
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

FOLD = bytes(c | 32 if chr(c).isascii() and chr(c).isalpha() else 32 for c in range(256))

Counts = dict[str, int]


def split(line: str) -> list[str]:
    return line.encode().translate(FOLD).decode().split()


def by_line(file: str, _workers: int) -> Callable[[], Counts]:
    """Plain Python: a `Counter`, updated line by line."""

    def run() -> Counts:
        counts: collections.Counter[str] = collections.Counter()
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                counts.update(split(line))
        return counts

    return run


def whole_text(file: str, _workers: int) -> Callable[[], Counts]:
    """Plain Python: a `Counter` over the whole text at once."""

    def run() -> Counts:
        with open(file, encoding="utf-8") as text:
            return collections.Counter(split(text.read()))

    return run


def bytewax_flow(
    file: str,
    workers: int,
    count: Callable[[Any, Any], Any],
    words_of: Callable[[Any, Any], Any] | None = None,
) -> Callable[[], Counts]:
    import bytewax.operators as op
    from bytewax._bytewax import cluster_main
    from bytewax.connectors.files import FileSource
    from bytewax.dataflow import Dataflow
    from bytewax.outputs import DynamicSink, StatelessSinkPartition

    latest: Counts = {}

    class Part(StatelessSinkPartition[Any]):
        def write_batch(self, items: list[tuple[str, int]]) -> None:
            latest.update(items)

    class Latest(DynamicSink[Any]):
        def build(self, _step_id: str, _worker_index: int, _worker_count: int) -> Part:
            return Part()

    flow = Dataflow("wordcount")
    lines = op.input("lines", flow, FileSource(file, batch_size=1000))

    words = (words_of or split_batches)(op, lines)
    op.output("counts", count(op, words), Latest())

    def run() -> Counts:
        cluster_main(flow, [], 0, worker_count_per_proc=workers)
        return latest

    return run


def split_batches(op: Any, lines: Any) -> Any:
    def split_batch(batch: list[str]) -> Iterable[str]:
        return [word for line in batch for word in split(line)]

    return op.flat_map_batch("split", lines, split_batch)


def count_final(op: Any, words: Any) -> Any:
    return op.count_final("count", words, lambda word: word)


def bytewax_count_final(file: str, workers: int) -> Callable[[], Counts]:
    """Bytewax at its best: lines are split by the batch; one result per word, at the end."""
    return bytewax_flow(file, workers, count_final)


def bytewax_tutorial(file: str, workers: int) -> Callable[[], Counts]:
    """The word count of Bytewax's own examples."""
    tokenize = re.compile("[a-z]+").findall

    def words_of(op: Any, lines: Any) -> Any:
        return op.flat_map("tokenize", op.map("lowercase", lines, lambda line: line.lower()), tokenize)

    return bytewax_flow(file, workers, count_final, words_of)


def bytewax_stateful_map(file: str, workers: int) -> Callable[[], Counts]:
    """Bytewax with a running count: one result for each incoming word."""

    def add(count: int | None, _word: str) -> tuple[int, int]:
        count = (count or 0) + 1
        return count, count

    def build(op: Any, words: Any) -> Any:
        return op.stateful_map("count", op.key_on("key", words, lambda word: word), add)

    return bytewax_flow(file, workers, build)


def pathway_flow(workers: int, read: Callable[[Any], Any]) -> Callable[[], Counts]:
    os.environ["PATHWAY_THREADS"] = str(workers)
    os.environ["PATHWAY_DISABLE_TELEMETRY"] = "1"
    import pathway as pw

    latest: Counts = {}
    words = read(pw)
    counts = words.groupby(words.word).reduce(words.word, count=pw.reducers.count())

    def on_change(key: Any, row: dict[str, Any], time: int, is_addition: bool) -> None:
        if is_addition:
            latest[row["word"]] = row["count"]

    pw.io.subscribe(counts, on_change=on_change)

    def run() -> Counts:
        pw.run(monitoring_level=pw.MonitoringLevel.NONE)
        return latest

    return run


def pathway_apply(file: str, workers: int) -> Callable[[], Counts]:
    """Pathway reads the lines; a function splits them, and the words are flattened into rows."""

    def read(pw: Any) -> Any:
        lines = pw.io.plaintext.read(file, mode="static")
        return lines.select(word=pw.apply_with_type(split, list[str], lines.data)).flatten(pw.this.word)

    return pathway_flow(workers, read)


def pathway_connector(file: str, workers: int) -> Callable[[], Counts]:
    """A Python connector splits the lines and hands Pathway one row per word."""

    def read(pw: Any) -> Any:
        class Words(pw.io.python.ConnectorSubject):
            def run(self) -> None:
                with open(file, encoding="utf-8") as lines:
                    for line in lines:
                        for word in split(line):
                            self.next(word=word)

        return pw.io.python.read(Words(), schema=pw.schema_from_types(word=str))

    return pathway_flow(workers, read)


VARIANTS: dict[str, tuple[Callable[[str, int], Callable[[], Counts]], int]] = {
    "counter-by-line": (by_line, 1),
    "counter-whole-text": (whole_text, 1),
    "bytewax-count-final": (bytewax_count_final, 1),
    "bytewax-count-final-2": (bytewax_count_final, 2),
    "bytewax-tutorial": (bytewax_tutorial, 1),
    "bytewax-stateful-map": (bytewax_stateful_map, 1),
    "pathway-apply": (pathway_apply, 1),
    "pathway-apply-2": (pathway_apply, 2),
    "pathway-connector": (pathway_connector, 1),
}


def main() -> None:
    if len(sys.argv) != 4 or sys.argv[1] not in VARIANTS:
        sys.exit(f"usage: wordcount_peers.py VARIANT FILE COUNTS, with one of {', '.join(VARIANTS)}")
    _, variant, file, counts_file = sys.argv
    prepare, workers = VARIANTS[variant]
    run = prepare(file, workers)
    wall, cpu = time.perf_counter(), time.process_time()
    counts = run()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    with open(counts_file, "w", encoding="utf-8") as out:
        out.writelines(f"{word}\t{count}\n" for word, count in counts.items())
    print(json.dumps({"variant": variant, "workers": workers, "wall_seconds": wall, "cpu_seconds": cpu}))


if __name__ == "__main__":
    main()
