using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Upcall.Abi;
using Upcall.Hosting;

namespace Upcall.Testing;

/// <summary>The engine's side of the boundary, as small as it can be. Pool 0 is the watched one.</summary>
internal sealed unsafe class Engine : IDisposable
{
    private const int ErrorRoom = 4096;
    private const int ChunkBytes = 64 * 1024;

    // The engine that is in a call: a callback gets a frame or a context, neither of which can hold a reference.
    [ThreadStatic]
    private static Engine? current;

    private readonly Driver driver;
    private readonly Entry entry;
    private readonly List<Pool> pools = [new(default, "/in", "", 0, PoolAccess.Watch)];
    private readonly Dictionary<(uint Pool, string Key), byte[]> stored = [];
    private readonly Memory services = new();
    private readonly List<(nint Start, ulong Used)> chunks = [];
    private Memory call = new();
    private ulong version;
    private bool opened;
    private bool disposed;

    internal Engine(Driver driver)
    {
        this.driver = driver;
        entry = Exports.EntryOf(driver);
    }

    internal Dictionary<string, string> Settings { get; } = [];

    internal List<Emitted> Emitted { get; } = [];

    internal List<Logged> Logged { get; } = [];

    internal void Declare(string path, PoolAccess access) => pools.Add(new Pool(default, path, "", 0, access));

    internal void Declare(string path, string type, int size)
    {
        int index = pools.FindIndex(pool => pool.Path == path);
        ArgumentOutOfRangeException.ThrowIfNegative(index, nameof(path));
        pools[index] = pools[index] with { ValueType = type, ValueSize = size };
    }

    internal void Store(string path, string key, byte[] value) =>
        stored[((uint)pools.FindIndex(pool => pool.Path == path), key)] = value;

    internal void Run(ushort kind, (byte[] Key, byte[] Value)[] objects, ulong stride)
    {
        Open();
        using (call = new Memory())
        {
            chunks.Clear();
            FlowFrame* frame = call.New<FlowFrame>();
            Head(&frame->Head, kind, sizeof(FlowFrame));
            Fill(frame, objects, stride);
            frame->Out.Grow = &Grow;
            GrowChunk(frame, ChunkBytes);
            Status status = Call(&frame->Head);
            Collect(frame);
            Check(status, &frame->Head, (int)frame->Done);
        }
    }

    public void Dispose()
    {
        if (disposed)
        {
            return;
        }
        disposed = true;
        using (call = new Memory())
        {
            FrameHead* frame = call.New<FrameHead>();
            Head(frame, Kind.Close, sizeof(FrameHead));
            Status status = Call(frame);
            entry.Release(entry.State);
            services.Dispose();
            Check(status, frame, 0);
        }
    }

    private void Open()
    {
        if (opened)
        {
            return;
        }
        opened = true;
        using (call = new Memory())
        {
            OpenFrame* frame = call.New<OpenFrame>();
            Head(&frame->Head, Kind.Open, sizeof(OpenFrame));
            frame->Name = call.Text("handler");
            frame->Workers = 1;

            Setting* settings = call.New<Setting>(Settings.Count);
            frame->Settings = new RelSetting { Offset = (ulong)settings, Len = (ulong)Settings.Count };
            foreach ((string name, string value) in Settings)
            {
                *settings++ = new Setting { Name = call.Text(name), Value = call.Text(value) };
            }
            PoolEntry* entries = call.New<PoolEntry>(pools.Count);
            frame->Pools = new RelPoolEntry { Offset = (ulong)entries, Len = (ulong)pools.Count };
            for (int id = 0; id < pools.Count; id++)
            {
                Pool pool = pools[id];
                entries[id] = new PoolEntry
                {
                    Path = call.Text(pool.Path),
                    ValueType = call.Text(pool.ValueType),
                    ValueSize = (uint)pool.ValueSize,
                    Id = (uint)id,
                    Access = (uint)pool.Access,
                };
            }
            Rel* senders = call.New<Rel>();
            *senders = call.Text("harness");
            frame->Senders = new RelRel { Offset = (ulong)senders, Len = 1 };
            frame->Services = services.New<Services>();
            frame->Services->Log = &Log;
            frame->Services->Read = &Read;
            Check(Call(&frame->Head), &frame->Head, 0);
        }
    }

