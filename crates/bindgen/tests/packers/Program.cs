// Reads and writes the golden bytes with the packers that bindgen made.
using System;
using System.Buffers;
using System.IO;
using System.Reflection;
using Packs;

internal static class Program
{
    private static int wrong;

    private static int Main(string[] arguments)
    {
        int lines = 0;
        foreach (string line in File.ReadLines(arguments[0]))
        {
            string[] parts = line.Split('|');
            Type type = Type.GetType("Packs.I" + parts[0]) ?? Type.GetType("Packs." + parts[0])
                ?? throw new InvalidOperationException($"no type {parts[0]}");
            Packer packer = (Packer)Activator.CreateInstance(typeof(Packer<>).MakeGenericType(type))!;
            packer.Try(parts[1], Convert.FromHexString(parts[2]), parts[3], parts[4]);
            lines++;
        }
        Values();
        Console.WriteLine($"{lines} lines, {(wrong == 0 ? "nothing" : wrong.ToString())} wrong");
        return wrong == 0 ? 0 : 1;
    }

    internal static void Check(bool right, string what)
    {
        if (right) return;
        wrong++;
        Console.WriteLine(what);
    }

    internal static void Fails(string what, Action run, string message = "")
    {
        try
        {
            run();
            Check(false, $"{what}: no error");
        }
        catch (PackException error)
        {
            Check(error.Offset >= 0 && error.Message.Contains(message) && error.Message.EndsWith($" at byte {error.Offset}"), $"{what}: {error.Message}");
        }
    }

