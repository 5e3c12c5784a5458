using System;
using System.Buffers;
using System.IO;
using MemoryPack;
using Shapes;

/// MemoryPack itself, on the bytes that Upcall's pack has written.
///
/// `codecs.dll FOLDER ROUNDS NAME`: reads FOLDER/SHAPE.bin, and prints what the Rust program prints: shape, operation,
/// codec, numbers, between tabs. NAME is the codec's, which tells how the runtime was started.
static class Program
{
    static string Name = "";

    static int Main(string[] arguments)
    {
        string folder = arguments[0];
        int rounds = int.Parse(arguments[1]);
        Name = arguments[2];
        Add<Logs>(folder, "log");
        Add<Mesh>(folder, "mesh");
        Add<Players>(folder, "minecraft");
        Add<Updates>(folder, "mk48");
        Add<Vector3[]>(folder, "vectors");
        Rounds.Measure(rounds);
        return 0;
    }

    static void Add<T>(string folder, string shape)
    {
        byte[] bytes = File.ReadAllBytes(Path.Combine(folder, shape + ".bin"));
        T? value = MemoryPackSerializer.Deserialize<T>(bytes);
        byte[] again = MemoryPackSerializer.Serialize(value);
        int same = bytes.AsSpan().CommonPrefixLength(again);
        if (same != bytes.Length || same != again.Length)
            throw new InvalidDataException($"{shape}: MemoryPack writes other bytes than were given, from byte {same} on");
        Console.WriteLine($"{shape}\tsize\t{Name}\t{bytes.Length}");

        // The quickest of its ways: over a buffer that is large enough.
        var buffer = new ArrayBufferWriter<byte>(10_000_000);
        Rounds.Add($"{shape}\twrite\t{Name}", () =>
        {
            buffer.ResetWrittenCount();
            MemoryPackSerializer.Serialize(buffer, value);
        });
        Rounds.Add($"{shape}\tread\t{Name}", () => MemoryPackSerializer.Deserialize<T>(bytes));
        T? target = MemoryPackSerializer.Deserialize<T>(bytes);
        Rounds.Add($"{shape}\toverwrite\t{Name}", () => MemoryPackSerializer.Deserialize(bytes, ref target));
        if (shape != "log") return;
        byte[] utf16 = MemoryPackSerializer.Serialize(value, MemoryPackSerializerOptions.Utf16);
        Console.WriteLine($"{shape}\tsize\t{Name}, UTF-16\t{utf16.Length}");
        Rounds.Add($"{shape}\twrite\t{Name}, UTF-16", () =>
        {
            buffer.ResetWrittenCount();
            MemoryPackSerializer.Serialize(buffer, value, MemoryPackSerializerOptions.Utf16);
        });
        Rounds.Add($"{shape}\tread\t{Name}, UTF-16", () => MemoryPackSerializer.Deserialize<T>(utf16));
        Rounds.Add($"{shape}\toverwrite\t{Name}, UTF-16", () => MemoryPackSerializer.Deserialize(utf16, ref target));
    }
}
