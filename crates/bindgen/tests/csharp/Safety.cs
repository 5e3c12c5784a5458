// What a program can do wrong, run against the hostile library.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using Hostile;

internal static class Program
{
    private sealed class Ours : Exception
    {
        public Ours() : base("ours") { }
    }

    private static int Fail(int value) => throw new Ours();

    private static void Check(bool right, string what)
    {
        if (!right) throw new InvalidOperationException(what);
    }

    private static void Throws<T>(Action action, string what) where T : Exception
    {
        try { action(); }
        catch (T) { return; }
        throw new InvalidOperationException($"{what}: no {typeof(T).Name}");
    }

    private static void AHandleIsReleasedOnce()
    {
        ulong before = Api.Live();
        Counter counter = new(1);
        Thread[] threads = new Thread[4];
        for (int index = 0; index < threads.Length; index++) threads[index] = new Thread(counter.Dispose);
        foreach (Thread thread in threads) thread.Start();
        foreach (Thread thread in threads) thread.Join();
        Check(Api.Live() == before, "it was released once");
        Throws<ObjectDisposedException>(() => counter.Get(), "used after its release");
    }

    private static void ThreadsUseAHandleWhileAnotherReleasesIt()
    {
        ulong before = Api.Live();
        for (int round = 0; round < 200; round++)
        {
            Counter counter = new(5);
            void Use()
            {
                try { while (true) Check(counter.Slow(0) == 5, "its value"); }
                catch (ObjectDisposedException) { }
            }
            Thread[] threads = { new(Use), new(Use), new(Use) };
            foreach (Thread thread in threads) thread.Start();
            counter.Dispose();
            foreach (Thread thread in threads) thread.Join();
        }
        Check(Api.Live() == before, "all were released");
    }

    private static void ACallbackReleasesTheHandleThatCallsIt()
    {
        ulong before = Api.Live();
        Counter counter = new(1);
        Check(counter.Each(3, _ => { counter.Dispose(); return 1; }) == 4, "the call goes on");
        Check(Api.Live() == before, "it was released");
    }

