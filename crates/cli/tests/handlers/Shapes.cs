using Shapes;
using Upcall;

/// <summary>Makes a pair of a shape, the other way round.</summary>
public sealed class Turns : FlowHandler<IShape, PairI32>
{
    /// <inheritdoc/>
    public override void OnObject(in IShape value, FlowObject obj, Emitter<PairI32> emit) => emit.Put(obj.Key, value switch
    {
        PairI32 pair => new PairI32 { One = pair.Other, Other = pair.One },
        _ => new PairI32 { One = (int)((Circle)value).Radius },
    });
}

/// <summary>Makes a shape of a pair, a circle where the other is 0.</summary>
public sealed class Wraps : FlowHandler<PairI32, IShape>
{
    /// <inheritdoc/>
    public override void OnObject(in PairI32 value, FlowObject obj, Emitter<IShape> emit) =>
        emit.Put(obj.Key, value.Other == 0 ? new Circle { Radius = value.One } : value);
}
