using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>Handlers in Java, in a flow of this program: in processes of their own.</summary>
public class EmbeddedJavaTests
{
    private static readonly string Tests = Path.GetDirectoryName(typeof(EmbeddedJavaTests).Assembly.Location)!;

    private static string Text(string name, string to, string java, string more) => $"""
        [[handler]]
        name = "{name}"
        on = "/in"
        to = "{to}"
        java = "{java}"
        {more}

        """;

    [Test]
    public async Task Java_beside_the_programs_own_runtime_is_refused_with_advice()
    {
        string text = "[pool.\"/in\"]\n[pool.\"/out\"]\n" + Text("count", "/out", Tests, "class = \"Counter\"");
        FlowException refused = await Expect.Throws<FlowException>(Flow.FromToml(text).StartAsync());
        Expect.Equal(FlowError.Load, refused.Error);
        Expect.Holds("start Java: .NET runs in this process already", refused.Message);
        Expect.Holds("give the handlers of one of the two `isolation = \"process\"`", refused.Message);
    }

    [Test]
    public async Task An_isolated_handler_in_Java_runs_beside_one_of_the_program()
    {
        string jar = Path.Combine(Tests, "upcall-tests.jar");
        string text = "[pool.\"/in\"]\n[pool.\"/loud\"]\n[pool.\"/quiet\"]\n"
            + Text("shout", "/loud", jar, "class = \"upcall.tests.Shout\"\nisolation = \"process\"")
            + "[[handler]]\nname = \"quiet\"\non = \"/in\"\nto = \"/quiet\"\n";
        await using Flow flow = await Flow.FromToml(text)
            .Give("quiet", (FlowObject obj, Emitter emit) => emit.Put(obj.Key, obj.Value))
            .StartAsync();
        await flow.Pool("/in").PutAsync("a", "hello");
        await flow.Pool("/in").PutAsync("b", "fail");
        await flow.DrainAsync();
        Expect.Equal("A", string.Join(',', flow.Pool("/loud").List()));
        Expect.Equal("hello", flow.Pool("/loud").Get("A")!.Value.ValueText);
        Expect.Equal("a,b", string.Join(',', flow.Pool("/quiet").List()));
        DeadLetter letter = flow.DeadLetters("/in").Single();
        Expect.Equal("java.lang.IllegalStateException: will not shout b", $"{letter.TypeName}: {letter.Message}");
    }
}
