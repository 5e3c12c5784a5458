using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// A sum of <c>double</c> or <c>float</c> that is exact until it is read: the same bits in whichever order, and in whatever parts,
/// numbers are added.
/// </summary>
/// <remarks>
/// <see cref="Value"/> is the number that is nearest to the sum, as if that had been computed with infinite precision and rounded
/// once. Infinite numbers make it infinite, or NaN where both are among them. Ranks add theirs with
/// <see cref="Communicator.AllreduceExact{T}"/>. It is used by one thread at a time.
/// </remarks>
public sealed unsafe class ExactSum<T> : IDisposable
    where T : unmanaged
{
    private UpcallMpiExactSum* native;

    /// <summary>One of nothing: 0.</summary>
    /// <exception cref="NotSupportedException">The type is neither <c>double</c> nor <c>float</c>.</exception>
    public ExactSum()
    {
        if (typeof(T) != typeof(double) && typeof(T) != typeof(float))
        {
            GC.SuppressFinalize(this);
            throw new NotSupportedException($"sum {typeof(T)} exactly: the numbers are double or float");
        }
        Library.Find();
        Native.Failure* failed = null;
        native = upcall_mpi_exact_sum_new(typeof(T) == typeof(double) ? UpcallMpiReal.Double : UpcallMpiReal.Single, &failed);
        MpiException.Check(failed);
    }

    /// <summary>Releases it.</summary>
    ~ExactSum() => Release();

    /// <summary>The number that is nearest to the sum; of two that are as near, the even one.</summary>
    /// <exception cref="ObjectDisposedException">It has been disposed.</exception>
    public T Value
    {
        get
        {
            double value = upcall_mpi_exact_sum_value(Handle, null);
            GC.KeepAlive(this);
            return typeof(T) == typeof(double) ? (T)(object)value : (T)(object)(float)value;
        }
    }

    internal UpcallMpiExactSum* Handle => native != null ? native : throw new ObjectDisposedException(nameof(ExactSum<T>));

    /// <summary>Adds a number.</summary>
    /// <exception cref="ObjectDisposedException">It has been disposed.</exception>
    public void Add(T number) => Add(new ReadOnlySpan<T>(ref number));

    /// <summary>Adds numbers.</summary>
    /// <exception cref="ObjectDisposedException">It has been disposed.</exception>
    public void Add(ReadOnlySpan<T> numbers)
    {
        Native.Failure* failed = null;
        fixed (T* at = numbers)
        {
            Slice_u8 bytes = new() { data = (byte*)at, len = (nuint)numbers.Length * (nuint)sizeof(T) };
            upcall_mpi_exact_sum_add_all(Handle, bytes, &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Adds what another has.</summary>
    /// <exception cref="ObjectDisposedException">One of them has been disposed.</exception>
    public void Merge(ExactSum<T> other)
    {
        ArgumentNullException.ThrowIfNull(other);
        if (ReferenceEquals(this, other))
        {
            throw new MpiException(MpiError.Usage, "merge an exact sum with itself: make another");
        }
        Native.Failure* failed = null;
        upcall_mpi_exact_sum_merge(Handle, other.Handle, &failed);
        GC.KeepAlive(this);
        GC.KeepAlive(other);
        MpiException.Check(failed);
    }

    /// <summary>Releases it.</summary>
    public void Dispose()
    {
        Release();
        GC.SuppressFinalize(this);
    }

    private void Release()
    {
        if (native != null)
        {
            upcall_mpi_exact_sum_release(native);
            native = null;
        }
    }
}
