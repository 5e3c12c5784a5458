using System.Runtime.CompilerServices;
using System.Threading;

namespace Upcall.Abi;

/// <summary>How a driver says what is finished, so that it is found if the process dies at any moment.</summary>
internal unsafe partial struct FlowFrame
{
    /// <summary>So many items are finished, each of which has said what it emitted.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Finish(FlowFrame* frame, uint done)
    {
        // Behind all that was emitted.
        Volatile.Write(ref frame->Done, done);
    }

    /// <summary>A batch handler reports that so many items are finished, and that all emitted so far is theirs.</summary>
    internal static void Report(FlowFrame* frame, uint done)
    {
        uint before = frame->Done;
        // What is emitted between two reports of the same number belongs to those that follow.
        if (done != before)
        {
            // Never the one that belongs to the number before, until the frame says the new one.
            ref Progress progress = ref frame->Progress[frame->Progress[0].Done == before ? 1 : 0];
            progress.At = frame->Out.At;
            progress.Chunk = frame->Out.Chunk;
            progress.Done = done;
        }
        Finish(frame, done);
    }
}
