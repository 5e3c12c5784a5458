using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>An unmanaged type as the library knows it: its name and its fields, in Rust's words, made once per type.</summary>
internal static unsafe class NativeType<T>
    where T : unmanaged
{
    /// <summary>As checked messages compare it: fields that are structs by their names.</summary>
    internal static readonly Lazy<nint> Compared = new(() => Made(TypeField.Of(typeof(T))));

    /// <summary>As MPI is told it: all numbers, also those of structs inside.</summary>
    internal static readonly Lazy<nint> Flat = new(() => Made(TypeField.Numbers(typeof(T))));

    private static nint Made(IReadOnlyList<TypeField> fields)
    {
        Library.Find();
        Native.Failure* failed = null;
        byte[] name = WellFormed.Bytes(TypeField.NameOf(typeof(T)));
        UpcallMpiElementType* made;
        fixed (byte* of = name)
        {
            made = upcall_mpi_element_type_new(Given.Text(of, name.Length), (nuint)sizeof(T), &failed);
        }
        MpiException.Check(failed);
        foreach (TypeField field in fields)
        {
            byte[] called = WellFormed.Bytes(field.Name), type = WellFormed.Bytes(field.TypeName);
            fixed (byte* first = called, second = type)
            {
                upcall_mpi_element_type_field(
                    made, Given.Text(first, called.Length), Given.Text(second, type.Length), (nuint)field.Offset, (nuint)field.Size,
                    &failed);
            }
            MpiException.Check(failed);
        }
        return (nint)made;
    }
}

/// <summary>One field of a struct.</summary>
/// <param name="Name">Its name, as Rust would write it.</param>
/// <param name="TypeName">That of its type; of an array, of its elements.</param>
/// <param name="Offset">Bytes from the start of the struct.</param>
/// <param name="Size">Its bytes.</param>
internal sealed record TypeField(string Name, string TypeName, int Offset, int Size)
{
    private const BindingFlags Own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    /// <summary>The fields of a struct, in the order of their places; none of a number.</summary>
    internal static List<TypeField> Of(Type type) => FieldsOf(type)
        .Select(field => (Field: field, Offset: PlainMask.OffsetOf(type, field)))
        .OrderBy(at => at.Offset)
        .Select(at =>
        {
            (Type element, _) = ElementOf(at.Field);
            return new TypeField(Snake(at.Field.Name), NameOf(element), at.Offset, PlainMask.SizeOf(at.Field.FieldType));
        })
        .ToList();

    /// <summary>All numbers of a type, in the order of their places.</summary>
    /// <exception cref="MpiException">It has fields that are none.</exception>
    internal static List<TypeField> Numbers(Type type)
    {
        var numbers = new List<TypeField>();
        AddNumbers(type, 0, "value", numbers);
        return numbers;
    }

    /// <summary>What Rust calls a type.</summary>
    internal static string NameOf(Type type) => FormName.Of(type);

    private static void AddNumbers(Type type, int offset, string name, List<TypeField> to)
    {
        if (NumberOf(type) is { } number)
        {
            to.Add(new TypeField(name, number, offset, PlainMask.SizeOf(type)));
            return;
        }
        FieldInfo[] fields = FieldsOf(type);
        if (fields.Length == 0)
        {
            throw new MpiException(MpiError.Usage, $"make a datatype of the fields of a struct: {type} is no number that MPI knows");
        }
        foreach ((FieldInfo field, int at) in fields.Select(field => (field, PlainMask.OffsetOf(type, field))).OrderBy(each => each.Item2))
        {
            (Type element, int count) = ElementOf(field);
            int each = PlainMask.SizeOf(element);
            if (NumberOf(element) is { } of)
            {
                to.Add(new TypeField(Snake(field.Name), of, offset + at, each * count));
                continue;
            }
            for (int index = 0; index < count; index++)
            {
                AddNumbers(element, offset + at + (index * each), Snake(field.Name), to);
            }
        }
    }

    /// <summary>What a field's type is an array of, and how many: one of itself where it is none.</summary>
    private static (Type Element, int Count) ElementOf(FieldInfo field)
    {
        if (field.GetCustomAttribute<FixedBufferAttribute>() is { } buffer)
        {
            return (buffer.ElementType, buffer.Length);
        }
        if (field.FieldType.GetCustomAttribute<InlineArrayAttribute>() is { } array)
        {
            return (field.FieldType.GetFields(Own)[0].FieldType, array.Length);
        }
        return (field.FieldType, 1);
    }

    private static FieldInfo[] FieldsOf(Type type) =>
        type.IsPrimitive || type.IsEnum || type.IsPointer || type.IsFunctionPointer ? [] : type.GetFields(Own);

    /// <summary>The number of MPI's that a type is; null where it is none.</summary>
    private static string? NumberOf(Type type)
    {
        if (type.IsEnum)
        {
            type = Enum.GetUnderlyingType(type);
        }
        if (!type.IsPrimitive)
        {
            return null;
        }
        return FormName.Of(type) switch
        {
            "bool" => "u8",
            "Utf16Char" => "u16",
            "isize" => IntPtr.Size == 8 ? "i64" : "i32",
            "usize" => IntPtr.Size == 8 ? "u64" : "u32",
            string number => number,
        };
    }

    /// <summary><c>SensorId</c>, <c>_sensorId</c> and what the compiler calls the field of a property, as <c>sensor_id</c>.</summary>
    private static string Snake(string name)
    {
        int property = name.IndexOf('>', StringComparison.Ordinal);
        name = name[0] == '<' && property > 0 ? name[1..property] : name.TrimStart('_');
        var snake = new StringBuilder();
        for (int index = 0; index < name.Length; index++)
        {
            bool begins = char.IsUpper(name[index]) && index > 0 && name[index - 1] != '_'
                && (!char.IsUpper(name[index - 1]) || (index + 1 < name.Length && char.IsLower(name[index + 1])));
            snake.Append(begins ? "_" : "").Append(char.ToLowerInvariant(name[index]));
        }
        return snake.ToString();
    }
}
