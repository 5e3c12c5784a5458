using System;
using System.Runtime.InteropServices;
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

    /// <summary>
    /// One element more than a frame may have. None before OPEN has agreed on their type: without it an array is not known
    /// to be of them.
    /// </summary>
    private ulong limit;

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
        limit = (ulong)int.MaxValue + 1;
    }

    internal override void Run(FrameHead* head)
    {
        var frame = (CombineFrame*)head;
        ulong count = frame->Count;
        ulong bytes = frame->From.Len;
        if (count >= limit || bytes != count * (ulong)sizeof(T) || frame->Into.Len != bytes)
        {
            ThrowMisfit(count);
        }
        var from = (T*)(head->Base[Base.Batch] + frame->From.Offset);
        var into = (T*)(head->Base[Base.Output] + frame->Into.Offset);
        // Without the checks of the spans' constructors: the length was checked above.
        combine(MemoryMarshal.CreateReadOnlySpan(ref *from, (int)count), MemoryMarshal.CreateSpan(ref *into, (int)count));
    }

    protected override void Flush(FrameHead* frame)
    {
        // It holds nothing back.
    }

    // One statement, by which the compiler sees that it does not return.
    private void ThrowMisfit(ulong count) => throw new InvalidOperationException(Misfit(count));

    private string Misfit(ulong count)
    {
        if (limit == 0)
        {
            return "the handler was called before OPEN, which agrees on the elements' type";
        }
        return count > int.MaxValue
            ? $"combine {count} elements: a span holds at most {int.MaxValue}; combine them in parts"
            : $"the frame's arrays are not {count} elements of {FormName.Of(typeof(T))} each: the engine breaks the rules";
    }
}
