using System;
using System.Runtime.CompilerServices;

namespace Upcall;

/// <summary>The guest's standard output, which must be out before the engine goes on to end the process.</summary>
internal static class StandardOutput
{
    /// <summary>Flushes it if anybody has used it: opening a console that nobody wants costs milliseconds.</summary>
    internal static void Flush()
    {
        foreach (var assembly in AppDomain.CurrentDomain.GetAssemblies())
        {
            if (assembly.GetName().Name == "System.Console")
            {
                FlushConsole();
                return;
            }
        }
    }

    // A method of its own, because compiling it loads the console's assembly.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void FlushConsole()
    {
        Console.Out.Flush();
        Console.Error.Flush();
    }
}
