using System;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Upcall.Simd;

/// <summary>Where libupcall is.</summary>
internal static class Library
{
    /// <summary>Tells the runtime, once.</summary>
    internal static void Find() => NativeLibrary.SetDllImportResolver(typeof(Library).Assembly, Resolve);

    /// <summary>
    /// The file that UPCALL_LIBRARY names, the one in the build of UPCALL_HOME or of a folder above this assembly;
    /// else what the runtime finds by itself: beside the assembly, beside the program, where the system looks.
    /// </summary>
    private static IntPtr Resolve(string name, Assembly assembly, DllImportSearchPath? paths)
    {
        if (name != "upcall")
        {
            return IntPtr.Zero;
        }
        string? chosen = Environment.GetEnvironmentVariable("UPCALL_LIBRARY");
        if (!string.IsNullOrEmpty(chosen))
        {
            return NativeLibrary.Load(chosen);
        }
        string? folder = Environment.GetEnvironmentVariable("UPCALL_HOME");
        if (folder != null && NativeLibrary.TryLoad(Built(folder), out IntPtr library))
        {
            return library;
        }
        for (folder = Path.GetDirectoryName(assembly.Location); folder is { Length: > 0 }; folder = Path.GetDirectoryName(folder))
        {
            if (File.Exists(Built(folder)) && NativeLibrary.TryLoad(Built(folder), out library))
            {
                return library;
            }
        }
        return IntPtr.Zero;
    }

    private static string Built(string folder) => Path.Combine(folder, "build", "libupcall.so");
}
