using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Upcall.Abi;

namespace Upcall.Probes;

/// <summary>Does nothing: what a call of <see cref="IObjectHandler.OnObject"/> costs.</summary>
/// <remarks>The classes here are what `upcall bench boundary` measures.</remarks>
public sealed class Empty : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
    }
}

/// <summary>Looks at key and value.</summary>
public sealed class Reading : IObjectHandler
{
    private long seen;

    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit) => seen += Look.At(obj);
}

/// <summary>Looks at key and value, and emits the key with 16 bytes.</summary>
public sealed class Emitting : IObjectHandler
{
    private long seen;

    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        seen += Look.At(obj);
        emit.Put(obj.Key, obj.Value[..16]);
    }
}

/// <summary>Looks at key and value of each object of a batch.</summary>
public sealed class BatchReading : IBatchHandler
{
    private long seen;

    /// <inheritdoc/>
    public void OnBatch(Batch batch, Emitter emit)
    {
        long seen = 0;
        foreach (FlowObject obj in batch)
        {
            seen += Look.At(obj);
        }
        this.seen += seen;
    }
}

/// <summary>Emits how many bytes the worker's thread has allocated so far, as 8 bytes.</summary>
public sealed class Allocated : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit) => emit.Put(obj.Key, GC.GetAllocatedBytesForCurrentThread());
}

/// <summary>
/// Emits the address of a method with an entry's signature that does nothing, as 8 bytes: what a call into .NET costs before
/// anything of ours runs.
/// </summary>
public sealed unsafe class Bare : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        delegate* unmanaged[Cdecl]<void*, FrameHead*, Status> call = &Call;
        emit.Put(obj.Key, (ulong)call);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Call(void* state, FrameHead* frame) => Status.Ok;
}

/// <summary>Adds the first array to the second.</summary>
public sealed class Combining : ICombine<double>
{
    /// <inheritdoc/>
    public bool Commutative => true;

    /// <inheritdoc/>
    public void Combine(ReadOnlySpan<double> from, Span<double> into)
    {
        if (from.Length < 4 * Vector<double>.Count)
        {
            into = into[..from.Length];
            for (int index = 0; index < into.Length; index++)
            {
                into[index] += from[index];
            }
            return;
        }
        Wide(from, into);
    }

    // A method of its own: one that uses the widest registers has to clear them, which a single element would pay for.
    private static void Wide(ReadOnlySpan<double> from, Span<double> into)
    {
        ref double source = ref MemoryMarshal.GetReference(from);
        ref double target = ref MemoryMarshal.GetReference(into);
        nuint length = (nuint)Math.Min(from.Length, into.Length);
        nuint width = (nuint)Vector<double>.Count;
        nuint at = 0;
        // Four at a time, as a loop's own instructions would be half of them.
        for (; at + 4 * width <= length; at += 4 * width)
        {
            Add(ref source, ref target, at);
            Add(ref source, ref target, at + width);
            Add(ref source, ref target, at + 2 * width);
            Add(ref source, ref target, at + 3 * width);
        }
        for (; at < length; at++)
        {
            Unsafe.Add(ref target, at) += Unsafe.Add(ref source, at);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Add(ref double source, ref double target, nuint at) =>
        (Vector.LoadUnsafe(ref target, at) + Vector.LoadUnsafe(ref source, at)).StoreUnsafe(ref target, at);
}

internal static class Look
{
    /// <summary>Length and first byte of key and value, so that both are really read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static long At(FlowObject obj)
    {
        ReadOnlySpan<byte> key = obj.Key;
        ReadOnlySpan<byte> value = obj.Value;
        return key.Length + key[0] + value.Length + value[0];
    }
}
