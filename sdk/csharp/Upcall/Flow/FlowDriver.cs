using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using Upcall.Abi;
using Upcall.Hosting;

namespace Upcall;

/// <summary>What the handlers of a flow have in common: their frames, their pools, and what a failure takes back.</summary>
internal abstract unsafe class FlowDriver : Driver
{
    /// <summary>Bytes of <see cref="FlowOpen"/> that ABI 2 began with.</summary>
    private const ulong Least = 48;

    private readonly object handler;

    protected FlowDriver(object handler)
        : base(handler, BatchFrame.Flow)
    {
        this.handler = handler;
        Session = new Session(Lent);
    }

    protected Session Session { get; }

    /// <summary>How it likes its objects: <c>object</c> or <c>batch</c>.</summary>
    protected abstract string Form { get; }

    /// <summary>A batch, with a pool to emit to, before there is an engine; <paramref name="answer"/> follows it.</summary>
    internal void Rehearse(FlowFrame* frame, Action? answer)
    {
        Session.Open([new Pool(default, "/", "", 0, PoolAccess.Watch | PoolAccess.Emit)], ["input"]);
        Entry entry = Entries.Of(this);
        entry.Call(entry.State, &frame->Head);
        answer?.Invoke();
        entry.Release(entry.State);
    }

    /// <summary>The frame of a batch or of FLUSH, from which the session now goes on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected FlowFrame* Begin(FrameHead* frame)
    {
        Session.Origin = frame->Base[Base.Batch];
        Session.Item = Record.NoItem;
        Session.Mark((FlowFrame*)frame);
        return (FlowFrame*)frame;
    }

    /// <summary>Tells the handler that the input has ended.</summary>
    protected virtual void Flush(FlowFrame* frame) => (handler as IFlush)?.OnFlush(new Emitter(frame, Session));

    /// <summary>Tells the handler what it is opened with.</summary>
    protected virtual void Opened(OpenContext open) => (handler as IOpen)?.OnOpen(open);

    /// <summary>Throws when the handler's types are not those of its pools.</summary>
    protected virtual void CheckPools()
    {
    }

    protected override void Describe(Description about) => about.Say(About.Form, Form, "");

    protected sealed override void Flush(FrameHead* frame) => Flush(Begin(frame));

    protected sealed override uint Undo(FrameHead* frame)
    {
        Session.Truncate((FlowFrame*)frame);
        return Session.Item;
    }

    protected sealed override void Open(OpenFrame* frame)
    {
        if (frame->Added.Len < Least)
        {
            throw new InvalidOperationException("OPEN has no pools: build engine and handler with the same version");
        }
        ulong origin = frame->Head.Base[Base.Batch];
        var added = (FlowOpen*)(origin + frame->Added.Offset);
        var pools = new List<Pool>();
        foreach (ref readonly PoolEntry pool in added->Pools.Elements(origin))
        {
            string path = pool.Path.Text(origin);
            string type = pool.ValueType.Text(origin);
            pools.Add(new Pool(new PoolId(pool.Id), path, type, (int)pool.ValueSize, (PoolAccess)pool.Access));
        }
        var senders = new List<string>();
        foreach (ref readonly Rel sender in added->Senders.Elements(origin))
        {
            senders.Add(sender.Text(origin));
        }
        Session.Open(pools.ToArray(), senders.ToArray());
        Session.Reader.Open(added->PoolServices);
        CheckPools();
        Opened(new OpenContext(frame, Log, Session));
    }

    protected sealed override void Closed() => Session.Reader.Close();
}
