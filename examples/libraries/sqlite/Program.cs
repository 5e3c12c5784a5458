// Rows in a database in memory, by sqlite3.h.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Sqlite;
using static Sqlite.NativeMethods;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
using var database = new Database();
database.Run("CREATE TABLE city (name TEXT, people INTEGER, area REAL)");
database.Run("INSERT INTO city VALUES ('Zürich', 448664, 87.88), ('Bern', 137995, 51.6), ('Chur', 38294, 54.33)");
foreach (City city in database.Cities("SELECT * FROM city WHERE people > ? ORDER BY name", 100000))
{
    Console.WriteLine($"{city.Name}: {city.People} people on {city.Area} km²");
}
foreach (City city in database.Cities("SELECT * FROM city WHERE name = ?", "Chur"))
{
    Console.WriteLine($"{city.Name}: {city.People} people");
}
database.Print("SELECT count(*) AS cities, sum(people) AS people FROM city");
try
{
    database.Run("SELECT * FROM village");
}
catch (DatabaseException error)
{
    Console.WriteLine($"error: {error.Message}");
}

/// <summary>A row.</summary>
internal sealed record City(string? Name, long People, double Area);

/// <summary>What SQLite says went wrong.</summary>
internal sealed class DatabaseException(string? message) : Exception(message);

/// <summary>A database in memory.</summary>
internal sealed unsafe class Database : IDisposable
{
    private Sqlite3* connection;

    public Database()
    {
        Sqlite3* opened;
        int status = Api.Sqlite3Open(":memory:", &opened);
        connection = opened;
        Check(status);
    }

    public void Dispose()
    {
        _ = sqlite3_close(connection);
        connection = null;
    }

    /// <summary>Runs statements that give no rows.</summary>
    public void Run(string sql) => Check(Api.Sqlite3Exec(connection, sql, (Sqlite3ExecCallback?)null, null));

    /// <summary>Runs statements, and prints the rows that they give.</summary>
    public void Print(string sql) => Check(Api.Sqlite3Exec(connection, sql, Print, null));

    private static int Print(int count, byte** values, byte** names)
    {
        var columns = new List<string>();
        for (int column = 0; column < count; column++)
        {
            string? name = Marshal.PtrToStringUTF8((nint)names[column]);
            columns.Add($"{name} {Marshal.PtrToStringUTF8((nint)values[column])}");
        }
        Console.WriteLine(string.Join(", ", columns));
        return SQLITE_OK;
    }

    /// <summary>The rows of a query.</summary>
    public List<City> Cities(string sql, params object[] values)
    {
        Sqlite3Stmt* statement;
        Check(Api.Sqlite3PrepareV2(connection, sql, -1, &statement, null));
        try
        {
            for (int place = 0; place < values.Length; place++)
            {
                Check(Bind(statement, place + 1, values[place]));
            }
            var rows = new List<City>();
            int status;
            while ((status = sqlite3_step(statement)) == SqliteRow)
            {
                string? name = Marshal.PtrToStringUTF8((nint)sqlite3_column_text(statement, 0));
                rows.Add(new City(name, sqlite3_column_int64(statement, 1), sqlite3_column_double(statement, 2)));
            }
            if (status != SqliteDone)
            {
                Check(status);
            }
            return rows;
        }
        finally
        {
            _ = sqlite3_finalize(statement);
        }
    }

    private static int Bind(Sqlite3Stmt* statement, int place, object value)
    {
        switch (value)
        {
            case string text:
                // SQLite copies the text: its destructor is an address that stands for that.
                byte[] bytes = Encoding.UTF8.GetBytes(text);
                var transient = (delegate* unmanaged[Cdecl]<void*, void>)SqliteTransient;
                fixed (byte* data = bytes)
                {
                    return sqlite3_bind_text(statement, place, data, bytes.Length, transient);
                }
            case double number:
                return sqlite3_bind_double(statement, place, number);
            default:
                return sqlite3_bind_int64(statement, place, Convert.ToInt64(value));
        }
    }

    private void Check(int status)
    {
        if (status != SqliteOk)
        {
            throw new DatabaseException(Marshal.PtrToStringUTF8((nint)sqlite3_errmsg(connection)));
        }
    }
}
