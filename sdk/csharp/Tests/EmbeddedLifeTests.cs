using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>How long a flow inside this program lives where nobody holds it itself.</summary>
public sealed class EmbeddedLifeTests
{
    [Test]
    public void A_flow_of_which_only_a_pool_is_held_goes_on()
    {
        using var handled = new ManualResetEventSlim();
        (FlowPool pool, WeakReference flow) = Held(Described(handled.Set), running => running.Pool("/in"));
        Collect();
        Expect.Equal(true, flow.IsAlive);
        pool.Put("k", "v");
        Expect.Equal(true, handled.Wait(TimeSpan.FromSeconds(20)));
    }

    [Test]
    public void A_flow_of_which_only_a_typed_pool_is_held_goes_on()
    {
        (FlowPool<string> pool, WeakReference flow) = Held(Described(() => { }), running => running.Pool<string>("/in"));
        Collect();
        Expect.Equal(true, flow.IsAlive);
        pool.PutAsync("k", "v").Wait();
    }

    [Test]
    public void A_flow_of_which_only_a_watch_is_held_goes_on()
    {
        (FlowWatch watch, WeakReference flow) = Held(Described(() => { }), running =>
        {
            FlowWatch watch = running.Watch("/in");
            running.Pool("/in").Put("k", "v");
            return watch;
        });
        Collect();
        Expect.Equal(true, flow.IsAlive);
        Expect.Equal(1, watch.Next(TimeSpan.FromSeconds(20)).Count);
        watch.Dispose();
    }

    [Test]
    public void A_flow_of_which_only_a_task_is_awaited_goes_on()
    {
        using var hold = new ManualResetEventSlim();
        try
        {
            foreach (Func<Flow, Task> wait in (Func<Flow, Task>[])[
                running => Task.WhenAll(PutMore(running), PutMore(running), PutMore(running)),
                running => running.DrainAsync(),
                running => running.SettleAsync(),
            ])
            {
                hold.Reset();
                (Task task, WeakReference flow) = Held(Described(hold.Wait), running =>
                {
                    running.Pool("/in").Put("k", "v");
                    return wait(running);
                });
                Collect();
                Expect.Equal(true, flow.IsAlive);
                hold.Set();
                Expect.Equal(true, task.Wait(TimeSpan.FromSeconds(20)));
            }
        }
        finally
        {
            hold.Set();
        }

        static Task PutMore(Flow running) => running.Pool("/in").PutAsync("more", "v");
    }

    [Test]
    public void A_flow_of_which_nothing_is_held_is_collected()
    {
        WeakReference flow = Left();
        Collect();
        Expect.Equal(false, flow.IsAlive);

        [MethodImpl(MethodImplOptions.NoInlining)]
        static WeakReference Left() => Held(Described(() => { }), running => running.Pool("/in")).Flow;
    }

    /// <summary>One at a time, and one that waits.</summary>
    private static FlowBuilder Described(Action handle) => Flow.Describe()
        .Workers(1)
        .Credit(1 << 20, 2)
        .Pool<string>("/in", PoolKind.Trigger)
        .On("/in", (_, _) => handle());

    /// <summary>A flow that has started, of which nothing but this is held.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (T Held, WeakReference Flow) Held<T>(FlowBuilder described, Func<Flow, T> hold)
    {
        Flow running = described.Start();
        return (hold(running), new WeakReference(running));
    }

    private static void Collect()
    {
        for (int n = 0; n < 3; n++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }
}
