using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Upcall;

namespace Embedded;

/// <summary>Counts the words of a file in a flow of its own, and watches the counts as they change.</summary>
public static class Program
{
    /// <summary>The first argument is the file.</summary>
    public static async Task<int> Main(string[] arguments)
    {
        if (arguments is not [string file] || !File.Exists(file))
        {
            await Console.Error.WriteLineAsync("usage: embedded FILE, which must be there");
            return 2;
        }
        using var stop = new CancellationTokenSource();
        Console.CancelKeyPress += (_, pressed) =>
        {
            pressed.Cancel = true;
            stop.Cancel();
        };
        await using Flow flow = await Flow.Describe()
            .Name("words")
            .Pool<string>("/lines", PoolKind.Trigger)
            .Pool("/words", PoolKind.Trigger)
            .Pool<ulong>("/counts")
            .On("/lines", "/words", Split)
            .On<Count>("/words", "/counts")
            .StartAsync(stop.Token);

        using FlowWatch watch = flow.Watch("/counts", buffer: 1 << 20);
        // LINQ's operators for IAsyncEnumerable work on it too, where the program has them.
        Task<string> first = FirstBeyond(watch, 100, stop.Token);

        FlowPool<string> lines = flow.Pool<string>("/lines");
        int number = 0;
        try
        {
            await foreach (string line in File.ReadLinesAsync(file, stop.Token))
            {
                lines.Put($"{++number}", line);
            }
            await flow.DrainAsync(stop.Token);
        }
        catch (OperationCanceledException)
        {
            await Console.Error.WriteLineAsync($"stopped after {number} lines");
            return 130;
        }

        Console.WriteLine($"{await first} was the first word that was found more than 100 times");
        FlowPool<ulong> counts = flow.Pool<ulong>("/counts");
        var top = counts.Bytes.List()
            .Select(word => (Word: word, Count: counts.Get(word)!.Value.Value))
            .OrderByDescending(counted => counted.Count)
            .Take(3);
        foreach ((string word, ulong count) in top)
        {
            Console.WriteLine($"{count,7}  {word}");
        }
        foreach (DeadLetter letter in flow.DeadLetters("/lines"))
        {
            Console.WriteLine($"line {letter.Key} failed: {letter.Message}");
        }
        return 0;
    }

    /// <summary>A handler may be a function. Several workers call it at once, so it changes nothing but what it emits.</summary>
    private static void Split(FlowObject line, Emitter emit)
    {
        Span<byte> word = stackalloc byte[64];
        int length = 0;
        foreach (byte letter in line.Value)
        {
            if (char.IsAsciiLetter((char)letter))
            {
                // A longer one throws, and its line is buried.
                word[length++] = (byte)char.ToLowerInvariant((char)letter);
            }
            else if (length > 0)
            {
                emit.Put(word[..length], ""u8);
                length = 0;
            }
        }
        if (length > 0)
        {
            emit.Put(word[..length], ""u8);
        }
    }

    private static async Task<string> FirstBeyond(FlowWatch watch, ulong count, CancellationToken cancellation)
    {
        await foreach (FlowEvent seen in watch.WithCancellation(cancellation))
        {
            if (seen is FlowEvent.Put put && put.ValueAs<ulong>() > count)
            {
                return put.Key;
            }
        }
        return "no word";
    }

    /// <summary>A class works in a program and under <c>upcall run</c>. Each worker has its own, with the words that are its.</summary>
    public sealed class Count : FlowHandler<byte[], ulong>
    {
        private readonly Dictionary<string, ulong> counts = [];

        /// <inheritdoc/>
        public override void OnObject(in byte[] value, FlowObject word, Emitter<ulong> emit)
        {
            ulong count = counts.GetValueOrDefault(word.KeyText) + 1;
            counts[word.KeyText] = count;
            emit.Put(word.Key, count);
        }
    }
}