    private void Head(FrameHead* head, ushort kind, int size)
    {
        head->Abi = Boundary.Abi;
        head->Kind = kind;
        head->Size = (uint)size;
        head->Error.Text = new Rel { Offset = (ulong)call.Block(ErrorRoom), Len = ErrorRoom };
        head->Error.Item = ErrorSlot.NoItem;
    }

    private void Fill(FlowFrame* frame, (byte[] Key, byte[] Value)[] objects, ulong stride)
    {
        Item* items = call.New<Item>(objects.Length);
        frame->Items = new RelItem { Offset = (ulong)items, Len = (ulong)objects.Length };
        frame->Stride = stride;
        byte* values = call.Block((nuint)stride * (nuint)objects.Length);
        if (stride > 0)
        {
            frame->Values = new Rel { Offset = (ulong)values, Len = stride * (ulong)objects.Length };
        }
        for (int index = 0; index < objects.Length; index++)
        {
            (byte[] key, byte[] value) = objects[index];
            items[index] = new Item { Key = call.Bytes(key), Value = call.Bytes(value), Version = ++version };
            if (stride > 0)
            {
                value.CopyTo(new Span<byte>(values + (index * (int)stride), value.Length));
            }
        }
    }

    private Status Call(FrameHead* frame)
    {
        Engine? outer = current;
        current = this;
        driver.MoveHere();
        try
        {
            return entry.Call(entry.State, frame);
        }
        finally
        {
            current = outer;
        }
    }

    private void Collect(FlowFrame* frame)
    {
        for (int index = 0; index <= (int)frame->Out.Chunk; index++)
        {
            (nint start, ulong used) = chunks[index];
            byte* at = (byte*)start;
            byte* end = index == (int)frame->Out.Chunk ? (byte*)frame->Out.At : at + used;
            while (at < end)
            {
                var record = (Record*)at;
                var value = new ReadOnlySpan<byte>(at + sizeof(Record), (int)record->ValueLen);
                var key = new ReadOnlySpan<byte>(at + sizeof(Record) + value.Length, (int)record->KeyLen);
                Emitted.Add(new Emitted(pools[(int)record->Pool].Path, key.ToArray(), value.ToArray()));
                at += ((ulong)sizeof(Record) + record->ValueLen + record->KeyLen + 7) & ~7UL;
            }
        }
    }

    private static void Check(Status status, FrameHead* head, int done)
    {
        if (status == Status.Ok)
        {
            return;
        }
        byte* text = (byte*)head->Error.Text.Offset;
        string type = Encoding.UTF8.GetString(text, (int)head->Error.TypeLen);
        text += head->Error.TypeLen;
        string message = Encoding.UTF8.GetString(text, (int)head->Error.MessageLen);
        text += head->Error.MessageLen;
        string stack = Encoding.UTF8.GetString(text, (int)head->Error.StackLen);
        int? item = head->Error.Item == ErrorSlot.NoItem ? null : (int)head->Error.Item;
        throw new HandlerFailedException(type, message, stack, done, item);
    }

    private void GrowChunk(FlowFrame* frame, ulong need)
    {
        if (chunks.Count > 0)
        {
            int last = (int)frame->Out.Chunk;
            chunks[last] = (chunks[last].Start, frame->Out.At - (ulong)chunks[last].Start);
            chunks.RemoveRange(last + 1, chunks.Count - last - 1);
        }
        ulong bytes = Math.Max(need, ChunkBytes);
        byte* start = call.Block((nuint)bytes);
        frame->Out.At = (ulong)start;
        frame->Out.End = (ulong)start + bytes;
        frame->Out.Chunk = (uint)chunks.Count;
        chunks.Add(((nint)start, 0));
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Grow(FrameHead* frame, ulong need)
    {
        current!.GrowChunk((FlowFrame*)frame, need);
        return Status.Ok;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Log(void* context, uint level, byte* text, ulong len) =>
        current!.Logged.Add(new Logged((int)level, Encoding.UTF8.GetString(text, (int)len)));

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Read(void* context, uint pool, byte* key, ulong keyLen, Item* found)
    {
        Engine engine = current!;
        if (pool >= engine.pools.Count || !engine.pools[(int)pool].Access.HasFlag(PoolAccess.Read))
        {
            return Status.Failed;
        }
        *found = default;
        if (engine.stored.TryGetValue((pool, Encoding.UTF8.GetString(key, (int)keyLen)), out byte[]? value))
        {
            found->Value = engine.call.Bytes(value);
            found->Version = 1;
        }
        return Status.Ok;
    }
}
