using System;
using System.Collections.Generic;
using System.Numerics;
using System.Reflection;

namespace Upcall.Mpi;

/// <summary>The operations that a type has: MPI's own where it is one of its numbers, else its operators.</summary>
internal static class Operators<T>
{
    internal static readonly Lazy<Operation<T>> Add = Of("Sum", "op_Addition", nameof(Loops.Add), typeof(IAdditionOperators<,,>));
    internal static readonly Lazy<Operation<T>> Multiply =
        Of("Product", "op_Multiply", nameof(Loops.Multiply), typeof(IMultiplyOperators<,,>));
    internal static readonly Lazy<Operation<T>> Min = Of("Min", "", nameof(Loops.Min), typeof(IComparable<>));
    internal static readonly Lazy<Operation<T>> Max = Of("Max", "", nameof(Loops.Max), typeof(IComparable<>));
    internal static readonly Lazy<Operation<T>> MinWithPlace = Of("MinWithPlace", "", "", null);
    internal static readonly Lazy<Operation<T>> MaxWithPlace = Of("MaxWithPlace", "", "", null);
    internal static readonly Lazy<Operation<T>> LogicalAnd = Of("LogicalAnd", "", "", null);
    internal static readonly Lazy<Operation<T>> LogicalOr = Of("LogicalOr", "", "", null);
    internal static readonly Lazy<Operation<T>> LogicalXor = Of("LogicalXor", "", "", null);
    internal static readonly Lazy<Operation<T>> BitwiseAnd =
        Of("BitAnd", "op_BitwiseAnd", nameof(Loops.And), typeof(IBitwiseOperators<,,>));
    internal static readonly Lazy<Operation<T>> BitwiseOr =
        Of("BitOr", "op_BitwiseOr", nameof(Loops.Or), typeof(IBitwiseOperators<,,>));
    internal static readonly Lazy<Operation<T>> ExclusiveOr =
        Of("BitXor", "op_ExclusiveOr", nameof(Loops.Xor), typeof(IBitwiseOperators<,,>));

    private const string Place = "WithPlace";

    internal static readonly Lazy<Operation<T>> Replace = OfWindows("Replace");
    internal static readonly Lazy<Operation<T>> Nothing = OfWindows("Nothing");

    private static Lazy<Operation<T>> OfWindows(string name) => new(() => new Operation<T>(
        name, NumberOf(typeof(T).IsEnum ? Enum.GetUnderlyingType(typeof(T)) : typeof(T), name) ?? throw new NotSupportedException(
            $"combine a {typeof(T)} in a window: it is none of MPI's numbers")));

    private static Lazy<Operation<T>> Of(string name, string method, string loop, Type? interfaces) => new(() =>
    {
        if (NumberOf(typeof(T), name) is { } number)
        {
            return new Operation<T>(name, number);
        }
        if (interfaces != null && Has(interfaces))
        {
            MethodInfo of = typeof(Loops).GetMethod(loop, BindingFlags.Static | BindingFlags.NonPublic)!;
            return Shared(of.MakeGenericMethod(typeof(T)).CreateDelegate<SpanOperation<T>>());
        }
        // Text is added, too.
        if (typeof(T) == typeof(string) && name == "Sum")
        {
            Func<string, string, string> concatenated = string.Concat;
            return Shared((Func<T, T, T>)(object)concatenated);
        }
        MethodInfo? own = typeof(T).GetMethod(method, BindingFlags.Static | BindingFlags.Public, [typeof(T), typeof(T)]);
        return own?.ReturnType == typeof(T) ? Shared(own.CreateDelegate<Func<T, T, T>>()) : throw new NotSupportedException(
            name.EndsWith(Place, StringComparison.Ordinal)
                ? $"make an operation of {typeof(T)}: {name} is for Placed<T> of MPI's numbers"
                : $"make an operation of {typeof(T)}: it has no operator for {name}; pass a function, as in (a, b) => …");
    });

