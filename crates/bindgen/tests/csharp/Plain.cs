// The plain functions, as a person would call them.
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
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

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static int Step(int sum, uint index, void* context) => sum + (int)index * *(int*)context;

    private static int Main()
    {
        Is("add", 5, NativeMethods.add(2, 3));
        Is("widest", 1UL ^ 2 ^ 3 ^ 4 ^ 5, NativeMethods.widest(1, 2, 3, new CLong(4), 5));
        Int128 big = Int128.MaxValue, negated;
        NativeMethods.negate(&big, &negated);
        Is("negate", -Int128.MaxValue, negated);
        Is("not", 0, NativeMethods.not(1));
        Is("flip", Color.Green, NativeMethods.flip(Color.Red));
        Is("widen", Access.Read | (Access)4, NativeMethods.widen(Access.Read));
        Point point = NativeMethods.mirror_point(new Point { X = 1, Y = 2 });
        Is("mirror_point", (2f, 1f), (point.X, point.Y));
        NativeMethods.move_point(&point, new Point { X = 10, Y = 20 });
        Is("move_point", (12f, 21f), (point.X, point.Y));
        Packed packed = NativeMethods.swap_packed(new Packed { Small = 1, Wide = 2, Last = 3 });
        Is("swap_packed", (3, 2UL << 56, 1), (packed.Small, packed.Wide, packed.Last));
        Mixed mixed = new Mixed { Flag = true, Big = 7 }, mirrored;
        mixed.Points[1].Y = 8;
        mixed.Grid[5] = 9;
        NativeMethods.echo_mixed(&mixed, &mirrored);
        Is("echo_mixed", (true, (Int128)7, 8f, 9), (mirrored.Flag, mirrored.Big, mirrored.Points.AsSpan()[1].Y, mirrored.Grid[5]));
        Is("a wrong index", true, Throws<IndexOutOfRangeException>(() => { Mixed m = default; m.Points[2].X = 1; }));
        Shape shape = NativeMethods.grow(Shape.NewRect(point, 41));
        Is("grow", true, shape.TryGetRect(out Point corner, out ushort width) && corner.X == 12 && width == 42);
        Is("another variant", false, shape.TryGetCircle(out _));
        Bitfields bits = NativeMethods.echo_bits(new Bitfields { A = -3, B = 99, C = -1, D = 0xabcde });
        Is("echo_bits", (-3, 99u, -1, 0xabcdeu), (bits.A, bits.B, bits.C, bits.D));
        bits.B = 0xffff;
        Is("a bitfield is masked", (-3, 127u), (bits.A, bits.B));
        float[] values = { 1, 2, 3 };
        fixed (float* data = values) Is("sum", 6f, NativeMethods.sum(new Slice_f32 { data = data, len = 3 }));
        Is("primes", 7f, NativeMethods.primes().AsSpan()[3]);
        Is("motto", "größer", NativeMethods.motto().ToString());

        NativeBuffer<int> squares = NativeMethods.squares(5).Take();
        uint released = NativeMethods.released();
        Is("squares", 16, squares.AsSpan()[4]);
        squares.Dispose();
        squares.Dispose();
        Is("squares are released once", released + 1, NativeMethods.released());
        Is("use after release", true, Throws<ObjectDisposedException>(() => squares.ToArray()));

        Failure* failure = null;
        Is("divide", 3, NativeMethods.divide(7, 2, &failure));
        Is("no failure", true, failure == null);
        NativeMethods.divide(1, 0, &failure);
        Is("failure", 33, failure->code);
        int factor = 2;
        Is("fold", 12, NativeMethods.fold(4, &Step, &factor));
        Is("zero", 9, NativeMethods.zero());

        Is("SCALE", 2.5, NativeMethods.Scale);
        NativeMethods.Level += 1;
        Is("LEVEL", 8, NativeMethods.Level);
        Is("HUGE", UInt128.MaxValue, NativeMethods.Huge);
        Is("RATIO", 0.1, NativeMethods.Ratio);
        Is("GREETING", true, NativeMethods.GreetingUtf8.SequenceEqual("say \"hé\"\n"u8));
        Is("GREETING", "say \"hé\"\n", NativeMethods.Greeting);
        Console.WriteLine(failed == 0 ? "fine" : "wrong");
        return failed;
    }

    private static bool Throws<T>(Action action) where T : Exception
    {
        try { action(); return false; }
        catch (T) { return true; }
    }
}
