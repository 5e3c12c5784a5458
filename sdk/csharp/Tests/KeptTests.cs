using System;
using System.Buffers;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>What a handler keeps beyond its call, or uses on another thread, is an exception that says so.</summary>
public sealed class KeptTests
{
    [Test]
    public void A_log_that_is_used_after_the_handler_was_closed_is_an_exception()
    {
        var harness = new Harness<Talks>().Emits("/out");
        harness.Put("k", "v");
        harness.Dispose();
        Expect.Equal("closed", harness.Logged[^1].Text);
        var late = Expect.Throws<InvalidOperationException>(harness.Handler.Dispose);
        Expect.Equal("log outside the handler's life: it begins with OnOpen and ends with Dispose", late.Message);
    }

    [Test]
    public void A_log_that_is_used_on_another_thread_is_an_exception()
    {
        using var harness = new Harness<LogsElsewhere>();
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("k", "v"));
        Expect.Equal(
            "log from another thread than the handler's own: keep the text and log it in the handler's next call",
            failure.Message);
        Expect.Equal(0, harness.Logged.Count);
    }

    [Test]
    public void A_test_may_go_on_on_another_thread()
    {
        using var harness = new Harness<Talks>().Emits("/out");
        harness.Put("k", "v");
        OnAnotherThread(() => harness.Put("l", "v"));
        Expect.Equal("harness /in l=v v2", harness.Logged[^1].Text);
    }

    [Test]
    public void A_writer_that_is_used_after_its_packer_returned_is_an_exception()
    {
        using var harness = new Harness<Stows>().Emits("/out");
        harness.Put("k", "fine");
        WritesInto(Stowed.Kept!, "its Pack has returned");
        Expect.Equal("fine", harness.Emitted.Single().ValueText);
    }

    [Test]
    public void A_writer_that_is_used_after_its_packer_threw_is_an_exception()
    {
        using var harness = new Harness<Stows>().Emits("/out");
        harness.Put("k", "throws");
        WritesInto(Stowed.Kept!, "its Pack has returned");
        Expect.Equal("none", harness.Emitted.Single().ValueText);
    }

    [Test]
    public void A_writer_that_is_used_on_another_thread_is_an_exception()
    {
        using var harness = new Harness<Stows>().Emits("/out");
        harness.Put("k", "elsewhere");
        Expect.Equal("none", harness.Emitted.Single().ValueText);
        Expect.Holds("from another thread than the handler's own", Stowed.Said!);
    }

    private static void WritesInto(IBufferWriter<byte> writer, string why)
    {
        Expect.Holds(why, Expect.Throws<InvalidOperationException>(() => writer.GetSpan(1)).Message);
        Expect.Throws<ArgumentOutOfRangeException>(() => writer.Advance(1));
    }

    private static void OnAnotherThread(Action action)
    {
        Exception? thrown = null;
        var thread = new Thread(() =>
        {
            try
            {
                action();
            }
            catch (Exception exception)
            {
                thrown = exception;
            }
        });
        thread.Start();
        thread.Join();
        if (thrown != null)
        {
            throw thrown;
        }
    }

    private sealed class LogsElsewhere : IObjectHandler, IOpen
    {
        private Log? log;

        public void OnOpen(OpenContext open) => log = open.Log;

        public void OnObject(FlowObject obj, Emitter emit) => OnAnotherThread(() => log!.Info("hello"));
    }

    /// <summary>Emits its value, or "none" when that fails.</summary>
    private sealed class Stows : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit)
        {
            try
            {
                emit.Of<Stowed>().Put(obj.Key, new Stowed(obj.ValueText));
            }
            catch (InvalidOperationException exception)
            {
                Stowed.Said = exception.Message;
                emit.Put(obj.Key, "none"u8);
            }
        }
    }

    private sealed record Stowed(string Text)
    {
        public static IBufferWriter<byte>? Kept { get; private set; }

        public static string? Said { get; set; }

        public static Stowed Unpack(ReadOnlySpan<byte> bytes) => new(Encoding.UTF8.GetString(bytes));

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Pack(Stowed value, IBufferWriter<byte> to)
        {
            Kept = to;
            switch (value.Text)
            {
                case "throws":
                    throw new InvalidOperationException("no");
                case "elsewhere":
                    OnAnotherThread(() => to.GetSpan(1));
                    break;
                default:
                    Encoding.UTF8.GetBytes(value.Text, to);
                    break;
            }
        }
    }
}
