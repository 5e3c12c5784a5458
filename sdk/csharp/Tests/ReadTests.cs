using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Upcall.Abi;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>What a handler reads from pools: now, at a version, by time, and which keys there are.</summary>
public sealed class ReadTests
{
    [Test]
    public void A_pool_can_be_read()
    {
        using var harness = Harness();
        Expect.Equal("one v1", Asked(harness, "1", "now"));
        Expect.Equal("zwei v3", Asked(harness, "2", "now"));
        Expect.Equal("absent", Asked(harness, "9", "now"));
    }

    [Test]
    public void A_key_can_be_read_as_it_was_at_a_version_and_at_a_time()
    {
        using var harness = Harness();
        Expect.Equal("two v2", Asked(harness, "2", "at 2"));
        Expect.Equal("zwei v3", Asked(harness, "2", "at 3"));
        Expect.Equal("absent", Asked(harness, "2", "at 1"));
        Expect.Equal("two v2", Asked(harness, "2", "by 2"));
        Expect.Equal("zwei v3", Asked(harness, "2", "by 1000"));
    }

    [Test]
    public void What_a_key_was_before_a_pool_keeps_it_is_an_error()
    {
        using var harness = Harness().Forgets("/names", 3);
        foreach (string when in (string[])["at 2", "by 2"])
        {
            var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("2", when));
            Expect.Equal("Upcall.VersionNotKeptException", failure.TypeName);
            Expect.Equal("read 2 as it was: that is no longer kept; raise `keep` of the pool", failure.Message);
        }
        Expect.Equal("zwei v3", Asked(harness, "2", "at 3"));
    }

    [Test]
    public void The_keys_of_a_pool_are_listed_by_their_prefix()
    {
        using var harness = Harness();
        Expect.Equal("1 10 11", Asked(harness, "1", "list"));
        Expect.Equal("1 10 11 2", Asked(harness, "", "list"));
        Expect.Equal("", Asked(harness, "3", "list"));
    }

    [Test]
    public void A_pool_that_may_not_be_read_is_an_error()
    {
        using var harness = new Harness<Joins>().Emits("/out", "/names").Reads("/other");
        foreach (string how in (string[])["now", "at 1", "by 1", "list"])
        {
            var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("1", how));
            Expect.Equal("Upcall.PoolNotDeclaredException", failure.TypeName);
            Expect.Equal(
                "pool /names is not declared by this handler; it has /other: add /names to its `read`", failure.Message);
        }
        using var unset = new Harness<Unset>().Emits("/out");
        Expect.Equal(
            "pool /in is not declared by this handler; it has none: add /in to its `read`",
            Expect.Throws<HandlerFailedException>(() => unset.Put("1", "")).Message);
    }

    [Test]
    public void A_pool_that_the_handler_does_not_know_at_all_is_an_error()
    {
        var session = new Session(new Lent());
        var failure = Expect.Throws<PoolNotDeclaredException>(() => session.Reader.Read(new PoolId(7), "k"u8, AsOf.Now, 0, out _));
        Expect.Equal(
            "read a pool that this handler does not declare; it has none: add the pool to its `read`, "
                + "and take its id from Pool(path) in OnOpen",
            failure.Message);
    }

    [Test]
    public void A_harness_has_to_have_a_pool_before_more_is_said_of_it()
    {
        using var harness = new Harness<Joins>().Emits("/out");
        foreach (Action more in (Action[])[() => harness.Declares("/names", "u64", 8), () => harness.Forgets("/names", 1)])
        {
            Expect.Equal(
                "the harness has no pool /names; it has /in, /out: declare it with Emits or Reads first (Parameter 'path')",
                Expect.Throws<ArgumentException>(more).Message);
        }
    }

    [Test]
    public unsafe void A_read_that_the_engine_is_too_old_for_is_not_taken_for_a_pool()
    {
        var services = new PoolServices { Size = (uint)sizeof(PoolServices), Read = &KnowsNoAsOf };
        var session = new Session(new Lent());
        session.Reader.Open(&services);
        var failure = Expect.Throws<NotSupportedException>(() => session.Reader.Read(default, "k"u8, 99, 1, out _));
        Expect.Equal(
            "read k as it was: this engine does not know how; run it with one as new as the handler", failure.Message);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static unsafe Status KnowsNoAsOf(void* context, Query* query, Item* found)
    {
        *found = new Item { Tag = Missing.UnknownAsOf };
        return Status.Failed;
    }

    [Test]
    public unsafe void A_read_without_room_for_what_it_finds_is_not_taken_for_a_pool()
    {
        var services = new PoolServices { Size = (uint)sizeof(PoolServices), Read = &HasNoRoom, List = &HasNoRoomForKeys };
        var session = new Session(new Lent());
        session.Reader.Open(&services);
        const string Full = "; raise its `memory`, or read less in one call";
        var failure = Expect.Throws<InsufficientMemoryException>(() => session.Reader.Read(default, "k"u8, AsOf.Now, 0, out _));
        Expect.Equal("read k: the handler's memory has no room for it" + Full, failure.Message);
        failure = Expect.Throws<InsufficientMemoryException>(() => session.Reader.List(default, "k"u8));
        Expect.Equal("list keys: the handler's memory has no room for them" + Full, failure.Message);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static unsafe Status HasNoRoom(void* context, Query* query, Item* found)
    {
        *found = new Item { Tag = Missing.NoRoom };
        return Status.Failed;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static unsafe Status HasNoRoomForKeys(void* context, Query* query, RelRel* keys)
    {
        *keys = new RelRel { Offset = Missing.NoRoom };
        return Status.Failed;
    }

    private static Harness<Joins> Harness() => new Harness<Joins>().Emits("/out").Reads(
        "/names", ("1", "one"), ("2", "two"), ("2", "zwei"), ("11", "eleven"), ("10", "ten"));

    private static string Asked(Harness<Joins> harness, string key, string how)
    {
        harness.Put(key, how);
        return harness.Emitted[^1].ValueText;
    }

    /// <summary>Reads the pool of a <see cref="PoolId"/> that nobody has set.</summary>
    private sealed class Unset : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit) => emit.TryRead(default, obj.Key, out _);
    }

    /// <summary>Reads its key as its value says.</summary>
    private sealed class Joins : IObjectHandler, IOpen
    {
        private PoolId names;

        public void OnOpen(OpenContext open) => names = open.Pool("/names");

        public void OnObject(FlowObject obj, Emitter emit)
        {
            string[] how = obj.ValueText.Split(' ');
            if (how[0] == "list")
            {
                KeyList keys = emit.List(names, obj.Key);
                var found = new string[keys.Count];
                int index = 0;
                foreach (ReadOnlySpan<byte> key in keys)
                {
                    found[index++] = Encoding.UTF8.GetString(key);
                }
                emit.Put(obj.Key, Encoding.UTF8.GetBytes(string.Join(' ', found)));
                return;
            }
            ulong when = how.Length > 1 ? ulong.Parse(how[1]) : 0;
            Found read;
            bool there = how[0] switch
            {
                "now" => emit.TryRead(names, obj.Key, out read),
                "at" => emit.TryReadAt(names, obj.Key, when, out read),
                _ => emit.TryReadByTime(names, obj.Key, when, out read),
            };
            string text = there ? $"{Encoding.UTF8.GetString(read.Value)} v{read.Version}" : "absent";
            emit.Put(obj.Key, Encoding.UTF8.GetBytes(text));
        }
    }
}
