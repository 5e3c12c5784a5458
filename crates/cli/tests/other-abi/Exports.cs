using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Upcall.Hosting;

/// <summary>What an Upcall.dll of another ABI would say: its number, and nothing that this one knows.</summary>
internal static unsafe class Exports
{
    /// <summary>The number comes first in every ABI.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static ushort* Table()
    {
        var table = (ushort*)NativeMemory.AllocZeroed(64);
        table[0] = 3;
        return table;
    }
}
