using System;
using System.Runtime.CompilerServices;
using Upcall.Abi;

namespace Upcall;

/// <summary>Has a handler combine arrays, once per frame.</summary>
internal sealed unsafe class CombineDriver<T> : Driver
    where T : unmanaged
{
    /// <summary>Bytes of <see cref="CombineOpen"/> that ABI 2 began with.</summary>
    private const ulong Least = 24;

    private readonly ICombine<T> handler;
    private readonly Method combine;

    /// <summary>Whether OPEN has agreed on the elements' type: without it an array is not known to be one of them.</summary>
    private bool agreed;

    public CombineDriver(ICombine<T> handler)
        : base(handler, BatchFrame.Combine)
    {
        this.handler = handler;
        combine = handler.Combine;
    }

    private delegate void Method(ReadOnlySpan<T> from, Span<T> into);

    protected override Delegate Handle => combine;

    protected override void Describe(Description about)
    {
        about.Takes(FormName.Of(typeof(T)), sizeof(T));
        if (handler.Commutative)
        {
            about.Say(About.Commutative, "", "");
        }
    }

    protected override void Open(OpenFrame* frame)
    {
        if (frame->Added.Len < Least)
        {
            throw new InvalidOperationException(
                "OPEN has no element type: build engine and handler with the same version");
        }
        ulong origin = frame->Head.Base[Base.Batch];
        var added = (CombineOpen*)(origin + frame->Added.Offset);
        (string name, uint size, string own) = (added->Element.Text(origin), added->ElementSize, FormName.Of(typeof(T)));
        if (!Form<T>.Raw)
        {
            throw new InvalidOperationException(
                $"{typeof(T)} cannot be combined: not all memory of its size is one; combine numbers, or structs of them");
        }
        if (name != own || size != sizeof(T))
        {
            throw new InvalidOperationException(
                $"the engine combines {name} of {size} bytes, and the handler {own} of {sizeof(T)}: change one of them");
        }
        handler.OnOpen(new Context(frame, Log));
        agreed = true;
    }

    protected override void Run(FrameHead* head)
    {
        var frame = (CombineFrame*)head;
        ulong count = frame->Count;
        if (count > int.MaxValue)
        {
            ThrowTooLong(count);
        }
        ulong bytes = count * (ulong)sizeof(T);
        if (!agreed || frame->From.Len != bytes || frame->Into.Len != bytes)
        {
            ThrowMisfit(count);
        }
        var from = new ReadOnlySpan<T>((void*)(head->Base[Base.Batch] + frame->From.Offset), (int)count);
        var into = new Span<T>((void*)(head->Base[Base.Output] + frame->Into.Offset), (int)count);
        combine(from, into);
    }

    protected override void Flush(FrameHead* frame)
    {
        // It holds nothing back.
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ThrowMisfit(ulong count) => throw new InvalidOperationException(agreed
        ? $"the frame's arrays are not {count} elements of {FormName.Of(typeof(T))} each: the engine breaks the rules"
        : "the handler was called before OPEN, which agrees on the elements' type");

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowTooLong(ulong count) => throw new InvalidOperationException(
        $"combine {count} elements: a span holds at most {int.MaxValue}; combine them in parts");
}