    private static void WhatACallGaveIsReleasedWhenItsCallbackThrew()
    {
        ulong before = Api.Live();
        using (Counter counter = new(1))
        {
            for (int index = 0; index < 10; index++) Throws<Ours>(() => counter.Child(Fail), "child");
            Check(Api.Live() == before + 1, "no handle is left");
        }
        ulong memory = Api.Resident();
        for (int index = 0; index < 1000; index++)
        {
            Throws<Ours>(() => Api.TextOf(Fail), "text");
            Throws<Ours>(() => Api.FloatsOf(Fail), "floats");
            Throws<Ours>(() => Api.FailsAfter(Fail), "fails");
        }
        Check(Api.Resident() < memory + 100_000_000, "no memory is left");
        Throws<Ours>(() => Api.AskColor(_ => throw new Ours()), "color");
        Check(Api.EchoI8(3) == 3, "nothing is pending");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget() => Api.KeepBare(new BareCallback(value => value + 1));

    private static void AForgottenCallbackIsStillThere()
    {
        Forget();
        for (int round = 0; round < 3; round++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Check(Api.CallBare(41) == 42, "it is called");
        Api.Forget();
    }

    private static void ALateCallIsAnError()
    {
        HeardCallback heard = new(value => value);
        Api.Keep(heard);
        heard.Dispose();
        heard.Dispose();
        Throws<ObjectDisposedException>(() => Api.CallKept(1), "late");
        Throws<ObjectDisposedException>(() => Api.Keep(heard), "passed late");
        BareCallback bare = new(value => value);
        Api.KeepBare(bare);
        bare.Dispose();
        Throws<ObjectDisposedException>(() => Api.CallBare(1), "late, without context");
        HeardCallback own = null!;
        own = new(value => { own.Dispose(); return 5; });
        Api.Keep(own);
        Check(Api.CallKept(1) == 5, "it may release itself");
        Api.Forget();
    }

    private static void CallbacksRunOnAnyThread()
    {
        Check(Api.ApplyElsewhere(value => value + 1, 1) == 2, "elsewhere");
        Throws<Ours>(() => Api.ApplyElsewhere(Fail, 1), "elsewhere");
        int calls = 0;
        HeardCallback heard = new(value => Interlocked.Increment(ref calls));
        Api.Keep(heard);
        Api.Start(4, 0);
        while (Volatile.Read(ref calls) < 1000) Thread.Sleep(1);
        Check(Api.Stop() == 4, "four threads");
        heard.Dispose();
        Api.Forget();
    }

    private static unsafe void AContextIsFoundWhereverItStands()
    {
        List<long> seen = new();
        int Count(void* context, int value)
        {
            seen.Add((long)context);
            return value + 1;
        }
        Check(Api.ContextBehind(value => value + 1, 1) == 2, "behind");
        Check(Api.ContextBefore((void*)77, Count, 1) == 2, "before");
        using StepCallback kept = new(Count);
        Check(Api.ContextBefore((void*)78, kept, 1) == 2 && seen[0] == 77 && seen[1] == 78, "contexts");
    }

    private static unsafe void AStructHoldsCallbacks()
    {
        List<double> done = new();
        StepCallback step = new((context, value) => (int)context + value);
        using OperationsDoneCallback tell = new(done.Add);
        Operations operations = new() { Context = (void*)40, Step = step.Pointer };
        operations.Done[1] = tell.Pointer;
        NativeMethods.keep_operations(&operations);
        Check(Api.Operate(2) == 42 && Api.OperateElsewhere(3) == 43, "called");
        Check(done.Count == 2 && done[1] == 43, "done");
        step.Dispose();
        Throws<ObjectDisposedException>(() => Api.Operate(1), "late");
        Throws<ObjectDisposedException>(() => Check(step.Pointer == null, "none"), "disposed");
        using (StepCallback fails = new((_, _) => throw new Ours()))
        {
            operations.Step = fails.Pointer;
            NativeMethods.keep_operations(&operations);
            Throws<Ours>(() => Api.Operate(1), "its exception");
        }
        NativeMethods.keep_operations(null);
        Check(Api.Operate(1) == -1, "none");
    }

    private static void TextsOfAllKinds()
    {
        Check(Api.TextLen("a\0b") == 3 && Api.TextLen("") == 0, "zero characters");
        Check(Api.TextLen(new string('é', 1_000_000)) == 2_000_000, "a long text");
        Check(Api.TextLen("\ud800") == 3, "a replacement character");
        Throws<ArgumentOutOfRangeException>(() => Api.NextColor((Color)77), "no color");
        Check(Api.Sum(default) == 0 && Api.SumPoints(default) == 0, "nothing");
    }

    private static void NullIsRefusedByTheParametersName()
    {
        using Counter counter = new(1);
        using Names names = new();
        Refuses("text", () => Api.TextLen((string)null!));
        Refuses("name", () => names.Push((string)null!));
        Refuses("counter", () => names.CountLike(null!));
        Refuses("f", () => counter.Each(1, (CounterEachF)null!));
        Refuses("f", () => counter.Each(1, (CounterEachFCallback)null!));
        Refuses("callback", () => new CounterEachFCallback(null!));
        Check(counter.Get() == 1, "it is as before");
    }

    private static void Refuses(string parameter, Action action)
    {
        try { action(); }
        catch (ArgumentNullException refused)
        {
            Check(refused.ParamName == parameter, $"{refused.ParamName} instead of {parameter}");
            return;
        }
        throw new InvalidOperationException($"{parameter}: null was taken");
    }

    private static void Main(string[] given)
    {
        if (given.Length > 0)
        {
            Api.Keep(new HeardCallback(value => value));
            Api.Start(4, 0);
            Thread.Sleep(50);
            return;
        }
        List<Action> tests = new()
        {
            AHandleIsReleasedOnce, ThreadsUseAHandleWhileAnotherReleasesIt, ACallbackReleasesTheHandleThatCallsIt,
            WhatACallGaveIsReleasedWhenItsCallbackThrew, AForgottenCallbackIsStillThere, ALateCallIsAnError,
            CallbacksRunOnAnyThread, AContextIsFoundWhereverItStands,
            AStructHoldsCallbacks, TextsOfAllKinds, NullIsRefusedByTheParametersName,
        };
        foreach (Action test in tests)
        {
            test();
            Console.WriteLine(test.Method.Name);
        }
        Console.WriteLine("done");
    }
}
