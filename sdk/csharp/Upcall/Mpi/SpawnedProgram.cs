using System;
using System.Collections.Generic;

namespace Upcall.Mpi;

/// <summary>A program to start by <see cref="Communicator.Spawn(SpawnedProgram, int)"/>, how often, and where.</summary>
/// <param name="path">Its path, or a name that is on <c>PATH</c>.</param>
/// <param name="processes">How many of it to start.</param>
public sealed class SpawnedProgram(string path, int processes)
{
    /// <summary>Its path, or a name that is on <c>PATH</c>.</summary>
    public string Path { get; } = path ?? throw new ArgumentNullException(nameof(path));

    /// <summary>How many of it to start.</summary>
    public int Processes { get; } = processes;

    /// <summary>What it is called with.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>The folder that it starts in; where there is none, the launcher's.</summary>
    public string? Directory { get; init; }

    /// <summary>The hosts that it starts on, by their names; where there are none, the launcher's.</summary>
    public IReadOnlyList<string> Hosts { get; init; } = [];

    /// <summary>Something else that the launcher is told, by names that it knows.</summary>
    public IReadOnlyDictionary<string, string> Info { get; init; } = new Dictionary<string, string>();
}
