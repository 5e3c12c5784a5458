using System;
using Upcall.Abi;

namespace Upcall;

/// <summary>
/// What an exception says, for an error slot. It is written out before a lock is taken: exceptions may be of any class, and run
/// code of anybody's when they are asked.
/// </summary>
internal sealed unsafe class FailureText(Exception exception)
{
    private readonly string type = exception.GetType().FullName ?? exception.GetType().Name;
    private readonly string message = Failure.Message(exception);
    private readonly string stack = Failure.Stack(exception);

    internal void Write(FrameHead* frame, uint item) =>
        Failure.Write(ref frame->Error, frame->Base[Base.Output], item, type, message, stack);
}
