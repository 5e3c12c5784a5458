using System;
using System.Linq;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>Emissions on condition: what the engine is told, and what is left of those that are refused.</summary>
public sealed class ConditionTests
{
    [Test]
    public void An_emission_on_condition_says_under_which_version()
    {
        Expect.Equal("/out before ; /out new 7; /out after ", Emitted("bytes"));
        Expect.Equal("/number number 0; /out after ", Emitted("number"));
        Expect.Equal("/words typed 9; /out after ", Emitted("text"));
    }

    [Test]
    public void An_emission_on_condition_that_is_refused_leaves_no_condition_behind()
    {
        foreach (string how in (string[])["type", "padding", "typed"])
        {
            Expect.Equal("/out after ", Emitted(how));
        }
    }

    [Test]
    public void An_emission_on_condition_that_is_refused_is_not_the_objects_first()
    {
        Expect.Equal("/out first 1; /out after ", Emitted("again"));
    }

    [Test]
    public void A_second_emission_on_condition_that_was_caught_leaves_the_first()
    {
        Expect.Equal("/out first 1; /out after ", Emitted("caught"));
    }

    [Test]
    public void A_second_emission_on_condition_fails_its_object_and_no_other()
    {
        using var bytes = new Harness<Repeats>().Emits("/out");
        using var typed = new Harness<RepeatsTyped>().Emits("/out");
        Repeated(bytes.Batch);
        Repeated(typed.Batch);
        string emitted = string.Join(' ', bytes.Emitted.Select(one => $"{one.KeyText}{one.Previous}"));
        Expect.Equal("first7 a7 b7 c7 d7", emitted);
        Expect.Equal(emitted, string.Join(' ', typed.Emitted.Select(one => $"{one.KeyText}{one.Previous}")));
    }

    [Test]
    public void Without_an_object_nothing_is_emitted_on_condition()
    {
        using var harness = new Harness<WithoutObject>().Emits("/out");
        using var typed = new Harness<RepeatsTyped>().Emits("/out");
        typed.Put("k", "1");
        foreach (Action use in (Action[])[() => harness.Put("k", ""), harness.Flush, typed.Flush])
        {
            var failure = Expect.Throws<HandlerFailedException>(use);
            Expect.Equal(null, failure.Item);
            Expect.Equal("System.InvalidOperationException", failure.TypeName);
            Expect.Equal(
                "emit on condition for no object in particular: there is none that could fail; "
                    + "emit on condition where one object is handled, not for a batch or at the flush",
                failure.Message);
        }
        Expect.Equal((0, 1), (harness.Emitted.Count, typed.Emitted.Count));
    }

    private delegate void Batch(params (string Key, string Value)[] objects);

    /// <summary>Puts objects that emit on condition once, in several calls, and one that does it twice.</summary>
    private static void Repeated(Batch batch)
    {
        // In each call the items are counted from 0.
        batch(("first", "1"));
        var failure = Expect.Throws<HandlerFailedException>(() => batch(("a", "1"), ("b", "1"), ("c", "22"), ("d", "1")));
        Expect.Equal((2, 2), (failure.Done, failure.Item));
        Expect.Equal("System.InvalidOperationException", failure.TypeName);
        Expect.Equal(
            "emit on condition twice for one object: two conditions cannot be decided together; "
                + "emit on condition once for each object",
            failure.Message);
        batch(("c", "1"), ("d", "1"));
    }

    private static string Emitted(string how)
    {
        using var harness = new Harness<OnCondition>().Emits("/out", "/number", "/words")
            .Declares("/number", "u64", 8).Declares("/words", "text");
        harness.Put("k", how);
        return string.Join("; ", harness.Emitted.Select(one => $"{one.Pool} {one.KeyText} {one.Previous}"));
    }
}

/// <summary>Emits on condition what it should, or what is refused.</summary>
internal sealed class OnCondition : IOpen, IObjectHandler
{
    private PoolId number;
    private PoolId words;

    public void OnOpen(OpenContext open)
    {
        number = open.Pool("/number");
        words = open.Pool("/words");
    }

    public void OnObject(FlowObject obj, Emitter emit)
    {
        try
        {
            switch (obj.ValueText)
            {
                case "bytes":
                    emit.Put("before"u8, ""u8);
                    emit.PutIf("new"u8, ""u8, 7);
                    break;
                case "number":
                    emit.PutIf(number, "number"u8, 5UL, 0);
                    break;
                case "text":
                    emit.Of<string>().PutIf(words, "typed"u8, "word", 9);
                    break;
                case "again":
                    Refused(emit);
                    emit.PutIf("first"u8, ""u8, 1);
                    break;
                case "caught":
                    emit.PutIf("first"u8, ""u8, 1);
                    emit.PutIf("second"u8, ""u8, 2);
                    break;
                case "type":
                    emit.Of<string>().PutIf(number, "number"u8, "five", 1);
                    break;
                case "padding":
                    emit.PutIf("gap"u8, ((byte)1, 2L), 1);
                    break;
                default:
                    emit.Of<double>().PutIf("/words", "typed"u8, 1.5, 1);
                    break;
            }
        }
        catch (Exception exception) when (exception is PoolTypeException or InvalidOperationException)
        {
        }
        emit.Put("after"u8, ""u8);
    }

    private void Refused(Emitter emit)
    {
        try
        {
            emit.Of<string>().PutIf(number, "number"u8, "five", 1);
        }
        catch (PoolTypeException)
        {
        }
    }
}

/// <summary>Emits on condition once for each byte of a value.</summary>
internal sealed class Repeats : IObjectHandler
{
    public void OnObject(FlowObject obj, Emitter emit)
    {
        for (int count = 0; count < obj.Value.Length; count++)
        {
            emit.PutIf(obj.Key, ""u8, 7);
        }
    }
}

/// <summary>The same, typed, and once more at the end.</summary>
internal sealed class RepeatsTyped : FlowHandler<string, string>
{
    public override void OnObject(in string value, FlowObject obj, Emitter<string> emit)
    {
        for (int count = 0; count < value.Length; count++)
        {
            emit.PutIf(obj.Key, "", 7);
        }
    }

    public override void OnFlush(Emitter<string> emit) => emit.PutIf("end"u8, "", 7);
}

/// <summary>Emits on condition where there is no object that could fail.</summary>
internal sealed class WithoutObject : IBatchHandler, IFlush
{
    public void OnBatch(Batch batch, Emitter emit) => emit.PutIf(batch[0].Key, ""u8, 7);

    public void OnFlush(Emitter emit)
    {
        emit.Put("end"u8, ""u8);
        emit.PutIf("end"u8, ""u8, 7);
    }
}
