using System;
using System.Runtime.CompilerServices;
using Upcall.Abi;

namespace Upcall;

/// <summary>The objects of one call: a view that ends with it.</summary>
public readonly unsafe ref struct Batch
{
    private readonly FlowFrame* frame;
    private readonly Session session;
    private readonly Item* items;
    private readonly int count;

    internal Batch(FlowFrame* frame, Session session)
    {
        this.frame = frame;
        this.session = session;
        items = (Item*)(session.Origin + frame->Items.Offset);
        count = checked((int)frame->Items.Len);
    }

    /// <summary>How many objects there are.</summary>
    public int Count => count;

    /// <summary>The object at <paramref name="index"/>.</summary>
    public FlowObject this[int index]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            if ((uint)index >= (uint)count)
            {
                ThrowIndex(index);
            }
            return new FlowObject(items + index, session);
        }
    }

    /// <summary>
    /// All values side by side, when the pool's value type is declared, has the size of
    /// <typeparamref name="T"/>, all memory of that size is a value of it, and the handler watches no other
    /// pool. They are gathered when they are asked for.
    /// </summary>
    public bool TryGetValues<T>(out ReadOnlySpan<T> values)
        where T : unmanaged
    {
        values = default;
        if (!Form<T>.Raw)
        {
            return false;
        }
        if (frame->Stride == (ulong)sizeof(T))
        {
            values = new ReadOnlySpan<T>((void*)(session.Origin + frame->Values.Offset), count);
            return true;
        }
        if (frame->Stride != 0 || session.ColumnSize != sizeof(T))
        {
            return false;
        }
        values = session.Gather<T>(items, count);
        return true;
    }

    /// <summary>
    /// Reports that the first <paramref name="count"/> objects are done: what was emitted so far is kept,
    /// whatever follows.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Done(int count)
    {
        if ((uint)count > (uint)this.count)
        {
            ThrowIndex(count);
        }
        session.Mark(frame);
        FlowFrame.Report(frame, (uint)count);
    }

    /// <summary>The objects, in order.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Enumerator GetEnumerator() => new(items, count, session);

    private void ThrowIndex(int index) => throw new ArgumentOutOfRangeException(
        nameof(index), $"object {index} of a batch of {count}: there is no such object");

    /// <summary>Walks the objects of a batch.</summary>
    public ref struct Enumerator
    {
        private readonly Session session;
        private readonly Item* end;
        private Item* next;

        internal Enumerator(Item* items, int count, Session session)
        {
            next = items - 1;
            end = items + count;
            this.session = session;
        }

        /// <summary>The current object.</summary>
        public readonly FlowObject Current
        {
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            get => new(next, session);
        }

        /// <summary>Goes to the next object, if there is one.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public bool MoveNext() => ++next < end;
    }
}
