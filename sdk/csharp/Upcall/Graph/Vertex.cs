using System;
using System.Runtime.CompilerServices;

namespace Upcall.Graph;

public abstract partial class GraphProgram<TOwn, TShown, TEdge>
{
    /// <summary>A vertex that is being updated. Ends with the call.</summary>
    public readonly unsafe ref struct Vertex
    {
        private readonly VertexCursor<TOwn, TShown, TEdge> cursor;

        internal Vertex(VertexCursor<TOwn, TShown, TEdge> cursor) => this.cursor = cursor;

        /// <summary>Its number.</summary>
        public long Id => (long)cursor.Id;

        /// <summary>What it keeps to itself, to be read and written.</summary>
        /// <exception cref="InvalidOperationException">The program declares no such value.</exception>
        public ref TOwn Own
        {
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            get => ref cursor.Kept()[cursor.Index];
        }

        /// <summary>What it showed in the last iteration; 0 before the first.</summary>
        public TShown Shown
        {
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            get => cursor.Before == null ? default : cursor.Before[cursor.Index];
        }

        /// <summary>How many edges come in.</summary>
        public long InDegree => cursor.Incoming.Degree;

        /// <summary>How many edges go out.</summary>
        public long OutDegree => cursor.OutDegree;

        /// <summary>The vertices that it has edges from; none before the first iteration.</summary>
        public Neighbours Incoming
        {
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            get => new(cursor.Incoming);
        }

        /// <summary>The vertices that it has edges to; none before the first iteration.</summary>
        /// <exception cref="InvalidOperationException">The program does not say that it looks at them.</exception>
        public Neighbours Outgoing
        {
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            get => new(cursor.LooksAt());
        }

        /// <summary>Shows a value to its neighbours, from the next iteration on. Otherwise it goes on showing what it did.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void Show(TShown value) => cursor.Next[cursor.Index] = value;

        /// <summary>Has it updated in the next iteration of a selective program, whether or not a neighbour of it changes.</summary>
        /// <exception cref="InvalidOperationException">The frame has no room for so many.</exception>
        public void Schedule() => cursor.Schedule((long)cursor.Id);

        /// <summary>Has any vertex updated in the next iteration of a selective program.</summary>
        /// <exception cref="ArgumentOutOfRangeException">There is no such vertex.</exception>
        /// <exception cref="InvalidOperationException">The frame has no room for so many.</exception>
        public void Schedule(long id) => cursor.Schedule(id);
    }
}
