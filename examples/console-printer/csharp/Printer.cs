using System;
using Upcall;

/// <summary>Prints sender, pool, key and value of each object.</summary>
public sealed class Printer : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit) =>
        Console.WriteLine($"{obj.SenderName} {obj.PoolPath} {obj.KeyText} {obj.ValueText}");
}
