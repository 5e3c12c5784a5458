using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>Values of handlers that answer later, whose <c>Pack</c> and <c>Unpack</c> do what they should not.</summary>
public sealed class LaterPackTests
{
    private static readonly TimeSpan Long = TimeSpan.FromSeconds(30);

    [Test]
    public async Task What_a_pack_emits_comes_out_before_its_value_which_is_whole()
    {
        foreach (int size in new[] { 10, 1 << 20 })
        {
            using var harness = new Harness<Packs>().Emits("/out").Reads("/kept", ("a", "read"));
            harness.Handler.Within = (emit, kept) =>
            {
                for (int time = 0; time < 3; time++)
                {
                    emit.Put("bytes"u8, new byte[size]);
                    emit.Of<Odd>().Put("packed"u8, new Odd { Size = size });
                    emit.TryRead(kept, "a"u8, out Found<string> found);
                    emit.Of<string>().Put("text"u8, found.Value);
                }
            };
            await harness.PutAsync("a", "");
            string[] one = ["bytes", "packed", "text"];
            string[] inside = [.. one, .. one, .. one];
            Expect.Equal(
                string.Join(' ', [.. inside, "put", .. inside, "put if", "end"]),
                string.Join(' ', harness.Emitted.Select(emitted => Encoding.UTF8.GetString(emitted.Key))));
            foreach (Emitted emitted in harness.Emitted)
            {
                Expect.Equal(true, IsWhole(Encoding.UTF8.GetString(emitted.Key), emitted.Value, size));
            }
            Expect.Equal(7UL, harness.Emitted[^2].Previous);
        }
    }

    [Test]
    public async Task A_pack_that_throws_leaves_nothing_behind()
    {
        using var harness = new Harness<Packs>().Emits("/out").Reads("/kept");
        harness.Handler.Within = (_, _) => throw new FormatException("not packed");
        Expect.Equal("not packed", (await Expect.Throws<HandlerFailedException>(harness.PutAsync("a", ""))).Message);
        harness.Handler.Within = null;
        await harness.PutAsync("b", "");
        Expect.Equal("put put if end", string.Join(' ', harness.Emitted.Select(emitted => Encoding.UTF8.GetString(emitted.Key))));
    }

    [Test]
    public async Task A_writer_that_is_kept_or_handed_on_is_refused()
    {
        using var harness = new Harness<Packs>().Emits("/out").Reads("/kept");
        var refused = new List<string>();
        harness.Handler.Writing = writer =>
        {
            var stranger = new Thread(() => refused.AddRange(
                [Refused(() => writer.GetSpan(1).Clear()), Refused(() => writer.Advance(1))]));
            stranger.Start();
            stranger.Join();
            harness.Handler.Writing = null;
            harness.Handler.Kept = writer;
        };
        await harness.PutAsync("a", "");
        IBufferWriter<byte> kept = harness.Handler.Kept!;
        // On whatever thread this is.
        refused.AddRange([Refused(() => kept.GetSpan(1).Clear()), Refused(() => kept.Advance(1))]);
        Expect.Equal(4, refused.Count);
        Expect.Holds("Pack must not hand its writer to another thread", refused[0]);
        Expect.Equal(refused[0], refused[1]);
        Expect.Throws<NotSupportedException>(() => kept.GetMemory(1).Span.Clear());
    }

    [Test]
    public async Task An_unpack_may_read_and_keeps_its_bytes()
    {
        using var harness = new Harness<Unpacks>().Emits("/out").Reads("/kept", ("a", new string('a', 5000)), ("b", new string('b', 5000)));
        Task first = harness.PutAsync("first", "");
        AsyncEmitter kept = await harness.Handler.First.Task;
        foreach (string how in new[] { "own", "other" })
        {
            await harness.PutAsync(how, new string('a', 5000));
        }
        harness.Handler.Gate.SetResult();
        await first;
        Expect.Equal("own 20 20 20 20, other 20 20 20 20", string.Join(", ", harness.Emitted.Select(emitted => emitted.ValueText)));
    }

    [Test]
    public async Task A_pack_or_unpack_that_hangs_holds_up_neither_a_deadline_nor_the_end()
    {
        foreach (string how in new[] { "pack", "unpack", "read" })
        {
            var harness = new Harness<Hangs>().Emits("/out").Reads("/kept", ("a", "x")).Deadline(TimeSpan.FromMilliseconds(50));
            try
            {
                await Expect.Throws<ItemTimedOutException>(harness.PutAsync(how, "x").WaitAsync(Long));
                await harness.PutAsync("not", "x").WaitAsync(Long);
                harness.Handler.Gate.Set();
                Expect.Equal(how == "pack" ? typeof(ItemTimedOutException) : null, (await harness.Handler.End.Task)?.GetType());
            }
            finally
            {
                harness.Handler.Gate.Set();
                harness.Dispose();
            }
            harness = new Harness<Hangs>().Emits("/out").Reads("/kept", ("a", "x"));
            Task open = harness.PutAsync(how, "x");
            await harness.Handler.Begun.Task;
            await Task.Run(harness.Dispose).WaitAsync(Long);
            await Expect.Throws<ItemClosedException>(open.WaitAsync(Long));
            harness.Handler.Gate.Set();
            Expect.Equal(how == "pack" ? typeof(ItemClosedException) : null, (await harness.Handler.End.Task)?.GetType());
        }
    }

    private static string Refused(Action use) => Expect.Throws<InvalidOperationException>(use).Message;

