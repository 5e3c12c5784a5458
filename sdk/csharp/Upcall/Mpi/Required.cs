using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Upcall.Mpi;

/// <summary>
/// What must be given. An array that is null becomes an empty span without a word, and so an empty message: it is refused before.
/// </summary>
internal static class Required
{
    /// <summary>The same, where it is not null.</summary>
    /// <exception cref="ArgumentNullException">It is null; the exception names it.</exception>
    internal static T NotNull<T>([NotNull] this T? given, [CallerArgumentExpression(nameof(given))] string? name = null)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(given, name);
        return given;
    }
}