    /// <summary>What the golden bytes do not have.</summary>
    private static void Values()
    {
        Everything all = new Everything
        {
            I8 = -1,
            U16 = 65535,
            U128 = UInt128.MaxValue,
            Size = ulong.MaxValue,
            Two = new[] { "a", null },
            Bytes = new byte[] { 1, 2 },
            Wide = new[] { long.MinValue, 1 },
            Halves = new[] { (Half)0.5 },
            Sorted = { ["b"] = new[] { 1.5 }, ["a"] = Array.Empty<double>() },
            Levels = { Level.High, Level.Low },
            Shape = new Ub { Y = "あ😀" },
            Pair = new PairString { One = "x" },
            Numbers = new PairI32 { One = 1, Other = 2 },
            Nested = new[] { new Vt { B = 7 }, null },
            Class = true,
            Pack_ = true,
        };
        all.Three.AsSpan()[1] = 9;
        all.Queue.Enqueue(new Person { Age = 3 });
        byte[] bytes = Everything.Pack(all);
        Everything back = Everything.Unpack(bytes)!;
        Check(Everything.Pack(back).AsSpan().SequenceEqual(bytes), "everything is written as it was read");
        Check(back.Three.AsSpan()[1] == 9 && back.Sorted.Count == 2 && back.Queue.Peek().Age == 3, "everything is there");
        Check(back.Shape is Ub { Y: "あ😀" } && back.Numbers!.Other == 2 && back.Nested[0]!.B == 7, "all of it");
        for (int end = 0; end < bytes.Length; end++)
        {
            byte[] start = bytes[..end];
            Fails($"everything up to {end}", () => Everything.Unpack(start));
        }

        // By this the engine knows whose memory is what is packed.
        const BindingFlags Own = BindingFlags.Static | BindingFlags.NonPublic;
        Check(typeof(Vector3).GetField("__Raw", Own) is { IsLiteral: true }, "what is memory says so");
        Check(typeof(Ms).GetField("__Raw", Own) is null && typeof(Um).GetField("__Raw", Own) is null, "what has a head or padding does not");

        Check(typeof(PairI32).GetField("__Name", Own)?.GetRawConstantValue() is "Pair", "the name of a generic type");
        Check(typeof(IIu).GetField("__Name", Own)?.GetRawConstantValue() is "Iu", "the name of a union");
        Check(typeof(Person).GetField("__Name", Own) is null, "a name that is the same");

        // Older bytes have fewer members; what is missing is its default, also over a value.
        Person? person = new Person { Age = 1, Name = "x" };
        Person same = person;
        Person.Overwrite(ref person, new byte[] { 1, 5, 0, 0, 0 });
        Check(ReferenceEquals(person, same) && same.Age == 5 && same.Name is null, "a missing member over a value");
        Log? log = new Log { Fs = new float[] { 1, 2 } };
        float[] floats = log.Fs;
        Log.Overwrite(ref log, Log.Pack(new Log { Fs = new float[] { 3, 4 } }));
        Check(ReferenceEquals(log!.Fs, floats) && floats[1] == 4, "an array of the same length is used again");
        Fails("a missing union", () => Everything.Unpack(new byte[] { 1, 0 }), "Everything.Shape");
        Check(Everything.Unpack(new byte[] { 0xFF }) is null, "null");
        Fails("a null struct", () => Ms.Unpack(new byte[] { 0xFF }));
        Fails("null where none is", () => Everything.Pack(new Everything()), "null");
        Fails("half a character", () => Person.Pack(new Person { Name = "\ud800" }), "surrogate");
        Fails("half a character", () => Person.Pack(new Person { Name = "\ud800" }, new PackOptions { Text = PackText.Utf16 }), "surrogate");

        // .NET keeps a kind in this one.
        byte[] now = W20.Pack(new W20 { Item1 = DateTimeOffset.UtcNow });
        Check(now[16] < 0x40 && (DateTime.UtcNow - W20.Unpack(now)!.Item1.UtcDateTime).TotalHours < 1, "a moment that .NET made");
        W20 behind = W20.Unpack(Convert.FromHexString("01A6FF00000000000000181929110ADC08"))!;
        Check(behind.Item1 == new DateTimeOffset(0x08DC0A1129191800, default) && behind.Item1.Offset.TotalMinutes == -90, "a moment behind UTC");

        // A place within slots is counted from the start, as any other.
        Everything broken = Everything.Unpack(bytes)!;
        broken.Nested = new[] { new Vt { S = "\ud800" } };
        try
        {
            Everything.Pack(broken);
            Check(false, "half a character in a slot: no error");
        }
        catch (PackException error)
        {
            int start = bytes.AsSpan().IndexOf(new byte[] { 2, 0, 0, 0, 4, 4, 8, 0 });
            Check(start > 0 && error.Offset == start + 4 + 12, $"half a character in a slot of byte {start}: {error.Offset}");
        }

        // What is said to be long is not believed.
        Fails("a long text", () => Person.Unpack(Convert.FromHexString("0228000000FFFFFF80FFFFFF7F")), "text of");
        Fails("a long array", () => W18.Unpack(Convert.FromHexString("01FFFFFF7F00")), "count");
        Fails("another length", () => Person.Unpack(Convert.FromHexString("0228000000FBFFFFFF030000004A6F686E")), "characters");
        Fails("no UTF-8", () => Person.Unpack(Convert.FromHexString("0228000000FBFFFFFF0400000041FF4141")), "UTF-8 at byte 14");
        Fails("no UTF-8", () => Person.Unpack(Convert.FromHexString("0228000000FBFFFFFFFFFFFFFF41FF4141")), "UTF-8 at byte 14");
        Fails("no bool", () => W6.Unpack(Convert.FromHexString("01020000000102")), "byte 6");
        Fails("no variant", () => W5.Unpack(Convert.FromHexString("01020000000103")), "byte 6");
        Fails("no tag", () => IIu.Unpack(new byte[] { 7, 0 }), "tag of 7");
        Fails("a grid that is too small", () => W16.Unpack(Convert.FromHexString("0103010000000100000001000000")), "too few");
        Fails("a grid of other dimensions", () => W16.Unpack(Convert.FromHexString("010301000000020000000100000001000000")), "dimensions");

        // Deep things end.
        Node deep = new Node();
        for (int depth = 0; depth < 2000; depth++) deep = new Node { Parent = deep };
        Fails("too deep", () => Node.Pack(deep), "1000 objects");
        byte[] packed = Node.Pack(deep, new PackOptions { Depth = 3000 });
        Fails("too deep", () => Node.Unpack(packed), "1000 objects");
        Check(Node.Unpack(packed, new PackOptions { Depth = 3000 })!.Parent!.Parent is not null, "as deep as allowed");

        // Through a writer whose pieces are small.
        Small small = new Small();
        Everything.Pack(all, small);
        Check(small.All.ToArray().AsSpan().SequenceEqual(bytes), "a writer of small pieces");
        Check(Person.Pack(new Person { Name = "a" }, new PackOptions { Text = PackText.Utf8WithoutLength })[9] == 0xFF, "without a length");
    }

