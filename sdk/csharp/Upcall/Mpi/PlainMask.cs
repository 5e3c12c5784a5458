using System;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Upcall.Mpi;

/// <summary>Which bytes of an unmanaged type belong to fields: found by reflection, once per type.</summary>
internal static class PlainMask
{
    private const BindingFlags Own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    /// <summary>0xFF for the bytes of its fields and 0 for its padding; null where it has none.</summary>
    internal static byte[]? Of(Type type)
    {
        byte[] mask = Filled(type);
        return Array.TrueForAll(mask, value => value == 0xFF) ? null : mask;
    }

    /// <summary>The bytes of an unmanaged type.</summary>
    internal static int SizeOf(Type type) => (int)Generic(nameof(Size), type);

    /// <summary>Where a field lies in managed memory.</summary>
    internal static int OffsetOf(Type type, FieldInfo field) => (int)Generic(nameof(Offset), type, field.FieldType, field);

    private static byte[] Filled(Type type)
    {
        byte[] mask = new byte[SizeOf(type)];
        FieldInfo[] fields = type.GetFields(Own);
        // Of a buffer only the first element is a field.
        bool whole = type.IsPrimitive || type.IsEnum || type.IsPointer || type.IsFunctionPointer || fields.Length == 0
            || type.StructLayoutAttribute is { Size: > 0 } || type.IsDefined(typeof(InlineArrayAttribute));
        if (whole)
        {
            mask.AsSpan().Fill(0xFF);
            return mask;
        }
        foreach (FieldInfo field in fields)
        {
            byte[] inner = Filled(field.FieldType);
            int offset = OffsetOf(type, field);
            for (int index = 0; index < inner.Length; index++)
            {
                mask[offset + index] |= inner[index];
            }
        }
        return mask;
    }

    private static object Generic(string name, Type type) => Generic(name, [type], []);

    private static object Generic(string name, Type type, Type of, FieldInfo field) => Generic(name, [type, of], [field]);

    private static object Generic(string name, Type[] types, object[] arguments)
    {
        // A pointer is no type argument.
        types = Array.ConvertAll(types, type => type.IsPointer || type.IsFunctionPointer ? typeof(nint) : type);
        MethodInfo method = typeof(PlainMask).GetMethod(name, BindingFlags.Static | BindingFlags.NonPublic)!;
        return method.MakeGenericMethod(types).Invoke(null, BindingFlags.DoNotWrapExceptions, null, arguments, null)!;
    }

    private static int Size<T>() => Unsafe.SizeOf<T>();

    /// <summary>Where a field lies in managed memory: where the first byte changes when it is set.</summary>
    private static int Offset<T, TField>(FieldInfo field)
    {
        // Not by `MemoryMarshal.AsBytes`, which takes no `int?`.
        TField ones = default!;
        Bytes(ref ones).Fill(0xFF);
        T value = default!;
        field.SetValueDirect(__makeref(value), ones!);
        return Bytes(ref value).IndexOfAnyExcept((byte)0);
    }

    private static Span<byte> Bytes<T>(ref T value) =>
        MemoryMarshal.CreateSpan(ref Unsafe.As<T, byte>(ref value), Unsafe.SizeOf<T>());
}
