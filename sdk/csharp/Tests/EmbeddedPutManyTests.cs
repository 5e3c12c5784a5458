using System;
using System.Linq;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>Many objects that are put in one call, of which the pool refuses one.</summary>
public sealed class EmbeddedPutManyTests
{
    [Test]
    public async Task An_object_that_is_refused_says_how_many_before_it_are_put()
    {
        for (int refused = 0; refused < 5; refused++)
        {
            await using Flow flow = await Flow.Describe().Pool<ulong>("/p").StartAsync();
            FlowPool pool = flow.Pool("/p");
            var batch = new PutBatch();
            for (int n = 0; n < 5; n++)
            {
                batch.Add([(byte)('a' + n)], n == refused ? "short"u8 : BitConverter.GetBytes((ulong)n));
            }
            FlowException failed = Expect.Throws<FlowException>(() => pool.PutMany(batch));
            Expect.Equal(FlowError.BadValue, failed.Error);
            Expect.Equal(refused, failed.ObjectsPut);
            Expect.Holds($"put 5 objects: {refused} are put; the next: ", failed.Message);
            await flow.DrainAsync();
            Expect.Equal("abcd"[..refused], string.Concat(pool.List()));
        }
    }

    [Test]
    public async Task No_objects_at_all_are_put_too()
    {
        await using Flow flow = await Flow.Describe().Pool("/p").StartAsync();
        flow.Pool("/p").PutMany(new PutBatch());
        Expect.Equal(0UL, flow.InFlight);
    }
}
