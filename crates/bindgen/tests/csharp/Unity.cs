// Unity's mode: a callback is a delegate, which lives as long as the program refers to it. Nothing it throws may
// reach native code.
using System;
using System.Runtime.CompilerServices;
using Shapes;

internal static unsafe class Program
{
    private static int failed;
    private static int heard;
    private static NativeMethods.keep_notify_delegate? kept;

    private static void Is<T>(string what, T expected, T found)
    {
        if (Equals(expected, found)) return;
        failed++;
        Console.WriteLine($"{what}: expected {expected}, found {found}");
    }

    private static void Collect()
    {
        for (int round = 0; round < 3; round++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    private static void ForACall()
    {
        int factor = 2, calls = 0;
        Is("fold", 12, NativeMethods.fold(4, (sum, index, context) => sum + (int)index * *(int*)context, &factor));
        Is("a collection during the call", 6, NativeMethods.fold(4, (sum, index, _) =>
        {
            Collect();
            calls++;
            return sum + (int)index;
        }, null));
        Is("calls", 4, calls);
        NativeMethods.fold_step_delegate add = (sum, index, _) => sum + (int)index;
        Is("a callback in a callback", 18, NativeMethods.fold(3, (sum, _, _) => sum + NativeMethods.fold(4, add, null), null));
        Point point = NativeMethods.apply((given, tag) => new Point { X = given.Y, Y = *tag }, new Point { X = 1, Y = 2 });
        Is("apply", (2f, (float)'x'), (point.X, point.Y));
        Is("apply without a function", 1f, NativeMethods.apply(null!, new Point { X = 1 }).X);
    }

    private static void WhatItThrowsIsKeptByTheProgram()
    {
        Exception? thrown = null;
        Is("fold", 0, NativeMethods.fold(3, (_, index, _) =>
        {
            try { throw new InvalidOperationException($"index {index}"); }
            catch (InvalidOperationException caught) { thrown ??= caught; }
            return 0;
        }, null));
        Is("what was thrown", "index 0", thrown?.Message);
    }

    private static void LongerThanACall()
    {
        int thread = Environment.CurrentManagedThreadId, on = thread;
        kept = (value, context) =>
        {
            on = Environment.CurrentManagedThreadId;
            heard += value * (int)context;
        };
        NativeMethods.keep(kept, (void*)2);
        for (int value = 1; value <= 3; value++)
        {
            Collect();
            NativeMethods.notify_from_thread(value);
        }
        Is("what was heard", 12, heard);
        Is("another thread", true, on != thread);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(int times) => NativeMethods.keep((value, _) => heard += value * times, null);

    private static int Main(string[] given)
    {
        switch (given)
        {
            case ["forgotten"]:
                Forget(given.Length);
                Collect();
                NativeMethods.notify_from_thread(1);
                break;
            case ["thrown"]:
                NativeMethods.fold(1, (_, _, _) => throw new InvalidOperationException("nobody catches this"), null);
                break;
            default:
                ForACall();
                WhatItThrowsIsKeptByTheProgram();
                LongerThanACall();
                break;
        }
        Console.WriteLine(failed == 0 ? "fine" : "wrong");
        return failed;
    }
}
