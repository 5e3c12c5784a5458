using System;
using System.Text;
using Upcall.Abi;

namespace Upcall;

/// <summary>What an engine lends an instance until CLOSE, and the thread that it is for.</summary>
internal sealed unsafe class Lent
{
    private Services* services;
    private bool open;

    /// <summary>The thread that calls the handler.</summary>
    internal int Thread = Environment.CurrentManagedThreadId;

    /// <summary>Whether any thread may log: the handler answers later. Then the lock guards the rest.</summary>
    internal bool AnyThread;

    internal void Open(Services* services)
    {
        this.services = services;
        open = true;
        Thread = Environment.CurrentManagedThreadId;
    }

    /// <summary>The engine no longer listens.</summary>
    internal void Close()
    {
        lock (this)
        {
            services = null;
            open = false;
        }
    }

    internal void Log(uint level, string text)
    {
        if (AnyThread)
        {
            // The engine takes lines until CLOSE has returned, which waits for this one.
            lock (this)
            {
                Write(level, text);
            }
            return;
        }
        // The thread first: CLOSE comes on the handler's own, so what is looked at next does not change meanwhile.
        if (Environment.CurrentManagedThreadId != Thread)
        {
            throw new InvalidOperationException(
                "log from another thread than the handler's own: keep the text and log it in the handler's next call");
        }
        Write(level, text);
    }

    private void Write(uint level, string text)
    {
        if (!open)
        {
            throw new InvalidOperationException(
                "log outside the handler's life: it begins with OnOpen and ends with Dispose");
        }
        if (services == null)
        {
            // The engine keeps no log.
            return;
        }
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        fixed (byte* pointer = bytes)
        {
            services->Log(services->Context, level, pointer, (ulong)bytes.Length);
        }
    }
}
