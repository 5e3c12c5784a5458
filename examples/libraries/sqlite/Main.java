import java.lang.foreign.MemorySegment;
import sqlite.BindTextArg4;
import sqlite.Database;
import sqlite.NativeMemory;
import sqlite.Sqlite;
import sqlite.Statement;

/** A database in memory, with text columns. */
final class Main {
    /** `SQLITE_TRANSIENT`: SQLite copies the text before the call returns. */
    private static final BindTextArg4 TRANSIENT = BindTextArg4.of(MemorySegment.ofAddress(-1L));

    private record City(String name, String country, double people) {}

    private static Database open(String path) {
        Database[] database = new Database[1];
        check(database[0], Sqlite.open(path, database));
        return database[0];
    }

    private static Statement prepare(Database database, String sql) {
        Statement[] statement = new Statement[1];
        check(database, database.prepareV2(sql, -1, statement, null));
        return statement[0];
    }

    private static void check(Database database, int code) {
        if (code != Sqlite.SQLITE_OK && code != Sqlite.SQLITE_ROW && code != Sqlite.SQLITE_DONE) {
            throw new IllegalStateException(Sqlite.errmsg(database));
        }
    }

    public static void main(String[] arguments) {
        boolean same = Sqlite.libversion().equals(Sqlite.SQLITE_VERSION);
        System.out.println("version " + (same ? "of the header" : Sqlite.SQLITE_VERSION));
        try (Database database = open(":memory:")) {
            check(database, database.exec("CREATE TABLE cities (name TEXT, country TEXT, people REAL)", null, null));
            insert(database);
            select(database);
            check(database, database.exec(
                    "SELECT count(*) AS cities, sum(people) AS people FROM cities",
                    (count, values, names) -> {
                        String[] found = NativeMemory.texts(values, count);
                        String[] called = NativeMemory.texts(names, count);
                        System.out.println(called[0] + " " + found[0] + ", " + called[1] + " " + found[1]);
                        return 0;
                    },
                    null));
            try (Statement none = prepare(database, "SELECT * FROM countries")) {
                none.step();
            } catch (IllegalStateException error) {
                System.out.println("error: " + error.getMessage());
            }
        }
    }

    private static void insert(Database database) {
        City[] cities = {
            new City("Tōkyō", "JP", 37.1), new City("São Paulo", "BR", 22.6), new City("Atlantis", null, 0)
        };
        try (Statement insert = prepare(database, "INSERT INTO cities VALUES (?, ?, ?)")) {
            for (City city : cities) {
                check(database, insert.bindText(1, city.name(), -1, TRANSIENT));
                check(database, insert.bindText(2, city.country(), -1, TRANSIENT));
                check(database, insert.bindDouble(3, city.people()));
                check(database, insert.step());
                check(database, insert.reset());
            }
        }
    }

    private static void select(Database database) {
        try (Statement select = prepare(database, "SELECT name, country, people FROM cities ORDER BY people DESC")) {
            while (select.step() == Sqlite.SQLITE_ROW) {
                String name = NativeMemory.text(select.columnText(0));
                String country = NativeMemory.text(select.columnText(1));
                double people = select.columnDouble(2);
                System.out.println(name + ", " + (country == null ? "nowhere" : country) + ": " + people + " million");
            }
            select.reset();
            select.step();
            byte[] bytes = NativeMemory.bytes(select.columnText(0), select.columnBytes(0));
            System.out.println("the first name has " + bytes.length + " bytes");
        }
    }
}
