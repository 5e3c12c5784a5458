using System;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Upcall;

/// What a handler of a C# program costs that has loaded us, beside a function pointer by hand, as csbindgen's users pass it.
///
/// `embed.dll LIBRARY` prints one JSON object per line, as the peers do.
static unsafe class Program
{
    const BindingFlags Hidden = BindingFlags.NonPublic | BindingFlags.Static;

    static long seen;

    static void Main(string[] arguments)
    {
        nint library = NativeLibrary.Load(arguments[0]);
        var given = (delegate* unmanaged[Cdecl]<byte*, void*, void*, uint, double>)NativeLibrary.GetExport(library, "upcall_bench_given");
        var byHand = (delegate* unmanaged[Cdecl]<delegate* unmanaged[Cdecl]<void*, byte*, nuint, byte*, nuint, int>, void*, double>)
            NativeLibrary.GetExport(library, "upcall_bench_by_hand");
        // What Flow passes to libupcall is not public.
        Type exports = Of("Upcall.Hosting.Exports");
        void* table = Pointer.Unbox(exports.GetProperty("Own", Hidden)!.GetValue(null)!);
        // The JIT compiler takes its time: what counts is the last round.
        for (int round = 0; round < 5; round++)
        {
            double Ours(Func<object> make, uint batch)
            {
                object module = Activator.CreateInstance(Of("Upcall.GivenHandler"), make)!;
                void* address = Pointer.Unbox(exports.GetMethod("ModuleOf", Hidden)!.Invoke(null, [module])!);
                fixed (byte* guest = "csharp\0"u8)
                {
                    return given(guest, table, address, batch);
                }
            }

            long count = 0;
            ObjectFunction handle = (obj, _) => count += obj.Key.Length + obj.Key[0] + obj.Value.Length + obj.Value[0];
            Func<object> function = () => Activator.CreateInstance(Of("Upcall.ObjectFunctionHandler"), handle)!;
            Row(round, "Upcall", 1, Ours(function, 1));
            Row(round, "Upcall", 1024, Ours(function, 1024));
            Row(round, "Upcall, batch handler", 1024, Ours(() => new Batches(), 1024));
            seen += count;

            long calls = 0;
            Function called = (key, value) => calls += key.Length + key[0] + value.Length + value[0];
            GCHandle context = GCHandle.Alloc(called);
            Row(round, "csbindgen by hand", 1, byHand(&OnObject, (void*)GCHandle.ToIntPtr(context)));
            context.Free();
            seen += calls;
        }
        if (seen == 0)
        {
            throw new InvalidOperationException("nothing was called");
        }
    }

    sealed class Batches : IBatchHandler
    {
        public void OnBatch(Batch batch, Emitter emit)
        {
            long sum = 0;
            foreach (FlowObject obj in batch)
            {
                sum += obj.Key.Length + obj.Key[0] + obj.Value.Length + obj.Value[0];
            }
            seen += sum;
        }
    }

    delegate void Function(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static int OnObject(void* context, byte* key, nuint keyLength, byte* value, nuint valueLength)
    {
        try
        {
            var function = (Function)GCHandle.FromIntPtr((nint)context).Target!;
            function(new ReadOnlySpan<byte>(key, (int)keyLength), new ReadOnlySpan<byte>(value, (int)valueLength));
            return 0;
        }
        catch (Exception)
        {
            return 1;
        }
    }

    static Type Of(string name) => typeof(Flow).Assembly.GetType(name, throwOnError: true)!;

    static void Row(int round, string who, uint batch, double nanos)
    {
        if (round == 4)
        {
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{{\"language\": \"C#\", \"who\": \"{who}\", \"batch\": {batch}, \"nanos\": {nanos}}}"));
        }
    }
}
