using System;
using System.Buffers;
using System.Buffers.Binary;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>Handlers that take and emit a type.</summary>
public sealed class TypedTests
{
    [Test]
    public void An_unmanaged_value_is_read_and_emitted_as_it_is()
    {
        using var harness = new Harness<Fahrenheit>().Emits("/out");
        harness.PutValue("roof", new Reading { Sensor = 7, Celsius = 20 });
        Expect.Equal(("roof", 68.0), (harness.Emitted[0].KeyText, harness.Emitted[0].ValueAs<double>()));
        harness.Flush();
        Expect.Equal(("end", -1.0), (harness.Emitted[1].KeyText, harness.Emitted[1].ValueAs<double>()));
    }

    [Test]
    public void Unmanaged_values_are_read_in_place_where_they_are_aligned()
    {
        using var harness = new Harness<Places>().Emits("/out");
        harness.Batch([.. Enumerable.Range(0, 1000).Select(n => ($"{n}", "16 bytes of text"))]);
        Expect.Equal(1000, harness.Emitted.Count);
        Expect.Equal(true, harness.Emitted.All(emitted => emitted.ValueAs<byte>() == 1));
        Expect.Equal(0L, harness.Handler.Allocated);
    }

    [Test]
    public void A_value_of_another_size_fails_its_object()
    {
        using var harness = new Harness<Fahrenheit>().Emits("/out");
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Batch(
            ("a", "16 bytes of text"), ("roof", "123"), ("b", "16 bytes of text")));
        Expect.Equal("read the value of roof as Reading: it has 3 bytes, not 16", failure.Message);
        Expect.Equal("System.IO.InvalidDataException", failure.TypeName);
        Expect.Equal((1, 1, 1), (failure.Done, failure.Item ?? -1, harness.Emitted.Count));
    }

    [Test]
    public void A_struct_of_numbers_that_has_a_head_is_packed()
    {
        using var harness = new Harness<Copies<Headed>>().Emits("/out").Declares("/in", "Head");
        harness.Batch(("a", "\u0001abcd"));
        Expect.Equal("0161626364", Convert.ToHexString(harness.Emitted[0].Value));
        Expect.Throws<HandlerFailedException>(() => harness.Batch(("a", "abcd")));
    }

    [Test]
    public void Memory_that_is_no_value_of_its_type_fails_its_object()
    {
        using var levels = new Harness<Copies<Level>>().Emits("/out").Declares("/in", "Level", 2);
        levels.Batch(("a", "\u0009\0"));
        Expect.Equal(Level.High, levels.Emitted[0].ValueAs<Level>());
        var failure = Expect.Throws<HandlerFailedException>(() => levels.Batch(("a", "\u0002\0")));
        Expect.Equal("read the value of a as Level: no Level has these bytes, at byte 0", failure.Message);
        using var flags = new Harness<Copies<bool>>().Emits("/out");
        flags.Batch(("a", "\u0001"));
        Expect.Throws<HandlerFailedException>(() => flags.Batch(("a", "\u0002")));
    }

    [Test]
    public void What_the_memory_of_a_type_of_nets_own_cannot_be_fails_its_object()
    {
        Refuses(new Rune('x'), "char", [0x00, 0xD8, 0, 0]);
        Refuses(DateTime.MaxValue, "DateTime", [0, 0x40, 0x37, 0xF4, 0x75, 0x28, 0xCA, 0x2B]);
        Refuses(DateOnly.MaxValue, "DateOnly", [0xDB, 0xB9, 0x37, 0]);
        Refuses(TimeOnly.MaxValue, "TimeOnly", [0, 0xC0, 0x69, 0x2A, 0xC9, 0, 0, 0]);
        Refuses(decimal.MinValue, "Decimal", [0, 0, 29, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        Refuses(decimal.MinValue, "Decimal", [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        using var letters = new Harness<Copies<char>>().Emits("/out").Declares("/in", "Utf16Char", 2);
        letters.Batch(("a", "xy"));
        Expect.Equal('祸', letters.Emitted[0].ValueAs<char>());
    }

    private static void Refuses<T>(T value, string name, byte[] bytes)
        where T : unmanaged
    {
        using var harness = new Harness<Copies<T>>().Emits("/out").Declares("/in", name, bytes.Length);
        harness.PutValue("a", value);
        Expect.Equal(value, harness.Emitted[0].ValueAs<T>());
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("b"u8.ToArray(), bytes));
        Expect.Equal($"read the value of b as {typeof(T).Name}: no {typeof(T).Name} has these bytes, at byte 0", failure.Message);
    }

    [Test]
    public void A_struct_that_not_all_memory_is_has_to_be_packed()
    {
        Wrong<Copies<(bool, byte)>>("it holds a Boolean, and not all bytes are one");
        Wrong<Copies<DateTimeOffset>>("it holds a DateTime, and not all bytes are one");
        Wrong<Copies<Nested>>("it holds a Level, and not all bytes are one");
        using var bytes = new Harness<Guesses>().Emits("/out");
        Expect.Holds("it holds a Level", Expect.Throws<HandlerFailedException>(() => bytes.Put("k", "12345678")).Message);
    }

    [Test]
    public void What_lies_between_fields_is_not_emitted()
    {
        Wrong<Copies<(byte, long)>>("there is padding between its fields");
        Wrong<Copies<Gap>>("there is padding between its fields");
        using var bytes = new Harness<Leaks>().Emits("/out");
        Expect.Holds("there is padding between its fields", Expect.Throws<HandlerFailedException>(() => bytes.Put("k", "")).Message);
        Expect.Equal(0, bytes.Emitted.Count);
        using var flagged = new Harness<LeaksBesideBool>().Emits("/out");
        Expect.Holds("there is padding between its fields", Expect.Throws<HandlerFailedException>(() => flagged.Put("k", "")).Message);
        using var points = new Harness<Copies<Pointed>>().Emits("/out");
        points.Put("k", "16 bytes of text");
        Expect.Equal("16 bytes of text", points.Emitted[0].ValueText);
        using var taken = new Harness<Takes<Gap>>();
        taken.Put("k", "16 bytes of text");
        using var sized = new Harness<Copies<Sized>>().Emits("/out");
        sized.Put("k", "12 bytes.. .");
        Expect.Equal("12 bytes.. .", sized.Emitted[0].ValueText);
    }

    private static void Wrong<THandler>(string why)
        where THandler : class, new()
    {
        using var harness = new Harness<THandler>().Emits("/out");
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("k", ""));
        Expect.Holds(why, failure.Message);
        Expect.Equal("Upcall.PoolTypeException", failure.TypeName);
    }

    [Test]
    public void A_value_for_another_pool_is_compared_with_what_that_one_declares()
    {
        using var harness = new Harness<Splits>().Emits("/out", "/words").Declares("/out", "f64").Declares("/words", "text");
        harness.Put("k", "words");
        Expect.Equal("5 words", $"{harness.Emitted[0].ValueAs<double>()} {harness.Emitted[1].ValueText}");
        using var wrong = new Harness<Splits>().Emits("/out", "/words").Declares("/words", "f64", 8);
        var failure = Expect.Throws<HandlerFailedException>(() => wrong.Put("k", "words"));
        Expect.Equal(
            "pool /words has the type f64 of 8 bytes, and the handler emits text: change the pool's `type` or the handler's",
            failure.Message);
        Expect.Equal((0, 0), (failure.Item ?? -1, wrong.Emitted.Count));
    }

    [Test]
    public void Null_is_not_emitted()
    {
        using var harness = new Harness<Nothing>().Emits("/out");
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("k", ""));
        Expect.Holds("emit a Name: it is null", failure.Message);
    }

    [Test]
    public void Packed_values_are_unpacked_and_packed_into_the_output()
    {
        using var harness = new Harness<Renames>().Emits("/out");
        foreach (int length in (int[])[0, 1, 100, 100_000, 1_000_000])
        {
            harness.PutValue("k", new Name(new string('x', length)));
            Expect.Equal("k", harness.Emitted[^1].KeyText);
            Expect.Equal(new string('X', length), harness.Emitted[^1].ValueAs<Name>().Text);
        }
    }

    [Test]
    public void A_value_that_does_not_unpack_fails_its_object_and_says_where()
    {
        using var harness = new Harness<Renames>().Emits("/out");
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("roof", "ab"));
        Expect.Equal("read the value of roof as Name: the input ends at byte 2", failure.Message);
        Expect.Equal(0, failure.Item);
        failure = Expect.Throws<HandlerFailedException>(() => harness.Put("k"u8.ToArray(), [0xFF, 0xFF, 0xFF, 0xFF]));
        Expect.Equal("read the value of k as Name: it is null at byte 0", failure.Message);
    }

    [Test]
    public void What_was_half_packed_is_forgotten()
    {
        using var harness = new Harness<Renames>().Emits("/out");
        harness.PutValue("a", new Name("fine"));
        var failure = Expect.Throws<HandlerFailedException>(() => harness.PutValue("b", new Name("refuse")));
        Expect.Equal("will not pack REFUSE", failure.Message);
        harness.PutValue("c", new Name("fine"));
        Expect.Equal("a c", string.Join(' ', harness.Emitted.Select(emitted => emitted.KeyText)));
        Expect.Equal("FINE", harness.Emitted[1].ValueAs<Name>().Text);
    }

    [Test]
    public void A_pool_that_declares_another_type_fails_the_start_and_both_are_named()
    {
        using var input = new Harness<Fahrenheit>().Emits("/out").Declares("/in", "f64", 8);
        var failure = Expect.Throws<HandlerFailedException>(() => input.Put("k", "12345678"));
        Expect.Equal(
            "pool /in has the type f64 of 8 bytes, and the handler takes Reading of 16 bytes: "
                + "change the pool's `type` or the handler's",
            failure.Message);
        Expect.Equal("Upcall.PoolTypeException", failure.TypeName);
        using var output = new Harness<Renames>().Emits("/out").Declares("/out", "text");
        failure = Expect.Throws<HandlerFailedException>(() => output.PutValue("k", new Name("x")));
        Expect.Equal(
            "pool /out has the type text, and the handler emits Name: change the pool's `type` or the handler's",
            failure.Message);
        using var same = new Harness<Fahrenheit>().Emits("/out").Declares("/in", "Reading", 16).Declares("/out", "f64", 8);
        same.PutValue("k", new Reading());
    }

    [Test]
    public void A_generated_struct_of_numbers_is_its_memory_and_any_other_is_checked()
    {
        using var numbers = new Harness<Copies<Pair>>().Emits("/out");
        numbers.Put("k", "8 bytes.");
        Expect.Equal("8 bytes.", numbers.Emitted[0].ValueText);
        Expect.Equal(0, Pair.Unpacked);
        using var flags = new Harness<Copies<Flag>>().Emits("/out");
        flags.Put("k"u8.ToArray(), [1, 9, 9, 9, 4, 0, 0, 0]);
        Expect.Equal("0100000004000000", Convert.ToHexString(flags.Emitted[0].Value));
        var failure = Expect.Throws<HandlerFailedException>(() => flags.Put("k"u8.ToArray(), [2, 0, 0, 0, 4, 0, 0, 0]));
        Expect.Equal("read the value of k as Flag: a bool is 0 or 1 at byte 0", failure.Message);
    }

    [Test]
    public void A_type_that_cannot_be_read_is_named()
    {
        using var harness = new Harness<Takes<Version>>();
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("k", ""));
        Expect.Holds("System.Version cannot be used as a value type", failure.Message);
    }

    [Test]
    public void Text_and_bytes_are_taken_as_they_are()
    {
        using var harness = new Harness<Lengths>().Emits("/out").Declares("/in", "text");
        harness.Put("k", "größe");
        Expect.Equal("größe!", harness.Emitted[0].ValueText);
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Put("k"u8.ToArray(), [97, 98, 0xFF]));
        Expect.Equal("read the value of k as String: it is not UTF-8 at byte 2", failure.Message);
    }

    [Test]
    public void A_handler_of_bytes_may_read_and_emit_types_too()
    {
        using var harness = new Harness<Mixed>().Emits("/out");
        harness.PutValue("k", new Name("ab"));
        Expect.Equal("ba", harness.Emitted[0].ValueAs<Name>().Text);
    }

    private struct Reading
    {
        public ulong Sensor;
        public double Celsius;
    }

    private enum Answer : byte
    {
        No,
        Yes,
    }

    private sealed class Fahrenheit : FlowHandler<Reading, double>
    {
        public override void OnObject(in Reading value, FlowObject obj, Emitter<double> emit) =>
            emit.Put(obj.Key, value.Celsius * 1.8 + 32);

        public override void OnFlush(Emitter<double> emit) => emit.Put("end"u8, -1);
    }

    private sealed class Places : FlowHandler<Reading, Answer>
    {
        private long before = -1;

        public long Allocated { get; private set; } = -1;

        public override unsafe void OnObject(in Reading value, FlowObject obj, Emitter<Answer> emit)
        {
            before = before < 0 ? GC.GetAllocatedBytesForCurrentThread() : before;
            fixed (Reading* place = &value)
            fixed (byte* bytes = obj.Value)
            {
                emit.Put(obj.Key, (byte*)place == bytes ? Answer.Yes : Answer.No);
            }
            Allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    /// <summary>A packer as it is generated: a string, UTF-8 behind its length, -1 for null.</summary>
    private sealed class Name(string text)
    {
        public string Text { get; } = text;

        public static Name? Unpack(ReadOnlySpan<byte> bytes)
        {
            if (bytes.Length < 4)
            {
                throw new InvalidDataException($"the input ends at byte {bytes.Length}");
            }
            int length = BinaryPrimitives.ReadInt32LittleEndian(bytes);
            return length < 0 ? null : new Name(Encoding.UTF8.GetString(bytes[4..]));
        }

        public static void Pack(Name? value, IBufferWriter<byte> to)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(value!.Text);
            BinaryPrimitives.WriteInt32LittleEndian(to.GetSpan(4), bytes.Length);
            to.Advance(4);
            // In pieces, so that one of them meets the end of a chunk.
            foreach (byte[] piece in bytes.Chunk(1000))
            {
                to.Write(piece);
            }
            if (value.Text == "REFUSE")
            {
                throw new InvalidOperationException($"will not pack {value.Text}");
            }
        }
    }

    /// <summary>As bindgen makes a struct whose memory is what is packed.</summary>
    private struct Pair
    {
        internal const bool __Raw = true;
        public int First;
        public float Second;

        public static int Unpacked { get; private set; }

        public static Pair Unpack(ReadOnlySpan<byte> bytes)
        {
            Unpacked++;
            return new Pair { First = 1, Second = 2 };
        }

        public static void Pack(Pair value, IBufferWriter<byte> to) => throw new NotSupportedException();
    }

    /// <summary>As bindgen makes a struct of numbers that is an object, with a head.</summary>
    private struct Headed
    {
        internal const string __Name = "Head";

        public int One { get; set; }

        public static Headed Unpack(ReadOnlySpan<byte> bytes) => bytes.Length == 5 && bytes[0] == 1
            ? new Headed { One = BinaryPrimitives.ReadInt32LittleEndian(bytes[1..]) }
            : throw new InvalidDataException("a head of another number at byte 0");

        public static void Pack(Headed value, IBufferWriter<byte> to)
        {
            Span<byte> room = to.GetSpan(5)[..5];
            room[0] = 1;
            BinaryPrimitives.WriteInt32LittleEndian(room[1..], value.One);
            to.Advance(5);
        }
    }

    private enum Level : short
    {
        Low = 1,
        High = 9,
    }

    private struct Flag
    {
        public bool Set;
        public int Number;

        public static Flag Unpack(ReadOnlySpan<byte> bytes) => bytes[0] < 2
            ? new Flag { Set = bytes[0] == 1, Number = BinaryPrimitives.ReadInt32LittleEndian(bytes[4..]) }
            : throw new InvalidDataException("a bool is 0 or 1 at byte 0");

        public static void Pack(Flag value, IBufferWriter<byte> to)
        {
            Span<byte> room = to.GetSpan(8)[..8];
            room.Clear();
            room[0] = value.Set ? (byte)1 : (byte)0;
            BinaryPrimitives.WriteInt32LittleEndian(room[4..], value.Number);
            to.Advance(8);
        }
    }

    private sealed class Copies<T> : FlowHandler<T, T>
        where T : notnull
    {
        public override void OnObject(in T value, FlowObject obj, Emitter<T> emit) => emit.Put(obj.Key, in value);
    }

    private struct Gap
    {
        public byte One;
        public long Other;
    }

    private readonly record struct Nested(int Number, (short, Level) Inside);

    /// <summary>As bindgen makes an array within a struct before C# 12.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 12)]
    private struct Sized
    {
        public int First { get; set; }
    }

    private sealed class Guesses : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit) => obj.ValueAs<Nested>();
    }

    private sealed class Leaks : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit) => emit.Put(obj.Key, new Gap { One = 1, Other = 2 });
    }

    private sealed class LeaksBesideBool : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit) => emit.Put(obj.Key, (true, 5L));
    }

    private unsafe struct Pointed
    {
#pragma warning disable CS0649 // It comes from memory.
        public int* At;
        public long Count;
#pragma warning restore CS0649
    }

    private sealed class Splits : FlowHandler<string, double>
    {
        public override void OnObject(in string value, FlowObject obj, Emitter<double> emit)
        {
            emit.Put(obj.Key, value.Length);
            emit.Bytes.Of<string>().Put("/words", obj.Key, value);
        }
    }

    private sealed class Nothing : FlowHandler<string, Name>
    {
        public override void OnObject(in string value, FlowObject obj, Emitter<Name> emit) => emit.Put(obj.Key, null!);
    }

    private sealed class Renames : FlowHandler<Name, Name>
    {
        public override void OnObject(in Name value, FlowObject obj, Emitter<Name> emit) =>
            emit.Put(obj.Key, new Name(value.Text.ToUpperInvariant()));
    }

    private sealed class Lengths : FlowHandler<string, byte[]>
    {
        public override void OnObject(in string value, FlowObject obj, Emitter<byte[]> emit) =>
            emit.Put(obj.Key, Encoding.UTF8.GetBytes(value + "!"));
    }

    private sealed class Takes<T> : FlowHandler<T, byte[]>
        where T : notnull
    {
        public override void OnObject(in T value, FlowObject obj, Emitter<byte[]> emit)
        {
        }
    }

    private sealed class Mixed : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit)
        {
            string text = obj.ValueAs<Name>().Text;
            emit.Of<Name>().Put(obj.Key, new Name(string.Concat(text.Reverse())));
        }
    }
}
