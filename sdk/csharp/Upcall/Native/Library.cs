using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using static Upcall.Native.NativeMethods;

namespace Upcall.Native;

/// <summary>libupcall: where it is, and how its functions fail.</summary>
internal static unsafe class Library
{
    private static int isFound;

    /// <summary>Tells the runtime, once.</summary>
    internal static void Find()
    {
        if (Interlocked.Exchange(ref isFound, 1) == 0)
        {
            NativeLibrary.SetDllImportResolver(typeof(Library).Assembly, Resolve);
        }
    }

    /// <summary>Throws what a function reported, if it did.</summary>
    internal static void Check(Failure* failed)
    {
        if (failed != null)
        {
            Throw(failed);
        }
    }

    /// <summary>Code and message of a failure, which is released.</summary>
    internal static (int Code, string Message) Read(Failure* failed)
    {
        string message = Encoding.UTF8.GetString(failed->message.data, (int)failed->message.len);
        int code = failed->code;
        upcall_failure_release(failed);
        return (code, message);
    }

    /// <summary>Releases what a function reported, if it did, where nobody is told.</summary>
    internal static void Forget(Failure* failed)
    {
        if (failed != null)
        {
            upcall_failure_release(failed);
        }
    }

    private static void Throw(Failure* failed)
    {
        (int code, string message) = Read(failed);
        throw code switch
        {
            UpcallNoSum => new OverflowException(message),
            UpcallNoElements => new InvalidOperationException(message),
            // A mistake in libupcall.
            _ => new ExternalException(message, code),
        };
    }

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
        List<string> built = [];
        string? folder = Environment.GetEnvironmentVariable("UPCALL_HOME");
        if (folder != null)
        {
            built.Add(Built(folder));
        }
        for (folder = Path.GetDirectoryName(assembly.Location); folder is { Length: > 0 }; folder = Path.GetDirectoryName(folder))
        {
            built.Add(Built(folder));
        }
        foreach (string file in built)
        {
            if (File.Exists(file) && NativeLibrary.TryLoad(file, out IntPtr library))
            {
                return library;
            }
        }
        return NativeLibrary.TryLoad(name, assembly, paths, out IntPtr found) ? found : throw new DllNotFoundException(
            $"libupcall is neither beside the program nor in any of {string.Join(", ", built)}: run cargo xtask build; "
            + "where the program lies outside the repository, set UPCALL_HOME to that, or UPCALL_LIBRARY to the file");
    }

    private static string Built(string folder) => Path.Combine(folder, "build", "libupcall.so");

    [DllImport("upcall", CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
    private static extern void upcall_failure_release(Failure* failed);
}
