using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Upcall.Abi;

namespace Upcall.Hosting;

/// <summary>
/// What engines call: from the C entry to a driver. A batch's exceptions are caught here: one that left an entry would end
/// the process.
/// </summary>
internal static unsafe class Entries
{
    /// <summary>The entry of a driver.</summary>
    internal static Entry Of(Driver driver) => new()
    {
        Call = driver switch
        {
            ObjectDriver => &CallObjects,
            AsyncDriver => &CallLater,
            _ => &Call,
        },
        State = (void*)GCHandle.ToIntPtr(GCHandle.Alloc(driver)),
        Release = &Release,
    };

    /// <summary>For drivers of every kind.</summary>
    // A method with `catch` is not inlined: in one of its own, a batch would cost one call more, of about a nanosecond.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Call(void* state, FrameHead* frame)
    {
        Driver driver = Unsafe.As<Driver>(GCHandle.FromIntPtr((nint)state).Target!);
        if (!driver.Runs(frame))
        {
            return driver.Other(frame);
        }
        try
        {
            driver.Run(frame);
        }
        catch (Exception exception)
        {
            return driver.Failed(frame, exception);
        }
        return Status.Ok;
    }

    /// <summary>The same for objects one by one, the most frequent: the class is known, so the loop is compiled in.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status CallObjects(void* state, FrameHead* frame)
    {
        ObjectDriver driver = Unsafe.As<ObjectDriver>(GCHandle.FromIntPtr((nint)state).Target!);
        if (!driver.Runs(frame))
        {
            return driver.Other(frame);
        }
        try
        {
            driver.Run(frame);
        }
        catch (Exception exception)
        {
            return driver.Failed(frame, exception);
        }
        return Status.Ok;
    }

    /// <summary>The same for objects that may be answered later; the driver catches what is thrown, here or elsewhere.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status CallLater(void* state, FrameHead* frame)
    {
        AsyncDriver driver = Unsafe.As<AsyncDriver>(GCHandle.FromIntPtr((nint)state).Target!);
        return driver.Runs(frame) ? driver.Answer(frame) : driver.Other(frame);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Release(void* state)
    {
        GCHandle handle = GCHandle.FromIntPtr((nint)state);
        try
        {
            Unsafe.As<Driver>(handle.Target!).Close(serviced: false);
        }
        catch (Exception)
        {
            // CLOSE reported it; nobody is left to be told.
        }
        handle.Free();
    }
}
