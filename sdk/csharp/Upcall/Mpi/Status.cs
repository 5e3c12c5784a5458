using System.Runtime.CompilerServices;
using Upcall.Native;

namespace Upcall.Mpi;

/// <summary>What is known of a message that has arrived.</summary>
public readonly struct Status
{
    private readonly long bytes;

    internal Status(in UpcallMpiStatus native)
    {
        Source = native.Source;
        Tag = native.Tag;
        bytes = (long)native.Bytes;
        Cancelled = native.Cancelled != 0;
    }

    /// <summary>That of a receive that was cancelled.</summary>
    internal static Status OfCancelled => new(new UpcallMpiStatus { Source = -1, Tag = -1, Cancelled = 1 });

    /// <summary>The rank that has sent it; -1 where the receive was cancelled.</summary>
    public int Source { get; }

    /// <summary>Its tag.</summary>
    public int Tag { get; }

    /// <summary>Its bytes.</summary>
    public long Bytes => bytes;

    /// <summary>Whether the receive was cancelled before anything arrived.</summary>
    public bool Cancelled { get; }

    /// <summary>How many elements of an unmanaged type it has.</summary>
    /// <exception cref="MpiException">It is no whole number of them.</exception>
    public int Count<T>()
        where T : unmanaged
    {
        int each = Unsafe.SizeOf<T>();
        return bytes % each == 0 ? checked((int)(bytes / each)) : throw Uneven(each);
    }

    /// <summary>Whether it has whole elements, of so many bytes each.</summary>
    internal void Check(int each)
    {
        if (bytes % each != 0)
        {
            throw Uneven(each);
        }
    }

    private MpiException Uneven(int each) => new(
        MpiError.Type, $"receive elements of {each} bytes: the message has {bytes} bytes, no whole number of them");
}