    private static bool IsWhole(string key, byte[] value, int size) => key switch
    {
        "bytes" => value.AsSpan().SequenceEqual(new byte[size]),
        "packed" => value.Length == 2 * size && value.All(one => one == 'p'),
        "text" => value.AsSpan().SequenceEqual("read"u8),
        "end" => value.AsSpan().SequenceEqual("bytes"u8),
        _ => Encoding.UTF8.GetString(value) == new string('o', 32) + new string('p', 32),
    };

    /// <summary>So many bytes, twice.</summary>
    private sealed class Odd
    {
        internal int Size;

        public static Odd Unpack(ReadOnlySpan<byte> bytes) => new() { Size = bytes.Length };

        public static void Pack(Odd value, IBufferWriter<byte> to)
        {
            for (int time = 0; time < 2; time++)
            {
                to.GetSpan(value.Size)[..value.Size].Fill((byte)'p');
                to.Advance(value.Size);
            }
        }
    }

    /// <summary>Does something while it is half packed.</summary>
    private sealed class Half
    {
        internal Action<IBufferWriter<byte>>? Do;

        public static Half Unpack(ReadOnlySpan<byte> bytes) => new();

        public static void Pack(Half value, IBufferWriter<byte> to)
        {
            to.GetSpan(64)[..32].Fill((byte)'o');
            to.Advance(32);
            value.Do?.Invoke(to);
            to.GetSpan(64)[..32].Fill((byte)'p');
            to.Advance(32);
        }
    }

    private sealed class Packs : AsyncFlowHandler<byte[], Half>, IOpen
    {
        private PoolId kept;

        internal Action<AsyncEmitter, PoolId>? Within { get; set; }

        internal Action<IBufferWriter<byte>>? Writing { get; set; }

        internal IBufferWriter<byte>? Kept { get; set; }

        public void OnOpen(OpenContext open) => kept = open.Pool("/kept");

        public override async ValueTask OnObject(byte[] value, AsyncObject obj, AsyncEmitter<Half> emit)
        {
            await Task.Yield();
            var half = new Half
            {
                Do = writer =>
                {
                    Writing?.Invoke(writer);
                    Within?.Invoke(emit.Bytes, kept);
                },
            };
            emit.Put("put"u8, half);
            emit.PutIf("put if"u8, half, 7);
            emit.Bytes.Put("end"u8, "bytes"u8);
        }
    }

    /// <summary>Counts how often its bytes were what they should be.</summary>
    private sealed class Reads
    {
        internal static readonly AsyncLocal<Action?> Meanwhile = new();

        internal int Right;

        public static Reads Unpack(ReadOnlySpan<byte> bytes)
        {
            var read = new Reads();
            for (int time = 0; time < 20; time++)
            {
                read.Right += bytes.Length == 5000 && !bytes.ContainsAnyExcept((byte)'a') ? 1 : 0;
                Meanwhile.Value?.Invoke();
            }
            return read;
        }

        public static void Pack(Reads value, IBufferWriter<byte> to) => throw new NotSupportedException();
    }

    private sealed class Unpacks : IAsyncObjectHandler, IOpen
    {
        private PoolId kept;

        internal TaskCompletionSource<AsyncEmitter> First { get; } = new();

        internal TaskCompletionSource Gate { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void OnOpen(OpenContext open) => kept = open.Pool("/kept");

        public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
        {
            if (obj.KeyText == "first")
            {
                First.SetResult(emit);
                await Gate.Task;
                return;
            }
            await Task.Yield();
            AsyncEmitter reads = obj.KeyText == "own" ? emit : await First.Task;
            Reads.Meanwhile.Value = () =>
            {
                reads.TryRead(kept, "b"u8, out Found<byte[]> _);
                reads.List(kept, ""u8);
            };
            emit.TryRead(kept, "a"u8, out Found<Reads> now);
            emit.TryReadAt(kept, "a"u8, 1, out Found<Reads> at);
            emit.TryReadByTime(kept, "a"u8, 1, out Found<Reads> then);
            int own = obj.ValueAs<Reads>().Right;
            emit.Of<string>().Put("k"u8, $"{obj.KeyText} {now.Value.Right} {at.Value.Right} {then.Value.Right} {own}");
        }
    }

    /// <summary>Is packed and unpacked when a gate opens.</summary>
    private sealed class Slow
    {
        internal static readonly AsyncLocal<Hangs?> Of = new();

        public static Slow Unpack(ReadOnlySpan<byte> bytes)
        {
            Hang();
            return new Slow();
        }

        public static void Pack(Slow value, IBufferWriter<byte> to) => Hang();

        private static void Hang()
        {
            Of.Value!.Begun.TrySetResult();
            Of.Value.Gate.Wait(Long);
        }
    }

    private sealed class Hangs : IAsyncObjectHandler, IOpen
    {
        private PoolId kept;

        internal TaskCompletionSource Begun { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal TaskCompletionSource<Exception?> End { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal ManualResetEventSlim Gate { get; } = new();

        public void OnOpen(OpenContext open) => kept = open.Pool("/kept");

        public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
        {
            Slow.Of.Value = this;
            string how = obj.KeyText;
            await Task.Yield();
            if (how == "not")
            {
                return;
            }
            try
            {
                switch (how)
                {
                    case "pack":
                        emit.Of<Slow>().Put("k"u8, new Slow());
                        break;
                    case "unpack":
                        obj.ValueAs<Slow>();
                        break;
                    default:
                        emit.TryRead(kept, "a"u8, out Found<Slow> _);
                        break;
                }
                End.SetResult(null);
            }
            catch (Exception exception)
            {
                End.SetResult(exception);
            }
        }
    }
}
