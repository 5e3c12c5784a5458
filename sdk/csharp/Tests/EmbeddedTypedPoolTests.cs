using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>What a pool does through bytes, and through values of one type as well.</summary>
public sealed class EmbeddedTypedPoolTests
{
    [Test]
    public async Task A_typed_pool_has_what_the_pool_of_bytes_has()
    {
        await using Flow flow = await Flow.Describe().Pool<ulong>("/p", keep: 9).StartAsync();
        FlowPool<ulong> pool = flow.Pool<ulong>("/p");
        ulong first = await pool.PutAsync("a", 1);
        ulong second = pool.PutIf("a", 2, first);
        FlowException conflict = Expect.Throws<FlowException>(() => pool.PutIf("a", 3, first));
        Expect.Equal(FlowError.Conflict, conflict.Error);
        pool.PutMany([("b", 4), ("c", 5)]);
        await flow.SettleAsync();
        Expect.Equal("a,b,c", string.Join(',', pool.List()));
        Expect.Equal("b", string.Join(',', pool.List("b")));
        Expect.Equal("2,4,5", string.Join(',', pool.List().Select(key => pool.Get(key)?.Value)));
        Expect.Equal(1UL, pool.GetAt("a", first)?.Value);
        ulong time = pool.Versions("a")[0].Time;
        Expect.Equal(time, pool.GetByTime("a", time)?.Time);
        Expect.Equal(true, pool.GetByTime("a", time - 1) == null);
        ulong removed = pool.Remove("a");
        await pool.RemoveAsync("b");
        Expect.Equal($"{first},{second},{removed}", string.Join(',', pool.Versions("a").Select(seen => seen.Version)));
        Expect.Equal("c", string.Join(',', pool.List()));
    }

    [Test]
    public async Task A_typed_pool_triggers_its_handlers()
    {
        await using Flow flow = await Flow.Describe()
            .Workers(1)
            .Pool<string>("/in", PoolKind.Trigger)
            .Pool<string>("/out")
            .On<string, string>("/in", "/out", (in string value, FlowObject obj, Emitter<string> emit) =>
                emit.Put(obj.Key, value + "!"))
            .StartAsync();
        flow.Pool<string>("/in").Trigger("a", "one");
        await flow.Pool<string>("/in").TriggerAsync("b", "two");
        await flow.DrainAsync();
        FlowPool<string> heard = flow.Pool<string>("/out");
        Expect.Equal("one!,two!", string.Join(',', heard.List().Select(key => heard.Get(key)?.Value)));
    }

    [Test]
    public async Task A_stored_value_is_read_as_a_type()
    {
        await using Flow flow = await Flow.Describe().Pool<ulong>("/p").StartAsync();
        await flow.Pool<ulong>("/p").PutAsync("k", 7);
        Stored stored = flow.Pool("/p").Get("k")!.Value;
        Expect.Equal(7UL, stored.ValueAs<ulong>());
        InvalidDataException wrong = Expect.Throws<InvalidDataException>(() => stored.ValueAs<int>());
        Expect.Equal("read a value as Int32: it has 8 bytes, not 4", wrong.Message);
    }

    [Test]
    public void A_padded_value_that_is_put_is_not_said_to_be_emitted()
    {
        PoolTypeException refused = Expect.Throws<PoolTypeException>(() => Flow.Describe().Pool<Padded>("/p"));
        Expect.Holds("Padded cannot be written as a value: there is padding between its fields", refused.Message);
    }

    private struct Padded
    {
#pragma warning disable CS0649 // Only its layout is asked for.
        public byte Small;
        public long Large;
#pragma warning restore CS0649
    }
}
