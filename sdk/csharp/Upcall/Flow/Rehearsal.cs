using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading.Tasks;
using Microsoft.Win32.SafeHandles;
using Upcall.Abi;

namespace Upcall;

/// <summary>
/// Does at the start what the first object would otherwise wait for: what the runtime compiles, binds and opens when it is
/// first used. A console printer's first object takes 35 us instead of 5 ms.
/// </summary>
internal static unsafe class Rehearsal
{
    private static bool played;
    private static bool playedLater;
    private static bool opened;

    /// <summary>For a handler; nothing is done twice.</summary>
    internal static void For(Type handler)
    {
        Assembly handlers = handler.Assembly;
        try
        {
            if (!played)
            {
                played = true;
                Play(new ObjectDriver(new Player()));
            }
            if (!playedLater && Drivers.Later(handler))
            {
                playedLater = true;
                var later = new LaterPlayer();
                Play(new AsyncObjectDriver(later), later.Gate.SetResult);
                // Answered at once, as the gate is open.
                Play(new AsyncObjectDriver(later));
            }
            if (!opened && handlers.GetReferencedAssemblies().Any(reference => reference.Name == "System.Console"))
            {
                opened = true;
                OpenConsole();
            }
        }
        catch (Exception)
        {
            // Whatever does not work here fails when a handler uses it, and says so to the handler.
        }
    }

    /// <summary>
    /// Hands an object to a handler that looks at everything and emits, through a driver of its own. What lets it answer comes then.
    /// </summary>
    private static void Play(FlowDriver driver, Action? answer = null)
    {
        const int Room = 512;
        ulong* chunk = stackalloc ulong[Room / sizeof(ulong)];
        byte key = (byte)'k';
        var slice = new Rel { Offset = (ulong)&key, Len = 1 };
        var item = new Item { Key = slice, Value = slice };
        FlowFrame frame = default;
        frame.Head.Abi = Boundary.Abi;
        frame.Head.Kind = Kind.Flow;
        frame.Head.Size = (uint)sizeof(FlowFrame);
        frame.Head.Complete = &Complete;
        frame.Items = new RelItem { Offset = (ulong)&item, Len = 1 };
        frame.Out.At = (ulong)chunk;
        frame.Out.End = (ulong)chunk + Room;
        driver.Rehearse(&frame, answer);
    }

    /// <summary>Opens standard output, and takes each step of writing a line to it with one that goes nowhere.</summary>
    // A method of its own, because compiling it loads the console's assembly.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void OpenConsole()
    {
        Console.Out.Write("");
        Console.OpenStandardOutput().Write(default);
        using var nowhere = new StreamWriter(Nowhere(), Console.OutputEncoding) { AutoFlush = true };
        TextWriter.Synchronized(nowhere).WriteLine("k");
    }

    /// <summary>A stream of the console's own over /dev/null, as the first bytes bind more than none; else a plain one.</summary>
    private static Stream Nowhere()
    {
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public;
        try
        {
            Type type = typeof(Console).Assembly.GetType("System.ConsolePal+UnixConsoleStream", throwOnError: true)!;
            SafeFileHandle handle = File.OpenHandle("/dev/null", access: FileAccess.Write);
            return (Stream)Activator.CreateInstance(type, Any, null, [handle, FileAccess.Write, false], null)!;
        }
        catch (Exception)
        {
            // Another version of .NET may call it otherwise.
            return Stream.Null;
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Complete(FrameHead* frame, Status status)
    {
    }

    private sealed class Player : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit)
        {
            string text = $"{obj.SenderName} {obj.PoolPath} {obj.KeyText} {obj.ValueText}";
            emit.Put(obj.Key, obj.Value);
            emit.Put(obj.Pool, obj.Key, obj.Value);
            emit.Reserve(1, 1).Value[0] = (byte)text.Length;
        }
    }}

/// <summary>The same player of a handler that answers later: not in a class with pointers, where nothing is awaited.</summary>
internal sealed class LaterPlayer : IAsyncObjectHandler
{
    internal TaskCompletionSource Gate { get; } = new();

    public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
    {
        string text = $"{obj.SenderName} {obj.PoolPath} {obj.KeyText} {obj.ValueText} {obj.Cancellation.CanBeCanceled}";
        emit.Put(obj.Key, obj.Value);
        await Gate.Task;
        emit.Put(obj.Pool, Encoding.UTF8.GetBytes(text), obj.Value);
    }
}
