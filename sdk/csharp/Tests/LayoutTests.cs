using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.InteropServices;

namespace Upcall.Tests;

/// <summary>The generated mirrors of the frames, as the runtime lays them out, against the Rust compiler's originals.</summary>
/// <remarks>
/// The file is the output of <c>cargo run -p upcall-abi --example layouts</c>, at <c>UPCALL_LAYOUTS</c> or in
/// <c>build/layouts.txt</c> of the repository.
/// </remarks>
public sealed class LayoutTests
{
    private static readonly BindingFlags Fields = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    /// <summary>Every mirror has its original's size, each of its fields at its place, and no field more.</summary>
    [Test]
    public void Every_mirror_has_the_size_and_the_offsets_of_the_original()
    {
        var originals = Originals().ToDictionary(original => original.Name);
        Type[] mirrors = typeof(IObjectHandler).Assembly.GetTypes()
            .Where(type => type.Namespace == "Upcall.Abi" && type.IsValueType && !type.IsNested && !type.IsEnum)
            .Where(type => type != typeof(Abi.BatchFrame))
            .ToArray();
        Expect.Equal(37, mirrors.Length);
        foreach (Type mirror in mirrors)
        {
            (string name, int size, List<(string Name, int Offset)> fields) = originals[Original(mirror)];
            Expect.Equal(size, SizeOf(mirror), mirror.Name);
            Expect.Equal(fields.Count, mirror.GetFields(Fields).Length, $"the fields of {mirror.Name}");
            foreach ((string field, int offset) in fields)
            {
                FieldInfo found = mirror.GetField(Pascal(field), Fields)
                    ?? throw new InvalidOperationException($"{name} has no {Pascal(field)}");
                Expect.Equal(offset, OffsetOf(found), $"{name}.{field}");
            }
        }
    }

    /// <summary>The assembly's major version is the number of the boundary, which handlers are compared by.</summary>
    [Test]
    public void The_version_carries_the_number_of_the_boundary()
    {
        Assembly sdk = typeof(IObjectHandler).Assembly;
        FieldInfo number = sdk.GetType("Upcall.Abi.Boundary")!.GetField("Abi", BindingFlags.Static | BindingFlags.NonPublic)!;
        Expect.Equal((int)(ushort)number.GetRawConstantValue()!, sdk.GetName().Version!.Major);
    }

    /// <summary>One <c>Rel&lt;T&gt;</c> stands in the file for all of them.</summary>
    private static string Original(Type mirror) => mirror.Name switch
    {
        "Refused" => "Refusal",
        string name => name.StartsWith("Rel", StringComparison.Ordinal) ? "Rel" : name,
    };

    private static IEnumerable<(string Name, int Size, List<(string Name, int Offset)> Fields)> Originals()
    {
        string file = Environment.GetEnvironmentVariable("UPCALL_LAYOUTS") ?? Above("build/layouts.txt");
        var structs = new List<(string, int, List<(string, int)>)>();
        foreach (string[] words in File.ReadLines(file).Select(line => line.Split(' ')))
        {
            if (words[0] == "struct")
            {
                structs.Add((words[1].Replace("<u8>", ""), Number(words[2]), []));
            }
            else
            {
                structs[^1].Item3.Add((words[1], Number(words[2])));
            }
        }
        return structs;
    }

    private static string Above(string file)
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder != null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, file)))
            {
                return Path.Combine(folder.FullName, file);
            }
        }
        throw new FileNotFoundException($"no {file} above {AppContext.BaseDirectory}: run `cargo xtask test`");
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    private static string Pascal(string name) =>
        string.Concat(name.Split('_').Select(word => char.ToUpperInvariant(word[0]) + word[1..]));

    // Asks the runtime where a field is, not the marshaller, which may lay a struct out otherwise.
    private static int OffsetOf(FieldInfo field)
    {
        var method = new DynamicMethod("offset", typeof(int), [typeof(nint)], typeof(LayoutTests).Module, true);
        ILGenerator code = method.GetILGenerator();
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Ldflda, field);
        code.Emit(OpCodes.Conv_I4);
        code.Emit(OpCodes.Ret);
        nint somewhere = Marshal.AllocHGlobal(4096);
        int address = (int)method.Invoke(null, [somewhere])!;
        Marshal.FreeHGlobal(somewhere);
        return address - unchecked((int)somewhere);
    }

    private static int SizeOf(Type type)
    {
        var method = new DynamicMethod("size", typeof(int), [], typeof(LayoutTests).Module, true);
        ILGenerator code = method.GetILGenerator();
        code.Emit(OpCodes.Sizeof, type);
        code.Emit(OpCodes.Ret);
        return (int)method.Invoke(null, [])!;
    }
}
