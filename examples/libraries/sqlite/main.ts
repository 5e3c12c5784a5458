// Rows in a database in memory, by sqlite3.h.

import {
  Out, SQLITE_DONE, SQLITE_OK, SQLITE_ROW, SQLITE_TRANSIENT, sqlite3, sqlite3_bind_double, sqlite3_bind_text, sqlite3_close,
  sqlite3_column_double, sqlite3_column_int64, sqlite3_column_text, sqlite3_errmsg, sqlite3_exec, sqlite3_finalize, sqlite3_open,
  sqlite3_prepare_v2, sqlite3_step, sqlite3_stmt, textAt, textsAt, type Pointer,
} from "./build/typescript";

declare const console: { log(text: string): void };

interface City {
  name: string | null;
  people: bigint;
  area: number;
}

/** A database in memory, closed at the end of its block. */
class Database {
  readonly #connection: Pointer<sqlite3>;

  constructor() {
    const opened = Out.address<sqlite3>();
    const status = sqlite3_open(":memory:", opened);
    this.#connection = opened.value;
    try {
      this.#check(status);
    } catch (error) {
      // There is a connection even then.
      sqlite3_close(this.#connection);
      throw error;
    }
  }

  [Symbol.dispose](): void {
    sqlite3_close(this.#connection);
  }

  /** Runs statements that give no rows. */
  run(sql: string): void {
    this.#check(sqlite3_exec(this.#connection, sql, null, null));
  }

  /** Runs statements, and prints the rows that they give. */
  print(sql: string): void {
    this.#check(sqlite3_exec(this.#connection, sql, (count, values, names) => {
      const texts = textsAt(values, count);
      console.log(textsAt(names, count).map((name, column) => `${name} ${texts[column]}`).join(", "));
      return SQLITE_OK;
    }, null));
  }

  /** The rows of a query. */
  *cities(sql: string, ...values: (string | number)[]): Generator<City> {
    const prepared = Out.address<sqlite3_stmt>();
    this.#check(sqlite3_prepare_v2(this.#connection, sql, -1, prepared, null));
    const statement = prepared.value;
    try {
      values.forEach((value, index) => this.#check(bind(statement, index + 1, value)));
      let status: number;
      while ((status = sqlite3_step(statement)) === SQLITE_ROW) {
        yield {
          name: textAt(sqlite3_column_text(statement, 0)),
          people: sqlite3_column_int64(statement, 1),
          area: sqlite3_column_double(statement, 2),
        };
      }
      if (status !== SQLITE_DONE) this.#check(status);
    } finally {
      sqlite3_finalize(statement);
    }
  }

  #check(status: number): void {
    if (status !== SQLITE_OK) throw new Error(textAt(sqlite3_errmsg(this.#connection)) ?? `error ${status}`);
  }
}

function bind(statement: Pointer<sqlite3_stmt>, place: number, value: string | number): number {
  return typeof value === "string"
    ? sqlite3_bind_text(statement, place, value, -1, SQLITE_TRANSIENT)
    : sqlite3_bind_double(statement, place, value);
}

function main(): void {
  using database = new Database();
  database.run("CREATE TABLE city (name TEXT, people INTEGER, area REAL)");
  database.run("INSERT INTO city VALUES ('Zürich', 448664, 87.88), ('Bern', 137995, 51.6), ('Chur', 38294, 54.33)");
  for (const { name, people, area } of database.cities("SELECT * FROM city WHERE people > ? ORDER BY name", 100000)) {
    console.log(`${name}: ${people} people on ${area} km²`);
  }
  for (const { name, people } of database.cities("SELECT * FROM city WHERE name = ?", "Chur")) {
    console.log(`${name}: ${people} people`);
  }
  database.print("SELECT count(*) AS cities, sum(people) AS people FROM city");
  try {
    database.run("SELECT * FROM village");
  } catch (error) {
    console.log(`error: ${(error as Error).message}`);
  }
}

main();
