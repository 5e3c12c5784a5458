using System;
using System.Runtime.CompilerServices;

namespace Upcall.Graph;

public abstract partial class GraphProgram<TOwn, TShown, TEdge>
{
    /// <summary>Vertices that are updated together, and what they see, in the engine's memory. Ends with the call.</summary>
    public readonly unsafe ref struct Vertices
    {
        private readonly VertexCursor<TOwn, TShown, TEdge> cursor;

        internal Vertices(VertexCursor<TOwn, TShown, TEdge> cursor) => this.cursor = cursor;

        /// <summary>How many there are: the length of all spans but those of edges, and of what neighbours show.</summary>
        public int Length => (int)cursor.Count;

        /// <summary>What each keeps to itself, to be read and written.</summary>
        /// <exception cref="InvalidOperationException">The program declares no such value.</exception>
        public Span<TOwn> Own => new(cursor.Kept(), Length);

        /// <summary>What each showed in the last iteration.</summary>
        public ReadOnlySpan<TShown> Before => new(cursor.Before, Length);

        /// <summary>What each shows from the next iteration on: as <see cref="Before"/>, until it is written.</summary>
        public Span<TShown> Next => new(cursor.Next, Length);

        /// <summary>How many edges go out of each.</summary>
        public ReadOnlySpan<uint> OutDegrees => cursor.OutDegrees;

        /// <summary>What neighbours show, at the places that <see cref="Edges.At"/> names.</summary>
        /// <exception cref="InvalidOperationException">There are more than a span holds.</exception>
        public ReadOnlySpan<TShown> Shown => cursor.Incoming.AllShown;

        /// <summary>The edges that come in.</summary>
        public Edges Incoming => new(cursor.Incoming);

        /// <summary>The edges that go out.</summary>
        /// <exception cref="InvalidOperationException">The program does not say that it looks at them.</exception>
        public Edges Outgoing => new(cursor.LooksAt());

        /// <summary>The number of one of the vertices.</summary>
        /// <exception cref="ArgumentOutOfRangeException">There are fewer, here and below.</exception>
        public long Id(int index) => (long)Number(index);

        /// <summary>Adds to the iteration's residual for one of the vertices: how far the program is from its end.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void AddResidual(int index, double amount) => cursor.TallyFor(Number(index)).Residual += amount;

        /// <summary>Adds to the iteration's total for one of the vertices, which all see in the next one.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void AddTotal(int index, double amount) => cursor.TallyFor(Number(index)).Total += amount;

        /// <summary>Has any vertex of the graph updated in the next iteration of a selective program.</summary>
        /// <exception cref="ArgumentOutOfRangeException">There is no such vertex.</exception>
        /// <exception cref="InvalidOperationException">The frame has no room for so many.</exception>
        public void Schedule(long id) => cursor.Schedule(id);

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        private ulong Number(int index)
        {
            if ((uint)index >= cursor.Count)
            {
                Throw(cursor, index);
            }
            return cursor.IdAt((uint)index);
        }

        private static void Throw(VertexCursor<TOwn, TShown, TEdge> cursor, int index) => throw new ArgumentOutOfRangeException(
            nameof(index), $"vertex {index} of the interval: it has {cursor.Count}, from 0 on");
    }

    /// <summary>
    /// The edges of an interval's vertices in one direction, in the engine's memory; those of a vertex are in ascending order of
    /// their other ends. Ends with the call.
    /// </summary>
    public readonly unsafe ref struct Edges
    {
        private readonly EdgeCursor<TShown, TEdge> edges;

        internal Edges(EdgeCursor<TShown, TEdge> edges) => this.edges = edges;

        /// <summary>How many there are from the first vertex's first to the last one's last: the length of the spans.</summary>
        public int Length => edges.WindowLength;

        /// <summary>The numbers of the vertices at the other ends.</summary>
        public ReadOnlySpan<uint> Ids => new(edges.Ids + edges.WindowBegin, Length);

        /// <summary>Where in <see cref="Vertices.Shown"/> is what these show.</summary>
        public ReadOnlySpan<uint> At => new(edges.AllAt + edges.WindowBegin, Length);

        /// <summary>Which of the edges are those of a vertex of the interval.</summary>
        /// <exception cref="ArgumentOutOfRangeException">There are fewer vertices.</exception>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public Range Of(int index) => edges.Of(index);

        /// <summary>
        /// What values outgoing edges have from the next iteration on: one for each edge of the interval's vertices, those of a
        /// vertex behind those of the one before, also where the other spans have edges of other vertices between them. Each is
        /// as it was, until it is written.
        /// </summary>
        /// <exception cref="InvalidOperationException">
        /// These are incoming edges, or the program does not declare that it writes edges.
        /// </exception>
        public Span<TEdge> NextValues => edges.AllNext;

        /// <summary>The value of an edge.</summary>
        /// <exception cref="ArgumentOutOfRangeException">There are fewer.</exception>
        /// <exception cref="InvalidOperationException">The program declares no such value.</exception>
        public TEdge Value(int edge)
        {
            if ((uint)edge >= (uint)Length)
            {
                throw new ArgumentOutOfRangeException(
                    nameof(edge), $"{edges.Direction} edge {edge} of the interval: it has {Length}, from 0 on");
            }
            return edges.ValueAt(edges.WindowBegin + (uint)edge);
        }
    }
}
