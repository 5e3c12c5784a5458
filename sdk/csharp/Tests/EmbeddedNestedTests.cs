using System;
using System.IO;
using System.Linq;
using System.Text;

namespace Upcall.Tests;

/// <summary>A flow inside a handler of another flow.</summary>
public sealed class EmbeddedNestedTests
{
    [Test]
    public void An_exception_goes_through_three_layers()
    {
        using Flow flow = Flow.Describe().Pool("/in", PoolKind.Trigger).Pool("/out").On("/in", "/out", Inner).Start();
        FlowPool pool = flow.Pool("/in");
        pool.Put("starts", "good");
        pool.Put("fails", "bad");
        flow.Drain();
        DeadLetter letter = flow.DeadLetters("/in").Single();
        Expect.Equal("fails System.InvalidOperationException", $"{letter.Key} {letter.TypeName}");
        Expect.Equal("the inner flow: System.IO.InvalidDataException: not bad", letter.Message);
        Expect.Holds("EmbeddedNestedTests.Inner", letter.Stack);
        Expect.Equal("GOOD", flow.Pool("/out").Get("starts")!.Value.ValueText);
    }

    private static void Inner(FlowObject obj, Emitter emit)
    {
        using Flow inner = Flow.Describe().Pool("/a", PoolKind.Trigger).Pool("/b")
            .On("/a", "/b", (word, found) =>
            {
                string text = word.ValueText == "bad" ? throw new InvalidDataException("not bad") : word.ValueText;
                found.Put(word.Key, Encoding.UTF8.GetBytes(text.ToUpperInvariant()));
            })
            .Start();
        inner.Pool("/a").Put("word", obj.ValueText);
        inner.Drain();
        foreach (DeadLetter letter in inner.DeadLetters("/a"))
        {
            throw new InvalidOperationException($"the inner flow: {letter.TypeName}: {letter.Message}");
        }
        emit.Put(obj.Key, inner.Pool("/b").Get("word")!.Value.Value);
    }
}
