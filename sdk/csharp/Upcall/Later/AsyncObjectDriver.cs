using System;
using System.Threading.Tasks;

namespace Upcall;

/// <summary>Gives a handler that answers later its objects as bytes.</summary>
internal sealed class AsyncObjectDriver(IAsyncObjectHandler handler) : AsyncDriver(handler)
{
    private readonly Func<AsyncObject, AsyncEmitter, ValueTask> handle = handler.OnObject;

    protected override Delegate Handle => handle;

    protected override ValueTask Hand(AsyncCall call) => handle(new AsyncObject(call), new AsyncEmitter(call));
}

/// <summary>Gives a typed handler that answers later its objects as values.</summary>
internal sealed class AsyncTypedDriver<TIn, TOut> : AsyncDriver
    where TIn : notnull
    where TOut : notnull
{
    private readonly AsyncFlowHandler<TIn, TOut> handler;
    private readonly Func<TIn, AsyncObject, AsyncEmitter<TOut>, ValueTask> handle;

    internal AsyncTypedDriver(AsyncFlowHandler<TIn, TOut> handler)
        : base(handler)
    {
        this.handler = handler;
        Typing<TIn, TOut>.Prepare();
        handle = handler.OnObject;
    }

    protected override Delegate Handle => handle;

    protected override ValueTask Hand(AsyncCall call) => handle(
        Form<TIn>.Read(call.Bytes.Key, call.Bytes.Value), new AsyncObject(call), new AsyncEmitter<TOut>(call));

    protected override async ValueTask Flush(AsyncCall call)
    {
        await base.Flush(call).ConfigureAwait(false);
        await handler.OnFlush(new AsyncEmitter<TOut>(call)).ConfigureAwait(false);
    }

    protected override void Describe(Description about)
    {
        base.Describe(about);
        Typing<TIn, TOut>.Describe(about);
    }

    protected override void CheckPools() => Typing<TIn, TOut>.Check(Session);
}
