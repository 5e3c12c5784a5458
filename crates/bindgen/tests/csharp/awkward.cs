using System;
using Awkward;

/// <summary>Calls the awkward library; says what is wrong, or that all is well.</summary>
public static class Program
{
    private static void Same<T>(T found, T expected, string what)
    {
        if (!Equals(found, expected)) throw new Exception($"{what}: {found}, not {expected}");
    }

    private static Type? Thrown(Action call)
    {
        try { call(); return null; }
        catch (Exception thrown) { return thrown.GetType(); }
    }

    /// <summary>Starts here.</summary>
    public static void Main()
    {
        Same(Api.Add(int.MaxValue, 1), int.MinValue, "add");
        Same(Api.PointSum(new Point { X = 1, Y = 2 }, new Point { X = 3, Y = 4 }).Y, 6f, "point_sum");
        Same(Api.StepAll(Api.StepFrom(3)), 3u, "step_all");
        unsafe
        {
            Step step = Api.StepFrom(3);
            Same(step.Next(step).Step.Count, 2u, "a step's next");
        }
        Same(Api.PackedSum(new Packed { Tag = 1, Value = 2, Wide = 3 }), 6ul, "packed_sum");
        Same(Api.Opposite(Turn.Left), Turn.Right, "opposite");
        Same(Api.WideSum(5, -7), (Int128)(-2), "wide_sum");
        Same(Api.Sum(new float[] { 1, 2, 3.5f }), 6.5f, "sum");
        Same(Api.Greet("Zoë"), "hello, Zoë", "greet");
        Same(Api.Parse("-42"), -42L, "parse");
        try
        {
            Api.Parse("x");
            throw new Exception("parse took an x");
        }
        catch (NotANumberException failed)
        {
            Same(failed.Message, "`x` is not a number", "the failure");
            Same(failed.Code, 11, "its code");
            Same(failed is NativeException, true, "what all failures are");
        }
        Same(Thrown(() => Api.Words("x")), typeof(NativeException), "a trait object");
        Same(Thrown(() => WordCounter.Parse("x")), typeof(NativeException), "an error of another crate");
        Same(Thrown(() => Api.Parse(new byte[] { 0xff })), typeof(NativeException), "what Upcall refuses");
        Same(Api.CountIf(new[] { 1, 2, 3 }, value => value % 2 == 1), 2u, "count_if");
        using (WordCounter counter = WordCounter.Parse("41"))
        {
            Same(counter.Add(1), 42ul, "add of a counter");
            using WordCounter fork = counter.Fork();
            Same(fork.Add(1), 43ul, "fork");
        }
        Same(Api.MadeSum(new Made { Left = 1, Right = 2 }).Right, (ushort)2, "made_sum");
        Console.Write("all is well\n");
    }
}
