using System;
using System.Linq;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>The boundary allocates nothing for an item.</summary>
public sealed class AllocationTests
{
    [Test]
    public void Reading_and_emitting_allocate_nothing_an_object()
    {
        using var harness = new Harness<Watched<Copies>>().Emits("/out");
        harness.Batch([.. Enumerable.Range(0, 1000).Select(n => ($"key {n}", "16 bytes of text"))]);
        Expect.Equal(1000, harness.Emitted.Count);
        Expect.Equal(0L, harness.Handler.Allocated);
    }

    [Test]
    public void A_batch_allocates_nothing()
    {
        using var harness = new Harness<WatchedBatch>().Emits("/out");
        harness.Batch([.. Enumerable.Range(0, 1000).Select(n => ($"key {n}", "16 bytes of text"))]);
        Expect.Equal(1000, harness.Emitted.Count);
        Expect.Equal(0L, harness.Handler.Allocated);
    }

    private sealed class Copies : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit)
        {
            if (obj.Key.StartsWith("key "u8))
            {
                emit.Put(obj.Key, obj.Value);
            }
        }
    }

    // Counts from the second object on. A batch fits the harness's first chunk: a further one would allocate.
    private sealed class Watched<T> : IObjectHandler
        where T : IObjectHandler, new()
    {
        private readonly T inner = new();
        private long before;

        public long Allocated { get; private set; } = -1;

        public void OnObject(FlowObject obj, Emitter emit)
        {
            if (obj.Version == 2)
            {
                before = GC.GetAllocatedBytesForCurrentThread();
            }
            inner.OnObject(obj, emit);
            Allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    private sealed class WatchedBatch : IBatchHandler
    {
        public long Allocated { get; private set; } = -1;

        public void OnBatch(Batch batch, Emitter emit)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            foreach (FlowObject obj in batch)
            {
                emit.Put(obj.Key, obj.Value);
            }
            Allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }
}
