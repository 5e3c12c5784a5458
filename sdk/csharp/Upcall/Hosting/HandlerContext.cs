using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.Loader;

namespace Upcall.Hosting;

/// <summary>
/// The assemblies of one handler file: it and what lies beside it, so that two handlers may bring different
/// versions of a library. Upcall.dll itself is shared, or its interfaces would be other types.
/// </summary>
internal sealed class HandlerContext : AssemblyLoadContext
{
    private static readonly Dictionary<string, Assembly> Loaded = [];
    private static readonly Assembly Own = typeof(HandlerContext).Assembly;

    private readonly string folder;

    private HandlerContext(string file)
        : base(Path.GetFileNameWithoutExtension(file)) => folder = Path.GetDirectoryName(file)!;

    /// <summary>The assembly in <paramref name="file"/>, an absolute path; loaded once per process.</summary>
    internal static Assembly Open(string file)
    {
        if (file == Own.Location)
        {
            return Own;
        }
        lock (Loaded)
        {
            if (!Loaded.TryGetValue(file, out Assembly? assembly))
            {
                assembly = new HandlerContext(file).LoadFromAssemblyPath(file);
                Loaded.Add(file, assembly);
            }
            return assembly;
        }
    }

    protected override Assembly? Load(AssemblyName name)
    {
        if (name.Name == Own.GetName().Name)
        {
            return Own;
        }
        string beside = Path.Combine(folder, name.Name + ".dll");
        return File.Exists(beside) ? LoadFromAssemblyPath(beside) : null;
    }

    protected override nint LoadUnmanagedDll(string name)
    {
        foreach (string candidate in (string[])[name, $"lib{name}.so", $"lib{name}.dylib", $"{name}.dll"])
        {
            string beside = Path.Combine(folder, candidate);
            if (File.Exists(beside))
            {
                return LoadUnmanagedDllFromPath(beside);
            }
        }
        return 0;
    }
}
