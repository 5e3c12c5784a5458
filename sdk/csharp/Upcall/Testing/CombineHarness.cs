using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace Upcall.Testing;

/// <summary>
/// Runs a handler that combines without an engine, for its tests: the real entry, the real frames, one worker.
/// </summary>
/// <typeparam name="T">An element of the arrays.</typeparam>
/// <example><code>
/// using var harness = new CombineHarness&lt;uint&gt;(new Longest());
/// uint[] into = [1, 5];
/// harness.Combine([3, 2], into);
/// Check(into is [3, 5]);
/// </code></example>
public sealed class CombineHarness<T> : IDisposable
    where T : unmanaged
{
    /// <summary>A harness for a handler.</summary>
    public CombineHarness(ICombine<T> handler)
        : this(handler, FormName.Of(typeof(T)), Unsafe.SizeOf<T>())
    {
    }

    /// <summary>A harness whose arrays have elements of another type, to see that the handler refuses them.</summary>
    internal CombineHarness(ICombine<T> handler, string element, int size) =>
        Engine = new CombineEngine(Drivers.Of(handler), element, size);

    /// <summary>What was logged so far.</summary>
    public IReadOnlyList<Logged> Logged => Engine.Logged;

    internal CombineEngine Engine { get; }

    /// <summary>A setting. Before the first call.</summary>
    public CombineHarness<T> Setting(string name, string value)
    {
        Engine.Settings[name] = value;
        return this;
    }

    /// <summary>What the handler says of itself.</summary>
    /// <exception cref="HandlerFailedException">The handler failed.</exception>
    public Described Describe() => Engine.Describe();

    /// <summary>Has the handler combine the first array into the second, which is as long.</summary>
    /// <exception cref="HandlerFailedException">The handler failed; <paramref name="into"/> is as it was.</exception>
    public void Combine(ReadOnlySpan<T> from, Span<T> into)
    {
        if (from.Length != into.Length)
        {
            throw new ArgumentException(
                $"combine {from.Length} elements into {into.Length}: both arrays have the same length", nameof(into));
        }
        Engine.Run(from, into);
    }

    /// <summary>Closes the handler.</summary>
    public void Dispose() => Engine.Dispose();
}
