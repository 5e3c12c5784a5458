using System;
using System.Threading;
using System.Threading.Tasks;
using Upcall.Hosting;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>Handlers that a flow does not start with, and what it says of them.</summary>
public sealed class EmbeddedRefusedTests
{
    [Test]
    public async Task What_a_handler_that_answers_at_once_would_never_be_asked_is_refused()
    {
        const string Asks = "it answers at once, and IAsyncOpen and IAsyncFlush would never be called: implement IOpen and IFlush, ";
        foreach (FlowBuilder flow in (FlowBuilder[])[
            Flow.Describe().Pool("/in").On<AsksLater>("/in"), Flow.Describe().Pool("/in").On("/in", () => new AsksLater())])
        {
            FlowException refused = await Expect.Throws<FlowException>(flow.StartAsync());
            Expect.Equal(FlowError.Load, refused.Error);
            Expect.Holds($"AsksLater cannot be a handler: {Asks}", refused.Message);
            Expect.Equal(false, refused.Message.Contains("constructor"));
        }
        Expect.Holds(Asks, Expect.Throws<ArgumentException>(() => new Harness<AsksLater>()).Message);
        string file = typeof(AsksLater).Assembly.Location;
        LoadException unloaded = Expect.Throws<LoadException>(() => HandlerType.Load(file, typeof(AsksLater).FullName!));
        Expect.Holds(Asks, unloaded.Message);
        Expect.Equal(false, unloaded.Message.Contains("AsksLater"));
        Expect.Equal(
            "it answers at once, and IAsyncFlush would never be called: implement IFlush, or answer later by "
                + "IAsyncObjectHandler or AsyncFlowHandler<TIn, TOut>",
            Drivers.Unfit(typeof(Flushes)));
    }

    [Test]
    public async Task A_handler_that_answers_at_once_may_end_later()
    {
        using var ended = new ManualResetEventSlim();
        Flow flow = await Flow.Describe().Workers(1).Pool("/in").On("/in", () => new Ends(ended)).StartAsync();
        await flow.DisposeAsync();
        Expect.Equal(true, ended.IsSet);
    }

    [Test]
    public async Task A_handler_that_answers_at_once_and_ends_later_may_stop_its_own_flow_there()
    {
        Flow? flow = null;
        using var stopped = new ManualResetEventSlim();
        flow = await Flow.Describe()
            .Workers(1)
            .Pool("/in")
            .On("/in", () => new Ends(stopped, () => flow!.Stop(TimeSpan.FromSeconds(20))))
            .StartAsync();
        await flow.DisposeAsync();
        Expect.Equal(true, stopped.IsSet);
    }

    [Test]
    public async Task What_a_constructor_throws_is_said_itself()
    {
        FlowException refused = await Expect.Throws<FlowException>(
            Flow.Describe().Pool("/in").On<Unmade>("/in").StartAsync());
        Expect.Equal(FlowError.Load, refused.Error);
        Expect.Holds("its constructor failed: System.InvalidOperationException: no handler today", refused.Message);
        InvalidOperationException thrown = Expect.Throws<InvalidOperationException>(() => new Harness<Unmade>());
        Expect.Equal("no handler today", thrown.Message);
    }

    private sealed class AsksLater : IObjectHandler, IAsyncOpen, IAsyncFlush
    {
        public void OnObject(FlowObject obj, Emitter emit)
        {
        }

        public ValueTask OnOpen(OpenContext open) => default;

        public ValueTask OnFlush(AsyncEmitter emit) => default;
    }

    private sealed class Flushes : FlowHandler<string, string>, IAsyncFlush
    {
        public override void OnObject(in string value, FlowObject obj, Emitter<string> emit)
        {
        }

        public ValueTask OnFlush(AsyncEmitter emit) => default;
    }

    private sealed class Ends(ManualResetEventSlim ended, Action? before = null) : IObjectHandler, IAsyncDisposable
    {
        public void OnObject(FlowObject obj, Emitter emit)
        {
        }

        public async ValueTask DisposeAsync()
        {
            await Task.Yield();
            before?.Invoke();
            ended.Set();
        }
    }

    private sealed class Unmade : IObjectHandler
    {
        public Unmade() => throw new InvalidOperationException("no handler today");

        public void OnObject(FlowObject obj, Emitter emit)
        {
        }
    }
}
