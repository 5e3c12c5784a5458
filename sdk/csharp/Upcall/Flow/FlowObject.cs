using System;
using System.IO;
using System.Runtime.CompilerServices;
using System.Text;
using Upcall.Abi;

namespace Upcall;

/// <summary>One object: a view that ends with the call. To keep its bytes, copy them.</summary>
public readonly unsafe ref struct FlowObject
{
    // Two words, so that it is passed in registers.
    private readonly Item* item;
    private readonly Session session;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal FlowObject(Item* item, Session session)
    {
        this.item = item;
        this.session = session;
    }

    /// <summary>The key: UTF-8 bytes.</summary>
    public ReadOnlySpan<byte> Key
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            // Read first: read between the item's fields, it costs a handler of single objects a tenth more.
            ulong origin = session.Origin;
            return item->Key.Bytes(origin);
        }
    }

    /// <summary>The value.</summary>
    public ReadOnlySpan<byte> Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            ulong origin = session.Origin;
            return item->Value.Bytes(origin);
        }
    }

    /// <summary>The key as a new string; comparing <see cref="Key"/> with <c>"..."u8</c> costs nothing.</summary>
    public string KeyText => Encoding.UTF8.GetString(Key);

    /// <summary>The value as a new string, read as UTF-8.</summary>
    public string ValueText => Encoding.UTF8.GetString(Value);

    /// <summary>Strictly increasing per key, unique per pool; 0 for the sample of a flow file's <c>warm</c>.</summary>
    public ulong Version => item->Version;

    /// <summary>Nanoseconds since the Unix epoch, never backward within a pool.</summary>
    public ulong Time => item->Time;

    /// <summary>The pool it was put into.</summary>
    public PoolId Pool => new(item->Pool);

    /// <summary>The path of <see cref="Pool"/>.</summary>
    public string PoolPath => session.PathOf(item->Pool);

    /// <summary>Who put it: an index into <see cref="OpenContext.Senders"/>.</summary>
    public uint Sender => item->Sender;

    /// <summary>The name of <see cref="Sender"/>.</summary>
    public string SenderName => session.NameOf(item->Sender);

    /// <summary>
    /// The value as a <typeparamref name="T"/>, which may be what a <see cref="FlowHandler{TIn, TOut}"/> takes.
    /// </summary>
    /// <exception cref="InvalidDataException">The bytes are not a value of that type.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T ValueAs<T>()
        where T : notnull => !RuntimeHelpers.IsReferenceOrContainsReferences<T>() && Form<T>.Raw
            ? Unsafe.ReadUnaligned<T>(Place(Unsafe.SizeOf<T>(), typeof(T)))
            : Form<T>.Read(this);

    /// <summary>The address of the value, which must have this size.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal byte* Place(int size, Type type)
    {
        if (item->Value.Len != (ulong)size)
        {
            ThrowSize(type, size);
        }
        return (byte*)(session.Origin + item->Value.Offset);
    }

    private void ThrowSize(Type type, int size) => throw new InvalidDataException(
        $"read the value of {KeyText} as {type.Name}: it has {item->Value.Len} bytes, not {size}");
}
