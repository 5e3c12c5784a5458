using System;
using Awkward;

/// <summary>Calls the awkward library; says what is wrong, or that all is well.</summary>
public static class Program
{
    private static void Same<T>(T found, T expected, string what)
    {
        if (!Equals(found, expected)) throw new Exception($"{what}: {found}, not {expected}");
    }

    /// <summary>Starts here.</summary>
    public static void Main()
    {
        Same(Api.Add(int.MaxValue, 1), int.MinValue, "add");
        Same(Api.PointSum(new Point { x = 1, y = 2 }, new Point { x = 3, y = 4 }).y, 6f, "point_sum");
        Same(Api.StepAll(Api.StepFrom(3)), 3u, "step_all");
        unsafe
        {
            Step step = Api.StepFrom(3);
            Same(step.next(step).step.count, 2u, "a step's next");
        }
        Same(Api.PackedSum(new Packed { tag = 1, value = 2, wide = 3 }), 6ul, "packed_sum");
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
        catch (NativeException failed)
        {
            Same(failed.Message, "`x` is not a number", "the failure");
        }
        Same(Api.CountIf(new[] { 1, 2, 3 }, value => value % 2 == 1), 2u, "count_if");
        using (WordCounter counter = WordCounter.Parse("41"))
        {
            Same(counter.Add(1), 42ul, "add of a counter");
            using WordCounter fork = counter.Fork();
            Same(fork.Add(1), 43ul, "fork");
        }
        Same(Api.MadeSum(new Made { left = 1, right = 2 }).right, (ushort)2, "made_sum");
        Console.Write("all is well\n");
    }
}
