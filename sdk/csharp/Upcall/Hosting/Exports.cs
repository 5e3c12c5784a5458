using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Upcall.Abi;

namespace Upcall.Hosting;

/// <summary>What the host calls. <see cref="Start"/> is found by name; it tells where the rest is.</summary>
internal static unsafe class Exports
{
    /// <summary>Fills the host's table. Its first field is the same in every ABI, so it is checked first.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static void Start(HostTable* table, ulong size)
    {
        table->Abi = Boundary.Abi;
        if (size != (ulong)sizeof(HostTable))
        {
            return;
        }
        table->Load = &Load;
        table->Instantiate = &Instantiate;
        var unhandled = (nint)table->Unhandled;
        AppDomain.CurrentDomain.UnhandledException += (_, _) => ((delegate* unmanaged[Cdecl]<void>)unhandled)();
    }

    /// <summary>The entry's function, of every handler.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static Status Call(void* state, FrameHead* frame) =>
        Unsafe.As<Driver>(GCHandle.FromIntPtr((nint)state).Target!).Call(frame);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static void Release(void* state)
    {
        GCHandle handle = GCHandle.FromIntPtr((nint)state);
        try
        {
            Unsafe.As<Driver>(handle.Target!).Dispose(serviced: false);
        }
        catch (Exception)
        {
            // CLOSE reported it; nobody is left to be told.
        }
        handle.Free();
    }

    internal static Entry EntryOf(Driver driver) => new()
    {
        Call = &Call,
        State = (void*)GCHandle.ToIntPtr(GCHandle.Alloc(driver)),
        Release = &Release,
    };

    /// <summary>Finds a handler's class. The handle lives as long as the process: a flow loads few.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Load(byte* file, ulong fileLen, byte* type, ulong typeLen, nint* module, ErrorSlot* error)
    {
        try
        {
            var loaded = HandlerType.Load(Text(file, fileLen), Text(type, typeLen));
            *module = GCHandle.ToIntPtr(GCHandle.Alloc(loaded));
            return (int)Status.Ok;
        }
        catch (LoadException exception)
        {
            Failure.Write(ref *error, 0, ErrorSlot.NoItem, "", exception.Message, "");
            return (int)exception.Reason;
        }
        catch (Exception exception)
        {
            Failure.Write(ref *error, 0, ErrorSlot.NoItem, exception);
            return (int)LoadFailure.FileInvalid;
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Instantiate(nint module, Entry* entry, ErrorSlot* error)
    {
        try
        {
            *entry = EntryOf(((HandlerType)GCHandle.FromIntPtr(module).Target!).Instantiate());
            return (int)Status.Ok;
        }
        catch (Exception exception)
        {
            Failure.Write(ref *error, 0, ErrorSlot.NoItem, exception);
            return (int)LoadFailure.ConstructorFailed;
        }
    }

    private static string Text(byte* text, ulong len) => Encoding.UTF8.GetString(text, (int)len);
}

/// <summary>What the host calls after <see cref="Exports.Start"/>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct HostTable
{
    internal ulong Abi;
    internal delegate* unmanaged[Cdecl]<byte*, ulong, byte*, ulong, nint*, ErrorSlot*, int> Load;
    internal delegate* unmanaged[Cdecl]<nint, Entry*, ErrorSlot*, int> Instantiate;

    /// <summary>The host's, for an exception that nobody has caught and that ends the process.</summary>
    internal delegate* unmanaged[Cdecl]<void> Unhandled;
}
