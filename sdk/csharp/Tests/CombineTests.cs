using System;
using System.Linq;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>Handlers that combine two arrays into the second.</summary>
public sealed class CombineTests
{
    [Test]
    public void The_first_array_is_combined_into_the_second_whatever_their_length()
    {
        using var harness = new CombineHarness<double>(new Probes.Combining());
        foreach (int length in (int[])[0, 1, 2, 3, 15, 16, 17, 31, 64, 1000, 16384])
        {
            double[] from = [.. Enumerable.Range(0, length).Select(n => n + 0.25)];
            double[] into = [.. Enumerable.Range(0, length).Select(n => 2.0 * n)];
            harness.Combine(from, into);
            Expect.Equal(true, into.Select((value, n) => value == 3.0 * n + 0.25).All(same => same), $"{length} elements");
        }
    }

    [Test]
    public void Structs_are_combined_too()
    {
        using var harness = new CombineHarness<Extent>(new Widen());
        Expect.Equal(new ValueShape("Extent", 8), harness.Describe().Takes!);
        Extent[] into = [new() { Low = 1, High = 2 }, new() { Low = 5, High = 9 }];
        harness.Combine([new() { Low = 0, High = 1 }, new() { Low = 6, High = 10 }], into);
        Expect.Equal((0, 2, 5, 10), (into[0].Low, into[0].High, into[1].Low, into[1].High));
    }

    [Test]
    public void A_handler_learns_its_settings_and_is_closed()
    {
        var handler = new Weighs();
        var harness = new CombineHarness<float>(handler).Setting("weight", "3");
        float[] into = [1];
        harness.Combine([2], into);
        harness.Dispose();
        Expect.Equal(7f, into[0]);
        Expect.Equal("handler 0 of 1, closed", string.Join(", ", harness.Logged.Select(logged => logged.Text)));
    }

    [Test]
    public void Elements_of_another_type_or_size_are_refused_before_the_first_array()
    {
        using var name = new CombineHarness<double>(new Probes.Combining(), "i64", 8);
        var failure = Expect.Throws<HandlerFailedException>(() => name.Combine([1], new double[1]));
        Expect.Equal("the engine combines i64 of 8 bytes, and the handler f64 of 8: change one of them", failure.Message);
        using var size = new CombineHarness<Extent>(new Widen(), "Extent", 16);
        failure = Expect.Throws<HandlerFailedException>(() => size.Combine([default], new Extent[1]));
        Expect.Equal("the engine combines Extent of 16 bytes, and the handler Extent of 8: change one of them", failure.Message);
        using var flags = new CombineHarness<bool>(new Ors());
        failure = Expect.Throws<HandlerFailedException>(() => flags.Combine([true], new bool[1]));
        Expect.Holds("System.Boolean cannot be combined: not all memory of its size is one", failure.Message);
    }

    [Test]
    public void An_exception_is_an_error_with_its_stack_and_the_next_arrays_are_combined()
    {
        using var harness = new CombineHarness<float>(new Weighs());
        float[] into = [1];
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Combine([float.NaN], into));
        Expect.Equal(("System.ArithmeticException", "no number"), (failure.TypeName, failure.Message));
        Expect.Holds("Weighs.Combine", failure.HandlerStack);
        Expect.Equal(null, failure.Item);
        harness.Combine([1], into);
        Expect.Equal(2f, into[0]);
    }

    [Test]
    public void A_call_after_close_fails()
    {
        using var harness = new CombineHarness<double>(new Probes.Combining());
        double[] into = [1];
        harness.Combine([1], into);
        harness.Engine.Close();
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Combine([1], into));
        Expect.Equal("the handler was called after CLOSE, which ends it", failure.Message);
        Expect.Equal(2.0, into[0]);
    }

    [Test]
    public void Arrays_of_different_lengths_are_an_error_of_the_test()
    {
        using var harness = new CombineHarness<double>(new Probes.Combining());
        Expect.Throws<ArgumentException>(() => harness.Combine([1, 2], new double[1]));
    }

    [Test]
    public void A_class_that_combines_two_types_is_refused()
    {
        var refused = Expect.Throws<ArgumentException>(() => new CombineHarness<int>(new Twice()));
        Expect.Holds("it combines i32 and u8; make a class for each", refused.Message);
        Expect.Equal("it handles objects of a flow and combines arrays; make a class for each", Drivers.Unfit(typeof(Torn)));
        Expect.Equal(null, Drivers.Unfit(typeof(Probes.Combining)));
    }

    private struct Extent
    {
        public int Low;
        public int High;
    }

    private sealed class Widen : ICombine<Extent>
    {
        public void Combine(ReadOnlySpan<Extent> from, Span<Extent> into)
        {
            for (int index = 0; index < from.Length; index++)
            {
                into[index].Low = Math.Min(into[index].Low, from[index].Low);
                into[index].High = Math.Max(into[index].High, from[index].High);
            }
        }
    }

    private sealed class Weighs : ICombine<float>, IDisposable
    {
        private float weight = 1;
        private Log? log;

        public void OnOpen(Context open)
        {
            weight = float.Parse(open.Setting("weight") ?? "1");
            log = open.Log;
            log.Info($"{open.Name} {open.Worker} of {open.Workers}");
        }

        public void Combine(ReadOnlySpan<float> from, Span<float> into)
        {
            for (int index = 0; index < from.Length; index++)
            {
                into[index] += float.IsNaN(from[index]) ? throw new ArithmeticException("no number") : weight * from[index];
            }
        }

        public void Dispose() => log?.Info("closed");
    }

    private sealed class Ors : ICombine<bool>
    {
        public void Combine(ReadOnlySpan<bool> from, Span<bool> into)
        {
        }
    }

    private sealed class Twice : ICombine<int>, ICombine<byte>
    {
        public void Combine(ReadOnlySpan<int> from, Span<int> into)
        {
        }

        public void Combine(ReadOnlySpan<byte> from, Span<byte> into)
        {
        }
    }

    private sealed class Torn : IObjectHandler, ICombine<int>
    {
        public void OnObject(FlowObject obj, Emitter emit)
        {
        }

        public void Combine(ReadOnlySpan<int> from, Span<int> into)
        {
        }
    }
}
