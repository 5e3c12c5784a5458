using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Upcall;

/// <summary>Which bytes are values of an unmanaged type, and which of its bytes belong to no field.</summary>
internal static class ValueMemory
{
    /// <summary>Whether bytes of the type's size are a value of it.</summary>
    internal delegate bool Check(ReadOnlySpan<byte> bytes);

    /// <summary>What tells values of the type from other memory; null where it is not known, or all memory is one.</summary>
    internal static Check? CheckOf<T>() => Checks.GetValueOrDefault(typeof(T)) ?? (Any(typeof(T)) ? null : Defined<T>());

    /// <summary>The type, or one that it holds, of which not all memory is a value; null when there is none.</summary>
    internal static Type? Unchecked(Type type)
    {
        if (type.IsPrimitive || type.IsEnum || Checks.ContainsKey(type))
        {
            return Checks.ContainsKey(type) || !Any(type) ? type : null;
        }
        return Fields(type).Select(field => Unchecked(field.FieldType)).FirstOrDefault(found => found != null);
    }

    /// <summary>Bytes of its fields, and all of a struct that says itself how large it is.</summary>
    internal static int Filled(Type type)
    {
        bool whole = type.IsPrimitive || type.IsEnum || type.IsPointer || type.IsFunctionPointer
            || type.StructLayoutAttribute is { Value: LayoutKind.Explicit } or { Size: > 0 }
            || type.IsDefined(typeof(InlineArrayAttribute));
        return whole ? Size(type) : Fields(type).Sum(field => Filled(field.FieldType));
    }

    private static readonly Dictionary<Type, Check> Checks = new()
    {
        [typeof(bool)] = bytes => bytes[0] < 2,
        [typeof(Rune)] = bytes => Rune.IsValid(BinaryPrimitives.ReadUInt32LittleEndian(bytes)),
        [typeof(DateOnly)] = bytes =>
            BinaryPrimitives.ReadUInt32LittleEndian(bytes) <= (uint)DateOnly.MaxValue.DayNumber,
        [typeof(TimeOnly)] = bytes =>
            BinaryPrimitives.ReadUInt64LittleEndian(bytes) <= (ulong)TimeOnly.MaxValue.Ticks,
        // The kind is in the two upper bits.
        [typeof(DateTime)] = bytes =>
            BinaryPrimitives.ReadUInt64LittleEndian(bytes) << 2 >> 2 <= (ulong)DateTime.MaxValue.Ticks,
        [typeof(decimal)] = bytes => BinaryPrimitives.ReadUInt32LittleEndian(bytes) is var flags
            && (flags & 0x7F00FFFF) == 0 && (flags >> 16 & 0xFF) <= 28,
    };

    /// <summary>Whether all memory of a primitive or an enum is a value; one of flags may be any.</summary>
    private static bool Any(Type type) => !type.IsEnum || type.IsDefined(typeof(FlagsAttribute), false);

    private static Check Defined<T>()
    {
        HashSet<T> values = [.. Enum.GetValues(typeof(T)).Cast<T>()];
        return bytes => values.Contains(Unsafe.ReadUnaligned<T>(ref MemoryMarshal.GetReference(bytes)));
    }

    private static FieldInfo[] Fields(Type type) =>
        type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);

    private static int Size(Type type) => type.IsPointer || type.IsFunctionPointer
        ? IntPtr.Size
        : (int)typeof(Unsafe).GetMethod(nameof(Unsafe.SizeOf))!.MakeGenericMethod(type).Invoke(null, null)!;
}
