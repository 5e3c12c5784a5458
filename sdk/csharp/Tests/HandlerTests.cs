using System;
using System.Linq;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>What a handler sees and what becomes of what it emits.</summary>
public sealed class HandlerTests
{
    [Test]
    public void Emissions_come_out_in_the_order_in_which_they_were_made()
    {
        using var harness = new Harness<Shout>().Emits("/loud");
        harness.Batch([.. Enumerable.Range(0, 5000).Select(n => ($"k{n}", $"v{n}"))]);
        Expect.Equal(5000, harness.Emitted.Count);
        for (int n = 0; n < 5000; n++)
        {
            Expect.Equal("/loud", harness.Emitted[n].Pool);
            Expect.Equal($"K{n}=v{n}", $"{harness.Emitted[n].KeyText}={harness.Emitted[n].ValueText}");
        }
    }

    [Test]
    public void Values_of_every_length_come_out_whole()
    {
        using var harness = new Harness<Shout>().Emits("/loud");
        foreach (int length in (int[])[0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 4096, 100_000])
        {
            byte[] value = new byte[length];
            new Random(length).NextBytes(value);
            harness.Put("KEY"u8.ToArray(), value);
            Expect.Equal(true, harness.Emitted[^1].Value.SequenceEqual(value), $"{length} bytes");
            Expect.Equal("KEY", harness.Emitted[^1].KeyText);
        }
    }

    [Test]
    public void Keys_are_utf8()
    {
        using var harness = new Harness<Shout>().Emits("/loud");
        harness.Put("größe 🦀", "x");
        Expect.Equal("GRÖßE 🦀", harness.Emitted[0].KeyText);
    }

