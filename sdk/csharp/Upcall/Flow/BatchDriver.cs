using System;
using Upcall.Abi;

namespace Upcall;

/// <summary>Gives a handler the whole batch.</summary>
internal sealed unsafe class BatchDriver(IBatchHandler handler) : FlowDriver(handler)
{
    private readonly Method handle = handler.OnBatch;

    private delegate void Method(Batch batch, Emitter emit);

    protected override Delegate Handle => handle;

    protected override string Form => "batch";

    internal override void Run(FrameHead* head)
    {
        FlowFrame* frame = Begin(head);
        handle(new Batch(frame, Session), new Emitter(frame, Session));
        FlowFrame.Report(frame, (uint)frame->Items.Len);
    }
}
