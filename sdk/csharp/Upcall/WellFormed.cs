using System;
using System.Buffers;
using System.Text;

namespace Upcall;

/// <summary>
/// Text as UTF-8, and nothing that is none: <see cref="Encoding.UTF8"/> writes U+FFFD in place of half a surrogate pair, so that
/// two keys would be one.
/// </summary>
internal static class WellFormed
{
    private static readonly UTF8Encoding Strict = new(false, true);

    /// <exception cref="ArgumentException">It has half a surrogate pair.</exception>
    internal static byte[] Bytes(string text)
    {
        try
        {
            return Strict.GetBytes(text);
        }
        catch (EncoderFallbackException exception)
        {
            throw Half(exception);
        }
    }

    /// <exception cref="ArgumentException">It has half a surrogate pair.</exception>
    internal static void Write(string text, IBufferWriter<byte> to)
    {
        try
        {
            Strict.GetBytes(text, to);
        }
        catch (EncoderFallbackException exception)
        {
            throw Half(exception);
        }
    }

    private static ArgumentException Half(EncoderFallbackException exception) =>
        new($"a text has \\u{(int)exception.CharUnknown:x4} at {exception.Index}, which is half of a surrogate pair and has no "
            + "UTF-8: give a whole pair, or bytes", exception);
}
