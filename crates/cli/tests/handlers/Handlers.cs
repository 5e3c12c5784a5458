using System;
using System.Text;
using System.Threading;
using Upcall;

/// <summary>Emits, and then throws on the value <c>fail</c>.</summary>
public sealed class Raises : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        emit.Put(obj.Key, obj.Value);
        if (obj.Value.SequenceEqual("fail"u8))
        {
            throw new InvalidOperationException($"will not pass on {obj.KeyText}");
        }
    }
}

/// <summary>Emits, and then dereferences null on the value <c>fail</c>.</summary>
public sealed class Dereferences : IObjectHandler
{
    private readonly string? nothing = null;

    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        emit.Put(obj.Key, obj.Value);
        if (obj.Value.SequenceEqual("fail"u8))
        {
            emit.Put(obj.Key, nothing!.Length);
        }
    }
}

/// <summary>Emits, and then fails on the value <c>7</c>, the first time that it comes.</summary>
public sealed class Seventh : IObjectHandler
{
    private bool failed;

    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        emit.Put(obj.Key, obj.Value);
        if (obj.Value.SequenceEqual("7"u8) && !failed)
        {
            failed = true;
            throw new InvalidOperationException("not the seventh");
        }
    }
}

/// <summary>Emits, and then emits to a pool that nobody declares if the value is <c>fail</c>.</summary>
public sealed class Strays : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        emit.Put(obj.Key, obj.Value);
        if (obj.Value.SequenceEqual("fail"u8))
        {
            emit.Put("/nowhere", obj.Key, obj.Value);
        }
    }
}

/// <summary>Emits, and then emits a key that is not UTF-8 if the value is <c>fail</c>.</summary>
public sealed class BadKey : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        emit.Put(obj.Key, obj.Value);
        if (obj.Value.SequenceEqual("fail"u8))
        {
            emit.Put([(byte)'b', (byte)'a', (byte)'d', (byte)' ', 0xff], obj.Value);
        }
    }
}

/// <summary>
/// Adds one to the number <c>sum</c> of its pool, on condition that it is what was read; of the value <c>fail</c>, that it
/// is what it never is. Says so in its second pool.
/// </summary>
public sealed class Adds : IOpen, IObjectHandler
{
    private PoolId sums;
    private PoolId output;

    /// <inheritdoc/>
    public void OnOpen(OpenContext open)
    {
        sums = open.Pool("/sums");
        output = open.Pool("/out");
    }

    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        emit.Put(output, obj.Key, obj.Value);
        bool there = emit.TryRead(sums, "sum"u8, out Found found);
        ulong sum = there ? BitConverter.ToUInt64(found.Value) : 0;
        ulong version = obj.Value.SequenceEqual("fail"u8) ? 1UL << 40 : there ? found.Version : 0;
        emit.PutIf(sums, "sum"u8, sum + 1, version);
    }
}

/// <summary>Makes 100 objects of 1 MiB.</summary>
public sealed class Floods : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        for (int number = 0; number < 100; number++)
        {
            byte[] key = Encoding.UTF8.GetBytes(number.ToString());
            Reserved record = emit.Reserve(key.Length, 1 << 20);
            key.CopyTo(record.Key);
            record.Value.Fill((byte)'x');
        }
    }
}

/// <summary>Makes an object of 0 bytes and one of 64 MiB.</summary>
public sealed class Sizes : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        emit.Put("empty"u8, default);
        byte[] large = new byte[64 << 20];
        large.AsSpan().Fill((byte)'x');
        emit.Put("large"u8, large);
    }
}

/// <summary>Emits of each value how many bytes of it are an <c>x</c>.</summary>
public sealed class Measures : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit) => emit.Put(obj.Key, (ulong)obj.Value.Count((byte)'x'));
}

/// <summary>Makes a million objects, each with a key of its own.</summary>
public sealed class Keys : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        Span<byte> key = stackalloc byte[16];
        for (int number = 0; number < 1_000_000; number++)
        {
            number.TryFormat(key, out int length);
            emit.Put(key[..length], default);
        }
    }
}

/// <summary>Emits at the end how many objects came.</summary>
public sealed class Counts : IObjectHandler, IFlush
{
    private ulong count;

    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit) => count++;

    /// <inheritdoc/>
    public void OnFlush(Emitter emit) => emit.Put("objects"u8, count);
}

/// <summary>Makes two of one.</summary>
public sealed class Doubles : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        emit.Put(obj.Key, obj.Value);
        emit.Put("more"u8, obj.Value);
    }
}

/// <summary>Prints each value.</summary>
public sealed class Prints : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        Console.WriteLine(Encoding.UTF8.GetString(obj.Value));
    }
}

/// <summary>Says that it has begun, takes its time, and emits.</summary>
public sealed class Slow : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        Console.WriteLine("busy");
        Console.Out.Flush();
        Thread.Sleep(300);
        emit.Put(obj.Key, obj.Value);
    }
}
