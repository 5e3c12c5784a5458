using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using Upcall.Native;

namespace Upcall.Mpi;

/// <summary>What MPI calls with two chunks of memory.</summary>
internal abstract unsafe class Combiner
{
    private Exception? thrown;

    /// <summary>Whether it belongs to the class of its operation, and is never released.</summary>
    internal bool IsShared { get; init; }

    /// <summary>What it has thrown last, once.</summary>
    internal Exception? TakeThrown() => Interlocked.Exchange(ref thrown, null);

    /// <summary>Combines some bytes into others.</summary>
    protected abstract void Combine(byte* from, byte* into, nuint bytes);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static int Call(void* context, Slice_u8 from, SliceMut_u8 into)
    {
        var combiner = Unsafe.As<Combiner>(GCHandle.FromIntPtr((nint)context).Target)!;
        try
        {
            combiner.Combine(from.data, into.data, into.len);
            return 0;
        }
        catch (Exception exception)
        {
            combiner.thrown = exception;
            return 1;
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static void Release(void* context) => GCHandle.FromIntPtr((nint)context).Free();
}

/// <summary>The same of values.</summary>
internal abstract unsafe class Combiner<T> : Combiner
{
    /// <summary>Combines two values.</summary>
    internal abstract T Combine(T from, T into);

    /// <summary>Combines values.</summary>
    protected abstract void Combine(ReadOnlySpan<T> from, Span<T> into);

    protected sealed override void Combine(byte* from, byte* into, nuint bytes)
    {
        int count = checked((int)(bytes / (nuint)Plain<T>.Size));
        try
        {
            Combine(
                MemoryMarshal.CreateReadOnlySpan(ref Unsafe.AsRef<T>(from), count),
                MemoryMarshal.CreateSpan(ref Unsafe.AsRef<T>(into), count));
        }
        finally
        {
            // It goes to other ranks, whatever was thrown.
            Plain<T>.Clean(into, bytes);
        }
    }
}

internal sealed class EachCombiner<T>(Func<T, T, T> combine) : Combiner<T>
{
    internal override T Combine(T from, T into) => combine(from, into);

    protected override void Combine(ReadOnlySpan<T> from, Span<T> into)
    {
        // In locals, and of one length, so that the compiler looks at neither for each element.
        Func<T, T, T> function = combine;
        ReadOnlySpan<T> lower = from[..into.Length];
        for (int index = 0; index < into.Length; index++)
        {
            into[index] = function(lower[index], into[index]);
        }
    }
}

internal sealed class SpanCombiner<T>(SpanOperation<T> combine) : Combiner<T>
{
    internal override T Combine(T from, T into)
    {
        combine(new ReadOnlySpan<T>(ref from), new Span<T>(ref into));
        return into;
    }

    protected override void Combine(ReadOnlySpan<T> from, Span<T> into) => combine(from, into);
}
