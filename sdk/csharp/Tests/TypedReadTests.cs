using System;
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

    [Test]
    public void A_harness_holds_what_was_given_as_bytes()
    {
        using var harness = new Harness<Looks>().Emits("/out").ReadsValues("/heights", ("roof", BitConverter.GetBytes(3.0)));
        Expect.Equal("3 v1 t1", Asked(harness, "now"));
    }

    [Test]
    public void Values_that_are_given_declare_the_type_of_their_pool()
    {
        using var harness = new Harness<Looks>().Emits("/out").ReadsValues("/heights", ("roof", 3L));
        Expect.Equal(
            "pool /heights has the type i64 of 8 bytes, and the handler reads f64 of 8 bytes: "
                + "change the pool's `type` or the handler's",
            Expect.Throws<HandlerFailedException>(() => harness.Put("roof", "now")).Message);
    }

    [Test]
    public void A_value_that_its_pool_cannot_hold_is_told_with_pool_and_key()
    {
        using var text = new Harness<Looks>().Emits("/out").Reads("/heights", ("roof", "50")).Declares("/heights", "f64", 8);
        Expect.Equal(
            "pool /heights, key roof: the value has 2 bytes, and the type f64 of the pool 8: "
                + "give values of that type with ReadsValues",
            Expect.Throws<ArgumentException>(() => text.Put("roof", "now")).Message);
        Expect.Equal(
            "pool /heights declares the type f64, and is given values of i32: give it values of its type, or declare theirs",
            Expect.Throws<ArgumentException>(() => text.ReadsValues("/heights", ("roof", 50))).Message);
        Expect.Holds(
            "pool /heights, key roof: the value is null",
            Expect.Throws<ArgumentNullException>(() => text.ReadsValues("/heights", ("roof", default(byte[])!))).Message);
    }

    [Test]
    public void A_pool_that_is_read_and_emitted_to_is_one_pool()
    {
        using var harness = new Harness<Looks>().ReadsValues("/heights", ("roof", 3.0)).Emits("/out", "/heights");
        harness.Put("roof", "here");
        Expect.Equal(("/heights", 3.0, 1UL), (harness.Emitted[0].Pool, harness.Emitted[0].ValueAs<double>(), harness.Emitted[0].Previous));
        Expect.Equal(("/out", "3 v1 t1"), (harness.Emitted[1].Pool, harness.Emitted[1].ValueText));
    }

    private static Harness<Looks> Harness() => new Harness<Looks>().Emits("/out").ReadsValues(
        "/heights", ("roof", 10.0), ("roof", 20.0), ("wall", 0.0));

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
            "now" or "here" => emit.TryRead(heights, obj.Key, out read),
            "at" => emit.TryReadAt(heights, obj.Key, 1, out read),
            "by" => emit.TryReadByTime(heights, obj.Key, 1, out read),
            _ => emit.TryRead(heights, "none"u8, out read),
        };
        if (value == "here")
        {
            emit.Bytes.PutIf(heights, obj.Key, read.Value, read.Version);
        }
        emit.Put(obj.Key, there ? $"{read.Value} v{read.Version} t{read.Time}" : "absent");
    }
}
