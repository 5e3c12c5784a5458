using System;
using System.Runtime.ExceptionServices;

namespace Upcall.Mpi;

/// <summary>
/// A send or a receive that goes on while the program does something else. It keeps the memory that it reads or fills where it
/// is until it has ended.
/// </summary>
/// <remarks>
/// One that is disposed, or forgotten, before it has ended is given up: a receive is cancelled, and a send goes on by itself.
/// </remarks>
public abstract class Request : IDisposable
{
    /// <summary>Waits until it has ended. Once it has, this says the same again.</summary>
    /// <exception cref="MpiException">What was begun has failed.</exception>
    public abstract Status Wait();

    /// <summary>What <see cref="Wait"/> returns where it has ended, else null.</summary>
    /// <exception cref="MpiException">What was begun has failed.</exception>
    public abstract Status? Test();

    /// <summary>
    /// Gives up a receive that nothing has arrived for: it has still to be waited for, and its status says whether it was
    /// cancelled. A send goes on.
    /// </summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public abstract void Cancel();

    /// <summary>Gives it up, where it has not ended.</summary>
    public abstract void Dispose();
}

/// <summary>A receive that goes on, of a value that is there when it has ended.</summary>
public abstract class ReceiveRequest : Request
{
    /// <summary>What was received, when it has ended.</summary>
    /// <exception cref="MpiException">It has not ended, or was cancelled.</exception>
    public abstract object? GetValue();
}

/// <summary>A receive that goes on, of a value of a type.</summary>
public abstract class ReceiveRequest<T> : ReceiveRequest
{
    /// <summary>What was received, when it has ended.</summary>
    /// <exception cref="MpiException">It has not ended, or was cancelled.</exception>
    public abstract T Value { get; }

    /// <inheritdoc/>
    public override object? GetValue() => Value;

    private protected static MpiException NoValue() => new(
        MpiError.Usage, $"take the {typeof(T).Name} that a request has received: it has not ended, or was cancelled; wait for it");
}

/// <summary>A receive of a value whose size is known when it arrives: the message is matched, and then received.</summary>
internal sealed class ObjectReceiveRequest<T>(Communicator communicator, int source, int tag, Action<T>? then)
    : ReceiveRequest<T>
{
    private Status? ended;
    private ExceptionDispatchInfo? failed;
    private T? value;
    private bool cancelled;

    public override T Value => ended is { Cancelled: false } ? value! : throw NoValue();

    public override Status Wait() => ended ?? Take(cancelled ? null : communicator.Matched(source, tag)) ?? default;

    public override Status? Test() => ended ?? Take(cancelled ? null : communicator.TryMatched(source, tag));

    public override void Cancel() => cancelled = true;

    public override void Dispose() => cancelled = true;

    private Status? Take(Message? message)
    {
        failed?.Throw();
        if (message == null)
        {
            return cancelled ? ended = Status.OfCancelled : null;
        }
        using (message)
        {
            try
            {
                value = message.Receive<T>();
            }
            catch (Exception exception)
            {
                // A serializer's, too: the message is gone, and no other is waited for.
                (failed, cancelled) = (ExceptionDispatchInfo.Capture(exception), true);
                throw;
            }
        }
        ended = message.Status;
        then?.Invoke(value);
        return ended;
    }
}
