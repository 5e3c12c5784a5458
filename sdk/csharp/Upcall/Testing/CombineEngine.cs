using System;
using Upcall.Abi;

namespace Upcall.Testing;

/// <summary>Has a handler combine arrays whose elements have a type of this name and size.</summary>
internal sealed unsafe class CombineEngine(Driver driver, string element, int size) : Engine(driver)
{
    protected override ushort Batch => Kind.Combine;

    internal void Run<T>(ReadOnlySpan<T> from, Span<T> into)
        where T : unmanaged
    {
        Open();
        using var call = new Memory();
        CombineFrame* frame = call.New<CombineFrame>();
        Head(call, &frame->Head, Kind.Combine, sizeof(CombineFrame));
        frame->Count = (ulong)from.Length;
        frame->From = Place(call, from);
        frame->Into = Place<T>(call, into);
        Check(Call(&frame->Head), &frame->Head, 0);
        new ReadOnlySpan<T>((void*)frame->Into.Offset, into.Length).CopyTo(into);
    }

    protected override Rel Add(Memory call, Memory lent)
    {
        CombineOpen* added = call.New<CombineOpen>();
        *added = new CombineOpen
        {
            Size = (uint)sizeof(CombineOpen),
            ElementSize = (uint)size,
            Element = call.Text(element),
        };
        return new Rel { Offset = (ulong)added, Len = (ulong)sizeof(CombineOpen) };
    }

    private static Rel Place<T>(Memory call, ReadOnlySpan<T> elements)
        where T : unmanaged
    {
        T* place = call.New<T>(elements.Length);
        elements.CopyTo(new Span<T>(place, elements.Length));
        return new Rel { Offset = (ulong)place, Len = (ulong)elements.Length * (ulong)sizeof(T) };
    }
}
