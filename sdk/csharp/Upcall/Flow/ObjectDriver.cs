using System;
using Upcall.Abi;

namespace Upcall;

/// <summary>Calls a handler once per object.</summary>
internal sealed unsafe class ObjectDriver(IObjectHandler handler) : FlowDriver(handler)
{
    // A delegate knows the method already, where a call through the interface looks for it at the first object, for 6 us,
    // and compares the type at each: 1.8 ns an empty object instead of 2.3.
    private readonly Method handle = handler.OnObject;

    private delegate void Method(FlowObject obj, Emitter emit);

    protected override Delegate Handle => handle;

    protected override string Form => "object";

    protected override void Run(FrameHead* head)
    {
        FlowFrame* frame = Begin(head);
        Method handle = this.handle;
        Session session = Session;
        var emit = new Emitter(frame, session);
        var items = (Item*)(session.Origin + frame->Items.Offset);
        var count = (uint)frame->Items.Len;
        for (uint index = 0; index < count; index++)
        {
            session.Item = index;
            handle(new FlowObject(items + index, session), emit);
            session.Mark(frame);
            frame->Done = index + 1;
        }
        session.Item = Record.NoItem;
    }
}
