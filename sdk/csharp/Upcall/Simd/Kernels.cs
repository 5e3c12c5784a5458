using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Upcall.Simd.Native;

namespace Upcall.Simd;

// The SDK has a Failure of its own.
using Failure = Upcall.Simd.Native.Failure;

/// <summary>The functions of libupcall, chosen by the type of the elements.</summary>
/// <remarks>
/// Once compiled, a method is the one call of its type: the JIT drops the others. Numbers that libupcall has no
/// kernels for (decimal, Half, nint, Int128, char) go to <see cref="Plain"/>.
/// </remarks>
internal static unsafe class Kernels
{
    static Kernels() => Library.Find();

    /// <summary>The sum; OverflowException if the type cannot hold it.</summary>
    internal static T Sum<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            nuint n = (nuint)values.Length;
            Failure* failed = null;
            T found =
                typeof(T) == typeof(sbyte)
                    ? To<sbyte, T>(NativeMethods.upcall_checked_sum_i8(new() { data = (sbyte*)a, len = n }, &failed)) :
                typeof(T) == typeof(short)
                    ? To<short, T>(NativeMethods.upcall_checked_sum_i16(new() { data = (short*)a, len = n }, &failed)) :
                typeof(T) == typeof(int)
                    ? To<int, T>(NativeMethods.upcall_checked_sum_i32(new() { data = (int*)a, len = n }, &failed)) :
                typeof(T) == typeof(long)
                    ? To<long, T>(NativeMethods.upcall_checked_sum_i64(new() { data = (long*)a, len = n }, &failed)) :
                typeof(T) == typeof(byte)
                    ? To<byte, T>(NativeMethods.upcall_checked_sum_u8(new() { data = (byte*)a, len = n }, &failed)) :
                typeof(T) == typeof(ushort)
                    ? To<ushort, T>(NativeMethods.upcall_checked_sum_u16(new() { data = (ushort*)a, len = n }, &failed)) :
                typeof(T) == typeof(uint)
                    ? To<uint, T>(NativeMethods.upcall_checked_sum_u32(new() { data = (uint*)a, len = n }, &failed)) :
                typeof(T) == typeof(ulong)
                    ? To<ulong, T>(NativeMethods.upcall_checked_sum_u64(new() { data = (ulong*)a, len = n }, &failed)) :
                typeof(T) == typeof(float)
                    ? To<float, T>(NativeMethods.upcall_checked_sum_f32(new() { data = (float*)a, len = n }, &failed)) :
                typeof(T) == typeof(double)
                    ? To<double, T>(NativeMethods.upcall_checked_sum_f64(new() { data = (double*)a, len = n }, &failed)) :
                Plain.Sum(values);
            Check(failed);
            return found;
        }
    }

    /// <summary>The sum. Integers wrap; floats are added in lanes.</summary>
    internal static T SumWrapping<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            nuint n = (nuint)values.Length;
            Failure* failed = null;
            T found =
                typeof(T) == typeof(sbyte)
                    ? To<sbyte, T>(NativeMethods.upcall_sum_i8(new() { data = (sbyte*)a, len = n }, &failed)) :
                typeof(T) == typeof(short)
                    ? To<short, T>(NativeMethods.upcall_sum_i16(new() { data = (short*)a, len = n }, &failed)) :
                typeof(T) == typeof(int)
                    ? To<int, T>(NativeMethods.upcall_sum_i32(new() { data = (int*)a, len = n }, &failed)) :
                typeof(T) == typeof(long)
                    ? To<long, T>(NativeMethods.upcall_sum_i64(new() { data = (long*)a, len = n }, &failed)) :
                typeof(T) == typeof(byte)
                    ? To<byte, T>(NativeMethods.upcall_sum_u8(new() { data = (byte*)a, len = n }, &failed)) :
                typeof(T) == typeof(ushort)
                    ? To<ushort, T>(NativeMethods.upcall_sum_u16(new() { data = (ushort*)a, len = n }, &failed)) :
                typeof(T) == typeof(uint)
                    ? To<uint, T>(NativeMethods.upcall_sum_u32(new() { data = (uint*)a, len = n }, &failed)) :
                typeof(T) == typeof(ulong)
                    ? To<ulong, T>(NativeMethods.upcall_sum_u64(new() { data = (ulong*)a, len = n }, &failed)) :
                typeof(T) == typeof(float)
                    ? To<float, T>(NativeMethods.upcall_sum_f32(new() { data = (float*)a, len = n }, &failed)) :
                typeof(T) == typeof(double)
                    ? To<double, T>(NativeMethods.upcall_sum_f64(new() { data = (double*)a, len = n }, &failed)) :
                Plain.SumWrapping(values);
            Check(failed);
            return found;
        }
    }

    /// <summary>The sum in 64 bits: long, ulong or double, as <typeparamref name="TLong"/> is.</summary>
    internal static TLong SumLong<T, TLong>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
        where TLong : unmanaged
    {
        fixed (T* a = values)
        {
            nuint n = (nuint)values.Length;
            Failure* failed = null;
            TLong found =
                typeof(T) == typeof(sbyte)
                    ? To<long, TLong>(NativeMethods.upcall_sum_long_i8(new() { data = (sbyte*)a, len = n }, &failed)) :
                typeof(T) == typeof(short)
                    ? To<long, TLong>(NativeMethods.upcall_sum_long_i16(new() { data = (short*)a, len = n }, &failed)) :
                typeof(T) == typeof(int)
                    ? To<long, TLong>(NativeMethods.upcall_sum_long_i32(new() { data = (int*)a, len = n }, &failed)) :
                typeof(T) == typeof(long)
                    ? To<long, TLong>(NativeMethods.upcall_sum_long_i64(new() { data = (long*)a, len = n }, &failed)) :
                typeof(T) == typeof(byte)
                    ? To<ulong, TLong>(NativeMethods.upcall_sum_long_u8(new() { data = (byte*)a, len = n }, &failed)) :
                typeof(T) == typeof(ushort)
                    ? To<ulong, TLong>(NativeMethods.upcall_sum_long_u16(new() { data = (ushort*)a, len = n }, &failed)) :
                typeof(T) == typeof(uint)
                    ? To<ulong, TLong>(NativeMethods.upcall_sum_long_u32(new() { data = (uint*)a, len = n }, &failed)) :
                typeof(T) == typeof(ulong)
                    ? To<ulong, TLong>(NativeMethods.upcall_sum_long_u64(new() { data = (ulong*)a, len = n }, &failed)) :
                typeof(T) == typeof(float)
                    ? To<double, TLong>(NativeMethods.upcall_sum_long_f32(new() { data = (float*)a, len = n }, &failed)) :
                typeof(T) == typeof(double)
                    ? To<double, TLong>(NativeMethods.upcall_sum_long_f64(new() { data = (double*)a, len = n }, &failed)) :
                throw new NotSupportedException(typeof(T).Name);
            Check(failed);
            return found;
        }
    }

    /// <summary>The arithmetic mean.</summary>
    internal static double Mean<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            nuint n = (nuint)values.Length;
            Failure* failed = null;
            double found =
                typeof(T) == typeof(sbyte)
                    ? NativeMethods.upcall_mean_i8(new() { data = (sbyte*)a, len = n }, &failed) :
                typeof(T) == typeof(short)
                    ? NativeMethods.upcall_mean_i16(new() { data = (short*)a, len = n }, &failed) :
                typeof(T) == typeof(int) ? NativeMethods.upcall_mean_i32(new() { data = (int*)a, len = n }, &failed) :
                typeof(T) == typeof(long) ? NativeMethods.upcall_mean_i64(new() { data = (long*)a, len = n }, &failed) :
                typeof(T) == typeof(byte) ? NativeMethods.upcall_mean_u8(new() { data = (byte*)a, len = n }, &failed) :
                typeof(T) == typeof(ushort)
                    ? NativeMethods.upcall_mean_u16(new() { data = (ushort*)a, len = n }, &failed) :
                typeof(T) == typeof(uint) ? NativeMethods.upcall_mean_u32(new() { data = (uint*)a, len = n }, &failed) :
                typeof(T) == typeof(ulong)
                    ? NativeMethods.upcall_mean_u64(new() { data = (ulong*)a, len = n }, &failed) :
                typeof(T) == typeof(float)
                    ? NativeMethods.upcall_mean_f32(new() { data = (float*)a, len = n }, &failed) :
                typeof(T) == typeof(double)
                    ? NativeMethods.upcall_mean_f64(new() { data = (double*)a, len = n }, &failed) :
                Plain.Mean(values);
            Check(failed);
            return found;
        }
    }

    /// <summary>The least value; NaN if there is one.</summary>
    internal static T Min<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            nuint n = (nuint)values.Length;
            Failure* failed = null;
            T found =
                typeof(T) == typeof(sbyte)
                    ? To<sbyte, T>(NativeMethods.upcall_min_i8(new() { data = (sbyte*)a, len = n }, &failed)) :
                typeof(T) == typeof(short)
                    ? To<short, T>(NativeMethods.upcall_min_i16(new() { data = (short*)a, len = n }, &failed)) :
                typeof(T) == typeof(int)
                    ? To<int, T>(NativeMethods.upcall_min_i32(new() { data = (int*)a, len = n }, &failed)) :
                typeof(T) == typeof(long)
                    ? To<long, T>(NativeMethods.upcall_min_i64(new() { data = (long*)a, len = n }, &failed)) :
                typeof(T) == typeof(byte)
                    ? To<byte, T>(NativeMethods.upcall_min_u8(new() { data = (byte*)a, len = n }, &failed)) :
                typeof(T) == typeof(ushort)
                    ? To<ushort, T>(NativeMethods.upcall_min_u16(new() { data = (ushort*)a, len = n }, &failed)) :
                typeof(T) == typeof(uint)
                    ? To<uint, T>(NativeMethods.upcall_min_u32(new() { data = (uint*)a, len = n }, &failed)) :
                typeof(T) == typeof(ulong)
                    ? To<ulong, T>(NativeMethods.upcall_min_u64(new() { data = (ulong*)a, len = n }, &failed)) :
                typeof(T) == typeof(float)
                    ? To<float, T>(NativeMethods.upcall_min_f32(new() { data = (float*)a, len = n }, &failed)) :
                typeof(T) == typeof(double)
                    ? To<double, T>(NativeMethods.upcall_min_f64(new() { data = (double*)a, len = n }, &failed)) :
                Plain.Min(values);
            Check(failed);
            return found;
        }
    }

    /// <summary>The greatest number; NaN if all are.</summary>
    internal static T Max<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            nuint n = (nuint)values.Length;
            Failure* failed = null;
            T found =
                typeof(T) == typeof(sbyte)
                    ? To<sbyte, T>(NativeMethods.upcall_max_number_i8(new() { data = (sbyte*)a, len = n }, &failed)) :
                typeof(T) == typeof(short)
                    ? To<short, T>(NativeMethods.upcall_max_number_i16(new() { data = (short*)a, len = n }, &failed)) :
                typeof(T) == typeof(int)
                    ? To<int, T>(NativeMethods.upcall_max_number_i32(new() { data = (int*)a, len = n }, &failed)) :
                typeof(T) == typeof(long)
                    ? To<long, T>(NativeMethods.upcall_max_number_i64(new() { data = (long*)a, len = n }, &failed)) :
                typeof(T) == typeof(byte)
                    ? To<byte, T>(NativeMethods.upcall_max_number_u8(new() { data = (byte*)a, len = n }, &failed)) :
                typeof(T) == typeof(ushort)
                    ? To<ushort, T>(NativeMethods.upcall_max_number_u16(new() { data = (ushort*)a, len = n }, &failed)) :
                typeof(T) == typeof(uint)
                    ? To<uint, T>(NativeMethods.upcall_max_number_u32(new() { data = (uint*)a, len = n }, &failed)) :
                typeof(T) == typeof(ulong)
                    ? To<ulong, T>(NativeMethods.upcall_max_number_u64(new() { data = (ulong*)a, len = n }, &failed)) :
                typeof(T) == typeof(float)
                    ? To<float, T>(NativeMethods.upcall_max_number_f32(new() { data = (float*)a, len = n }, &failed)) :
                typeof(T) == typeof(double)
                    ? To<double, T>(NativeMethods.upcall_max_number_f64(new() { data = (double*)a, len = n }, &failed)) :
                Plain.Max(values);
            Check(failed);
            return found;
        }
    }

    /// <summary>Both; NaN if there is one.</summary>
    internal static Ends<T> MinMax<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            nuint n = (nuint)values.Length;
            Failure* failed = null;
            Ends<T> found =
                typeof(T) == typeof(sbyte)
                    ? To<EndsI8, Ends<T>>(NativeMethods.upcall_min_max_i8(new() { data = (sbyte*)a, len = n }, &failed)) :
                typeof(T) == typeof(short)
                    ? To<EndsI16, Ends<T>>(NativeMethods.upcall_min_max_i16(new() { data = (short*)a, len = n }, &failed)) :
                typeof(T) == typeof(int)
                    ? To<EndsI32, Ends<T>>(NativeMethods.upcall_min_max_i32(new() { data = (int*)a, len = n }, &failed)) :
                typeof(T) == typeof(long)
                    ? To<EndsI64, Ends<T>>(NativeMethods.upcall_min_max_i64(new() { data = (long*)a, len = n }, &failed)) :
                typeof(T) == typeof(byte)
                    ? To<EndsU8, Ends<T>>(NativeMethods.upcall_min_max_u8(new() { data = (byte*)a, len = n }, &failed)) :
                typeof(T) == typeof(ushort)
                    ? To<EndsU16, Ends<T>>(NativeMethods.upcall_min_max_u16(new() { data = (ushort*)a, len = n }, &failed)) :
                typeof(T) == typeof(uint)
                    ? To<EndsU32, Ends<T>>(NativeMethods.upcall_min_max_u32(new() { data = (uint*)a, len = n }, &failed)) :
                typeof(T) == typeof(ulong)
                    ? To<EndsU64, Ends<T>>(NativeMethods.upcall_min_max_u64(new() { data = (ulong*)a, len = n }, &failed)) :
                typeof(T) == typeof(float)
                    ? To<EndsF32, Ends<T>>(NativeMethods.upcall_min_max_f32(new() { data = (float*)a, len = n }, &failed)) :
                typeof(T) == typeof(double)
                    ? To<EndsF64, Ends<T>>(NativeMethods.upcall_min_max_f64(new() { data = (double*)a, len = n }, &failed)) :
                new Ends<T> { Min = Plain.Min(values), Max = Plain.Max(values) };
            Check(failed);
            return found;
        }
    }

    /// <summary>The index of the first that is equal; -1 if none is. NaN equals nothing.</summary>
    internal static int IndexOf<T>(ReadOnlySpan<T> values, T wanted)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            nuint n = (nuint)values.Length;
            Failure* failed = null;
            int found =
                typeof(T) == typeof(sbyte)
                    ? (int)NativeMethods.upcall_index_of_i8(new() { data = (sbyte*)a, len = n }, To<T, sbyte>(wanted), &failed) :
                typeof(T) == typeof(short)
                    ? (int)NativeMethods.upcall_index_of_i16(new() { data = (short*)a, len = n }, To<T, short>(wanted), &failed) :
                typeof(T) == typeof(int)
                    ? (int)NativeMethods.upcall_index_of_i32(new() { data = (int*)a, len = n }, To<T, int>(wanted), &failed) :
                typeof(T) == typeof(long)
                    ? (int)NativeMethods.upcall_index_of_i64(new() { data = (long*)a, len = n }, To<T, long>(wanted), &failed) :
                typeof(T) == typeof(byte)
                    ? (int)NativeMethods.upcall_index_of_u8(new() { data = (byte*)a, len = n }, To<T, byte>(wanted), &failed) :
                typeof(T) == typeof(ushort)
                    ? (int)NativeMethods.upcall_index_of_u16(new() { data = (ushort*)a, len = n }, To<T, ushort>(wanted), &failed) :
                typeof(T) == typeof(uint)
                    ? (int)NativeMethods.upcall_index_of_u32(new() { data = (uint*)a, len = n }, To<T, uint>(wanted), &failed) :
                typeof(T) == typeof(ulong)
                    ? (int)NativeMethods.upcall_index_of_u64(new() { data = (ulong*)a, len = n }, To<T, ulong>(wanted), &failed) :
                typeof(T) == typeof(float)
                    ? (int)NativeMethods.upcall_index_of_f32(new() { data = (float*)a, len = n }, To<T, float>(wanted), &failed) :
                typeof(T) == typeof(double)
                    ? (int)NativeMethods.upcall_index_of_f64(new() { data = (double*)a, len = n }, To<T, double>(wanted), &failed) :
                MemoryExtensions.IndexOf(values, wanted);
            Check(failed);
            return found;
        }
    }

    /// <summary>How many are equal. NaN equals nothing.</summary>
    internal static int Count<T>(ReadOnlySpan<T> values, T wanted)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            nuint n = (nuint)values.Length;
            Failure* failed = null;
            int found =
                typeof(T) == typeof(sbyte)
                    ? (int)NativeMethods.upcall_count_equal_i8(new() { data = (sbyte*)a, len = n }, To<T, sbyte>(wanted), &failed) :
                typeof(T) == typeof(short)
                    ? (int)NativeMethods.upcall_count_equal_i16(new() { data = (short*)a, len = n }, To<T, short>(wanted), &failed) :
                typeof(T) == typeof(int)
                    ? (int)NativeMethods.upcall_count_equal_i32(new() { data = (int*)a, len = n }, To<T, int>(wanted), &failed) :
                typeof(T) == typeof(long)
                    ? (int)NativeMethods.upcall_count_equal_i64(new() { data = (long*)a, len = n }, To<T, long>(wanted), &failed) :
                typeof(T) == typeof(byte)
                    ? (int)NativeMethods.upcall_count_equal_u8(new() { data = (byte*)a, len = n }, To<T, byte>(wanted), &failed) :
                typeof(T) == typeof(ushort)
                    ? (int)NativeMethods.upcall_count_equal_u16(new() { data = (ushort*)a, len = n }, To<T, ushort>(wanted), &failed) :
                typeof(T) == typeof(uint)
                    ? (int)NativeMethods.upcall_count_equal_u32(new() { data = (uint*)a, len = n }, To<T, uint>(wanted), &failed) :
                typeof(T) == typeof(ulong)
                    ? (int)NativeMethods.upcall_count_equal_u64(new() { data = (ulong*)a, len = n }, To<T, ulong>(wanted), &failed) :
                typeof(T) == typeof(float)
                    ? (int)NativeMethods.upcall_count_equal_f32(new() { data = (float*)a, len = n }, To<T, float>(wanted), &failed) :
                typeof(T) == typeof(double)
                    ? (int)NativeMethods.upcall_count_equal_f64(new() { data = (double*)a, len = n }, To<T, double>(wanted), &failed) :
                MemoryExtensions.Count(values, wanted);
            Check(failed);
            return found;
        }
    }

    /// <summary>Whether two spans of the same length hold equal values. NaN equals nothing.</summary>
    internal static bool Equal<T>(ReadOnlySpan<T> one, ReadOnlySpan<T> other)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = one, b = other)
        {
            nuint n = (nuint)one.Length;
            Failure* failed = null;
            bool found =
                typeof(T) == typeof(sbyte)
                    ? NativeMethods.upcall_equal_i8(new() { data = (sbyte*)a, len = n }, new() { data = (sbyte*)b, len = n }, &failed) != 0 :
                typeof(T) == typeof(short)
                    ? NativeMethods.upcall_equal_i16(new() { data = (short*)a, len = n }, new() { data = (short*)b, len = n }, &failed) != 0 :
                typeof(T) == typeof(int)
                    ? NativeMethods.upcall_equal_i32(new() { data = (int*)a, len = n }, new() { data = (int*)b, len = n }, &failed) != 0 :
                typeof(T) == typeof(long)
                    ? NativeMethods.upcall_equal_i64(new() { data = (long*)a, len = n }, new() { data = (long*)b, len = n }, &failed) != 0 :
                typeof(T) == typeof(byte)
                    ? NativeMethods.upcall_equal_u8(new() { data = (byte*)a, len = n }, new() { data = (byte*)b, len = n }, &failed) != 0 :
                typeof(T) == typeof(ushort)
                    ? NativeMethods.upcall_equal_u16(new() { data = (ushort*)a, len = n }, new() { data = (ushort*)b, len = n }, &failed) != 0 :
                typeof(T) == typeof(uint)
                    ? NativeMethods.upcall_equal_u32(new() { data = (uint*)a, len = n }, new() { data = (uint*)b, len = n }, &failed) != 0 :
                typeof(T) == typeof(ulong)
                    ? NativeMethods.upcall_equal_u64(new() { data = (ulong*)a, len = n }, new() { data = (ulong*)b, len = n }, &failed) != 0 :
                typeof(T) == typeof(float)
                    ? NativeMethods.upcall_equal_f32(new() { data = (float*)a, len = n }, new() { data = (float*)b, len = n }, &failed) != 0 :
                typeof(T) == typeof(double)
                    ? NativeMethods.upcall_equal_f64(new() { data = (double*)a, len = n }, new() { data = (double*)b, len = n }, &failed) != 0 :
                one.SequenceEqual(other);
            Check(failed);
            return found;
        }
    }

    /// <summary>The same bytes as another type of the same size.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static TTo To<TFrom, TTo>(TFrom value)
        where TFrom : unmanaged
        where TTo : unmanaged => Unsafe.As<TFrom, TTo>(ref value);

    /// <summary>Throws what the native function reported, if it did.</summary>
    private static void Check(Failure* failed)
    {
        if (failed != null)
        {
            Throw(failed);
        }
    }

    private static void Throw(Failure* failed)
    {
        string message = Encoding.UTF8.GetString(failed->message.data, (int)failed->message.len);
        upcall_failure_release(failed);
        throw message.StartsWith("adding", StringComparison.Ordinal)
            ? new OverflowException(message)
            : new InvalidOperationException(message);
    }

    [DllImport("upcall", CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
    private static extern void upcall_failure_release(Failure* failed);

    /// <summary>What libupcall gives for both ends.</summary>
    internal struct Ends<T>
    {
        internal T Min;
        internal T Max;
    }
}
