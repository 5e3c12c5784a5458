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
        ZSTDCCtx* context = ZSTD_createCCtx();
        try
        {
            Checked(ZSTD_CCtx_setParameter(context, ZSTDCParameter.ZSTDCCompressionLevel, level));
            fixed (byte* from = data)
            {
                var input = new ZSTDInBuffer { Src = from, Size = (nuint)data.Length };
                nuint left;
                do
                {
                    var output = new ZSTDOutBuffer { Dst = room, Size = 32 };
                    left = Checked(ZSTD_compressStream2(context, &output, &input, ZSTDEndDirective.ZSTDEEnd));
                    made.Write(new ReadOnlySpan<byte>(room, (int)output.Pos));
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

    /// <summary>What is in a frame, in pieces of 32 bytes.</summary>
    public static byte[] DecompressInPieces(ReadOnlySpan<byte> frame)
    {
        using var made = new MemoryStream();
        byte* room = stackalloc byte[32];
        ZSTDDCtx* context = ZSTD_createDCtx();
        try
        {
            fixed (byte* from = frame)
            {
                var input = new ZSTDInBuffer { Src = from, Size = (nuint)frame.Length };
                nuint left;
                do
                {
                    var output = new ZSTDOutBuffer { Dst = room, Size = 32 };
                    left = Checked(ZSTD_decompressStream(context, &output, &input));
                    made.Write(new ReadOnlySpan<byte>(room, (int)output.Pos));
                    if (left > 0 && input.Pos == input.Size && output.Pos < output.Size)
                    {
                        throw new InvalidDataException("the frame is cut off");
                    }
                }
                while (left > 0);
            }
        }
        finally
        {
            _ = ZSTD_freeDCtx(context);
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
