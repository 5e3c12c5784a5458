using Upcall.Native;

namespace Upcall.Simd
{
    /// <summary>Elements, before it is known of which type; it becomes the slice of any.</summary>
    internal readonly unsafe struct Slice(void* data, int length)
    {
        internal readonly void* Data = data;
        internal readonly nuint Length = (nuint)length;
    }

    /// <summary>What libupcall gives for both ends.</summary>
    internal struct Ends<T>
    {
        internal T Min;
        internal T Max;
    }
}

namespace Upcall.Native
{
    internal unsafe partial struct Slice_i8
    {
        public static implicit operator Slice_i8(Simd.Slice all) => new() { data = (sbyte*)all.Data, len = all.Length };
    }

    internal unsafe partial struct Slice_i16
    {
        public static implicit operator Slice_i16(Simd.Slice all) => new() { data = (short*)all.Data, len = all.Length };
    }

    internal unsafe partial struct Slice_i32
    {
        public static implicit operator Slice_i32(Simd.Slice all) => new() { data = (int*)all.Data, len = all.Length };
    }

    internal unsafe partial struct Slice_i64
    {
        public static implicit operator Slice_i64(Simd.Slice all) => new() { data = (long*)all.Data, len = all.Length };
    }

    internal unsafe partial struct Slice_u8
    {
        public static implicit operator Slice_u8(Simd.Slice all) => new() { data = (byte*)all.Data, len = all.Length };
    }

    internal unsafe partial struct Slice_u16
    {
        public static implicit operator Slice_u16(Simd.Slice all) => new() { data = (ushort*)all.Data, len = all.Length };
    }

    internal unsafe partial struct Slice_u32
    {
        public static implicit operator Slice_u32(Simd.Slice all) => new() { data = (uint*)all.Data, len = all.Length };
    }

    internal unsafe partial struct Slice_u64
    {
        public static implicit operator Slice_u64(Simd.Slice all) => new() { data = (ulong*)all.Data, len = all.Length };
    }

    internal unsafe partial struct Slice_f32
    {
        public static implicit operator Slice_f32(Simd.Slice all) => new() { data = (float*)all.Data, len = all.Length };
    }

    internal unsafe partial struct Slice_f64
    {
        public static implicit operator Slice_f64(Simd.Slice all) => new() { data = (double*)all.Data, len = all.Length };
    }
}