    private static Operation<T> Shared(SpanOperation<T> combine) => new(new SpanCombiner<T>(combine) { IsShared = true }, IsCommutative);

    private static Operation<T> Shared(Func<T, T, T> combine) => new(new EachCombiner<T>(combine) { IsShared = true }, IsCommutative);

    /// <summary>Of text it is not, and nobody knows of a type of the program's own.</summary>
    private static bool IsCommutative => typeof(T).IsPrimitive;

    private static bool Has(Type interfaces)
    {
        try
        {
            int arguments = interfaces.GetGenericArguments().Length;
            var types = new Type[arguments];
            Array.Fill(types, typeof(T));
            return interfaces.MakeGenericType(types).IsAssignableFrom(typeof(T));
        }
        catch (ArgumentException)
        {
            // Its own constraints exclude the type.
            return false;
        }
    }

    /// <summary>The number of MPI's that a type is, for an operation; null where it is none.</summary>
    private static string? NumberOf(Type type, string name)
    {
        if (name.EndsWith(Place, StringComparison.Ordinal))
        {
            bool placed = type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Placed<>);
            return placed ? NumberOf(type.GetGenericArguments()[0], "") : null;
        }
        bool bits = name.StartsWith("Bit", StringComparison.Ordinal);
        bool logical = name.StartsWith("Logical", StringComparison.Ordinal);
        if (type == typeof(bool))
        {
            return bits || logical ? "u8" : null;
        }
        if (type.IsEnum && bits)
        {
            type = Enum.GetUnderlyingType(type);
        }
        if (!type.IsPrimitive || type == typeof(char))
        {
            return null;
        }
        string number = FormName.Of(type) switch
        {
            "isize" => IntPtr.Size == 8 ? "i64" : "i32",
            "usize" => IntPtr.Size == 8 ? "u64" : "u32",
            string known => known,
        };
        // Of those without bits of their own MPI knows no others.
        return (bits || logical) && number[0] == 'f' ? null : number;
    }
}

/// <summary>Loops over operators, compiled for each type.</summary>
internal static class Loops
{
    internal static void Add<T>(ReadOnlySpan<T> from, Span<T> into)
        where T : IAdditionOperators<T, T, T>
    {
        for (int index = 0; index < into.Length; index++)
        {
            into[index] = from[index] + into[index];
        }
    }

    internal static void Multiply<T>(ReadOnlySpan<T> from, Span<T> into)
        where T : IMultiplyOperators<T, T, T>
    {
        for (int index = 0; index < into.Length; index++)
        {
            into[index] = from[index] * into[index];
        }
    }

    internal static void Min<T>(ReadOnlySpan<T> from, Span<T> into)
    {
        for (int index = 0; index < into.Length; index++)
        {
            into[index] = Comparer<T>.Default.Compare(from[index], into[index]) <= 0 ? from[index] : into[index];
        }
    }

    internal static void Max<T>(ReadOnlySpan<T> from, Span<T> into)
    {
        for (int index = 0; index < into.Length; index++)
        {
            into[index] = Comparer<T>.Default.Compare(from[index], into[index]) >= 0 ? from[index] : into[index];
        }
    }

    internal static void And<T>(ReadOnlySpan<T> from, Span<T> into)
        where T : IBitwiseOperators<T, T, T>
    {
        for (int index = 0; index < into.Length; index++)
        {
            into[index] = from[index] & into[index];
        }
    }

    internal static void Or<T>(ReadOnlySpan<T> from, Span<T> into)
        where T : IBitwiseOperators<T, T, T>
    {
        for (int index = 0; index < into.Length; index++)
        {
            into[index] = from[index] | into[index];
        }
    }

    internal static void Xor<T>(ReadOnlySpan<T> from, Span<T> into)
        where T : IBitwiseOperators<T, T, T>
    {
        for (int index = 0; index < into.Length; index++)
        {
            into[index] = from[index] ^ into[index];
        }
    }
}
