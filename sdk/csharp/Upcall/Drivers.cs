using System;
using Upcall.Abi;

namespace Upcall;

/// <summary>Calls a handler once an object.</summary>
internal sealed unsafe class ObjectDriver(IObjectHandler handler) : Driver(handler)
{
    private readonly IObjectHandler handler = handler;

    private delegate void Method(FlowObject obj, Emitter emit);

    protected override Delegate Handle => new Method(handler.OnObject);

    protected override void Run(FlowFrame* frame)
    {
        IObjectHandler handler = this.handler;
        Session session = Session;
        var emit = new Emitter(frame, session);
        var items = (Item*)(session.Origin + frame->Items.Offset);
        var count = (uint)frame->Items.Len;
        for (uint index = 0; index < count; index++)
        {
            session.Item = index;
            handler.OnObject(new FlowObject(items + index, session), emit);
            session.Mark(frame);
            frame->Done = index + 1;
        }
        session.Item = Record.NoItem;
    }
}

/// <summary>Gives a handler the whole batch.</summary>
internal sealed unsafe class BatchDriver(IBatchHandler handler) : Driver(handler)
{
    private readonly IBatchHandler handler = handler;

    private delegate void Method(Batch batch, Emitter emit);

    protected override Delegate Handle => new Method(handler.OnBatch);

    protected override void Run(FlowFrame* frame)
    {
        handler.OnBatch(new Batch(frame, Session), new Emitter(frame, Session));
        frame->Done = (uint)frame->Items.Len;
    }
}
