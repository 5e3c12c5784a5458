using System;
using System.Text;

namespace Upcall.Native;

/// <summary>What libupcall's functions take and give, from and to what .NET has.</summary>
internal static unsafe class Given
{
    /// <summary>The bytes at an address that stays.</summary>
    internal static Slice_u8 Slice(byte* data, int length) => new() { data = data, len = (nuint)length };

    /// <summary>Memory that may be written.</summary>
    internal static SliceMut_u8 Room(byte* data, int length) => new() { data = data, len = (nuint)length };

    /// <summary>UTF-8 at an address that stays.</summary>
    internal static Str Text(byte* data, int length) => new() { data = data, len = (nuint)length };

    /// <summary>The text, whose memory is given back.</summary>
    internal static string Take(Text text)
    {
        try
        {
            return Encoding.UTF8.GetString(text.data, checked((int)text.len));
        }
        finally
        {
            // Null where there is nothing to release.
            if (text.release != null)
            {
                text.release(text.data, text.len, text.capacity);
            }
        }
    }

    /// <summary>The bytes, whose memory is given back.</summary>
    internal static byte[] Take(Buffer_u8 bytes)
    {
        try
        {
            return new ReadOnlySpan<byte>(bytes.data, checked((int)bytes.len)).ToArray();
        }
        finally
        {
            // Null where there is nothing to release.
            if (bytes.release != null)
            {
                bytes.release(bytes.data, bytes.len, bytes.capacity);
            }
        }
    }

    /// <summary>Throws what a function reported, if it did.</summary>
    internal static void Check(Native.Failure* failed)
    {
        if (failed != null)
        {
            (int code, string message) = Library.Read(failed);
            throw FlowException.Of(code, message);
        }
    }
}
