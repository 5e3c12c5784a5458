using System;
using System.Text;

namespace Upcall.Testing;

/// <summary>One object that the handler emitted.</summary>
/// <param name="Pool">The pool's path.</param>
/// <param name="Key">The key.</param>
/// <param name="Value">The value.</param>
/// <param name="Previous">Of an emission on condition: the version that its key must have, 0 for none.</param>
public sealed record Emitted(string Pool, byte[] Key, byte[] Value, ulong? Previous = null)
{
    /// <summary>The key as text.</summary>
    public string KeyText => Encoding.UTF8.GetString(Key);

    /// <summary>The value as text.</summary>
    public string ValueText => Encoding.UTF8.GetString(Value);

    /// <summary>The value as what a typed handler emits.</summary>
    /// <exception cref="System.IO.InvalidDataException">The bytes are not a value of that type.</exception>
    public T ValueAs<T>()
        where T : notnull => Form<T>.Decode(Value)!;
}

/// <summary>One line that the handler logged.</summary>
/// <param name="Level">1 is an error, 2 a warning, 3 worth telling, 4 for debugging.</param>
/// <param name="Text">The line.</param>
public sealed record Logged(int Level, string Text);

/// <summary>A handler failed in a harness: what an engine would have been told.</summary>
public sealed class HandlerFailedException : Exception
{
    internal HandlerFailedException(string type, string message, string stack, int done, int? item)
        : base(message)
    {
        TypeName = type;
        HandlerStack = stack;
        Done = done;
        Item = item;
    }

    /// <summary>The type of the handler's exception.</summary>
    public string TypeName { get; }

    /// <summary>Where the handler threw it.</summary>
    public string HandlerStack { get; }

    /// <summary>How many objects of the batch were done before it.</summary>
    public int Done { get; }

    /// <summary>The object that failed; null when everything beyond <see cref="Done"/> did.</summary>
    public int? Item { get; }
}
