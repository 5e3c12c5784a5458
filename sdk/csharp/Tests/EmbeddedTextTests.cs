using System;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>Text that is put where values are something else.</summary>
public sealed class EmbeddedTextTests
{
    [Test]
    public async Task Text_as_long_as_a_number_is_not_put_as_one()
    {
        await using Flow flow = await Flow.Describe()
            .Pool<ulong>("/n")
            .Pool<ulong>("/t", PoolKind.Trigger)
            .StartAsync();
        FlowPool pool = flow.Pool("/n");
        foreach (Action put in (Action[])[
            () => pool.Put("k", "12345678"),
            () => pool.TryPut("k", "12345678"),
            () => pool.PutAsync("k", "12345678").Wait(),
            () => pool.PutIf("k", "12345678", 0),
            () => pool.PutIfAsync("k", "12345678", 0).Wait(),
        ])
        {
            Refused("/n", put);
        }
        Refused("/t", () => flow.Pool("/t").Trigger("k", "12345678"));
        Refused("/t", () => flow.Pool("/t").TriggerAsync("k", "12345678").Wait());
        await flow.DrainAsync();
        Expect.Equal(0, pool.List().Count);
    }

    [Test]
    public async Task Of_many_objects_none_is_put_where_one_is_text_and_the_pool_is_not()
    {
        await using Flow flow = await Flow.Describe().Pool<ulong>("/n").Pool<string>("/text").Pool("/bytes").StartAsync();
        var batch = new PutBatch();
        batch.Add("a"u8, BitConverter.GetBytes(1UL));
        batch.Add("k", "12345678");
        Refused("/n", () => flow.Pool("/n").PutMany(batch));
        batch.Clear();
        batch.Add("a"u8, BitConverter.GetBytes(1UL));
        flow.Pool("/n").PutMany(batch);
        batch.Clear();
        batch.Add("k", "text");
        flow.Pool("/text").PutMany(batch);
        flow.Pool("/bytes").PutMany(batch);
        await flow.DrainAsync();
        Expect.Equal(1UL, flow.Pool<ulong>("/n").Get("a")?.Value);
        Expect.Equal("text", flow.Pool("/text").Get("k")?.ValueText);
        Expect.Equal("text", flow.Pool("/bytes").Get("k")?.ValueText);
    }

    private static void Refused(string pool, Action put)
    {
        FlowException refused = Expect.Throws<FlowException>(put);
        Expect.Equal(FlowError.BadValue, refused.Error);
        Expect.Holds($"put k into pool {pool}: the value is text, and the pool's type is u64; ", refused.Message);
    }
}
