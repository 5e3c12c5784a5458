using System;
using System.Linq;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>What a handler says of itself before it is opened.</summary>
public sealed class DescribeTests
{
    [Test]
    public void A_handler_says_its_kind_and_how_it_likes_its_objects()
    {
        using var objects = new Harness<Shout>();
        Described one = objects.Describe();
        Expect.Equal(("FLOW", "object", null, 0, false), (one.Kind, one.Form, one.Takes, one.Gives.Count, one.Commutative));
        using var batches = new Harness<Batches>();
        Expect.Equal("batch", batches.Describe().Form);
        using var combines = new CombineHarness<double>(new Probes.Combining());
        Described sum = combines.Describe();
        Expect.Equal(("COMBINE", "", new ValueShape("f64", 8), true), (sum.Kind, sum.Form, sum.Takes!, sum.Commutative));
    }

    [Test]
    public void A_typed_handler_says_what_it_takes_and_gives()
    {
        using var harness = new Harness<Spells>();
        Described described = harness.Describe();
        Expect.Equal("object", described.Form);
        Expect.Equal(new ValueShape("f64", 8), described.Takes!);
        Expect.Equal(new ValueShape("text", null), described.Gives.Single());
        using var bytes = new Harness<Passes>();
        Expect.Equal((null, 0), (bytes.Describe().Takes, bytes.Describe().Gives.Count));
    }

    [Test]
    public void A_handler_says_which_settings_it_understands()
    {
        using var harness = new Harness<Spells>();
        Expect.Equal(new Parameter("every", "u64", "10", "1..=1000"), harness.Describe().Parameters[0]);
        Expect.Equal(new Parameter("language", "text", null, "German or English"), harness.Describe().Parameters[1]);
        Expect.Equal(new Parameter("prefix", "text", "", null), harness.Describe().Parameters[2]);
    }

    [Test]
    public void A_description_may_be_longer_than_the_room_for_it()
    {
        using var harness = new Harness<Verbose>();
        Described described = harness.Describe();
        Expect.Equal(1000, described.Parameters.Count);
        Expect.Equal(true, described.Parameters.All(parameter => parameter.Range!.Length == 1000));
    }

    [Test]
    public void Asking_comes_before_opening_and_changes_nothing()
    {
        using var harness = new Harness<Talks>().Emits("/out");
        harness.Describe();
        Expect.Equal(0, harness.Logged.Count);
        harness.Put("k", "v");
        Expect.Equal("handler  none 2", harness.Logged[0].Text);
    }

    [Test]
    public void An_exception_in_a_description_is_an_error_with_its_stack()
    {
        using var harness = new Harness<Mute>();
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Describe());
        Expect.Equal("System.NotSupportedException", failure.TypeName);
        Expect.Holds("Mute.Describe", failure.HandlerStack);
        harness.Put("k", "v");
    }

    private sealed class Passes : FlowHandler<byte[], byte[]>
    {
        public override void OnObject(in byte[] value, FlowObject obj, Emitter<byte[]> emit) => emit.Put(obj.Key, value);
    }

    private sealed class Verbose : IObjectHandler, IDescribe
    {
        public void Describe(Description about)
        {
            for (int number = 0; number < 1000; number++)
            {
                about.Parameter($"p{number}", "text", range: new string('x', 1000));
            }
        }

        public void OnObject(FlowObject obj, Emitter emit)
        {
        }
    }

    private sealed class Mute : IObjectHandler, IDescribe
    {
        public void Describe(Description about) => throw new NotSupportedException("nothing to say");

        public void OnObject(FlowObject obj, Emitter emit)
        {
        }
    }
}
