using System;
using System.Linq;
using {{Name}};
using Upcall.Testing;

// A console program that `upcall test` compiles and runs. A test is a name and what must not throw.
(string Name, Action Test)[] tests =
[
    ("a name is greeted", () =>
    {
        using var harness = new Harness<Greeter>().Emits("/greetings");
        harness.Put("1", "Ada");
        Equal("Hello, Ada!", harness.Emitted.Single().ValueText);
    }),
    ("a blank line fails", () =>
    {
        using var harness = new Harness<Greeter>().Emits("/greetings");
        Equal("nobody is named", Fails(() => harness.Put("1", " ")));
        Equal(0, harness.Emitted.Count);
    }),
];

int failed = 0;
foreach ((string name, Action test) in tests)
{
    try
    {
        test();
        Console.WriteLine($"ok      {name}");
    }
    catch (Exception exception)
    {
        failed++;
        Console.WriteLine($"FAILED  {name}\n{exception}");
    }
}
Console.WriteLine($"{tests.Length - failed} passed, {failed} failed");
return failed == 0 ? 0 : 1;

static void Equal<T>(T expected, T found)
{
    if (!Equals(expected, found))
    {
        throw new InvalidOperationException($"expected {expected}, found {found}");
    }
}

static string Fails(Action action)
{
    try
    {
        action();
    }
    catch (HandlerFailedException failed)
    {
        return failed.Message;
    }
    throw new InvalidOperationException("the handler did not fail");
}
