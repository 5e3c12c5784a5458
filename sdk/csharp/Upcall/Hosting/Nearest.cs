using System;
using System.Collections.Generic;

namespace Upcall.Hosting;

/// <summary>Which of some names somebody may have meant.</summary>
internal static class Nearest
{
    /// <summary>The one with the fewest edits, if they are fewer than half of the name's letters.</summary>
    internal static string? To(string name, IEnumerable<string> names)
    {
        string? nearest = null;
        int least = Math.Max(name.Length / 2, 2);
        foreach (string candidate in names)
        {
            // Who left out the namespace meant the class.
            string simple = candidate[(candidate.LastIndexOf('.') + 1)..];
            int distance = Math.Min(Edits(name, candidate), Edits(name, simple));
            if (distance < least)
            {
                (nearest, least) = (candidate, distance);
            }
        }
        return nearest;
    }

    /// <summary>Levenshtein's distance, whatever the case.</summary>
    private static int Edits(string from, string to)
    {
        int[] row = new int[to.Length + 1];
        for (int column = 0; column <= to.Length; column++)
        {
            row[column] = column;
        }
        for (int line = 1; line <= from.Length; line++)
        {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column <= to.Length; column++)
            {
                bool same = char.ToLowerInvariant(from[line - 1]) == char.ToLowerInvariant(to[column - 1]);
                int change = diagonal + (same ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.Min(change, Math.Min(row[column], row[column - 1]) + 1);
            }
        }
        return row[to.Length];
    }
}
