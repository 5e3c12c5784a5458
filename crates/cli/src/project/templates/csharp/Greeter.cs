using System;
using Upcall;

namespace {{Name}};

/// <summary>Greets whoever a line names.</summary>
public sealed class Greeter : FlowHandler<string, string>
{
    /// <inheritdoc/>
    public override void OnObject(in string name, FlowObject obj, Emitter<string> emit)
    {
        if (string.IsNullOrWhiteSpace(name))
        {
            throw new ArgumentException("nobody is named");
        }
        emit.Put(obj.Key, $"Hello, {name}!");
    }
}
