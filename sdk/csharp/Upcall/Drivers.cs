using System;
using System.Linq;

namespace Upcall;

/// <summary>Which driver a handler has: the kinds of handlers that there are.</summary>
internal static class Drivers
{
    /// <summary>What a class has to do to be a handler.</summary>
    internal const string Advice =
        $"implement {nameof(IObjectHandler)} or {nameof(IBatchHandler)}, or derive from FlowHandler<TIn, TOut>; one that "
            + $"answers later implements {nameof(IAsyncObjectHandler)} or derives from AsyncFlowHandler<TIn, TOut>; one that "
            + "combines arrays implements ICombine<T>";

    /// <summary>Whether instances of the class are handlers.</summary>
    internal static bool Drives(Type type) => AtOnce(type) || Later(type) || Elements(type).Length > 0;

    /// <summary>Why a class whose instances are handlers of some kind cannot be one; null when it can.</summary>
    internal static string? Ambiguous(Type type)
    {
        Type[] elements = Elements(type);
        bool flow = AtOnce(type) || Later(type);
        return AtOnce(type) && Later(type)
            ? "it handles objects in two ways, one of which answers later; make a class for each"
            : flow && elements.Length > 0 ? "it handles objects of a flow and combines arrays; make a class for each"
            : elements.Length > 1 ? $"it combines {string.Join(" and ", elements.Select(FormName.Of))}; make a class for each"
            : null;
    }

    internal static Driver Of(object handler) => Ambiguous(handler.GetType()) is string why
        ? throw new ArgumentException($"{handler.GetType()} is not a handler: {why}")
        : Made(handler);

    private static Driver Made(object handler) => handler switch
    {
        FlowHandler typed => typed.Drive(),
        AsyncFlowHandler typed => typed.Drive(),
        IBatchHandler batch => new BatchDriver(batch),
        IObjectHandler single => new ObjectDriver(single),
        IAsyncObjectHandler later => new AsyncObjectDriver(later),
        _ => Combining(handler),
    };

    private static Driver Combining(object handler)
    {
        Type[] elements = Elements(handler.GetType());
        return elements.Length switch
        {
            1 => (Driver)Activator.CreateInstance(typeof(CombineDriver<>).MakeGenericType(elements), handler)!,
            _ => throw new ArgumentException($"{handler.GetType()} is not a handler: {Advice}"),
        };
    }

    /// <summary>Whether its instances answer later.</summary>
    internal static bool Later(Type type) =>
        typeof(IAsyncObjectHandler).IsAssignableFrom(type) || typeof(AsyncFlowHandler).IsAssignableFrom(type);

    private static bool AtOnce(Type type) => typeof(FlowHandler).IsAssignableFrom(type)
        || typeof(IBatchHandler).IsAssignableFrom(type)
        || typeof(IObjectHandler).IsAssignableFrom(type);

    /// <summary>What it combines.</summary>
    private static Type[] Elements(Type type) => type.GetInterfaces()
        .Where(found => found.IsGenericType && found.GetGenericTypeDefinition() == typeof(ICombine<>))
        .Select(found => found.GetGenericArguments()[0])
        .ToArray();
}
