// Reads and writes the golden bytes with MemoryPack itself, and with the packers that bindgen made of the same classes.
using System;
using System.IO;
using System.Linq;
using System.Reflection;
using MemoryPack;
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
            // What neither writes, each may take as it will.
            if (parts[4] != parts[2]) continue;
            // This it reads, and does not write.
            if (parts[3] == "utf8-without-length") continue;
            Type type = Type.GetType("Packs.I" + parts[0]) ?? Type.GetType("Packs." + parts[0])!;
            typeof(Program).GetMethod(nameof(Try), BindingFlags.Static | BindingFlags.NonPublic)!
                .MakeGenericMethod(type).Invoke(null, new object[] { parts[1], Convert.FromHexString(parts[2]), parts[3] == "utf16" });
            lines++;
        }
        Console.WriteLine($"{lines} lines, {(wrong == 0 ? "nothing" : wrong.ToString())} wrong");
        return wrong == 0 ? 0 : 1;
    }

    private delegate T? Reads<T>(ReadOnlySpan<byte> bytes);
    private delegate byte[] Writes<T>(T? value, PackOptions options);

    private static void Try<T>(string name, byte[] bytes, bool utf16)
    {
        Reads<T> unpack = typeof(T).GetMethod("Unpack", new[] { typeof(ReadOnlySpan<byte>) })!.CreateDelegate<Reads<T>>();
        Writes<T> pack = typeof(T).GetMethod("Pack", new[] { typeof(T), typeof(PackOptions) })!.CreateDelegate<Writes<T>>();
        PackOptions options = new PackOptions { Text = utf16 ? PackText.Utf16 : PackText.Utf8 };
        MemoryPackSerializerOptions theirs = utf16 ? MemoryPackSerializerOptions.Utf16 : MemoryPackSerializerOptions.Default;
        string hex = Convert.ToHexString(bytes);
        try
        {
            // What they read, we write; what we read, they write.
            Check(name, "we write", hex, Convert.ToHexString(pack(MemoryPackSerializer.Deserialize<T>(bytes), options)));
            T? value = unpack(bytes);
            // Theirs writes zeros for a large number and reads back 0.
            if (value is Everything { Big.Length: > 0 }) return;
            // Theirs has no attribute for the encoding of text inside lists and maps.
            if (value is Encoded && utf16) return;
            Check(name, "they write", hex, Convert.ToHexString(MemoryPackSerializer.Serialize(value, theirs)));
        }
        catch (Exception error)
        {
            Check(name, "an error", "", error.ToString());
        }
    }

    private static void Check(string name, string what, string expected, string found)
    {
        if (expected == found) return;
        wrong++;
        Console.WriteLine($"{name}: {what}: {found} for {expected}");
    }
}
