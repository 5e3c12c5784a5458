using System;
using System.Runtime.CompilerServices;

namespace Upcall.Graph;

public abstract partial class GraphProgram<TOwn, TShown, TEdge>
{
    /// <summary>
    /// The other ends of a vertex's edges in one direction, in ascending order, with what each of them shows and the edges'
    /// values. Ends with the call.
    /// </summary>
    public readonly unsafe ref struct Neighbours
    {
        // Four fields, which the compiler keeps in registers.
        private readonly uint* at;
        private readonly TShown* shown;
        private readonly int length;
        private readonly EdgeCursor<TShown, TEdge> edges;

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        internal Neighbours(EdgeCursor<TShown, TEdge> edges)
        {
            this.edges = edges;
            length = edges.Length;
            at = edges.At;
            shown = edges.Shown;
        }

        /// <summary>How many there are.</summary>
        public int Length => length;

        /// <summary>The number of one of them.</summary>
        /// <exception cref="ArgumentOutOfRangeException">There are fewer, here and below.</exception>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public long Id(int index)
        {
            Check(index);
            return edges.Ids[edges.Begin + (uint)index];
        }

        /// <summary>What one of them shows.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public TShown Shown(int index)
        {
            Check(index);
            return shown[at[(uint)index]];
        }

        /// <summary>The value of the edge to one of them.</summary>
        /// <exception cref="InvalidOperationException">The program declares no such value.</exception>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public TEdge Value(int index)
        {
            Check(index);
            return edges.ValueAt(edges.Begin + (uint)index);
        }

        /// <summary>
        /// Sets the value of the edge to one of them, from the next iteration on: for the vertex at its other end, and for this
        /// one. Otherwise it stays as it is. Where edges have no direction, each has a value in each.
        /// </summary>
        /// <exception cref="InvalidOperationException">
        /// These are incoming edges, the program does not declare that it writes edges, or no iteration has begun yet.
        /// </exception>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void SetValue(int index, TEdge value)
        {
            if ((uint)index >= (uint)length || edges.Next == null)
            {
                ThrowSets(edges, index);
            }
            edges.Next[(uint)index] = value;
        }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        private void Check(int index)
        {
            if ((uint)index >= (uint)length)
            {
                Throw(edges, index);
            }
        }

        // One statement, by which the compiler sees that it does not return. Static, so that no register is given up for an address.
        private static void Throw(EdgeCursor<TShown, TEdge> edges, int index) => throw edges.NoNeighbour(index);

        private static void ThrowSets(EdgeCursor<TShown, TEdge> edges, int index) => throw edges.NotSet(index);
    }
}
