using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Upcall.Mpi;

/// <summary>How values of a type that holds references become bytes and back: found once, when the type is first used.</summary>
/// <remarks>
/// An array of unmanaged values is its memory, as the elements themselves travel. Text has pack's form, as Rust's objects have,
/// and so has what <c>upcall bindgen</c> writes. Other arrays are their elements, each behind its length. All else is the
/// serializer's.
/// </remarks>
internal abstract class MpiForm<T>
{
    /// <summary>The one of this type.</summary>
    internal static readonly MpiForm<T> It = Find();

    internal abstract void Write(T value, IBufferWriter<byte> to, Serializer? serializer);

    internal abstract T Read(ReadOnlySpan<byte> bytes, Serializer? serializer);

    private static MpiForm<T> Find()
    {
        Type type = typeof(T);
        if (Plain<T>.Is)
        {
            return new PlainValue();
        }
        if (type == typeof(string))
        {
            return (MpiForm<T>)(object)new TextForm();
        }
        if (type.IsSZArray)
        {
            Type element = type.GetElementType()!;
            MethodInfo of = typeof(ArrayForms).GetMethod(nameof(ArrayForms.Of), BindingFlags.Static | BindingFlags.NonPublic)!;
            return (MpiForm<T>)of.MakeGenericMethod(element).Invoke(null, null)!;
        }
        return Packed.Find() ?? (MpiForm<T>)new Serialized();
    }

    /// <summary>A value that is memory.</summary>
    private sealed class PlainValue : MpiForm<T>
    {
        internal override void Write(T value, IBufferWriter<byte> to, Serializer? serializer)
        {
            var bytes = new Outgoing<T>(new ReadOnlySpan<T>(ref value));
            to.Write(MemoryMarshal.CreateReadOnlySpan(ref bytes.First, (int)bytes.Length));
            bytes.Dispose();
        }

        internal override T Read(ReadOnlySpan<byte> bytes, Serializer? serializer) => bytes.Length == Plain<T>.Size
            ? Unsafe.ReadUnaligned<T>(ref MemoryMarshal.GetReference(bytes))
            : throw Wrong(bytes.Length, $"which has {Plain<T>.Size}");
    }

    /// <summary>A value that has packers of its own.</summary>
    private sealed class Packed(Packed.Packer pack, Packed.Unpacker unpack) : MpiForm<T>
    {
        internal delegate T Unpacker(ReadOnlySpan<byte> bytes);

        internal delegate void Packer(T value, IBufferWriter<byte> to);

        internal static new MpiForm<T>? Find()
        {
            var pack = Bind<Packer>("Pack", typeof(void), typeof(T), typeof(IBufferWriter<byte>));
            var unpack = Bind<Unpacker>("Unpack", typeof(T), typeof(ReadOnlySpan<byte>));
            return pack != null && unpack != null ? new Packed(pack, unpack) : null;
        }

        internal override void Write(T value, IBufferWriter<byte> to, Serializer? serializer) => pack(value, to);

        internal override T Read(ReadOnlySpan<byte> bytes, Serializer? serializer) => unpack(bytes);

        private static TDelegate? Bind<TDelegate>(string name, Type returns, params Type[] parameters)
            where TDelegate : Delegate
        {
            const BindingFlags Any = BindingFlags.Static | BindingFlags.Public | BindingFlags.DeclaredOnly;
            MethodInfo? method = typeof(T).GetMethod(name, Any, parameters);
            return method?.ReturnType == returns ? method.CreateDelegate<TDelegate>() : null;
        }
    }

    /// <summary>A value of which a serializer knows the form.</summary>
    private sealed class Serialized : MpiForm<T>
    {
        internal override void Write(T value, IBufferWriter<byte> to, Serializer? serializer) => Known(serializer).Write(value, to);

        internal override T Read(ReadOnlySpan<byte> bytes, Serializer? serializer) => Known(serializer).Read<T>(bytes);

        private static Serializer Known(Serializer? serializer) => serializer ?? throw new MpiException(
            MpiError.Type,
            $"send or receive a {typeof(T)}: it has no form of its own; let `upcall bindgen` write it, or set the communicator's "
            + "Serializer, as to new JsonSerializerOptions()");
    }

    private protected static MpiException Wrong(int bytes, string why) => new(
        MpiError.Type, $"receive a {typeof(T)}, {why}: the message has {bytes} bytes");
}

/// <summary>Text in pack's form: the complement of its bytes, its length in UTF-16, and the bytes in UTF-8.</summary>
internal sealed class TextForm : MpiForm<string?>
{
    private const int Head = 8;

