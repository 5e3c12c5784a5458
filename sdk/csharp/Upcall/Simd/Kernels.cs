using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Simd;

// The SDK has a Failure of its own.
using Failure = Upcall.Native.Failure;

/// <summary>The functions of libupcall, chosen by the type of the elements.</summary>
/// <remarks>
/// Once compiled, a method is the one call of its type: the JIT drops the others. One pointer to a function would be
/// shorter, but the runtime calls no unmanaged function whose signature has type parameters. Numbers that libupcall has
/// no kernels for (decimal, Half, nint, Int128, char) go to <see cref="Plain"/>.
/// </remarks>
internal static unsafe class Kernels
{
    static Kernels() => Library.Find();

    /// <summary>The sum: of integers, an OverflowException if the type cannot hold it; of floats, in lanes of double.</summary>
    internal static T Sum<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            Slice all = new(a, values.Length);
            Failure* failed = null;
            T found =
                typeof(T) == typeof(sbyte) ? To<sbyte, T>(upcall_checked_sum_i8(all, &failed)) :
                typeof(T) == typeof(short) ? To<short, T>(upcall_checked_sum_i16(all, &failed)) :
                typeof(T) == typeof(int) ? To<int, T>(upcall_checked_sum_i32(all, &failed)) :
                typeof(T) == typeof(long) ? To<long, T>(upcall_checked_sum_i64(all, &failed)) :
                typeof(T) == typeof(byte) ? To<byte, T>(upcall_checked_sum_u8(all, &failed)) :
                typeof(T) == typeof(ushort) ? To<ushort, T>(upcall_checked_sum_u16(all, &failed)) :
                typeof(T) == typeof(uint) ? To<uint, T>(upcall_checked_sum_u32(all, &failed)) :
                typeof(T) == typeof(ulong) ? To<ulong, T>(upcall_checked_sum_u64(all, &failed)) :
                typeof(T) == typeof(float) ? To<float, T>((float)upcall_sum_long_f32(all, &failed)) :
                typeof(T) == typeof(double) ? To<double, T>(upcall_sum_f64(all, &failed)) :
                Plain.Sum(values);
            Library.Check(failed);
            return found;
        }
    }

    /// <summary>The sum. Integers wrap; floats are added in lanes.</summary>
    internal static T SumWrapping<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            Slice all = new(a, values.Length);
            Failure* failed = null;
            T found =
                typeof(T) == typeof(sbyte) ? To<sbyte, T>(upcall_sum_i8(all, &failed)) :
                typeof(T) == typeof(short) ? To<short, T>(upcall_sum_i16(all, &failed)) :
                typeof(T) == typeof(int) ? To<int, T>(upcall_sum_i32(all, &failed)) :
                typeof(T) == typeof(long) ? To<long, T>(upcall_sum_i64(all, &failed)) :
                typeof(T) == typeof(byte) ? To<byte, T>(upcall_sum_u8(all, &failed)) :
                typeof(T) == typeof(ushort) ? To<ushort, T>(upcall_sum_u16(all, &failed)) :
                typeof(T) == typeof(uint) ? To<uint, T>(upcall_sum_u32(all, &failed)) :
                typeof(T) == typeof(ulong) ? To<ulong, T>(upcall_sum_u64(all, &failed)) :
                typeof(T) == typeof(float) ? To<float, T>(upcall_sum_f32(all, &failed)) :
                typeof(T) == typeof(double) ? To<double, T>(upcall_sum_f64(all, &failed)) :
                Plain.SumWrapping(values);
            Library.Check(failed);
            return found;
        }
    }

    /// <summary>The sum, one after the other. Integers wrap, in whatever order.</summary>
    internal static T SumInOrder<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            Slice all = new(a, values.Length);
            Failure* failed = null;
            T found =
                typeof(T) == typeof(float) ? To<float, T>(upcall_sum_in_order_f32(all, &failed)) :
                typeof(T) == typeof(double) ? To<double, T>(upcall_sum_in_order_f64(all, &failed)) :
                SumWrapping(values);
            Library.Check(failed);
            return found;
        }
    }

    /// <summary>The sum of blocks, added in pairs. Integers wrap, in whatever order.</summary>
    internal static T SumPairwise<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            Slice all = new(a, values.Length);
            Failure* failed = null;
            T found =
                typeof(T) == typeof(float) ? To<float, T>(upcall_sum_pairwise_f32(all, &failed)) :
                typeof(T) == typeof(double) ? To<double, T>(upcall_sum_pairwise_f64(all, &failed)) :
                typeof(T) == typeof(Half) ? Plain.SumPairwise(values) :
                SumWrapping(values);
            Library.Check(failed);
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
            Slice all = new(a, values.Length);
            Failure* failed = null;
            TLong found =
                typeof(T) == typeof(sbyte) ? To<long, TLong>(upcall_sum_long_i8(all, &failed)) :
                typeof(T) == typeof(short) ? To<long, TLong>(upcall_sum_long_i16(all, &failed)) :
                typeof(T) == typeof(int) ? To<long, TLong>(upcall_sum_long_i32(all, &failed)) :
                typeof(T) == typeof(byte) ? To<ulong, TLong>(upcall_sum_long_u8(all, &failed)) :
                typeof(T) == typeof(ushort) ? To<ulong, TLong>(upcall_sum_long_u16(all, &failed)) :
                typeof(T) == typeof(uint) ? To<ulong, TLong>(upcall_sum_long_u32(all, &failed)) :
                typeof(T) == typeof(float) ? To<double, TLong>(upcall_sum_long_f32(all, &failed)) :
                throw new NotSupportedException(typeof(T).Name);
            Library.Check(failed);
            return found;
        }
    }

    /// <summary>The arithmetic mean.</summary>
    internal static double Mean<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            Slice all = new(a, values.Length);
            Failure* failed = null;
            double found =
                typeof(T) == typeof(sbyte) ? upcall_mean_i8(all, &failed) :
                typeof(T) == typeof(short) ? upcall_mean_i16(all, &failed) :
                typeof(T) == typeof(int) ? upcall_mean_i32(all, &failed) :
                typeof(T) == typeof(long) ? upcall_mean_i64(all, &failed) :
                typeof(T) == typeof(byte) ? upcall_mean_u8(all, &failed) :
                typeof(T) == typeof(ushort) ? upcall_mean_u16(all, &failed) :
                typeof(T) == typeof(uint) ? upcall_mean_u32(all, &failed) :
                typeof(T) == typeof(ulong) ? upcall_mean_u64(all, &failed) :
                typeof(T) == typeof(float) ? upcall_mean_f32(all, &failed) :
                typeof(T) == typeof(double) ? upcall_mean_f64(all, &failed) :
                Plain.Mean(values);
            Library.Check(failed);
            return found;
        }
    }

    /// <summary>The least value; NaN if there is one.</summary>
    internal static T Min<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            Slice all = new(a, values.Length);
            Failure* failed = null;
            T found =
                typeof(T) == typeof(sbyte) ? To<sbyte, T>(upcall_min_i8(all, &failed)) :
                typeof(T) == typeof(short) ? To<short, T>(upcall_min_i16(all, &failed)) :
                typeof(T) == typeof(int) ? To<int, T>(upcall_min_i32(all, &failed)) :
                typeof(T) == typeof(long) ? To<long, T>(upcall_min_i64(all, &failed)) :
                typeof(T) == typeof(byte) ? To<byte, T>(upcall_min_u8(all, &failed)) :
                typeof(T) == typeof(ushort) ? To<ushort, T>(upcall_min_u16(all, &failed)) :
                typeof(T) == typeof(uint) ? To<uint, T>(upcall_min_u32(all, &failed)) :
                typeof(T) == typeof(ulong) ? To<ulong, T>(upcall_min_u64(all, &failed)) :
                typeof(T) == typeof(float) ? To<float, T>(upcall_min_f32(all, &failed)) :
                typeof(T) == typeof(double) ? To<double, T>(upcall_min_f64(all, &failed)) :
                Plain.Min(values);
            Library.Check(failed);
            return found;
        }
    }

    /// <summary>The least number; NaN if all are.</summary>
    internal static T MinNumber<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            Slice all = new(a, values.Length);
            Failure* failed = null;
            T found =
                typeof(T) == typeof(float) ? To<float, T>(upcall_min_number_f32(all, &failed)) :
                typeof(T) == typeof(double) ? To<double, T>(upcall_min_number_f64(all, &failed)) :
                Plain.MinNumber(values);
            Library.Check(failed);
            return found;
        }
    }

    /// <summary>The greatest number; NaN if all are.</summary>
    internal static T Max<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            Slice all = new(a, values.Length);
            Failure* failed = null;
            T found =
                typeof(T) == typeof(sbyte) ? To<sbyte, T>(upcall_max_number_i8(all, &failed)) :
                typeof(T) == typeof(short) ? To<short, T>(upcall_max_number_i16(all, &failed)) :
                typeof(T) == typeof(int) ? To<int, T>(upcall_max_number_i32(all, &failed)) :
                typeof(T) == typeof(long) ? To<long, T>(upcall_max_number_i64(all, &failed)) :
                typeof(T) == typeof(byte) ? To<byte, T>(upcall_max_number_u8(all, &failed)) :
                typeof(T) == typeof(ushort) ? To<ushort, T>(upcall_max_number_u16(all, &failed)) :
                typeof(T) == typeof(uint) ? To<uint, T>(upcall_max_number_u32(all, &failed)) :
                typeof(T) == typeof(ulong) ? To<ulong, T>(upcall_max_number_u64(all, &failed)) :
                typeof(T) == typeof(float) ? To<float, T>(upcall_max_number_f32(all, &failed)) :
                typeof(T) == typeof(double) ? To<double, T>(upcall_max_number_f64(all, &failed)) :
                Plain.Max(values);
            Library.Check(failed);
            return found;
        }
    }

    /// <summary>Both ends; both NaN if there is one.</summary>
    internal static Ends<T> MinMax<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            Slice all = new(a, values.Length);
            Failure* failed = null;
            Ends<T> found =
                typeof(T) == typeof(sbyte) ? To<EndsI8, Ends<T>>(upcall_min_max_i8(all, &failed)) :
                typeof(T) == typeof(short) ? To<EndsI16, Ends<T>>(upcall_min_max_i16(all, &failed)) :
                typeof(T) == typeof(int) ? To<EndsI32, Ends<T>>(upcall_min_max_i32(all, &failed)) :
                typeof(T) == typeof(long) ? To<EndsI64, Ends<T>>(upcall_min_max_i64(all, &failed)) :
                typeof(T) == typeof(byte) ? To<EndsU8, Ends<T>>(upcall_min_max_u8(all, &failed)) :
                typeof(T) == typeof(ushort) ? To<EndsU16, Ends<T>>(upcall_min_max_u16(all, &failed)) :
                typeof(T) == typeof(uint) ? To<EndsU32, Ends<T>>(upcall_min_max_u32(all, &failed)) :
                typeof(T) == typeof(ulong) ? To<EndsU64, Ends<T>>(upcall_min_max_u64(all, &failed)) :
                typeof(T) == typeof(float) ? To<EndsF32, Ends<T>>(upcall_min_max_f32(all, &failed)) :
                typeof(T) == typeof(double) ? To<EndsF64, Ends<T>>(upcall_min_max_f64(all, &failed)) :
                new Ends<T> { Min = Plain.Min(values), Max = Plain.Max(values) };
            Library.Check(failed);
            return found;
        }
    }

    /// <summary>Both ends; NaN if all are.</summary>
    internal static Ends<T> MinMaxNumber<T>(ReadOnlySpan<T> values)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            Slice all = new(a, values.Length);
            Failure* failed = null;
            Ends<T> found =
                typeof(T) == typeof(float) ? To<EndsF32, Ends<T>>(upcall_min_max_number_f32(all, &failed)) :
                typeof(T) == typeof(double) ? To<EndsF64, Ends<T>>(upcall_min_max_number_f64(all, &failed)) :
                new Ends<T> { Min = MinNumber(values), Max = Max(values) };
            Library.Check(failed);
            return found;
        }
    }

    /// <summary>The index of the first that is equal; -1 if none is. NaN equals nothing.</summary>
    internal static int IndexOf<T>(ReadOnlySpan<T> values, T wanted)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            Slice all = new(a, values.Length);
            Failure* failed = null;
            int found =
                typeof(T) == typeof(sbyte) ? (int)upcall_index_of_i8(all, To<T, sbyte>(wanted), &failed) :
                typeof(T) == typeof(short) ? (int)upcall_index_of_i16(all, To<T, short>(wanted), &failed) :
                typeof(T) == typeof(int) ? (int)upcall_index_of_i32(all, To<T, int>(wanted), &failed) :
                typeof(T) == typeof(long) ? (int)upcall_index_of_i64(all, To<T, long>(wanted), &failed) :
                typeof(T) == typeof(byte) ? (int)upcall_index_of_u8(all, To<T, byte>(wanted), &failed) :
                typeof(T) == typeof(ushort) ? (int)upcall_index_of_u16(all, To<T, ushort>(wanted), &failed) :
                typeof(T) == typeof(uint) ? (int)upcall_index_of_u32(all, To<T, uint>(wanted), &failed) :
                typeof(T) == typeof(ulong) ? (int)upcall_index_of_u64(all, To<T, ulong>(wanted), &failed) :
                typeof(T) == typeof(float) ? (int)upcall_index_of_f32(all, To<T, float>(wanted), &failed) :
                typeof(T) == typeof(double) ? (int)upcall_index_of_f64(all, To<T, double>(wanted), &failed) :
                MemoryExtensions.IndexOf(values, wanted);
            Library.Check(failed);
            return found;
        }
    }

    /// <summary>How many are equal. NaN equals nothing.</summary>
    internal static int Count<T>(ReadOnlySpan<T> values, T wanted)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = values)
        {
            Slice all = new(a, values.Length);
            Failure* failed = null;
            int found =
                typeof(T) == typeof(sbyte) ? (int)upcall_count_equal_i8(all, To<T, sbyte>(wanted), &failed) :
                typeof(T) == typeof(short) ? (int)upcall_count_equal_i16(all, To<T, short>(wanted), &failed) :
                typeof(T) == typeof(int) ? (int)upcall_count_equal_i32(all, To<T, int>(wanted), &failed) :
                typeof(T) == typeof(long) ? (int)upcall_count_equal_i64(all, To<T, long>(wanted), &failed) :
                typeof(T) == typeof(byte) ? (int)upcall_count_equal_u8(all, To<T, byte>(wanted), &failed) :
                typeof(T) == typeof(ushort) ? (int)upcall_count_equal_u16(all, To<T, ushort>(wanted), &failed) :
                typeof(T) == typeof(uint) ? (int)upcall_count_equal_u32(all, To<T, uint>(wanted), &failed) :
                typeof(T) == typeof(ulong) ? (int)upcall_count_equal_u64(all, To<T, ulong>(wanted), &failed) :
                typeof(T) == typeof(float) ? (int)upcall_count_equal_f32(all, To<T, float>(wanted), &failed) :
                typeof(T) == typeof(double) ? (int)upcall_count_equal_f64(all, To<T, double>(wanted), &failed) :
                MemoryExtensions.Count(values, wanted);
            Library.Check(failed);
            return found;
        }
    }

    /// <summary>Whether two spans of the same length hold equal values. NaN equals nothing.</summary>
    internal static bool Equal<T>(ReadOnlySpan<T> one, ReadOnlySpan<T> other)
        where T : unmanaged, INumber<T>
    {
        fixed (T* a = one, b = other)
        {
            Slice all = new(a, one.Length), others = new(b, other.Length);
            Failure* failed = null;
            bool found =
                typeof(T) == typeof(sbyte) ? upcall_equal_i8(all, others, &failed) != 0 :
                typeof(T) == typeof(short) ? upcall_equal_i16(all, others, &failed) != 0 :
                typeof(T) == typeof(int) ? upcall_equal_i32(all, others, &failed) != 0 :
                typeof(T) == typeof(long) ? upcall_equal_i64(all, others, &failed) != 0 :
                typeof(T) == typeof(byte) ? upcall_equal_u8(all, others, &failed) != 0 :
                typeof(T) == typeof(ushort) ? upcall_equal_u16(all, others, &failed) != 0 :
                typeof(T) == typeof(uint) ? upcall_equal_u32(all, others, &failed) != 0 :
                typeof(T) == typeof(ulong) ? upcall_equal_u64(all, others, &failed) != 0 :
                typeof(T) == typeof(float) ? upcall_equal_f32(all, others, &failed) != 0 :
                typeof(T) == typeof(double) ? upcall_equal_f64(all, others, &failed) != 0 :
                one.SequenceEqual(other);
            Library.Check(failed);
            return found;
        }
    }

    /// <summary>The same bytes as another type of the same size.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static TTo To<TFrom, TTo>(TFrom value)
        where TFrom : unmanaged
        where TTo : unmanaged => Unsafe.As<TFrom, TTo>(ref value);
}
