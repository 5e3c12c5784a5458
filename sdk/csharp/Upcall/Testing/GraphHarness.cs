using System;
using System.Collections.Generic;
using Upcall.Graph;

namespace Upcall.Testing;

/// <summary>
/// Runs a program over a small graph without an engine, for its tests: the real entry, the real frames, one worker.
/// </summary>
/// <typeparam name="TOwn">What a vertex keeps to itself, as the program says it.</typeparam>
/// <typeparam name="TShown">What it shows.</typeparam>
/// <typeparam name="TEdge">The value of an edge; <see cref="None"/> for a <see cref="GatherProgram{TOwn, TShown, TGathered}"/>.</typeparam>
/// <example><code>
/// using var harness = new GraphHarness&lt;None, ulong, None&gt;(new Largest(), vertices: 3).Edges((0, 1), (1, 2), (2, 0));
/// harness.Run();
/// Check(harness.Shown is [2, 2, 2]);
/// </code></example>
public sealed class GraphHarness<TOwn, TShown, TEdge> : IDisposable
    where TOwn : unmanaged
    where TShown : unmanaged
    where TEdge : unmanaged
{
    private readonly int vertices;
    private readonly List<(uint From, uint To, TEdge Value)> edges = [];
    private bool directed = true;

    /// <summary>A harness for a program, over a graph with so many vertices and, so far, no edges.</summary>
    public GraphHarness(GraphProgram<TOwn, TShown, TEdge> program, int vertices)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(vertices);
        this.vertices = vertices;
        Engine = new GraphEngine<TOwn, TShown, TEdge>(Drivers.Of(program));
    }

    /// <summary>What each vertex kept to itself at the end of the last run; empty if the program declares no such value.</summary>
    public TOwn[] Own => Engine.Own;

    /// <summary>What each vertex showed at the end of the last run.</summary>
    public TShown[] Shown => Engine.Shown;

    /// <summary>
    /// The values of edges at the end of the last run, in ascending order of where they lead to, and then of where they come from;
    /// empty if the program does not write them. An edge without a direction has one in each.
    /// </summary>
    public TEdge[] EdgeValues => Engine.EdgeValues;

    /// <summary>The iterations of the last run.</summary>
    public IReadOnlyList<Iteration> Iterations => Engine.Iterations;

    /// <summary>What was logged so far.</summary>
    public IReadOnlyList<Logged> Logged => Engine.Logged;

    internal GraphEngine<TOwn, TShown, TEdge> Engine { get; }

    /// <summary>A setting. Before the first run.</summary>
    public GraphHarness<TOwn, TShown, TEdge> Setting(string name, string value)
    {
        Engine.Settings[name] = value;
        return this;
    }

    /// <summary>Edges have no direction. Before the first run, as all edges are added.</summary>
    public GraphHarness<TOwn, TShown, TEdge> Undirected()
    {
        directed = false;
        return this;
    }

    /// <summary>An edge with a value.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such vertex.</exception>
    public GraphHarness<TOwn, TShown, TEdge> Edge(int from, int to, TEdge value = default)
    {
        foreach (int end in (int[])[from, to])
        {
            if ((uint)end >= (uint)vertices)
            {
                throw new ArgumentOutOfRangeException(
                    nameof(from), $"an edge from {from} to {to}: the graph has {vertices} vertices, from 0 on");
            }
        }
        edges.Add(((uint)from, (uint)to, value));
        return this;
    }

    /// <summary>Edges without values, or whose values are 0.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such vertex.</exception>
    public GraphHarness<TOwn, TShown, TEdge> Edges(params (int From, int To)[] edges)
    {
        foreach ((int from, int to) in edges)
        {
            Edge(from, to);
        }
        return this;
    }

    /// <summary>What the program says of itself.</summary>
    /// <exception cref="HandlerFailedException">The program failed.</exception>
    public Described Describe() => Engine.Describe();

    /// <summary>
    /// Runs the program from its start until it says that it has ended, none of its vertices are scheduled if it is selective,
    /// or there were as many iterations.
    /// </summary>
    /// <remarks>All vertices are one interval, which is updated again as often as the program says.</remarks>
    /// <exception cref="HandlerFailedException">The program failed; its <c>Item</c> is the vertex where it did.</exception>
    /// <exception cref="InvalidOperationException">It writes values of edges and has its updates repeated.</exception>
    public void Run(int iterations = 100) => Engine.Run(vertices, directed, edges, iterations);

    /// <summary>Closes the program.</summary>
    public void Dispose() => Engine.Dispose();
}
