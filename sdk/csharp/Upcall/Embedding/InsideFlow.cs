using System;
using System.Threading;

namespace Upcall;

/// <summary>
/// Whether code is inside a handler of one flow that answers later. The engine knows that of its own workers only, and such a
/// handler goes on elsewhere; what flows along is its execution context.
/// </summary>
internal sealed class InsideFlow
{
    private static readonly AsyncLocal<Scope?> Current = new();

    // Whether it has any such handler that was called. Asked first: an AsyncLocal would add 3 ns to the 32 of a put.
    private volatile bool entered;

    /// <summary>Whether the caller is inside a handler of the flow, or was started by one for an object.</summary>
    internal bool IsHere => entered && Here() != null;

    /// <summary>Whether a worker waits until what the caller is inside has ended.</summary>
    internal bool HoldsWorker => Here() is Scope { HoldsWorker: true };

    /// <summary>Throws inside a handler, where the wait would be one for itself.</summary>
    /// <exception cref="FlowException">Of <see cref="FlowError.InHandler"/>.</exception>
    internal void MayWait(string what, string advice)
    {
        if (IsHere)
        {
            throw new FlowException(
                FlowError.InHandler,
                $"{what} from inside a handler of the same flow: it would wait for itself; {advice}. What is to go on without "
                    + "the handler is started within ExecutionContext.SuppressFlow()");
        }
    }

    /// <summary>
    /// The context of all objects of a handler, made once: one of its own for each object would have to be allocated. So what
    /// an object has started counts as inside for as long as it runs. Null where no context flows.
    /// </summary>
    internal ExecutionContext? OfObjects()
    {
        entered = true;
        Current.Value = new Scope(this, holdsWorker: false);
        ExecutionContext? inside = ExecutionContext.Capture();
        Current.Value = null;
        return inside;
    }

    /// <summary>Something that a worker waits for. It is over, and left, when it is disposed.</summary>
    internal IDisposable Enter()
    {
        entered = true;
        return Current.Value = new Scope(this, holdsWorker: true);
    }

    private Scope? Here() => Current.Value is Scope scope && scope.Flow == this && !scope.IsOver ? scope : null;

    private sealed class Scope(InsideFlow flow, bool holdsWorker) : IDisposable
    {
        private volatile bool over;

        internal InsideFlow Flow => flow;

        internal bool HoldsWorker => holdsWorker;

        // What it has started may go on.
        internal bool IsOver => over;

        public void Dispose()
        {
            over = true;
            Current.Value = null;
        }
    }
}
