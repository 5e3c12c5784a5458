using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>Handlers of this program that emit nothing, and so name no pool to emit to.</summary>
public sealed class EmbeddedNoOutputTests
{
    [Test]
    public async Task Functions_of_every_kind_need_no_output()
    {
        var heard = new ConcurrentQueue<string>();
        await using Flow flow = await Flow.Describe()
            .Workers(1)
            .Pool<int>("/numbers", PoolKind.Trigger)
            .Pool<string>("/texts", PoolKind.Trigger)
            .OnAsync("/texts", async (obj, _) =>
            {
                string key = obj.KeyText;
                await Task.Yield();
                heard.Enqueue($"later {key}");
            })
            .On("/numbers", (in int value, FlowObject obj) => heard.Enqueue($"{obj.KeyText} is {value}"))
            .On<string>("/texts", (in string value, FlowObject _) => heard.Enqueue(value), new() { Name = "text" })
            .On("/texts", () => new Hears(heard), new() { Name = "made" })
            .On("/texts", () => new HearsLater(heard))
            .StartAsync();
        await flow.Pool<int>("/numbers").PutAsync("n", 7);
        await flow.Pool<string>("/texts").PutAsync("t", "text");
        await flow.DrainAsync();
        Expect.Equal("awaited t,later t,made t,n is 7,text", string.Join(',', heard.Order(StringComparer.Ordinal)));
        string[] names = [.. flow.Report().GetProperty("handlers").EnumerateArray().Select(Name)];
        Expect.Equal("/numbers,/texts,/texts, 2,made,text", string.Join(',', names.Order(StringComparer.Ordinal)));

        static string Name(System.Text.Json.JsonElement handler) => handler.GetProperty("name").GetString()!;
    }

    [Test]
    public async Task A_typed_function_without_output_takes_the_type_of_its_pool_only()
    {
        FlowException refused = await Expect.Throws<FlowException>(Flow.Describe()
            .Pool<string>("/texts")
            .On<int>("/texts", (in int _, FlowObject _) => { })
            .StartAsync());
        Expect.Equal(FlowError.Load, refused.Error);
        Expect.Holds("i32", refused.Message);
    }

    private sealed class Hears(ConcurrentQueue<string> heard) : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit) => heard.Enqueue($"made {obj.KeyText}");
    }

    private sealed class HearsLater(ConcurrentQueue<string> heard) : IAsyncObjectHandler
    {
        public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
        {
            string key = obj.KeyText;
            await Task.Yield();
            heard.Enqueue($"awaited {key}");
        }
    }
}
