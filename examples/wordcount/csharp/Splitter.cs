using System;
using Upcall;

namespace WordCount;

/// <summary>Emits each word of a line: the word is the key, the value is empty.</summary>
public sealed class Splitter : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject line, Emitter emit)
    {
        ReadOnlySpan<byte> text = line.Value;
        int start = 0;
        for (int at = 0; at <= text.Length; at++)
        {
            if (at < text.Length && IsLetter(text[at]))
            {
                continue;
            }
            if (at > start)
            {
                Span<byte> word = emit.Reserve(at - start, 0).Key;
                for (int letter = 0; letter < word.Length; letter++)
                {
                    word[letter] = (byte)(text[start + letter] | 0x20);
                }
            }
            start = at + 1;
        }
    }

    private static bool IsLetter(byte letter) => (uint)((letter | 0x20) - 'a') < 26;
}
