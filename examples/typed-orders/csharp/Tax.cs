using Upcall;

namespace Orders;

/// <summary>Adds a tax of 20 percent. The total is read where it lies in the engine's memory.</summary>
public sealed class Tax : FlowHandler<Total, Total>
{
    /// <inheritdoc/>
    public override void OnObject(in Total value, FlowObject obj, Emitter<Total> emit) =>
        emit.Put(obj.Key, value with { Cents = value.Cents * 120 / 100 });
}
