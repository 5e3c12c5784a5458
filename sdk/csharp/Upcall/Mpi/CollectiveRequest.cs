using System;
using System.Runtime.ExceptionServices;

namespace Upcall.Mpi;

/// <summary>A call of all ranks that goes on. Its status says nothing.</summary>
internal sealed class CollectiveRequest<T>(NativeRequest native, LentMemory<T> into, T[]? result) : ReceiveRequest<T[]?>
    where T : unmanaged
{
    private ExceptionDispatchInfo? failed;
    private Status? ended;

    public override T[]? Value => ended != null ? result : throw NoValue();

    public override Status Wait()
    {
        failed?.Throw();
        return ended ?? End(() => native.Wait())!.Value;
    }

    public override Status? Test()
    {
        failed?.Throw();
        return ended ?? End(native.Test);
    }

    /// <summary>It goes on: others have a part in it.</summary>
    public override void Cancel()
    {
    }

    public override void Dispose() => native.Dispose();

    private Status? End(Func<Status?> call)
    {
        try
        {
            if (call() is { } status)
            {
                into.HasCome();
                ended = status;
            }
            return ended;
        }
        catch (MpiException exception) when (exception.Error == MpiError.Operation)
        {
            // What was thrown is told once.
            failed = ExceptionDispatchInfo.Capture(exception);
            throw;
        }
    }
}

/// <summary>
/// A message, or a call of all ranks, that is made ready once and started again and again. Its memory is the caller's: what it
/// sends is written before a round is started, and what has come is there when the round has ended; in between nobody uses it.
/// </summary>
/// <remarks>
/// A round is waited for as any request. One that is disposed while a round is under way does no harm: a receive is cancelled,
/// all else goes on by itself, and the memory is kept until it has ended.
/// </remarks>
public abstract class PersistentRequest : Request
{
    /// <summary>Whether a round is under way.</summary>
    public abstract bool IsActive { get; }

    /// <summary>Starts a round. All ranks start those of the calls of all in the same order.</summary>
    /// <exception cref="MpiException">One is under way, or MPI refuses.</exception>
    public abstract void Start();

    /// <summary>Starts a round of each.</summary>
    /// <exception cref="MpiException">One of them is under way, and none is started; or MPI refuses.</exception>
    public static void StartAll(params PersistentRequest[] requests)
    {
        ArgumentNullException.ThrowIfNull(requests);
        if (Array.Find(requests, request => request.IsActive) is { } active)
        {
            // It says what is wrong.
            active.Start();
        }
        Array.ForEach(requests, request => request.Start());
    }

    /// <summary>Waits until the round has ended. Once it has, this says the same again, until the next is started.</summary>
    /// <exception cref="MpiException">None was started, or it has failed.</exception>
    public abstract override Status Wait();

    /// <summary>What <see cref="Wait"/> returns where the round has ended, else null.</summary>
    /// <exception cref="MpiException">None was started, or it has failed.</exception>
    public abstract override Status? Test();
}

/// <summary>One over memory.</summary>
internal sealed class PersistentRequest<T>(NativeRequest native, LentMemory<T>? values, LentMemory<T>? into, bool receives)
    : PersistentRequest
    where T : unmanaged
{
    private bool isTaken = true;

    public override bool IsActive => native.IsActive;

    public override void Start()
    {
        if (!native.IsActive)
        {
            values?.Sends();
        }
        native.Start();
        isTaken = false;
    }

    public override Status Wait() => End(native.Wait());

    public override Status? Test() => native.Test() is { } status ? End(status) : null;

    /// <summary>It goes on; a receive is given up when this is disposed.</summary>
    public override void Cancel()
    {
    }

    public override void Dispose() => native.Dispose();

    private Status End(Status status)
    {
        if (!isTaken)
        {
            isTaken = true;
            into?.HasCome(receives ? status.Bytes : long.MaxValue);
        }
        return status;
    }
}
