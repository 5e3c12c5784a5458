using System;
using System.Linq;
using System.Text;

namespace Upcall;

/// <summary>Values as people read them.</summary>
internal static class Shown
{
    /// <summary>Bytes of a value that are shown.</summary>
    private const int Most = 64;

    private static readonly UTF8Encoding Strict = new(false, true);

    /// <summary>Its text in quotation marks, or its bytes in hexadecimal; the beginning of a long one.</summary>
    internal static string Value(byte[] value)
    {
        int most = Math.Min(value.Length, Most);
        string rest = value.Length > Most ? $"… ({value.Length} bytes)" : "";
        // A character that is cut in two is left out.
        int least = rest == "" ? most : most - 3;
        for (int length = most; length >= least; length--)
        {
            try
            {
                string text = Strict.GetString(value, 0, length);
                if (!text.Any(char.IsControl))
                {
                    return $"\"{text}\"{rest}";
                }
            }
            catch (DecoderFallbackException)
            {
                // Perhaps one byte less is text.
            }
        }
        return $"0x{Convert.ToHexString(value, 0, most).ToLowerInvariant()}{rest}";
    }
}
