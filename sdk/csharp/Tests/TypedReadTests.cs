using System.Text;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>What a typed handler reads from pools, as values and as bytes.</summary>
public sealed class TypedReadTests
{
    [Test]
    public void A_typed_handler_reads_values_with_their_version_and_time()
    {
        using var harness = Harness();
        Expect.Equal("20 v2 t2", Asked(harness, "now"));
        Expect.Equal("10 v1 t1", Asked(harness, "at"));
        Expect.Equal("10 v1 t1", Asked(harness, "by"));
        Expect.Equal("absent", Asked(harness, "none"));
    }

    [Test]
    public void A_typed_handler_reads_bytes_and_lists_keys_without_another_emitter()
    {
        using var harness = Harness();
        Expect.Equal("8 v2, 8 v1, 8 v1", Asked(harness, "bytes"));
        Expect.Equal("roof wall", Asked(harness, "list"));
    }

    [Test]
    public void Bytes_that_are_not_a_value_of_the_type_name_their_key()
    {
        using var harness = new Harness<Looks>().Emits("/out").Reads("/heights", ("roof", "high"));
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("roof", "now"));
        Expect.Equal("System.IO.InvalidDataException", failure.TypeName);
        Expect.Equal("read the value of roof as Double: it has 4 bytes, not 8", failure.Message);
    }

    [Test]
    public void A_pool_that_declares_another_type_is_not_read_as_this_one()
    {
        using var harness = new Harness<Looks>().Emits("/out").Reads("/heights").Declares("/heights", "i64", 8);
        for (int time = 0; time < 2; time++)
        {
            var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("roof", "now"));
            Expect.Equal("Upcall.PoolTypeException", failure.TypeName);
            Expect.Equal(
                "pool /heights has the type i64 of 8 bytes, and the handler reads f64 of 8 bytes: "
                    + "change the pool's `type` or the handler's",
                failure.Message);
        }
    }

    private static Harness<Looks> Harness() => new Harness<Looks>().Emits("/out").Reads(
        "/heights", ("roof", "\0\0\0\0\0\0$@"), ("roof", "\0\0\0\0\0\04@"), ("wall", "\0\0\0\0\0\0\0\0"));

    private static string Asked(Harness<Looks> harness, string how)
    {
        harness.Put("roof", how);
        return harness.Emitted[^1].ValueText;
    }
}

/// <summary>Reads its key as its value says.</summary>
internal sealed class Looks : FlowHandler<string, string>, IOpen
{
    private PoolId heights;

    public void OnOpen(OpenContext open) => heights = open.Pool("/heights");

    public override void OnObject(in string value, FlowObject obj, Emitter<string> emit)
    {
        switch (value)
        {
            case "list":
                KeyList keys = emit.List(heights, ""u8);
                emit.Put(obj.Key, $"{Encoding.UTF8.GetString(keys[0])} {Encoding.UTF8.GetString(keys[1])}");
                return;
            case "bytes":
                emit.TryRead(heights, obj.Key, out Found now);
                emit.TryReadAt(heights, obj.Key, 1, out Found at);
                emit.TryReadByTime(heights, obj.Key, 1, out Found by);
                emit.Put(obj.Key, $"{now.Value.Length} v{now.Version}, {at.Value.Length} v{at.Version}, {by.Value.Length} v{by.Version}");
                return;
        }
        Found<double> read;
        bool there = value switch
        {
            "now" => emit.TryRead(heights, obj.Key, out read),
            "at" => emit.TryReadAt(heights, obj.Key, 1, out read),
            "by" => emit.TryReadByTime(heights, obj.Key, 1, out read),
            _ => emit.TryRead(heights, "none"u8, out read),
        };
        emit.Put(obj.Key, there ? $"{read.Value} v{read.Version} t{read.Time}" : "absent");
    }
}
