// Text made small and large again, by zlib.h: in one call, and piece by piece.

using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using Zlib;
using static Zlib.NativeMethods;

byte[] text = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat("The quick brown fox jumps over the lazy dog. ", 100)));
byte[][] small = [Compression.Compress(text), Compression.Deflate(text)];
Console.WriteLine($"{text.Length} bytes, compressed to less than 100: {Yes(small.All(data => data.Length < 100))}");
Console.WriteLine($"checksum {Compression.Checksum(text):x8}");
bool same = small.All(data => Compression.Uncompress(data, text.Length).AsSpan().SequenceEqual(text));
Console.WriteLine($"the same again: {Yes(same)}");
try
{
    Compression.Uncompress("no zlib stream"u8, 100);
}
catch (InvalidDataException error)
{
    Console.WriteLine($"error: {error.Message}");
}

static string Yes(bool right) => right ? "yes" : "no";

/// <summary>What zlib does, for spans.</summary>
internal static unsafe class Compression
{
    /// <summary>The data in zlib's format.</summary>
    public static byte[] Compress(ReadOnlySpan<byte> data)
    {
        CULong size = compressBound(new((nuint)data.Length));
        var room = new byte[(int)size.Value];
        fixed (byte* to = room, from = data)
        {
            Check(compress(to, &size, from, new((nuint)data.Length)));
        }
        return room[..(int)size.Value];
    }

    /// <summary>What was compressed: at most so many bytes.</summary>
    public static byte[] Uncompress(ReadOnlySpan<byte> data, int most)
    {
        var size = new CULong((nuint)most);
        var room = new byte[most];
        fixed (byte* to = room, from = data)
        {
            Check(uncompress(to, &size, from, new((nuint)data.Length)));
        }
        return room[..(int)size.Value];
    }

    public static uint Checksum(ReadOnlySpan<byte> data)
    {
        fixed (byte* from = data)
        {
            return (uint)crc32(new(0), from, (uint)data.Length).Value;
        }
    }

    /// <summary>The data in zlib's format, made in pieces of 64 bytes.</summary>
    public static byte[] Deflate(ReadOnlySpan<byte> data)
    {
        ZStream stream = default;
        Check(Api.DeflateInit(&stream, DefaultCompression, ZlibVersion, sizeof(ZStream)));
        try
        {
            using var made = new MemoryStream();
            byte* room = stackalloc byte[64];
            fixed (byte* from = data)
            {
                stream.NextIn = from;
                stream.AvailIn = (uint)data.Length;
                int status = Ok;
                while (status == Ok)
                {
                    stream.NextOut = room;
                    stream.AvailOut = 64;
                    status = deflate(&stream, Finish);
                    made.Write(new ReadOnlySpan<byte>(room, 64 - (int)stream.AvailOut));
                }
                if (status != StreamEnd)
                {
                    Check(status);
                }
            }
            return made.ToArray();
        }
        finally
        {
            _ = deflateEnd(&stream);
        }
    }

    private static void Check(int status)
    {
        if (status != Ok)
        {
            throw new InvalidDataException(NativeText.At(zError(status)));
        }
    }
}
