using System;
using System.Runtime.CompilerServices;
using Upcall.Abi;

namespace Upcall;

/// <summary>Calls a typed handler once per object.</summary>
internal sealed unsafe class TypedDriver<TIn, TOut> : FlowDriver
    where TIn : notnull
    where TOut : notnull
{
    private readonly FlowHandler<TIn, TOut> handler;

    internal TypedDriver(FlowHandler<TIn, TOut> handler)
        : base(handler)
    {
        this.handler = handler;
        Typing<TIn, TOut>.Prepare();
    }

    private delegate void Method(in TIn value, FlowObject obj, Emitter<TOut> emit);

    protected override Delegate Handle => new Method(handler.OnObject);

    protected override string Form => "object";

    internal override void Run(FrameHead* head)
    {
        FlowFrame* frame = Begin(head);
        FlowHandler<TIn, TOut> handler = this.handler;
        Session session = Session;
        var emit = new Emitter<TOut>(new Emitter(frame, session));
        var items = (Item*)(session.Origin + frame->Items.Offset);
        var count = (uint)frame->Items.Len;
        bool raw = Form<TIn>.Raw;
        for (uint index = 0; index < count; index++)
        {
            session.Item = index;
            var obj = new FlowObject(items + index, session);
            if (raw)
            {
                byte* place = obj.Place(Unsafe.SizeOf<TIn>(), typeof(TIn));
                if (((nuint)place & (Form<TIn>.Alignment - 1)) == 0)
                {
                    handler.OnObject(in Unsafe.AsRef<TIn>(place), obj, emit);
                }
                else
                {
                    handler.OnObject(Unsafe.ReadUnaligned<TIn>(place), obj, emit);
                }
            }
            else
            {
                handler.OnObject(Form<TIn>.Read(obj), obj, emit);
            }
            session.Mark(frame);
            FlowFrame.Finish(frame, index + 1);
        }
    }

    protected override void Describe(Description about)
    {
        base.Describe(about);
        Typing<TIn, TOut>.Describe(about);
    }

    protected override void Flush(FlowFrame* frame)
    {
        base.Flush(frame);
        handler.OnFlush(new Emitter<TOut>(new Emitter(frame, Session)));
    }

    protected override void CheckPools() => Typing<TIn, TOut>.Check(Session);
}