    [Test]
    public void What_precedes_a_failing_object_is_kept_and_what_it_emitted_is_forgotten()
    {
        using var harness = new Harness<Shout>().Emits("/loud");
        var objects = Enumerable.Range(0, 10).Select(n => ($"k{n}", n == 6 ? "fail" : "ok")).ToArray();
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Batch(objects));
        Expect.Equal(6, failure.Done);
        Expect.Equal(6, failure.Item);
        Expect.Equal(6, harness.Emitted.Count);
        Expect.Equal("System.InvalidOperationException", failure.TypeName);
        Expect.Equal("will not shout k6", failure.Message);
        Expect.Holds("Explode", failure.HandlerStack);
        harness.Put("again", "ok");
        Expect.Equal("AGAIN", harness.Emitted[6].KeyText);
    }

    [Test]
    public void A_batch_that_fails_keeps_what_it_reported_as_done()
    {
        using var harness = new Harness<Batches>().Emits("/out");
        var failure = Expect.Throws<HandlerFailedException>(
            () => harness.Batch(("a", ""), ("b", "done"), ("c", ""), ("d", "fail")));
        Expect.Equal(2, failure.Done);
        Expect.Equal(null, failure.Item);
        Expect.Equal("a b", string.Join(' ', harness.Emitted.Select(e => e.KeyText)));
        harness.Batch(("e", ""), ("f", ""));
        Expect.Equal("a b e f", string.Join(' ', harness.Emitted.Select(e => e.KeyText)));
    }

    [Test]
    public void Output_goes_on_in_new_chunks()
    {
        using var harness = new Harness<Floods>().Emits("/out");
        harness.Put("k", "");
        Expect.Equal(100, harness.Emitted.Count);
        Expect.Equal(true, harness.Emitted[99].Value.All(b => b == 99));
    }

    [Test]
    public void A_pool_that_is_not_declared_is_named_with_those_that_are()
    {
        using var harness = new Harness<Strays>().Emits("/out");
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("k", "v"));
        Expect.Equal("Upcall.PoolNotDeclaredException", failure.TypeName);
        Expect.Equal(
            "pool /nowhere is not declared by this handler; it has /in (watch), /out (emit): "
                + "add /nowhere to its `to` or `read`",
            failure.Message);
    }

    [Test]
    public void A_handler_without_a_pool_to_emit_to_is_told_so()
    {
        using var harness = new Harness<Shout>();
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("k", "v"));
        Expect.Equal("emit: this handler has no output pool; add one to its `to`", failure.Message);
    }

    [Test]
    public void A_handler_learns_settings_pools_and_senders_and_is_closed()
    {
        var harness = new Harness<Talks>().Emits("/out").Setting("mood", "sunny");
        harness.Put("k", "v");
        harness.Flush();
        harness.Dispose();
        Expect.Equal(true, harness.Handler.Closed);
        Expect.Equal("3 handler sunny none 2", $"{harness.Logged[0].Level} {harness.Logged[0].Text}");
        Expect.Equal("2 harness /in k=v v1", $"{harness.Logged[1].Level} {harness.Logged[1].Text}");
        Expect.Equal("4 closed", $"{harness.Logged[2].Level} {harness.Logged[2].Text}");
        Expect.Equal("end", harness.Emitted[0].KeyText);
        Expect.Equal(42UL, BitConverter.ToUInt64(harness.Emitted[0].Value));
    }

    [Test]
    public void Blittable_values_come_as_one_span()
    {
        using var harness = new Harness<Sums>().Emits("/out");
        harness.Values(1.5, 2.5, 3.0);
        harness.Batch(("a", "xxxxxxxx"));
        Expect.Equal(7.0, BitConverter.ToDouble(harness.Emitted[0].Value));
        Expect.Equal("scattered", harness.Emitted[1].KeyText);
    }

    [Test]
    public void Scattered_values_of_a_blittable_pool_are_gathered_when_they_are_asked_for()
    {
        using var harness = new Harness<Sums>().Emits("/out").Declares("/in", "f64", sizeof(double));
        harness.Batch(("a", "\0\0\0\0\0\0\0@"), ("b", "\0\0\0\0\0\0\u0010@"));
        harness.Batch(("a", "\0\0\0\0\0\0\0@"));
        Expect.Equal(6.0, BitConverter.ToDouble(harness.Emitted[0].Value));
        Expect.Equal(2.0, BitConverter.ToDouble(harness.Emitted[1].Value));
    }

    [Test]
    public void A_value_of_another_size_is_not_gathered()
    {
        using var harness = new Harness<Sums>().Emits("/out").Declares("/in", "f64", sizeof(double));
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("k", "123"));
        Expect.Equal("read the value of k as Double: it has 3 bytes, not 8", failure.Message);
    }

    [Test]
    public void A_value_of_another_size_is_not_read_as_a_number()
    {
        using var harness = new Harness<Reads>();
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("k", "123"));
        Expect.Equal("read the value of k as UInt64: it has 3 bytes, not 8", failure.Message);
    }

    [Test]
    public void A_long_message_is_cut_at_a_character()
    {
        using var harness = new Harness<Complains>();
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("k", ""));
        Expect.Equal(true, failure.Message.All(c => c == '€'), "only whole characters");
        Expect.Equal(true, failure.Message.Length is > 1300 and < 1366, $"{failure.Message.Length} characters");
    }

    [Test]
    public void A_cause_is_part_of_the_stack()
    {
        using var harness = new Harness<Wraps>();
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("k", ""));
        Expect.Holds("caused by System.FormatException: inner", failure.HandlerStack);
    }

    private sealed class Sums : IBatchHandler
    {
        public void OnBatch(Batch batch, Emitter emit)
        {
            if (!batch.TryGetValues(out ReadOnlySpan<double> values))
            {
                emit.Put("scattered"u8, default);
                return;
            }
            double sum = 0;
            foreach (double value in values)
            {
                sum += value;
            }
            emit.Put("sum"u8, sum);
        }
    }

    private sealed class Reads : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit) => obj.ValueAs<ulong>();
    }

    private sealed class Complains : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit) => throw new Exception(new string('€', 5000));
    }

    private sealed class Wraps : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit) =>
            throw new InvalidOperationException("outer", new FormatException("inner"));
    }
}
