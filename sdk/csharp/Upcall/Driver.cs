using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using Upcall.Abi;

namespace Upcall;

/// <summary>
/// From the C entry to a handler and back: one virtual call per batch. The one place where a handler's exception
/// is caught: one that left an entry would end the process.
/// </summary>
internal abstract unsafe class Driver
{
    private readonly object handler;
    private bool disposed;

    protected Driver(object handler) => this.handler = handler;

    protected Session Session { get; } = new();

    internal static bool Drives(Type type) =>
        typeof(FlowHandler).IsAssignableFrom(type)
            || typeof(IBatchHandler).IsAssignableFrom(type)
            || typeof(IObjectHandler).IsAssignableFrom(type);

    internal static Driver Of(object handler) => handler switch
    {
        FlowHandler typed => typed.Drive(),
        IBatchHandler batch => new BatchDriver(batch),
        IObjectHandler single => new ObjectDriver(single),
        _ => throw new ArgumentException(
            $"{handler.GetType()} is not a handler: implement {nameof(IObjectHandler)} or {nameof(IBatchHandler)}, "
                + "or derive from FlowHandler<TIn, TOut>"),
    };

    internal Status Call(FrameHead* frame)
    {
        if (!FrameCheck.Passes(frame))
        {
            return FrameCheck.Refuse(frame);
        }
        try
        {
            if (frame->Kind == Kind.Flow)
            {
                Session.Origin = frame->Base[Base.Batch];
                Session.Mark((FlowFrame*)frame);
                Run((FlowFrame*)frame);
                return Status.Ok;
            }
            return Lifecycle(frame);
        }
        catch (Exception exception)
        {
            if (frame->Kind is Kind.Flow or Kind.Flush)
            {
                Session.Truncate((FlowFrame*)frame);
            }
            Failure.Write(frame, Session.Item, exception);
            Session.Item = Record.NoItem;
            return Status.Failed;
        }
    }

    /// <summary>A batch, with a pool to emit to, before there is an engine.</summary>
    internal void Rehearse(FlowFrame* frame)
    {
        Session.Open(null, [new Pool(default, "/", "", 0, PoolAccess.Watch | PoolAccess.Emit)], ["input"]);
        Call(&frame->Head);
    }

    /// <summary>The next calls come on this thread: a test may go on on another one.</summary>
    internal void MoveHere() => Session.Thread = Environment.CurrentManagedThreadId;

    private delegate void RunMethod(FlowFrame* frame);

    /// <summary>Handles one batch, storing in the frame how far it came.</summary>
    protected abstract void Run(FlowFrame* frame);

    /// <summary>Tells the handler that the input has ended.</summary>
    protected virtual void Flush(FlowFrame* frame) => (handler as IFlush)?.OnFlush(new Emitter(frame, Session));

    /// <summary>Throws when the handler's types are not those of its pools.</summary>
    protected virtual void CheckPools()
    {
    }

    /// <summary>The handler's method for objects or batches.</summary>
    protected abstract Delegate Handle { get; }

    /// <summary>Compiles what would hold up the first object for a millisecond.</summary>
    internal void Prepare()
    {
        try
        {
            RuntimeHelpers.PrepareDelegate(new RunMethod(Run));
            RuntimeHelpers.PrepareDelegate(Handle);
        }
        catch (Exception)
        {
            // What does not compile fails when it is called, as an object's failure, with its stack.
        }
    }

    /// <summary>
    /// Ends the handler, if CLOSE has not done so. Without a CLOSE the engine's services may be gone already.
    /// </summary>
    internal void Dispose(bool serviced)
    {
        if (disposed)
        {
            return;
        }
        disposed = true;
        if (!serviced)
        {
            Session.Close();
        }
        try
        {
            (handler as IDisposable)?.Dispose();
        }
        finally
        {
            Session.Close();
            StandardOutput.Flush();
        }
    }

    private Status Lifecycle(FrameHead* frame)
    {
        switch (frame->Kind)
        {
            case Kind.Open:
                Open((OpenFrame*)frame);
                return Status.Ok;
            case Kind.Flush:
                Session.Origin = frame->Base[Base.Batch];
                Session.Mark((FlowFrame*)frame);
                Flush((FlowFrame*)frame);
                return Status.Ok;
            case Kind.Close:
                Dispose(serviced: true);
                return Status.Ok;
            default:
                // PING; no other was let through.
                return Status.Ok;
        }
    }

    private void Open(OpenFrame* frame)
    {
        ulong origin = frame->Head.Base[Base.Batch];
        var pools = new List<Pool>();
        foreach (ref readonly PoolEntry pool in frame->Pools.Elements(origin))
        {
            string path = pool.Path.Text(origin);
            string type = pool.ValueType.Text(origin);
            pools.Add(new Pool(new PoolId(pool.Id), path, type, (int)pool.ValueSize, (PoolAccess)pool.Access));
        }
        var senders = new List<string>();
        foreach (ref readonly Rel sender in frame->Senders.Elements(origin))
        {
            senders.Add(sender.Text(origin));
        }
        Session.Open(frame->Services, pools.ToArray(), senders.ToArray());
        CheckPools();
        if (handler is IOpen opens)
        {
            var settings = new Dictionary<string, string>();
            foreach (ref readonly Setting setting in frame->Settings.Elements(origin))
            {
                settings[setting.Name.Text(origin)] = setting.Value.Text(origin);
            }
            string name = frame->Name.Text(origin);
            opens.OnOpen(new OpenContext(name, settings, Session, (int)frame->Worker, (int)frame->Workers));
        }
    }
}