    internal override void Write(string? value, IBufferWriter<byte> to, Serializer? serializer)
    {
        if (value == null)
        {
            BinaryPrimitives.WriteInt32LittleEndian(to.GetSpan(4), -1);
            to.Advance(4);
            return;
        }
        if (value.Length == 0)
        {
            BinaryPrimitives.WriteInt32LittleEndian(to.GetSpan(4), 0);
            to.Advance(4);
            return;
        }
        byte[] bytes = WellFormed.Bytes(value);
        Span<byte> head = to.GetSpan(Head);
        BinaryPrimitives.WriteInt32LittleEndian(head, ~bytes.Length);
        BinaryPrimitives.WriteInt32LittleEndian(head[4..], value.Length);
        to.Advance(Head);
        to.Write(bytes);
    }

    internal override string? Read(ReadOnlySpan<byte> bytes, Serializer? serializer)
    {
        if (bytes.Length < 4)
        {
            throw Wrong(bytes.Length, "which begins with 4");
        }
        int head = BinaryPrimitives.ReadInt32LittleEndian(bytes);
        if (head >= -1)
        {
            return head switch
            {
                -1 when bytes.Length == 4 => null,
                >= 0 when bytes.Length == 4 + (2L * head) => new string(MemoryMarshal.Cast<byte, char>(bytes[4..])),
                _ => throw Wrong(bytes.Length, "which says that it has others"),
            };
        }
        if (bytes.Length != Head + (long)~head)
        {
            throw Wrong(bytes.Length, "which says that it has others");
        }
        try
        {
            return FormName.Utf8.GetString(bytes[Head..]);
        }
        catch (DecoderFallbackException exception)
        {
            throw new MpiException(MpiError.Type, $"receive a text: it is not UTF-8 at byte {exception.Index}", exception);
        }
    }
}

internal static class ArrayForms
{
    internal static MpiForm<TElement[]> Of<TElement>() => Plain<TElement>.Is ? new PlainArray<TElement>() : new Elements<TElement>();
}

/// <summary>An array of values that are memory.</summary>
internal sealed class PlainArray<T> : MpiForm<T[]>
{
    internal override void Write(T[] value, IBufferWriter<byte> to, Serializer? serializer)
    {
        // It would be sent as one without elements.
        ArgumentNullException.ThrowIfNull(value);
        var bytes = new Outgoing<T>(value);
        to.Write(MemoryMarshal.CreateReadOnlySpan(ref bytes.First, checked((int)bytes.Length)));
        bytes.Dispose();
    }

    internal override T[] Read(ReadOnlySpan<byte> bytes, Serializer? serializer)
    {
        if (bytes.Length % Plain<T>.Size != 0)
        {
            throw Wrong(bytes.Length, $"whose elements have {Plain<T>.Size}");
        }
        T[] values = GC.AllocateUninitializedArray<T>(bytes.Length / Plain<T>.Size);
        bytes.CopyTo(MemoryMarshal.CreateSpan(
            ref Unsafe.As<T, byte>(ref MemoryMarshal.GetArrayDataReference(values)), bytes.Length));
        return values;
    }
}

/// <summary>An array of other values: how many there are, and each behind its length; -1 for none.</summary>
internal sealed class Elements<T> : MpiForm<T[]>
{
    internal override void Write(T[] value, IBufferWriter<byte> to, Serializer? serializer)
    {
        Number(value?.Length ?? -1, to);
        var element = new ArrayBufferWriter<byte>();
        foreach (T one in value ?? [])
        {
            MpiForm<T>.It.Write(one, element, serializer);
            Number(element.WrittenCount, to);
            to.Write(element.WrittenSpan);
            element.ResetWrittenCount();
        }
    }

    internal override T[] Read(ReadOnlySpan<byte> bytes, Serializer? serializer)
    {
        int whole = bytes.Length;
        int count = Number(ref bytes, whole);
        // Each has a length of 4 bytes: nothing is made for a count that the bytes cannot hold.
        if (count > bytes.Length / 4)
        {
            throw Wrong(whole, "which says that it has more elements");
        }
        if (count < 0)
        {
            return null!;
        }
        var values = new T[count];
        for (int index = 0; index < count; index++)
        {
            int length = Number(ref bytes, whole);
            if (length < 0 || length > bytes.Length)
            {
                throw Wrong(whole, $"whose element {index} ends behind them");
            }
            values[index] = MpiForm<T>.It.Read(bytes[..length], serializer);
            bytes = bytes[length..];
        }
        return values;
    }

    private static void Number(int number, IBufferWriter<byte> to)
    {
        BinaryPrimitives.WriteInt32LittleEndian(to.GetSpan(4), number);
        to.Advance(4);
    }

    private static int Number(ref ReadOnlySpan<byte> bytes, int whole)
    {
        if (!BinaryPrimitives.TryReadInt32LittleEndian(bytes, out int number))
        {
            throw Wrong(whole, "which ends behind them");
        }
        bytes = bytes[4..];
        return number;
    }
}
