"""Rows in a database in memory, by sqlite3.h."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_char_p

import sqlite_native as sqlite
from sqlite_native import Out


class Failed(Exception):
    """What SQLite says went wrong."""


class Database:
    """A database in memory, closed at the end of a `with` block."""

    def __init__(self) -> None:
        opened: Out[int | None] = Out()
        status = sqlite.sqlite3_open(":memory:", opened)
        self.connection = opened.value
        try:
            self._check(status, self.connection)
        except Failed:
            # There is a connection even then.
            sqlite.sqlite3_close(self.connection)
            raise

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        sqlite.sqlite3_close(self.connection)

    def run(self, sql: str) -> None:
        """Runs statements that give no rows."""
        self._check(sqlite.sqlite3_exec(self.connection, sql, None, None), self.connection)

    def print(self, sql: str) -> None:
        """Runs statements, and prints the rows that they give."""
        self._check(sqlite.sqlite3_exec(self.connection, sql, print_row, None), self.connection)

    def rows(self, sql: str, *values: str | int | float) -> Iterator[tuple[str, int, float]]:
        """The rows of a query."""
        statement: Out[int | None] = Out()
        self._check(sqlite.sqlite3_prepare_v2(self.connection, sql, -1, statement, None), self.connection)
        for place, value in enumerate(values, 1):
            if isinstance(value, str):
                sqlite.sqlite3_bind_text(statement, place, value, -1, sqlite.SQLITE_TRANSIENT)
            elif isinstance(value, int):
                sqlite.sqlite3_bind_int64(statement, place, value)
            else:
                sqlite.sqlite3_bind_double(statement, place, value)
        try:
            while (status := sqlite.sqlite3_step(statement)) == sqlite.SQLITE_ROW:
                yield (
                    str(sqlite.sqlite3_column_text(statement, 0)),
                    sqlite.sqlite3_column_int(statement, 1),
                    sqlite.sqlite3_column_double(statement, 2),
                )
            if status != sqlite.SQLITE_DONE:
                self._check(status, self.connection)
        finally:
            sqlite.sqlite3_finalize(statement)

    def _check(self, status: int, connection: int | None) -> None:
        if status != sqlite.SQLITE_OK:
            raise Failed(str(sqlite.sqlite3_errmsg(connection)))


def print_row(count: int, values: int | None, names: int | None) -> int:
    texts = [(c_char_p * count).from_address(address or 0) for address in (names, values)]
    print(", ".join(f"{name.decode()} {value.decode()}" for name, value in zip(*texts)))
    return sqlite.SQLITE_OK


def main() -> None:
    with Database() as database:
        database.run("CREATE TABLE city (name TEXT, people INTEGER, area REAL)")
        database.run("INSERT INTO city VALUES ('Zürich', 448664, 87.88), ('Bern', 137995, 51.6), ('Chur', 38294, 54.33)")
        for name, people, area in database.rows("SELECT * FROM city WHERE people > ? ORDER BY name", 100000):
            print(f"{name}: {people} people on {area} km²")
        for name, people, _ in database.rows("SELECT * FROM city WHERE name = ?", "Chur"):
            print(f"{name}: {people} people")
        database.print("SELECT count(*) AS cities, sum(people) AS people FROM city")
        try:
            database.run("SELECT * FROM village")
        except Failed as error:
            print(f"error: {error}")


main()
