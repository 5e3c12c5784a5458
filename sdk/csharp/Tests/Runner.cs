using System;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>A test: a public method without parameters that throws when it fails, or whose task does.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class TestAttribute : Attribute;

/// <summary>Runs every test of this assembly whose name holds one of the arguments; or, behind a <c>-</c>, all that do not hold it; or,
/// without arguments, all.</summary>
public static class Runner
{
    /// <summary>0 when all passed.</summary>
    public static int Main(string[] names)
    {
        if (names is ["--beside-c"])
        {
            return RankTyped.BesideC();
        }
        if (names is ["--ranks", .. string[] some])
        {
            return Ranks.Run(some);
        }
        var tests =
            from type in typeof(Runner).Assembly.GetTypes()
            from method in type.GetMethods()
            where method.GetCustomAttribute<TestAttribute>() != null
            let name = $"{type.Name}.{method.Name}"
            where names is [['-', .. var other]] ? !name.Contains(other) : names.Length == 0 || names.Any(name.Contains)
            orderby name
            select (name, type, method);
        int passed = 0;
        int failed = 0;
        foreach ((string name, Type type, MethodInfo method) in tests)
        {
            try
            {
                object? test = Activator.CreateInstance(type);
                object? result = method.Invoke(test, BindingFlags.DoNotWrapExceptions, null, null, null);
                (result as Task)?.GetAwaiter().GetResult();
                passed++;
            }
            catch (Exception exception)
            {
                failed++;
                Console.WriteLine($"FAILED {name}\n{exception}\n");
            }
        }
        Console.WriteLine($"{passed} passed, {failed} failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }
}

/// <summary>What a test expects.</summary>
public static class Expect
{
    /// <summary>Both are equal.</summary>
    public static void Equal<T>(T expected, T found, [CallerArgumentExpression(nameof(found))] string what = "")
    {
        if (!Equals(expected, found))
        {
            throw new InvalidOperationException($"{what}: expected {expected}, found {found}");
        }
    }

    /// <summary>The text holds the part.</summary>
    public static void Holds(string part, string text)
    {
        if (!text.Contains(part))
        {
            throw new InvalidOperationException($"expected {part} in: {text}");
        }
    }

    /// <summary>The action throws this exception.</summary>
    public static TException Throws<TException>(Action action)
        where TException : Exception
    {
        try
        {
            action();
        }
        catch (TException exception)
        {
            return exception;
        }
        throw new InvalidOperationException($"expected {typeof(TException).Name}, nothing was thrown");
    }

    /// <summary>The task fails with this exception.</summary>
    public static async Task<TException> Throws<TException>(Task task)
        where TException : Exception
    {
        try
        {
            await task;
        }
        catch (TException exception)
        {
            return exception;
        }
        throw new InvalidOperationException($"expected {typeof(TException).Name}, nothing was thrown");
    }
}
