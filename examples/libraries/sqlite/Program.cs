// Rows in a database in memory, by sqlite3.h.

using System;
using System.Collections.Generic;
using System.Globalization;
using Sqlite;
using static Sqlite.NativeMethods;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
using Database database = Cities.Opened(":memory:");
Cities.Run(database, "CREATE TABLE city (name TEXT, people INTEGER, area REAL)");
Cities.Run(database, "INSERT INTO city VALUES ('Zürich', 448664, 87.88), ('Bern', 137995, 51.6), ('Chur', 38294, 54.33)");
foreach (City city in Cities.Of(database, "SELECT * FROM city WHERE people > ? ORDER BY name", 100000))
{
    Console.WriteLine($"{city.Name}: {city.People} people on {city.Area} km²");
}
foreach (City city in Cities.Of(database, "SELECT * FROM city WHERE name = ?", "Chur"))
{
    Console.WriteLine($"{city.Name}: {city.People} people");
}
Cities.Print(database, "SELECT count(*) AS cities, sum(people) AS people FROM city");
try
{
    Cities.Run(database, "SELECT * FROM village");
}
catch (DatabaseException error)
{
    Console.WriteLine($"error: {error.Message}");
}

/// <summary>A row.</summary>
internal sealed record City(string? Name, long People, double Area);

/// <summary>What SQLite says went wrong.</summary>
internal sealed class DatabaseException(string? message) : Exception(message);

/// <summary>What is done with a database.</summary>
internal static unsafe class Cities
{
    /// <summary>A database that is open.</summary>
    public static Database Opened(string name)
    {
        int status = Api.Open(name, out Database? database);
        if (database == null)
        {
            throw new DatabaseException("there is no memory for a database");
        }
        try
        {
            Check(database, status);
            return database;
        }
        catch
        {
            // One that could not be opened has to be closed too.
            database.Dispose();
            throw;
        }
    }

    /// <summary>Runs statements that give no rows.</summary>
    public static void Run(Database database, string sql) => Check(database, database.Exec(sql, (ExecCallback?)null, null));

    /// <summary>Runs statements, and prints the rows that they give.</summary>
    public static void Print(Database database, string sql) => Check(database, database.Exec(sql, Shown, null));

    private static int Shown(int count, byte** values, byte** names)
    {
        var columns = new List<string>();
        for (int column = 0; column < count; column++)
        {
            columns.Add($"{NativeText.At(names[column])} {NativeText.At(values[column])}");
        }
        Console.WriteLine(string.Join(", ", columns));
        return Ok;
    }

    /// <summary>The rows of a query.</summary>
    public static List<City> Of(Database database, string sql, object value)
    {
        Check(database, database.PrepareV2(sql, -1, out Statement? prepared, out _));
        using Statement statement = prepared!;
        Check(database, value is string text ? statement.BindText(1, text, -1, Transient) : statement.BindInt64(1, Convert.ToInt64(value)));
        var rows = new List<City>();
        int status;
        while ((status = statement.Step()) == Row)
        {
            rows.Add(new City(NativeText.At(statement.ColumnText(0)), statement.ColumnInt64(1), statement.ColumnDouble(2)));
        }
        Check(database, status == Done ? Ok : status);
        return rows;
    }

    private static void Check(Database database, int status)
    {
        if (status != Ok)
        {
            throw new DatabaseException(NativeText.At(database.Errmsg()));
        }
    }
}
