using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Upcall.Abi;

namespace Upcall.Hosting;

/// <summary>What the host calls. <see cref="Table"/> is found by name; it tells where the rest is.</summary>
internal static unsafe class Exports
{
    private static readonly GuestTable* Functions = Make();

    /// <summary>The table, which is never freed. It is found by this name, and is such a table, in every ABI from 2 on.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static GuestTable* Table() => Functions;

    /// <summary>The same for a program that has loaded the engine.</summary>
    internal static GuestTable* Own => Functions;

    /// <summary>A module for <see cref="GuestTable.Create"/>, which belongs to whoever calls <see cref="GuestTable.Unload"/>.</summary>
    internal static void* ModuleOf(IModule module) => (void*)GCHandle.ToIntPtr(GCHandle.Alloc(module));

    private static GuestTable* Make()
    {
        var table = (GuestTable*)RuntimeHelpers.AllocateTypeAssociatedMemory(typeof(Exports), sizeof(GuestTable));
        *table = new GuestTable
        {
            Abi = Boundary.Abi,
            Size = (uint)sizeof(GuestTable),
            Start = &Start,
            Load = &Load,
            Create = &Create,
            Unload = &Unload,
        };
        return table;
    }

    /// <summary>The runtime runs already; what is left is to tell it whom to call when an exception ends it.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Start(Start* start, Refused* refused)
    {
        try
        {
            delegate* unmanaged[Cdecl]<void> word = start->LastWord;
            if (word != null)
            {
                // A lambda cannot hold a function pointer.
                var address = (nint)word;
                AppDomain.CurrentDomain.UnhandledException += (_, _) => ((delegate* unmanaged[Cdecl]<void>)address)();
            }
            return Status.Ok;
        }
        catch (Exception exception)
        {
            return Refuse.With(refused, Refusal.RuntimeFailed, Said(exception));
        }
    }

    /// <summary>Finds a handler's class.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Load(HandlerName* handler, void** module, Refused* refused)
    {
        try
        {
            var loaded = HandlerType.Load(handler->File.Text(0), handler->Class.Text(0));
            *module = ModuleOf(loaded);
            return Status.Ok;
        }
        catch (LoadException exception)
        {
            return Refuse.With(refused, exception.Reason, exception.Message);
        }
        catch (Exception exception)
        {
            return Refuse.With(refused, Refusal.FileInvalid, Said(exception));
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Create(void* module, Entry* entry, Refused* refused)
    {
        try
        {
            *entry = Entries.Of(((IModule)GCHandle.FromIntPtr((nint)module).Target!).Instantiate());
            return Status.Ok;
        }
        catch (LoadException exception)
        {
            return Refuse.With(refused, exception.Reason, exception.Message);
        }
        catch (Exception exception)
        {
            string text = $"its constructor failed: {Said(exception)}\n{Failure.Stack(exception)}";
            return Refuse.With(refused, Refusal.ConstructorFailed, text);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Unload(void* module) => GCHandle.FromIntPtr((nint)module).Free();

    private static string Said(Exception exception) => $"{exception.GetType().FullName}: {Failure.Message(exception)}";
}
