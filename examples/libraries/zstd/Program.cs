// Text made small and large again, by zstd.h: in one call, and piece by piece.

using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using Zstd;
using static Zstd.NativeMethods;

byte[] text = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat("The quick brown fox jumps over the lazy dog. ", 100)));
byte[][] small = [Compression.Compress(text, 19), Compression.CompressInPieces(text, 19)];
Console.WriteLine($"{text.Length} bytes, compressed to less than 100: {Yes(small.All(frame => frame.Length < 100))}");
bool same = small.All(frame => Compression.Decompress(frame).AsSpan().SequenceEqual(text));
Console.WriteLine($"the same again: {Yes(same)}");
try
{
    Compression.Decompress("no zstd frame"u8);
}
catch (InvalidDataException error)
{
    Console.WriteLine($"error: {error.Message}");
}

static string Yes(bool right) => right ? "yes" : "no";

/// <summary>What zstd does, for spans.</summary>
internal static unsafe class Compression
{
    /// <summary>The data as one frame.</summary>
    public static byte[] Compress(ReadOnlySpan<byte> data, int level)
    {
        var room = new byte[(int)ZSTD_compressBound((nuint)data.Length)];
        fixed (byte* to = room, from = data)
        {
            return room[..(int)Checked(ZSTD_compress(to, (nuint)room.Length, from, (nuint)data.Length, level))];
        }
    }

    /// <summary>What is in a frame that says how much that is.</summary>
    public static byte[] Decompress(ReadOnlySpan<byte> frame)
    {
        fixed (byte* from = frame)
        {
            var room = new byte[(int)Checked((nuint)ZSTD_getFrameContentSize(from, (nuint)frame.Length))];
            fixed (byte* to = room)
            {
                return room[..(int)Checked(ZSTD_decompress(to, (nuint)room.Length, from, (nuint)frame.Length))];
            }
        }
    }

    /// <summary>The data as one frame, made in pieces of 32 bytes.</summary>
    public static byte[] CompressInPieces(ReadOnlySpan<byte> data, int level)
    {
        using var made = new MemoryStream();
        byte* room = stackalloc byte[32];
        ZSTD_CCtx* context = ZSTD_createCCtx();
        try
        {
            Checked(ZSTD_CCtx_setParameter(context, ZSTD_cParameter.ZSTD_c_compressionLevel, level));
            fixed (byte* from = data)
            {
                var input = new ZSTD_inBuffer { src = from, size = (nuint)data.Length };
                nuint left;
                do
                {
                    var output = new ZSTD_outBuffer { dst = room, size = 32 };
                    left = Checked(ZSTD_compressStream2(context, &output, &input, ZSTD_EndDirective.ZSTD_e_end));
                    made.Write(new ReadOnlySpan<byte>(room, (int)output.pos));
                }
                while (left > 0);
            }
        }
        finally
        {
            _ = ZSTD_freeCCtx(context);
        }
        return made.ToArray();
    }

    private static nuint Checked(nuint size)
    {
        if (ZSTD_isError(size) != 0)
        {
            throw new InvalidDataException(Marshal.PtrToStringUTF8((nint)ZSTD_getErrorName(size)));
        }
        return size;
    }
}
