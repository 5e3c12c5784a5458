import java.util.ArrayList;
import java.util.List;
import sqlite.BindTextArg4;
import sqlite.Database;
import sqlite.NativeMemory;
import sqlite.Sqlite;
import sqlite.Statement;

/** Rows in a database in memory, by sqlite3.h. */
final class Main {
    /** SQLite copies the text: its destructor is an address that stands for that. */
    private static final BindTextArg4 TRANSIENT = BindTextArg4.of(Sqlite.SQLITE_TRANSIENT);

    private record City(String name, long people, double area) {}

    private static Database open() {
        Database[] opened = new Database[1];
        int status = Sqlite.open(":memory:", opened);
        try {
            check(opened[0], status);
        } catch (RuntimeException failed) {
            // There is a connection even then.
            opened[0].close();
            throw failed;
        }
        return opened[0];
    }

    /** Runs statements that give no rows. */
    private static void run(Database database, String sql) {
        check(database, database.exec(sql, null, null));
    }

    /** Runs statements, and prints the rows that they give. */
    private static void print(Database database, String sql) {
        check(database, database.exec(sql, (count, values, names) -> {
            String[] texts = NativeMemory.texts(values, count);
            String[] columns = NativeMemory.texts(names, count);
            for (int column = 0; column < count; column++) {
                columns[column] += " " + texts[column];
            }
            System.out.println(String.join(", ", columns));
            return Sqlite.SQLITE_OK;
        }, null));
    }

    /** The rows of a query. */
    private static List<City> cities(Database database, String sql, Object... values) {
        Statement[] prepared = new Statement[1];
        check(database, database.prepareV2(sql, -1, prepared, null));
        try (Statement statement = prepared[0]) {
            for (int index = 0; index < values.length; index++) {
                check(database, bind(statement, index + 1, values[index]));
            }
            List<City> rows = new ArrayList<>();
            int status = statement.step();
            for (; status == Sqlite.SQLITE_ROW; status = statement.step()) {
                String name = NativeMemory.text(statement.columnText(0));
                rows.add(new City(name, statement.columnInt64(1), statement.columnDouble(2)));
            }
            if (status != Sqlite.SQLITE_DONE) {
                check(database, status);
            }
            return rows;
        }
    }

    private static int bind(Statement statement, int place, Object value) {
        return value instanceof String text
                ? statement.bindText(place, text, -1, TRANSIENT)
                : statement.bindInt64(place, ((Number) value).longValue());
    }

    private static void check(Database database, int status) {
        if (status != Sqlite.SQLITE_OK) {
            throw new IllegalStateException(Sqlite.errmsg(database));
        }
    }

    public static void main(String[] arguments) {
        try (Database database = open()) {
            run(database, "CREATE TABLE city (name TEXT, people INTEGER, area REAL)");
            run(database, "INSERT INTO city VALUES "
                    + "('Zürich', 448664, 87.88), ('Bern', 137995, 51.6), ('Chur', 38294, 54.33)");
            for (City city : cities(database, "SELECT * FROM city WHERE people > ? ORDER BY name", 100000)) {
                System.out.println(city.name() + ": " + city.people() + " people on " + city.area() + " km²");
            }
            for (City city : cities(database, "SELECT * FROM city WHERE name = ?", "Chur")) {
                System.out.println(city.name() + ": " + city.people() + " people");
            }
            print(database, "SELECT count(*) AS cities, sum(people) AS people FROM city");
            try {
                run(database, "SELECT * FROM village");
            } catch (IllegalStateException error) {
                System.out.println("error: " + error.getMessage());
            }
        }
    }
}