    private sealed class Small : IBufferWriter<byte>
    {
        public readonly MemoryStream All = new MemoryStream();
        private byte[] piece = Array.Empty<byte>();

        public void Advance(int count) => All.Write(piece, 0, count);
        public Memory<byte> GetMemory(int sizeHint = 0) => piece = new byte[Math.Max(sizeHint, 1)];
        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }
}

internal abstract class Packer
{
    public abstract void Try(string name, byte[] bytes, string text, string hex);
}

/// <summary>A type's packer, found as an engine finds it.</summary>
internal sealed class Packer<T> : Packer
{
    private delegate T? Reads(ReadOnlySpan<byte> bytes);
    private delegate void Overwrites(ref T? value, ReadOnlySpan<byte> bytes);
    private delegate byte[] Writes(T? value, PackOptions options);

    private static TDelegate Find<TDelegate>(string name, params Type[] parameters) where TDelegate : Delegate =>
        typeof(T).GetMethod(name, BindingFlags.Public | BindingFlags.Static, parameters)!.CreateDelegate<TDelegate>();

    public override void Try(string name, byte[] bytes, string text, string hex)
    {
        Reads unpack = Find<Reads>("Unpack", typeof(ReadOnlySpan<byte>));
        Writes pack = Find<Writes>("Pack", typeof(T), typeof(PackOptions));
        Overwrites overwrite = Find<Overwrites>("Overwrite", typeof(T).MakeByRefType(), typeof(ReadOnlySpan<byte>));
        PackOptions options = new PackOptions { Text = Enum.Parse<PackText>(text.Replace("-", ""), ignoreCase: true) };
        if (hex.StartsWith("error"))
        {
            Program.Fails(name, () => unpack(bytes), hex.Substring("error".Length));
            return;
        }
        try
        {
            T? value = unpack(bytes);
            string written = Convert.ToHexString(pack(value, options));
            Program.Check(written == hex, $"{name}: {written} for {hex}");
            overwrite(ref value, bytes);
            written = Convert.ToHexString(pack(value, options));
            Program.Check(written == hex, $"{name} over itself: {written} for {hex}");
        }
        catch (Exception error)
        {
            Program.Check(false, $"{name}: {error}");
            return;
        }
        for (int end = 0; end < bytes.Length; end++)
        {
            byte[] start = bytes[..end];
            Program.Fails($"{name} up to {end}", () => unpack(start));
        }
        Program.Fails($"{name} and more", () => unpack([.. bytes, 0]), "behind");
        // Whatever bytes are given, nothing but a value or this error comes of it.
        for (int at = 0; at < Math.Min(bytes.Length, 300); at++)
        {
            foreach (byte other in new byte[] { 0, 1, 0x7F, 0x80, 0xFA, 0xFF })
            {
                byte[] changed = bytes.AsSpan().ToArray();
                changed[at] = other;
                try
                {
                    pack(unpack(changed), options);
                }
                catch (PackException)
                {
                }
                catch (Exception error)
                {
                    Program.Check(false, $"{name} with {other} at {at}: {error}");
                }
            }
        }
    }
}
