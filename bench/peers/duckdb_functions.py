"""A row function in Python as DuckDB runs it: one JSON object per line, who and nanoseconds of CPU per row.

Called with a number of rows, of which it takes many times as many, so that planning a query does not count. A query with
the function, less the same query without one. `bench/src/bin/boundary.rs` runs it.
"""

import json
import sys
import time

import duckdb
import pyarrow
import pyarrow.compute

ROUNDS = 15
TIMES = 200


def by_row(number: int, text: str) -> int:
    return number + len(text)


def by_column(numbers: pyarrow.Array, texts: pyarrow.Array) -> pyarrow.Array:
    return pyarrow.compute.add(numbers, pyarrow.compute.cast(pyarrow.compute.binary_length(texts), "int64"))


def in_rows(numbers: pyarrow.ChunkedArray, texts: pyarrow.ChunkedArray) -> pyarrow.Array:
    """What has to be done where the logic is a function of a row."""
    return pyarrow.array([by_row(*row) for row in zip(numbers.to_pylist(), texts.to_pylist())], "int64")


def main(rows: int) -> None:
    database = duckdb.connect(config={"threads": 1})
    rows *= TIMES
    database.execute(
        "create table input as select range as number, 'key-' || lpad((range % 1000000)::text, 6, '0') as text "
        f"from range({rows})"
    )
    for name, function, kind in [
        ("native", by_row, "native"),
        ("arrow_columns", by_column, "arrow"),
        ("arrow_rows", in_rows, "arrow"),
    ]:
        database.create_function(name, function, ["BIGINT", "VARCHAR"], "BIGINT", type=kind)
    queries = {
        "none": "select sum(number), max(text) from input",
        "DuckDB, Python by row": "select sum(native(number, text)), max(text) from input",
        "DuckDB, pyarrow by column": "select sum(arrow_columns(number, text)), max(text) from input",
        "DuckDB, pyarrow, then by row": "select sum(arrow_rows(number, text)), max(text) from input",
    }
    least = dict.fromkeys(queries, float("inf"))
    for _ in range(ROUNDS):
        for who, query in queries.items():
            start = time.process_time_ns()
            total = database.execute(query).fetchone()[0]
            least[who] = min(least[who], (time.process_time_ns() - start) / rows)
            expected = rows * (rows - 1) // 2 + (0 if who == "none" else 10 * rows)
            assert total == expected, f"{who}: {total}, not {expected}"
    for who, nanos in least.items():
        if who != "none":
            print(json.dumps({"who": who, "nanos": nanos - least["none"]}))


main(int(sys.argv[1]))
