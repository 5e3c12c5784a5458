using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Upcall.Abi;
using Upcall.Hosting;

namespace Upcall.Testing;

/// <summary>The engine's side of the boundary, as small as it can be: what is the same for handlers of all kinds.</summary>
internal abstract unsafe class Engine : IDisposable
{
    private const int ErrorRoom = 4096;

    private readonly Driver driver;

    // Calls come from one thread at a time.
    private readonly object gate = new();
    private readonly GCHandle self;
    private readonly Entry entry;
    private readonly Memory services = new();
    private bool opened;
    private bool closed;
    private bool disposed;

    protected Engine(Driver driver)
    {
        this.driver = driver;
        entry = Entries.Of(driver);
        self = GCHandle.Alloc(this);
    }

    internal Dictionary<string, string> Settings { get; } = [];

    internal List<Logged> Logged { get; } = [];

    /// <summary>Whom callbacks are for, which may come on any thread.</summary>
    protected void* Context => (void*)GCHandle.ToIntPtr(self);

    /// <summary>Held while the handler is called.</summary>
    protected object Gate => gate;

    /// <summary>The kind of batch that it calls with.</summary>
    protected abstract ushort Batch { get; }

    /// <summary>CLOSE is about to come.</summary>
    protected virtual void Closing()
    {
    }

    /// <summary>What it adds to OPEN. What is lent until CLOSE is in <paramref name="lent"/>.</summary>
    protected abstract Rel Add(Memory call, Memory lent);

    /// <summary>OPEN, if it has not been.</summary>
    internal void Open()
    {
        if (opened)
        {
            return;
        }
        using var call = new Memory();
        OpenFrame* frame = call.New<OpenFrame>();
        Head(call, &frame->Head, Kind.Open, sizeof(OpenFrame));
        frame->Name = call.Text("handler");
        frame->Batch = Batch;
        frame->Workers = 1;
        Setting* settings = call.New<Setting>(Settings.Count);
        frame->Settings = new RelSetting { Offset = (ulong)settings, Len = (ulong)Settings.Count };
        foreach ((string name, string value) in Settings)
        {
            *settings++ = new Setting { Name = call.Text(name), Value = call.Text(value) };
        }
        frame->Services = services.New<Services>();
        frame->Services->Size = (uint)sizeof(Services);
        frame->Services->Context = Context;
        frame->Services->Log = &Log;
        frame->Added = Add(call, services);
        Check(Call(&frame->Head), &frame->Head, 0);
        opened = true;
    }

    /// <summary>DESCRIBE: what the handler says of itself.</summary>
    internal Described Describe()
    {
        using var call = new Memory();
        DescribeFrame* frame = call.New<DescribeFrame>();
        Head(call, &frame->Head, Kind.Describe, sizeof(DescribeFrame));
        using var chunks = new Chunks(&frame->Head, &frame->Out);
        Check(Call(&frame->Head), &frame->Head, 0);
        var described = new Described();
        chunks.Collect((record, key, value) => described.Add(record.Pool, key, value));
        return described;
    }

    /// <summary>CLOSE, if it has not been.</summary>
    internal void Close()
    {
        if (closed)
        {
            return;
        }
        closed = true;
        Closing();
        using var call = new Memory();
        FrameHead* frame = call.New<FrameHead>();
        Head(call, frame, Kind.Close, sizeof(FrameHead));
        Check(Call(frame), frame, 0);
    }

    public void Dispose()
    {
        if (disposed)
        {
            return;
        }
        disposed = true;
        try
        {
            Close();
        }
        finally
        {
            entry.Release(entry.State);
            services.Dispose();
            self.Free();
        }
    }

    /// <summary>A head with room for the text of an error.</summary>
    internal static void Head(Memory call, FrameHead* head, ushort kind, int size)
    {
        head->Abi = Boundary.Abi;
        head->Kind = kind;
        head->Size = (uint)size;
        head->Error.Text = new Rel { Offset = (ulong)call.Block(ErrorRoom), Len = ErrorRoom };
        head->Error.Item = ErrorSlot.NoItem;
    }

    internal Status Call(FrameHead* frame)
    {
        lock (gate)
        {
            driver.MoveHere();
            return entry.Call(entry.State, frame);
        }
    }

    /// <summary>Throws what the handler failed with, if it did.</summary>
    internal static void Check(Status status, FrameHead* head, int done)
    {
        if (status != Status.Ok)
        {
            throw Failed(head, done);
        }
    }

    /// <summary>What the handler failed with.</summary>
    internal static HandlerFailedException Failed(FrameHead* head, int done)
    {
        byte* text = (byte*)head->Error.Text.Offset;
        string type = Encoding.UTF8.GetString(text, (int)head->Error.TypeLen);
        text += head->Error.TypeLen;
        string message = Encoding.UTF8.GetString(text, (int)head->Error.MessageLen);
        text += head->Error.MessageLen;
        string stack = Encoding.UTF8.GetString(text, (int)head->Error.StackLen);
        int? item = head->Error.Item == ErrorSlot.NoItem ? null : (int)head->Error.Item;
        return new HandlerFailedException(type, message, stack, done, item);
    }

    /// <summary>The engine that a callback is for.</summary>
    protected static Engine Of(void* context) => (Engine)GCHandle.FromIntPtr((nint)context).Target!;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Log(void* context, uint level, byte* text, ulong len)
    {
        Engine engine = Of(context);
        lock (engine.Logged)
        {
            engine.Logged.Add(new Logged((int)level, Encoding.UTF8.GetString(text, (int)len)));
        }
    }
}
