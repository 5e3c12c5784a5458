using System;
using System.Runtime.CompilerServices;
using Upcall.Abi;

namespace Upcall;

public readonly unsafe ref partial struct Emitter
{
    /// <summary>
    /// Emits an object into the handler's first pool if the newest version of its key is <paramref name="previous"/> when
    /// it arrives there, 0 for none. If it is not, the object that is being handled fails, and nothing counts of what it
    /// has emitted; with <c>retry</c> it is handled again, and may read the key again. For each object one such emission.
    /// </summary>
    /// <exception cref="InvalidOperationException">
    /// It is the second one of the object, or is made by a batch handler or at the flush: there is no object that could fail.
    /// </exception>
    public void PutIf(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous) =>
        WriteIf(session.First(), key, value, previous);

    /// <summary>The same, into a pool that the handler declares.</summary>
    public void PutIf(PoolId pool, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous) =>
        WriteIf(session.Checked(pool), key, value, previous);

    /// <summary>The same, into the pool with this path; slower than by its id.</summary>
    public void PutIf(string path, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous) =>
        PutIf(session.Find(path), key, value, previous);

    /// <summary>The same, for the memory of a value, of which all has to belong to its fields.</summary>
    public void PutIf<T>(ReadOnlySpan<byte> key, in T value, ulong previous)
        where T : unmanaged => WriteIf(session.First(), key, in value, previous);

    /// <summary>The same, into a pool that the handler declares.</summary>
    public void PutIf<T>(PoolId pool, ReadOnlySpan<byte> key, in T value, ulong previous)
        where T : unmanaged => WriteIf(session.Checked(pool), key, in value, previous);

    /// <summary>The same, into the pool with this path; slower than by its id.</summary>
    public void PutIf<T>(string path, ReadOnlySpan<byte> key, in T value, ulong previous)
        where T : unmanaged => PutIf(session.Find(path), key, in value, previous);

    /// <summary>Writes a value of any type that values may have, on condition.</summary>
    internal void EncodeIf<T>(uint pool, ReadOnlySpan<byte> key, in T value, ulong previous)
    {
        using var condition = new Condition(this, previous);
        Encode(pool, key, in value);
        condition.Keep();
    }

    private void WriteIf<T>(uint pool, ReadOnlySpan<byte> key, in T value, ulong previous)
    {
        using var condition = new Condition(this, previous);
        WriteWhole(pool, key, in value);
        condition.Keep();
    }

    private void WriteIf(uint pool, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous)
    {
        using var condition = new Condition(this, previous);
        Write(pool, key, value);
        condition.Keep();
    }

    /// <summary>
    /// The record that says under which version the next one is to be put. It is taken back if it is not kept: it does not
    /// stay behind alone.
    /// </summary>
    private readonly ref struct Condition
    {
        private readonly Emitter emit;
        private readonly ulong at;
        private readonly uint chunk;

        internal Condition(Emitter emit, ulong previous)
        {
            emit.session.CheckCondition();
            this.emit = emit;
            at = emit.frame->Out.At;
            chunk = emit.frame->Out.Chunk;
            Unsafe.WriteUnaligned(emit.Room(Record.Condition, 0, sizeof(ulong)), previous);
        }

        /// <summary>What it is about has been written.</summary>
        internal void Keep() => emit.session.KeepCondition();

        public void Dispose()
        {
            if (emit.session.HasCondition)
            {
                return;
            }
            Output* output = &emit.frame->Out;
            if (output->Chunk != chunk)
            {
                output->End = at;
            }
            output->At = at;
            output->Chunk = chunk;
        }
    }
}
