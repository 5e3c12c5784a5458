using System.Linq;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>Emissions on condition: what the engine is told, and what is left of those that are refused.</summary>
public sealed class ConditionTests
{
    [Test]
    public void An_emission_on_condition_says_under_which_version()
    {
        Expect.Equal("/out before ; /out new 7; /number number 0; /words typed 9; /out after ", Emitted("all"));
    }

    [Test]
    public void An_emission_on_condition_that_is_refused_leaves_no_condition_behind()
    {
        foreach (string how in (string[])["type", "padding", "typed"])
        {
            Expect.Equal("/out after ", Emitted(how));
        }
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
                case "all":
                    emit.Put("before"u8, ""u8);
                    emit.PutIf("new"u8, ""u8, 7);
                    emit.PutIf(number, "number"u8, 5UL, 0);
                    emit.Of<string>().PutIf(words, "typed"u8, "word", 9);
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
        catch (PoolTypeException)
        {
        }
        emit.Put("after"u8, ""u8);
    }
}
