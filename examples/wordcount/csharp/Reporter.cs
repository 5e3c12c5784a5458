using System;
using System.Globalization;
using System.Linq;
using System.Text;
using Upcall;

namespace WordCount;

/// <summary>Keeps the newest count per word and prints the most frequent words when the input has ended.</summary>
public sealed class Reporter : IObjectHandler, IOpen, IFlush
{
    private readonly WordTable counts = new();
    private int top = 10;

    /// <inheritdoc/>
    public void OnOpen(OpenContext open)
    {
        if (open.Setting("top") is string setting)
        {
            top = int.Parse(setting, CultureInfo.InvariantCulture);
        }
    }

    /// <inheritdoc/>
    public void OnObject(FlowObject word, Emitter emit) =>
        counts.CountAt(counts.IndexOf(word.Key)) = word.ValueAs<ulong>();

    /// <inheritdoc/>
    public void OnFlush(Emitter emit)
    {
        var most = Enumerable.Range(0, counts.Count)
            .Select(index => (Count: counts.CountAt(index), Word: Encoding.UTF8.GetString(counts[index])))
            .OrderByDescending(word => word.Count)
            .ThenBy(word => word.Word, StringComparer.Ordinal)
            .Take(top);
        foreach ((ulong count, string word) in most)
        {
            Console.WriteLine($"{count,7} {word}");
        }
    }
}
