using System;

namespace Upcall;

/// <summary>A handler that combines two arrays into the second: the operation of a reduction.</summary>
/// <typeparam name="T">An element of both: a number, or a struct of numbers.</typeparam>
/// <remarks>
/// It must be associative: an engine combines in any grouping. An instance belongs to one worker and is used on its thread
/// only. A class needs a constructor without parameters; <see cref="IDescribe"/> and <see cref="IDisposable"/> are optional.
/// </remarks>
/// <example><code>
/// class Longest : ICombine&lt;uint&gt;
/// {
///     public void Combine(ReadOnlySpan&lt;uint&gt; from, Span&lt;uint&gt; into)
///     {
///         for (int index = 0; index &lt; from.Length; index++)
///         {
///             into[index] = Math.Max(into[index], from[index]);
///         }
///     }
/// }
/// </code></example>
public interface ICombine<T>
    where T : unmanaged
{
    /// <summary>
    /// Whether the order of the two does not matter. An engine that is told so combines what comes first.
    /// </summary>
    bool Commutative => false;

    /// <summary>Called once, before anything else. An exception fails the engine's start.</summary>
    void OnOpen(Context open)
    {
    }

    /// <summary>
    /// Combines <paramref name="from"/> into <paramref name="into"/>, element by element. Both have the same length and
    /// end with the call. After an exception what <paramref name="into"/> holds is lost.
    /// </summary>
    void Combine(ReadOnlySpan<T> from, Span<T> into);
}
