using System;

namespace Upcall;

/// <summary>A handler asked for what a key was at a time of which the pool no longer keeps it.</summary>
public sealed class VersionNotKeptException : Exception
{
    internal VersionNotKeptException(string key)
        : base($"read {key} as it was: that is no longer kept; raise `keep` of the pool")
    {
    }
}
