using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using Upcall;
using Upcall.Mpi;
using Environment = Upcall.Mpi.Environment;

// Each rank has a part of a text and a flow of its own, which counts the words of that part; rank 0 combines the counts.
Environment.Run(args, world =>
{
    // Counts are a dictionary, which has no form of its own.
    world.Serializer = new JsonSerializerOptions();
    byte[] text = world.Rank == 0 ? File.ReadAllBytes(args[0]) : [];
    byte[] part = world.ScatterFromFlattened(text, Shares(text, world.Size), 0);

    Dictionary<string, ulong> counts = Counted(part);
    ulong[]? words = world.Gather((ulong)counts.Values.Sum(count => (long)count), 0);
    Dictionary<string, ulong> all = world.Reduce(counts, Combined, 0);

    if (world.Rank == 0)
    {
        for (int rank = 0; rank < world.Size; rank++)
        {
            Console.WriteLine($"rank {rank} counted {words![rank],6} words");
        }
        var most = all.OrderByDescending(word => word.Value).ThenBy(word => word.Key, StringComparer.Ordinal).Take(10);
        foreach ((string word, ulong count) in most)
        {
            Console.WriteLine($"{count,7} {word}");
        }
    }
});

// How many bytes each rank gets: about as many, and whole lines.
static int[] Shares(byte[] text, int ranks)
{
    var shares = new int[ranks];
    for (int rank = 0, begin = 0; rank < ranks; rank++)
    {
        int even = Math.Max((int)((long)text.Length * (rank + 1) / ranks), begin);
        int line = text.AsSpan(even).IndexOf((byte)'\n');
        int end = line < 0 || rank + 1 == ranks ? text.Length : even + line + 1;
        shares[rank] = end - begin;
        begin = end;
    }
    return shares;
}

// Counts the words of a part by a flow: lines, words, counts.
static Dictionary<string, ulong> Counted(byte[] part)
{
    var totals = new Dictionary<string, ulong>();
    using Flow flow = Flow.Describe()
        .Name("wordcount")
        .Workers(1) // The ranks of one machine share its cores.
        .Pool("/lines", PoolKind.Trigger)
        .Pool("/words", PoolKind.Trigger)
        .Pool<ulong>("/counts")
        .On("/lines", "/words", Split)
        .On<byte[], ulong>("/words", "/counts", (in byte[] _, FlowObject word, Emitter<ulong> emit) =>
            emit.Put(word.Key, totals[word.KeyText] = totals.GetValueOrDefault(word.KeyText) + 1))
        .Start();
    FlowPool lines = flow.Pool("/lines");
    int number = 0;
    ReadOnlySpan<byte> rest = part;
    while (rest.Length > 0)
    {
        int end = rest.IndexOf((byte)'\n');
        lines.Put(Encoding.ASCII.GetBytes($"{++number}"), rest[..(end < 0 ? rest.Length : end)]);
        rest = end < 0 ? default : rest[(end + 1)..];
    }
    flow.Drain();
    FlowPool<ulong> counts = flow.Pool<ulong>("/counts");
    return counts.Bytes.List().ToDictionary(word => word, word => counts.Get(word)!.Value.Value);
}

// The words of a line: runs of ASCII letters, in lower case.
static void Split(FlowObject line, Emitter emit)
{
    Span<byte> word = stackalloc byte[line.Value.Length];
    int length = 0;
    foreach (byte letter in line.Value)
    {
        if (char.IsAsciiLetter((char)letter))
        {
            word[length++] = (byte)(letter | 0x20);
        }
        else if (length > 0)
        {
            emit.Put(word[..length], default);
            length = 0;
        }
    }
    if (length > 0)
    {
        emit.Put(word[..length], default);
    }
}

// The counts of two parts.
static Dictionary<string, ulong> Combined(Dictionary<string, ulong> one, Dictionary<string, ulong> other)
{
    foreach ((string word, ulong count) in other)
    {
        one[word] = one.GetValueOrDefault(word) + count;
    }
    return one;
}
