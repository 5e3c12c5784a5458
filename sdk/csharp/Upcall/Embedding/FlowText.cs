using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Upcall;

/// <summary>The text of a flow's file, as code describes it.</summary>
internal sealed class FlowText
{
    // The flow's own keys come before all tables.
    private readonly StringBuilder own = new();
    private readonly StringBuilder tables = new();

    /// <summary>The flow's own keys, which come before the text of a file.</summary>
    internal string Keys => own.ToString();

    /// <summary>The text of a file, and what is added behind it.</summary>
    internal string Of(string file) => $"{file}\n{tables}";

    internal void Own(string key, object value) => own.Append(Line(key, value));

    internal void Table(string head, IEnumerable<(string Key, object? Value)> lines)
    {
        tables.Append(CultureInfo.InvariantCulture, $"\n{head}\n");
        foreach ((string key, object? value) in lines)
        {
            if (value != null)
            {
                tables.Append(Line(key, value));
            }
        }
    }

    /// <summary>A key or a value as TOML's basic string.</summary>
    internal static string Quoted(string text)
    {
        var quoted = new StringBuilder("\"");
        foreach (char letter in text)
        {
            _ = letter switch
            {
                '"' or '\\' => quoted.Append('\\').Append(letter),
                < ' ' or '\x7f' => quoted.Append(CultureInfo.InvariantCulture, $"\\u{(int)letter:x4}"),
                _ => quoted.Append(letter),
            };
        }
        return quoted.Append('"').ToString();
    }

    /// <summary>The shortest text that is this number again, as TOML spells it.</summary>
    private static string Float(IFormattable number)
    {
        string text = number.ToString("R", CultureInfo.InvariantCulture);
        return text switch
        {
            "NaN" => "nan",
            "Infinity" => "inf",
            "-Infinity" => "-inf",
            // Without a point or an exponent it would be an integer.
            _ => text.AsSpan().IndexOfAny('.', 'E') < 0 ? text + ".0" : text,
        };
    }

    private static string Line(string key, object value) => $"{key} = {Value(value)}\n";

    private static string Value(object value) => value switch
    {
        string text => Quoted(text),
        bool truth => truth ? "true" : "false",
        double or float => Float((IFormattable)value),
        TimeSpan time => Quoted(FormattableString.Invariant($"{(long)time.TotalMicroseconds} us")),
        IEnumerable<string> texts => $"[{string.Join(", ", texts.Select(Quoted))}]",
        IReadOnlyDictionary<string, object> table =>
            $"{{ {string.Join(", ", table.Select(entry => $"{Quoted(entry.Key)} = {Value(entry.Value)}"))} }}",
        sbyte or byte or short or ushort or int or uint or long or ulong => FormattableString.Invariant($"{value}"),
        _ => throw new ArgumentException($"a flow's file has no value like {value}, a {value.GetType()}: give text, a number or bool"),
    };
}
