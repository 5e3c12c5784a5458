using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Upcall.Graph;

namespace Upcall;

/// <summary>Which driver a handler has: the kinds of handlers that there are.</summary>
internal static class Drivers
{
    /// <summary>What a class has to do to be a handler.</summary>
    internal const string Advice =
        $"implement {nameof(IObjectHandler)} or {nameof(IBatchHandler)}, or derive from FlowHandler<TIn, TOut>; one that "
            + $"answers later implements {nameof(IAsyncObjectHandler)} or derives from AsyncFlowHandler<TIn, TOut>; one that "
            + "combines arrays implements ICombine<T>; a program of a graph derives from VertexProgram<TOwn, TShown, TEdge>, "
            + "GatherProgram<TOwn, TShown, TGathered> or IntervalProgram<TOwn, TShown, TEdge>";

    /// <summary>Whether instances of the class are handlers.</summary>
    internal static bool Drives(Type type) => AtOnce(type) || Later(type) || Elements(type).Length > 0 || OverGraph(type);

    /// <summary>Why a class whose instances are handlers of some kind cannot be one; null when it can.</summary>
    internal static string? Unfit(Type type)
    {
        Type[] elements = Elements(type);
        bool flow = AtOnce(type) || Later(type);
        return AtOnce(type) && Later(type)
            ? "it handles objects in two ways, one of which answers later; make a class for each"
            : flow && elements.Length > 0 ? "it handles objects of a flow and combines arrays; make a class for each"
            : elements.Length > 1 ? $"it combines {string.Join(" and ", elements.Select(FormName.Of))}; make a class for each"
            : OverGraph(type) && (flow || elements.Length > 0)
                ? "it is a program of a graph, and handles objects of a flow or combines arrays; make a class for each"
            : OverGraph(type) ? GraphProgram.Unfit(type)
            : AtOnce(type) ? NeverCalled(type)
            : null;
    }

    /// <summary>A handler's driver.</summary>
    /// <exception cref="ArgumentException">It is none, or cannot be one.</exception>
    internal static Driver Of(object handler) =>
        Refused(handler.GetType()) is string why ? throw new ArgumentException(why) : Made(handler);

    /// <summary>Why instances of a class cannot be handlers, with its name; null when they can.</summary>
    internal static string? Refused(Type type)
    {
        string? why = Drives(type) ? Unfit(type) : Advice;
        return why == null ? null : $"{type} cannot be a handler: {why}";
    }

    /// <summary>A handler of a class. <c>new T()</c> would hide what its constructor throws in an exception of its own.</summary>
    internal static T Make<T>()
        where T : class, new() => (T)Activator.CreateInstance(
            typeof(T), BindingFlags.Instance | BindingFlags.Public | BindingFlags.DoNotWrapExceptions, null, null, null)!;

    private static Driver Made(object handler) => handler switch
    {
        FlowHandler typed => typed.Drive(),
        AsyncFlowHandler typed => typed.Drive(),
        GraphProgram program => program.Drive(),
        IBatchHandler batch => new BatchDriver(batch),
        IObjectHandler single => new ObjectDriver(single),
        IAsyncObjectHandler later => new AsyncObjectDriver(later),
        _ => (Driver)Activator.CreateInstance(
            typeof(CombineDriver<>).MakeGenericType(Elements(handler.GetType())), handler)!,
    };

    /// <summary>What only handlers that answer later are asked for, if one that answers at once has it.</summary>
    private static string? NeverCalled(Type type)
    {
        List<string> asks = [];
        List<string> instead = [];
        foreach ((Type asked, Type other) in ((Type, Type)[])[
            (typeof(IAsyncOpen), typeof(IOpen)), (typeof(IAsyncFlush), typeof(IFlush))])
        {
            if (asked.IsAssignableFrom(type))
            {
                asks.Add(asked.Name);
                instead.Add(other.Name);
            }
        }
        return asks.Count == 0 ? null : $"it answers at once, and {string.Join(" and ", asks)} would never be called: implement "
            + $"{string.Join(" and ", instead)}, or answer later by {nameof(IAsyncObjectHandler)} or AsyncFlowHandler<TIn, TOut>";
    }

    /// <summary>Whether its instances answer later.</summary>
    internal static bool Later(Type type) =>
        typeof(IAsyncObjectHandler).IsAssignableFrom(type) || typeof(AsyncFlowHandler).IsAssignableFrom(type);

    private static bool OverGraph(Type type) => typeof(GraphProgram).IsAssignableFrom(type);

    private static bool AtOnce(Type type) => typeof(FlowHandler).IsAssignableFrom(type)
        || typeof(IBatchHandler).IsAssignableFrom(type)
        || typeof(IObjectHandler).IsAssignableFrom(type);

    /// <summary>What it combines.</summary>
    private static Type[] Elements(Type type) => type.GetInterfaces()
        .Where(found => found.IsGenericType && found.GetGenericTypeDefinition() == typeof(ICombine<>))
        .Select(found => found.GetGenericArguments()[0])
        .ToArray();
}
