import {
  Out, SQLITE_DONE, SQLITE_OK, SQLITE_ROW, SQLITE_VERSION, bytesAt, sqlite3, sqlite3_bind_double, sqlite3_bind_text, sqlite3_close,
  sqlite3_column_bytes, sqlite3_column_double, sqlite3_column_text, sqlite3_errmsg, sqlite3_exec, sqlite3_finalize, sqlite3_libversion,
  sqlite3_open, sqlite3_prepare_v2, sqlite3_reset, sqlite3_step, sqlite3_stmt, textAt, textsAt, type Pointer,
} from "./build/typescript";

declare const console: { log(text: string): void };

/** `SQLITE_TRANSIENT`: SQLite copies the text before the call returns. */
const TRANSIENT = -1 as Pointer<any>;

function open(path: string): Pointer<sqlite3> {
  const database = Out.address<sqlite3>();
  check(database.value, sqlite3_open(path, database));
  return database.value;
}

function prepare(database: Pointer<sqlite3>, sql: string): Pointer<sqlite3_stmt> {
  const statement = Out.address<sqlite3_stmt>();
  check(database, sqlite3_prepare_v2(database, sql, -1, statement, null));
  return statement.value;
}

function check(database: Pointer<sqlite3>, code: number): void {
  if (![SQLITE_OK, SQLITE_ROW, SQLITE_DONE].includes(code)) throw new Error(textAt(sqlite3_errmsg(database)) ?? `error ${code}`);
}

const database = open(":memory:");
console.log(`version ${textAt(sqlite3_libversion()) === SQLITE_VERSION ? "of the header" : SQLITE_VERSION}`);
check(database, sqlite3_exec(database, "CREATE TABLE cities (name TEXT, country TEXT, people REAL)", null, null));

const insert = prepare(database, "INSERT INTO cities VALUES (?, ?, ?)");
for (const [name, country, people] of [["Tōkyō", "JP", 37.1], ["São Paulo", "BR", 22.6], ["Atlantis", null, 0]] as const) {
  check(database, sqlite3_bind_text(insert, 1, name, -1, TRANSIENT));
  check(database, sqlite3_bind_text(insert, 2, country, -1, TRANSIENT));
  check(database, sqlite3_bind_double(insert, 3, people));
  check(database, sqlite3_step(insert));
  check(database, sqlite3_reset(insert));
}
check(database, sqlite3_finalize(insert));

const select = prepare(database, "SELECT name, country, people FROM cities ORDER BY people DESC");
while (sqlite3_step(select) === SQLITE_ROW) {
  const [name, country] = [0, 1].map((column) => textAt(sqlite3_column_text(select, column)));
  console.log(`${name}, ${country ?? "nowhere"}: ${sqlite3_column_double(select, 2)} million`);
}
sqlite3_reset(select);
sqlite3_step(select);
const bytes = bytesAt(sqlite3_column_text(select, 0), sqlite3_column_bytes(select, 0));
console.log(`the first name has ${bytes.length} bytes`);
check(database, sqlite3_finalize(select));

check(database, sqlite3_exec(database, "SELECT count(*) AS cities, sum(people) AS people FROM cities", (count, values, names) => {
  const [found, called] = [textsAt(values, count), textsAt(names, count)];
  console.log(called.map((name, index) => `${name} ${found[index]}`).join(", "));
  return 0;
}, null));

try {
  prepare(database, "SELECT * FROM countries");
} catch (error) {
  console.log(`error: ${(error as Error).message}`);
}
check(database, sqlite3_close(database));
