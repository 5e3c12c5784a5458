using System;
using System.Linq;

namespace Upcall;

/// <summary>Which driver a handler has: the kinds of handlers that there are.</summary>
internal static class Drivers
{
    /// <summary>What a class has to do to be a handler.</summary>
    internal const string Advice =
        $"implement {nameof(IObjectHandler)} or {nameof(IBatchHandler)}, or derive from FlowHandler<TIn, TOut>; one that "
            + "combines arrays implements ICombine<T>";

    /// <summary>Whether instances of the class are handlers.</summary>
    internal static bool Drives(Type type) => typeof(FlowHandler).IsAssignableFrom(type)
        || typeof(IBatchHandler).IsAssignableFrom(type)
        || typeof(IObjectHandler).IsAssignableFrom(type)
        || Elements(type).Length > 0;

    internal static Driver Of(object handler) => handler switch
    {
        FlowHandler typed => typed.Drive(),
        IBatchHandler batch => new BatchDriver(batch),
        IObjectHandler single => new ObjectDriver(single),
        _ => Combining(handler),
    };

    private static Driver Combining(object handler)
    {
        Type[] elements = Elements(handler.GetType());
        return elements.Length switch
        {
            1 => (Driver)Activator.CreateInstance(typeof(CombineDriver<>).MakeGenericType(elements), handler)!,
            0 => throw new ArgumentException($"{handler.GetType()} is not a handler: {Advice}"),
            _ => throw new ArgumentException(
                $"{handler.GetType()} combines {string.Join(" and ", elements.Select(FormName.Of))}: make a class for each"),
        };
    }

    /// <summary>What it combines.</summary>
    private static Type[] Elements(Type type) => type.GetInterfaces()
        .Where(found => found.IsGenericType && found.GetGenericTypeDefinition() == typeof(ICombine<>))
        .Select(found => found.GetGenericArguments()[0])
        .ToArray();
}
