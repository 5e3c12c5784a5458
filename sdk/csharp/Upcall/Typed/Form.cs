using System;
using System.Buffers;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Upcall;

/// <summary>How values of a type become bytes and back: found once, when the type is first used.</summary>
internal static class Form<T>
{
    private static readonly Unpacker? UnpackMethod = Bind<Unpacker>("Unpack", typeof(T), typeof(ReadOnlySpan<byte>));
    private static readonly Packer? PackMethod =
        Bind<Packer>("Pack", typeof(void), typeof(T), typeof(IBufferWriter<byte>));

    private delegate T Unpacker(ReadOnlySpan<byte> bytes);

    private delegate void Packer(T value, IBufferWriter<byte> to);

    /// <summary>Whether memory is a value of the type; null where all memory is.</summary>
    private static readonly ValueMemory.Check? Check = ValueMemory.CheckOf<T>();

    private static readonly bool Plain = UnpackMethod == null && PackMethod == null;

    /// <summary>
    /// Whether its bytes are its memory, so that nothing is decoded. A struct with packers says so itself, as bindgen
    /// writes it: it may be packed with a head, have something to be checked, or padding that has to be zero.
    /// </summary>
    internal static readonly bool Raw = !RuntimeHelpers.IsReferenceOrContainsReferences<T>()
        && (Plain ? ValueMemory.Unchecked(typeof(T)) == null : FormName.SaysRaw(typeof(T)));

    /// <summary>Whether it is its own <c>Unpack</c> that reads a value, which may do anything.</summary>
    internal static readonly bool Unpacks = UnpackMethod != null && !Raw && Check == null;

    /// <summary>Whether there is padding between the fields of a value, which is memory that nobody has written.</summary>
    internal static readonly bool Padded = !RuntimeHelpers.IsReferenceOrContainsReferences<T>() && Plain
        && ValueMemory.Filled(typeof(T)) != Unsafe.SizeOf<T>();

    /// <summary>How a raw value is aligned, in bytes.</summary>
    internal static readonly nuint Alignment = (nuint)(Unsafe.SizeOf<Behind>() - Unsafe.SizeOf<T>());

    /// <summary>Why it cannot be read; null when it can.</summary>
    internal static string? Unreadable
    {
        get
        {
            if (Raw || Check != null || typeof(T) == typeof(string) || typeof(T) == typeof(byte[])
                || (UnpackMethod != null && PackMethod != null))
            {
                return null;
            }
            bool references = RuntimeHelpers.IsReferenceOrContainsReferences<T>();
            string why = !references && Plain
                ? $"it holds a {ValueMemory.Unchecked(typeof(T))?.Name}, and not all bytes are one (hold its number instead)"
                : "it is not unmanaged";
            return $"{typeof(T)} cannot be used as a value type: {why}, and it has no static Unpack(ReadOnlySpan<byte>) "
                + "and Pack(T, IBufferWriter<byte>); let `upcall bindgen` write it";
        }
    }

    /// <summary>Why it cannot be emitted or put; null when it can.</summary>
    internal static string? Unwritable => !Padded
        ? Unreadable
        : $"{typeof(T)} cannot be written as a value: there is padding between its fields, which is memory that nobody has "
            + "written; fill it with fields, or let `upcall bindgen` write the type";

    /// <summary>Its name, as a pool declares it.</summary>
    private static readonly string Name = FormName.Of(typeof(T));

    /// <summary>Its name, and the bytes of a value where all have as many, else 0; null where it is any bytes.</summary>
    internal static (string Name, int Size)? Said =>
        typeof(T) == typeof(byte[]) ? null : (Name, Raw || Check != null ? Unsafe.SizeOf<T>() : 0);

    /// <summary>What is wrong with values of the pool being of this type; null when nothing is.</summary>
    internal static string? Disagrees(Pool pool, string side)
    {
        bool any = typeof(T) == typeof(byte[]) || pool.ValueType.Length == 0;
        int size = RuntimeHelpers.IsReferenceOrContainsReferences<T>() ? 0 : Unsafe.SizeOf<T>();
        if (any || (Name == pool.ValueType && (pool.ValueSize == 0 || pool.ValueSize == size)))
        {
            return null;
        }
        static string Of(int size) => size == 0 ? "" : $" of {size} bytes";
        return $"pool {pool.Path} has the type {pool.ValueType}{Of(pool.ValueSize)}, and the handler {side} "
            + $"{Name}{Of(size)}: change the pool's `type` or the handler's";
    }

    /// <summary>The value of an object.</summary>
    /// <exception cref="InvalidDataException">The bytes are no value of the type.</exception>
    internal static T Read(FlowObject obj) => Read(obj.Key, obj.Value);

    /// <summary>The value of a key.</summary>
    /// <exception cref="InvalidDataException">The bytes are no value of the type.</exception>
    internal static T Read(scoped ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        try
        {
            return Decode(value) ?? throw Null();
        }
        catch (Exception exception)
        {
            throw Unread($"the value of {Encoding.UTF8.GetString(key)}", exception);
        }
    }

