using System;
using System.Runtime.InteropServices;

namespace WordCount;

/// <summary>
/// Counts by word. A dictionary needs an array for each word that it is asked for; this one takes spans and
/// allocates only as it grows.
/// </summary>
public sealed class WordTable
{
    private byte[] letters = new byte[1 << 16];
    private Word[] words = new Word[1 << 10];
    private int[] slots = new int[1 << 12];
    private int lettersUsed;

    /// <summary>How many words there are.</summary>
    public int Count { get; private set; }

    /// <summary>The index of a word, which it keeps; a new word has the count 0.</summary>
    public int IndexOf(ReadOnlySpan<byte> word)
    {
        uint hash = Hash(word);
        int mask = slots.Length - 1;
        int slot = (int)hash & mask;
        // A slot holds 0 or one more than a word's index.
        while (slots[slot] != 0)
        {
            int index = slots[slot] - 1;
            if (words[index].Hash == hash && this[index].SequenceEqual(word))
            {
                return index;
            }
            slot = (slot + 1) & mask;
        }
        return Add(word, hash, slot);
    }

    /// <summary>The word at an index.</summary>
    public ReadOnlySpan<byte> this[int index] => letters.AsSpan(words[index].Start, words[index].Length);

    /// <summary>The count of the word at an index.</summary>
    public ref ulong CountAt(int index) => ref words[index].Count;

    private int Add(ReadOnlySpan<byte> word, uint hash, int slot)
    {
        int index = Count++;
        if (index == words.Length)
        {
            Array.Resize(ref words, words.Length * 2);
        }
        while (lettersUsed + word.Length > letters.Length)
        {
            Array.Resize(ref letters, letters.Length * 2);
        }
        word.CopyTo(letters.AsSpan(lettersUsed));
        words[index] = new Word { Start = lettersUsed, Length = word.Length, Hash = hash };
        lettersUsed += word.Length;
        slots[slot] = index + 1;
        if (Count * 2 > slots.Length)
        {
            Grow();
        }
        return index;
    }

    private void Grow()
    {
        slots = new int[slots.Length * 2];
        for (int index = 0; index < Count; index++)
        {
            int slot = (int)words[index].Hash & (slots.Length - 1);
            while (slots[slot] != 0)
            {
                slot = (slot + 1) & (slots.Length - 1);
            }
            slots[slot] = index + 1;
        }
    }

    // Eight letters at a time, multiplied by an odd number whose high bits mix well (2^64 / the golden ratio).
    private static uint Hash(ReadOnlySpan<byte> word)
    {
        const ulong Mix = 0x9E3779B97F4A7C15;
        ulong hash = (ulong)word.Length;
        while (word.Length >= sizeof(ulong))
        {
            hash = (hash ^ MemoryMarshal.Read<ulong>(word)) * Mix;
            hash ^= hash >> 32;
            word = word[sizeof(ulong)..];
        }
        // What is left in two reads that may overlap.
        ulong rest = word switch
        {
            { Length: >= 4 } => MemoryMarshal.Read<uint>(word) | ((ulong)MemoryMarshal.Read<uint>(word[^4..]) << 32),
            { Length: > 0 } => word[0] | ((ulong)word[word.Length / 2] << 8) | ((ulong)word[^1] << 16),
            _ => 0,
        };
        hash = (hash ^ rest) * Mix;
        return (uint)(hash >> 32);
    }

    private struct Word
    {
        internal ulong Count;
        internal int Start;
        internal int Length;
        internal uint Hash;
    }
}
