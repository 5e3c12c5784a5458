// Text made small and large again, by zstd.h: in one call, and piece by piece.

using System;
using System.IO;
using System.Linq;
using System.Text;
using Zstd;

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
        var room = new byte[(int)Api.CompressBound((nuint)data.Length)];
        return room[..(int)Checked(Api.Compress(room, data, level))];
    }

    /// <summary>What is in a frame that says how much that is.</summary>
    public static byte[] Decompress(ReadOnlySpan<byte> frame)
    {
        var room = new byte[(int)Checked((nuint)Api.GetFrameContentSize(frame))];
        return room[..(int)Checked(Api.Decompress(room, frame))];
    }

    /// <summary>The data as one frame, made in pieces of 32 bytes.</summary>
    public static byte[] CompressInPieces(ReadOnlySpan<byte> data, int level)
    {
        using var made = new MemoryStream();
        byte* room = stackalloc byte[32];
        using CCtx context = Api.CreateCCtx()!;
        Checked(context.CCtxSetParameter(CParameter.CCompressionLevel, level));
        fixed (byte* from = data)
        {
            var input = new InBuffer { Src = from, Size = (nuint)data.Length };
            nuint left;
            do
            {
                var output = new OutBuffer { Dst = room, Size = 32 };
                left = Checked(context.CompressStream2(ref output, ref input, EndDirective.EEnd));
                made.Write(new ReadOnlySpan<byte>(room, (int)output.Pos));
            }
            while (left > 0);
        }
        return made.ToArray();
    }

    private static nuint Checked(nuint size)
    {
        if (Api.IsError(size) != 0)
        {
            throw new InvalidDataException(NativeText.At(NativeMethods.ZSTD_getErrorName(size)));
        }
        return size;
    }
}
