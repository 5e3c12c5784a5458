using System.Collections.Generic;
using System.Globalization;
using System.Text;
using Upcall.Abi;

namespace Upcall.Testing;

/// <summary>What a handler says of itself.</summary>
public sealed class Described
{
    private readonly List<ValueShape> gives = [];
    private readonly List<Parameter> parameters = [];
    private readonly Dictionary<string, string> values = [];

    internal Described()
    {
    }

    /// <summary>The kind of batch that it takes: <c>FLOW</c>, <c>COMBINE</c>, <c>VERTEX</c>.</summary>
    public string Kind { get; private set; } = "";

    /// <summary>
    /// How it likes a flow's objects: <c>object</c> or <c>batch</c>; how it likes a graph's vertices: <c>vertex</c>,
    /// <c>gather</c> or <c>interval</c>; empty for other kinds.
    /// </summary>
    public string Form { get; private set; } = "";

    /// <summary>The type of the values it takes; null for any bytes.</summary>
    public ValueShape? Takes { get; private set; }

    /// <summary>The types of the values it gives; empty for any bytes.</summary>
    public IReadOnlyList<ValueShape> Gives => gives;

    /// <summary>Whether combining is commutative.</summary>
    public bool Commutative { get; private set; }

    /// <summary>Whether it may answer later.</summary>
    public bool AnswersLater { get; private set; }

    /// <summary>Of a program of a graph, the types of values by what they are: <c>own</c>, <c>shown</c>, <c>edge</c>.</summary>
    public IReadOnlyDictionary<string, string> Values => values;

    /// <summary>Of a program of a graph, whether it looks at outgoing edges.</summary>
    public bool Outgoing { get; private set; }

    /// <summary>Of a program of a graph, whether it sets the values of outgoing edges.</summary>
    public bool Writes { get; private set; }

    /// <summary>Of a program of a graph, whether only vertices that see a change are updated.</summary>
    public bool Selective { get; private set; }

    /// <summary>By what neighbours are put together for it: <c>sum</c>, <c>min</c>, <c>max</c>, <c>count</c>; null if they are not.</summary>
    public string? Gathers { get; private set; }

    /// <summary>The settings that it understands.</summary>
    public IReadOnlyList<Parameter> Parameters => parameters;

    internal void Add(uint what, byte[] keyBytes, byte[] valueBytes)
    {
        (string key, string value) = (Encoding.UTF8.GetString(keyBytes), Encoding.UTF8.GetString(valueBytes));
        switch (what)
        {
            case About.Kind:
                Kind = key;
                break;
            case About.Form:
                Form = key;
                break;
            case About.Takes:
                Takes = Shape(key, value);
                break;
            case About.Gives:
                gives.Add(Shape(key, value));
                break;
            case About.Commutative:
                Commutative = true;
                break;
            case About.AnswersLater:
                AnswersLater = true;
                break;
            case About.Value:
                values[key] = value;
                break;
            case About.Needs:
                Outgoing |= key == "outgoing";
                Writes |= key == "writes";
                Selective |= key == "selective";
                break;
            case About.Gather:
                Gathers = key;
                break;
            case About.Parameter:
                string[] lines = value.Split('\n');
                string? standard = lines[1].StartsWith('=') ? lines[1][1..] : null;
                parameters.Add(new Parameter(key, lines[0], standard, lines[2].Length == 0 ? null : lines[2]));
                break;
        }
    }

    private static ValueShape Shape(string name, string size) =>
        new(name, size.Length == 0 ? null : int.Parse(size, CultureInfo.InvariantCulture));
}

/// <summary>A type of values.</summary>
/// <param name="Name">As pools name it.</param>
/// <param name="Size">Bytes of a value, where all have as many.</param>
public sealed record ValueShape(string Name, int? Size);

/// <summary>A setting that a handler understands.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Type">The type of its values.</param>
/// <param name="Default">What it is when nobody sets it, which may be empty; null where there is no such value.</param>
/// <param name="Range">Which values it may have, if not any.</param>
public sealed record Parameter(string Name, string Type, string? Default, string? Range);
