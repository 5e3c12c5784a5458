namespace Upcall;

/// <summary>Emits each object as it is, where it may emit: what a self-test of the host runs.</summary>
public sealed class Echo : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit) => emit.Put(obj.Key, obj.Value);
}
