using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Upcall;

/// <summary>Emits, and then ends the process in the way that the value says.</summary>
public sealed class Ends : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        emit.Put(obj.Key, obj.Value);
        switch (obj.ValueText)
        {
            case "exit":
                Environment.Exit(0);
                break;
            case "exit on a thread":
                Apart(() => Environment.Exit(7));
                break;
            case "throw on a thread":
                Apart(() => throw new InvalidOperationException("nobody catches this"));
                break;
            case "async void":
                Later();
                Thread.Sleep(Timeout.Infinite);
                break;
            case "finalizer":
                Forget();
                GC.Collect();
                Thread.Sleep(Timeout.Infinite);
                break;
            case "fail fast":
                Environment.FailFast("at once");
                break;
            case "hang":
                Thread.Sleep(Timeout.Infinite);
                break;
            case "eat":
                Eat();
                break;
            case "overflow":
                _ = Deeper(0);
                break;
        }
    }

    private static void Eat()
    {
        var eaten = new List<byte[]>();
        while (true)
        {
            var more = new byte[1 << 20];
            Array.Fill(more, (byte)1);
            eaten.Add(more);
        }
    }

    private static void Apart(Action action)
    {
        new Thread(() => action()).Start();
        Thread.Sleep(Timeout.Infinite);
    }

    private static async void Later()
    {
        await Task.Yield();
        throw new InvalidOperationException("nobody catches this");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget() => _ = new Finalized();

    private static int Deeper(int depth) => Deeper(depth + 1) + Deeper(depth + 2);

    private sealed class Finalized
    {
        ~Finalized() => throw new InvalidOperationException("nobody catches this");
    }
}

/// <summary>Starts process after process on the value <c>fork</c>.</summary>
public sealed class Bombs : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        for (int left = obj.ValueText == "fork" ? 1000 : 0; left > 0; left--)
        {
            using Process _ = Process.Start("sleep", "60");
        }
        emit.Put(obj.Key, obj.Value);
    }
}
