using System;
using System.Text.Unicode;
using Upcall.Abi;

namespace Upcall.Hosting;

/// <summary>Tells the host why something is refused.</summary>
internal static unsafe class Refuse
{
    /// <summary>Writes the reason, cut at a character's boundary where it does not fit. Returns what is answered.</summary>
    internal static Status With(Refused* refused, uint kind, string text)
    {
        var room = new Span<byte>(refused->Text, (int)Math.Min(refused->Room, int.MaxValue));
        Utf8.FromUtf16(text, room, out _, out int written);
        (refused->Kind, refused->Len) = (kind, (ulong)written);
        return Status.Failed;
    }
}