    /// <summary>A value of which the key is not known.</summary>
    /// <exception cref="InvalidDataException">The bytes are no value of the type.</exception>
    internal static T Read(ReadOnlySpan<byte> value)
    {
        try
        {
            return Decode(value) ?? throw Null();
        }
        catch (Exception exception)
        {
            throw Unread("a value", exception);
        }
    }

    /// <summary>The value in these bytes; null where they say so.</summary>
    internal static T? Decode(ReadOnlySpan<byte> bytes)
    {
        if (Raw || Check != null)
        {
            if (bytes.Length != Unsafe.SizeOf<T>())
            {
                throw new InvalidDataException($"it has {bytes.Length} bytes, not {Unsafe.SizeOf<T>()}");
            }
            return Check == null || Check(bytes)
                ? Unsafe.ReadUnaligned<T>(ref MemoryMarshal.GetReference(bytes))
                : throw new InvalidDataException($"no {typeof(T).Name} has these bytes, at byte 0");
        }
        if (UnpackMethod != null)
        {
            return UnpackMethod(bytes);
        }
        if (typeof(T) == typeof(string))
        {
            return (T)(object)Text(bytes);
        }
        return typeof(T) == typeof(byte[]) ? (T)(object)bytes.ToArray() : throw new PoolTypeException(Unreadable!);
    }

    /// <summary>Writes the value's bytes; a raw one's too, though an emitter has a shorter way.</summary>
    internal static void Write(T value, IBufferWriter<byte> to)
    {
        if (value is null)
        {
            throw new ArgumentNullException(nameof(value), $"emit a {Name}: it is null, which no handler takes");
        }
        if (Raw || Check != null)
        {
            Unsafe.WriteUnaligned(ref MemoryMarshal.GetReference(to.GetSpan(Unsafe.SizeOf<T>())), value);
            to.Advance(Unsafe.SizeOf<T>());
        }
        else if (PackMethod != null)
        {
            PackMethod(value, to);
        }
        else if (value is string text)
        {
            WellFormed.Write(text, to);
        }
        else
        {
            to.Write(value as byte[] ?? throw new PoolTypeException(Unwritable!));
        }
    }

    private static InvalidDataException Null() => new("it is null at byte 0");

    private static InvalidDataException Unread(string what, Exception why) =>
        new($"read {what} as {typeof(T).Name}: {why.Message}", why);

    private static string Text(ReadOnlySpan<byte> bytes)
    {
        try
        {
            return FormName.Utf8.GetString(bytes);
        }
        catch (DecoderFallbackException exception)
        {
            throw new InvalidDataException($"it is not UTF-8 at byte {exception.Index}", exception);
        }
    }

    private static TDelegate? Bind<TDelegate>(string name, Type returns, params Type[] parameters)
        where TDelegate : Delegate
    {
        const BindingFlags Any = BindingFlags.Static | BindingFlags.Public | BindingFlags.DeclaredOnly;
        MethodInfo? method = typeof(T).GetMethod(name, Any, parameters);
        return method?.ReturnType == returns ? method.CreateDelegate<TDelegate>() : null;
    }

    private struct Behind
    {
#pragma warning disable CS0169 // Only its size is asked for.
        private byte before;
        private T value;
#pragma warning restore CS0169
    }
}

/// <summary>The part of <see cref="Form{T}"/> that needs no type parameter.</summary>
internal static class FormName
{
    /// <summary>UTF-8 that throws on other bytes.</summary>
    internal static readonly UTF8Encoding Utf8 = new(false, true);

    /// <summary>Whether a struct has the constant by which bindgen marks those whose memory is what is packed.</summary>
    internal static bool SaysRaw(Type type) => Constant(type, "__Raw") is true;

    /// <summary>A constant of the type itself; null if there is none.</summary>
    private static object? Constant(Type type, string name)
    {
        const BindingFlags Own = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        return type.GetField(name, Own) is { IsLiteral: true } field ? field.GetRawConstantValue() : null;
    }

    /// <summary>
    /// The name of a type as a pool declares it: <c>u64</c>, <c>text</c>, what bindgen says that its source calls
    /// it, or its own without namespace.
    /// </summary>
    internal static string Of(Type type) => type.IsEnum ? type.Name : Type.GetTypeCode(type) switch
    {
        TypeCode.Boolean => "bool",
        TypeCode.Char => "Utf16Char",
        TypeCode.SByte => "i8",
        TypeCode.Byte => "u8",
        TypeCode.Int16 => "i16",
        TypeCode.UInt16 => "u16",
        TypeCode.Int32 => "i32",
        TypeCode.UInt32 => "u32",
        TypeCode.Int64 => "i64",
        TypeCode.UInt64 => "u64",
        TypeCode.Single => "f32",
        TypeCode.Double => "f64",
        TypeCode.String => "text",
        _ when type == typeof(Rune) => "char",
        _ when type == typeof(Int128) => "i128",
        _ when type == typeof(UInt128) => "u128",
        _ when type == typeof(nint) => "isize",
        _ when type == typeof(nuint) => "usize",
        _ => Constant(type, "__Name") as string ?? type.Name,
    };
}
