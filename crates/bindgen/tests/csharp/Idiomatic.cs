// What stands on top of the plain functions, as a person would use it.
using System;
using System.Threading;
using Shapes;

internal static unsafe class Program
{
    private static int failed;

    private static void Is<T>(string what, T expected, T found)
    {
        if (Equals(expected, found)) return;
        failed++;
        Console.WriteLine($"{what}: expected {expected}, found {found}");
    }

    private static string Throws<T>(Action action) where T : Exception
    {
        try { action(); return "nothing was thrown"; }
        catch (T thrown) { return thrown.Message; }
    }

    private static int Main()
    {
        Is("Add", 5, Api.Add(2, 3));
        Is("Not", false, Api.Not(true));
        Is("NextLetter", new System.Text.Rune('b'), Api.NextLetter(new System.Text.Rune('a')));
        Is("Negate", -(Int128)9, Api.Negate(9));
        Is("RaiseAligned", 8u, Api.RaiseAligned(new Aligned { Value = 7 }).Value);

        Is("Sum", 6f, Api.Sum(new float[] { 1, 2, 3 }));
        Is("Sum of nothing", 0f, Api.Sum(default));
        float[] values = { 1, 2 };
        Api.Scale(values, 3);
        Is("Scale", 6f, values[1]);
        Is("TotalX", 4f, Api.TotalX(stackalloc Point[] { new Point { X = 1 }, new Point { X = 3 } }));
        Is("Primes", 7f, Api.Primes()[3]);
        Is("a string", (nuint)6, Api.CountLetters("größer"));
        Is("bytes", (nuint)6, Api.CountLetters("größer"u8));
        Is("no string", (nuint)0, Api.CountLetters(""));
        Is("a long string", (nuint)100_000, Api.CountLetters(new string('ä', 100_000)));
        Is("Motto", true, Api.Motto().SequenceEqual("größer"u8));
        uint texts = Api.Released();
        Is("Spell", "nº 5", Api.Spell(5));
        Is("a text is released at once", texts + 1, Api.Released());
        Buffers();

        Point point = new Point { X = 1, Y = 2 };
        Api.MovePoint(ref point, new Point { X = 10, Y = 20 });
        Is("MovePoint", (11f, 22f), (point.X, point.Y));

        Is("Divide", 3, Api.Divide(7, 2));
        uint released = Api.Released();
        Is("a failure", "cannot divide by zero, naïvely", Throws<NativeException>(() => Api.Divide(1, 0)));
        Is("its code", 33, Code(() => Api.Divide(1, 0)));
        Is("failures are released", released + 2, Api.Released());

        Handles();
        Callbacks();
        Kept();
        Console.WriteLine(failed == 0 ? "fine" : "wrong");
        return failed;
    }

    private static void Buffers()
    {
        uint released = Api.Released();
        NativeBuffer<int> squares = Api.Squares(5);
        Is("Squares", "0 1 4 9 16", string.Join(' ', squares));
        squares[1] = -1;
        Is("their memory", (5, -1, 16), (squares.Count, squares.AsSpan()[1], squares.ToArray()[4]));
        squares.Dispose();
        squares.Dispose();
        Is("squares are released once", released + 1, Api.Released());
        Is("use after release", true, Throws<ObjectDisposedException>(() => squares.ToArray()).Contains("NativeBuffer"));
        ForgottenBuffer();
        for (int round = 0; round < 100 && Api.Released() < released + 2; round++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Is("a forgotten buffer is released", released + 2, Api.Released());
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void ForgottenBuffer() => Api.Squares(3);

    private static int Code(Action action)
    {
        try { action(); return 0; }
        catch (NativeException thrown) { return thrown.Code; }
    }

    private static void Handles()
    {
        uint released = Api.Released();
        Counter counter = new(40);
        Is("Counter", 42L, counter.Add(2));
        counter.Dispose();
        counter.Dispose();
        Is("a handle is released once", released + 1, Api.Released());
        Is("use after release", true, Throws<ObjectDisposedException>(() => counter.Add(1)).Contains("'Counter'"));
        Forgotten();
        for (int round = 0; round < 100 && Api.Released() < released + 2; round++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Is("a forgotten handle is released", released + 2, Api.Released());
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void Forgotten() => new Counter(1).Add(1);

    private static void Callbacks()
    {
        int factor = 2;
        Is("Fold", 12, Api.Fold(4, (sum, index) => sum + (int)index * factor));
        int calls = 0;
        string thrown = Throws<FormatException>(() => Api.Fold(3, (sum, index) => { calls++; throw new FormatException("odd"); }));
        Is("an exception is rethrown", ("odd", 3), (thrown, calls));
        Is("and forgotten", 3, Api.Fold(3, (sum, index) => sum + 1));
        Is("Fold within Fold", 9, Api.Fold(3, (sum, index) => sum + Api.Fold(3, (inner, at) => inner + 1)));
        string inner = Throws<FormatException>(() => Api.Fold(3, (sum, index) => Api.Fold(1, (_, _) => throw new FormatException("inner"))));
        Is("an inner exception", "inner", inner);

        Point moved = Api.Apply((point, tag) => new Point { X = point.X + *tag, Y = -point.Y }, new Point { X = 1, Y = 2 });
        Is("without a context", (121f, -2f), (moved.X, moved.Y));
        Is("no callback", 1f, Api.Apply((ApplyFunction?)null, new Point { X = 1 }).X);
        Is("it throws", "no", Throws<FormatException>(() => Api.Apply((_, _) => throw new FormatException("no"), default)));
        for (int round = 0; round < 1000; round++)
        {
            if (Api.Apply((point, _) => new Point { X = point.X + round }, default).X != round) Is("round", round, -1);
        }
    }

    private static void Kept()
    {
        int seen = 0, thread = 0;
        NotifyCallback notify = new(value => { seen = value; thread = Environment.CurrentManagedThreadId; });
        Api.Keep(notify);
        GC.Collect();
        Api.NotifyFromThread(77);
        Is("kept", 77, seen);
        Is("from another thread", true, thread != Environment.CurrentManagedThreadId);
        notify.Dispose();
        Is("a released callback is not passed on", true, Throws<ObjectDisposedException>(() => Api.Keep(notify)).Contains("NotifyCallback"));
        System.IO.TextWriter error = Console.Error;
        System.IO.StringWriter said = new();
        Console.SetError(said);
        Api.NotifyFromThread(78);
        Console.SetError(error);
        Is("a late call does nothing", 77, seen);
        Is("and is reported", "native code called a NotifyCallback after it was released", said.ToString().Trim());

        using NotifyCallback throwing = new(_ => throw new FormatException("far away"));
        Api.Keep(throwing);
        Api.NotifyFromThread(1);
        Is("what is thrown elsewhere is kept", "far away", throwing.Error?.Message);
        Api.Keep(_ => { });
    }
}
