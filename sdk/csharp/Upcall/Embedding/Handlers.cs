using System.Threading.Tasks;

namespace Upcall;

/// <summary>A function as a handler, called once per object; see <see cref="IObjectHandler"/>.</summary>
/// <remarks>Several workers call it at once, with objects of different keys: what it changes it has to share safely.</remarks>
public delegate void ObjectFunction(FlowObject obj, Emitter emit);

/// <summary>A function as a typed handler; see <see cref="FlowHandler{TIn, TOut}"/>.</summary>
/// <inheritdoc cref="ObjectFunction" path="/remarks"/>
public delegate void ValueFunction<TIn, TOut>(in TIn value, FlowObject obj, Emitter<TOut> emit)
    where TIn : notnull
    where TOut : notnull;

/// <summary>A function as a typed handler that emits nothing.</summary>
/// <inheritdoc cref="ObjectFunction" path="/remarks"/>
public delegate void ValueFunction<TIn>(in TIn value, FlowObject obj)
    where TIn : notnull;

/// <summary>A function as a handler that answers later; see <see cref="IAsyncObjectHandler"/>.</summary>
/// <inheritdoc cref="ObjectFunction" path="/remarks"/>
public delegate ValueTask AsyncObjectFunction(AsyncObject obj, AsyncEmitter emit);

internal sealed class ObjectFunctionHandler(ObjectFunction handle) : IObjectHandler
{
    /// <summary>The function, which its driver calls itself.</summary>
    internal ObjectFunction Handle => handle;

    public void OnObject(FlowObject obj, Emitter emit) => handle(obj, emit);
}

internal sealed class ValueFunctionHandler<TIn, TOut>(ValueFunction<TIn, TOut> handle) : FlowHandler<TIn, TOut>
    where TIn : notnull
    where TOut : notnull
{
    public override void OnObject(in TIn value, FlowObject obj, Emitter<TOut> emit) => handle(in value, obj, emit);
}

internal sealed class ValueFunctionHandler<TIn>(ValueFunction<TIn> handle) : FlowHandler<TIn, byte[]>
    where TIn : notnull
{
    public override void OnObject(in TIn value, FlowObject obj, Emitter<byte[]> emit) => handle(in value, obj);
}

internal sealed class AsyncObjectFunctionHandler(AsyncObjectFunction handle) : IAsyncObjectHandler
{
    public ValueTask OnObject(AsyncObject obj, AsyncEmitter emit) => handle(obj, emit);
}
