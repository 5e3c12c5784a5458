using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

#pragma warning disable CS0649 // Native code writes the fields.

/// What one writes without a generator: blittable imports, and on top of them what a C# program wants to call.
static unsafe class ByHand
{
    public struct Body
    {
        public double X, Y, Z, Dx, Dy, Dz;
    }

    public struct Slice
    {
        public void* Data;
        public nuint Length;
    }

    [DllImport("upcall_bench_api")]
    public static extern int add(int a, int b);

    [DllImport("upcall_bench_api")]
    public static extern Body moved(Body body);

    [DllImport("upcall_bench_api")]
    public static extern uint length(Slice text, Failure** failure);

    [DllImport("upcall_bench_api")]
    public static extern float sum(Slice values);

    [DllImport("upcall_bench_api")]
    public static extern int apply(int value, delegate* unmanaged[Cdecl]<void*, int, int> callback, void* context);

    [DllImport("upcall_bench_api")]
    public static extern int repeat(int times, delegate* unmanaged[Cdecl]<void*, int, int> callback, void* context);

    [DllImport("upcall_bench_api", EntryPoint = "checked")]
    public static extern uint check(int value, Failure** failure);

    [DllImport("upcall_bench_api")]
    static extern void upcall_failure_release(Failure* failure);

    public struct Failure
    {
        public byte* Message;
        public nuint Length, Capacity;
        public void* Release;
        public int Code;
    }

    public static uint Length(string text)
    {
        int most = Encoding.UTF8.GetMaxByteCount(text.Length);
        Span<byte> bytes = most <= 256 ? stackalloc byte[256] : new byte[most];
        int written = Encoding.UTF8.GetBytes(text, bytes);
        fixed (byte* data = bytes)
        {
            Failure* failure = null;
            uint result = length(new Slice { Data = data, Length = (nuint)written }, &failure);
            if (failure != null) Throw(failure);
            return result;
        }
    }

    public static float Sum(ReadOnlySpan<float> values)
    {
        fixed (float* data = values) return sum(new Slice { Data = data, Length = (nuint)values.Length });
    }

    public static uint Checked(int value)
    {
        Failure* failure = null;
        uint result = check(value, &failure);
        if (failure != null) Throw(failure);
        return result;
    }

    sealed class Call
    {
        public required Func<int, int> Callback;
        public Exception? Thrown;
    }

    public static int Apply(int value, Func<int, int> callback)
    {
        Call call = new() { Callback = callback };
        GCHandle handle = GCHandle.Alloc(call);
        try
        {
            int result = apply(value, &Invoke, (void*)GCHandle.ToIntPtr(handle));
            if (call.Thrown != null) throw call.Thrown;
            return result;
        }
        finally
        {
            handle.Free();
        }
    }

    public static int Repeat(int times, Func<int, int> callback)
    {
        Call call = new() { Callback = callback };
        GCHandle handle = GCHandle.Alloc(call);
        try
        {
            int result = repeat(times, &Invoke, (void*)GCHandle.ToIntPtr(handle));
            if (call.Thrown != null) throw call.Thrown;
            return result;
        }
        finally
        {
            handle.Free();
        }
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    static int Invoke(void* context, int value)
    {
        Call call = Unsafe.As<Call>(GCHandle.FromIntPtr((nint)context).Target!);
        try
        {
            return call.Callback(value);
        }
        catch (Exception thrown)
        {
            call.Thrown = thrown;
            return 0;
        }
    }

    static void Throw(Failure* failure)
    {
        string message = Encoding.UTF8.GetString(failure->Message, (int)failure->Length);
        upcall_failure_release(failure);
        throw new InvalidOperationException(message);
    }
}
