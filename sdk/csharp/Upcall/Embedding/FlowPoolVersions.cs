using System;
using System.Threading;
using System.Threading.Tasks;
using Upcall.Native;

namespace Upcall;

// What has a version to wait for.
public sealed partial class FlowPool
{
    /// <summary>Puts an object without holding up a thread, and returns its version.</summary>
    /// <remarks>
    /// Cancelled while it waits for credit, it is put none the less as soon as there is; with a token that is cancelled before,
    /// it is not put.
    /// </remarks>
    /// <exception cref="FlowException">The pool does not take it, or the flow has stopped.</exception>
    public Task<ulong> PutAsync(
        ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> value, CancellationToken cancellation = default) =>
        SendAsync(UpcallSend.Put, key.Span, value.Span, 0, cancellation);

    /// <summary>As <see cref="PutAsync(ReadOnlyMemory{byte}, ReadOnlyMemory{byte}, CancellationToken)"/>, of text.</summary>
    public Task<ulong> PutAsync(string key, string value, CancellationToken cancellation = default) =>
        PutAsync(WellFormed.Bytes(key), TextOf(key, value), cancellation);

    /// <summary>
    /// Puts an object if <paramref name="previous"/> is still the newest version of its key, 0 for none. Returns its version.
    /// </summary>
    /// <exception cref="FlowException">Of <see cref="FlowError.Conflict"/> where the key has another version.</exception>
    public Task<ulong> PutIfAsync(
        ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> value, ulong previous, CancellationToken cancellation = default) =>
        SendAsync(UpcallSend.PutIf, key.Span, value.Span, previous, cancellation);

    /// <summary>As <see cref="PutIfAsync(ReadOnlyMemory{byte}, ReadOnlyMemory{byte}, ulong, CancellationToken)"/>, of text.</summary>
    public Task<ulong> PutIfAsync(string key, string value, ulong previous, CancellationToken cancellation = default) =>
        PutIfAsync(WellFormed.Bytes(key), TextOf(key, value), previous, cancellation);

    /// <summary>
    /// As <see cref="PutIfAsync(ReadOnlyMemory{byte}, ReadOnlyMemory{byte}, ulong, CancellationToken)"/>, and waits; not inside
    /// a handler of the same flow.
    /// </summary>
    public ulong PutIf(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous) =>
        Waits(UpcallSend.PutIf, key, value, previous);

    /// <summary>As <see cref="PutIf(ReadOnlySpan{byte}, ReadOnlySpan{byte}, ulong)"/>, of text.</summary>
    public ulong PutIf(string key, string value, ulong previous) =>
        PutIf(WellFormed.Bytes(key), TextOf(key, value), previous);

    /// <summary>Runs the handlers and stores nothing.</summary>
    public Task TriggerAsync(
        ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> value, CancellationToken cancellation = default) =>
        SendAsync(UpcallSend.Trigger, key.Span, value.Span, 0, cancellation);

    /// <summary>As <see cref="TriggerAsync(ReadOnlyMemory{byte}, ReadOnlyMemory{byte}, CancellationToken)"/>, of text.</summary>
    public Task TriggerAsync(string key, string value, CancellationToken cancellation = default) =>
        TriggerAsync(WellFormed.Bytes(key), TextOf(key, value), cancellation);

    /// <summary>
    /// As <see cref="TriggerAsync(ReadOnlyMemory{byte}, ReadOnlyMemory{byte}, CancellationToken)"/>, and waits for credit; not
    /// inside a handler of the same flow.
    /// </summary>
    public void Trigger(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) =>
        Waits(UpcallSend.Trigger, key, value, 0);

    /// <summary>As <see cref="Trigger(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>, of text.</summary>
    public void Trigger(string key, string value) => Trigger(WellFormed.Bytes(key), TextOf(key, value));

    /// <summary>Removes a key, in order with the puts to it. Returns the version that removed it.</summary>
    public Task<ulong> RemoveAsync(ReadOnlyMemory<byte> key, CancellationToken cancellation = default) =>
        SendAsync(UpcallSend.Remove, key.Span, [], 0, cancellation);

    /// <inheritdoc cref="RemoveAsync(ReadOnlyMemory{byte}, CancellationToken)"/>
    public Task<ulong> RemoveAsync(string key, CancellationToken cancellation = default) =>
        RemoveAsync(WellFormed.Bytes(key), cancellation);

    /// <summary>
    /// As <see cref="RemoveAsync(ReadOnlyMemory{byte}, CancellationToken)"/>, and waits; not inside a handler of the same flow.
    /// </summary>
    public ulong Remove(ReadOnlySpan<byte> key) => Waits(UpcallSend.Remove, key, [], 0);

    /// <inheritdoc cref="Remove(ReadOnlySpan{byte})"/>
    public ulong Remove(string key) => Remove(WellFormed.Bytes(key));

    private Task<ulong> SendAsync(
        UpcallSend what, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous, CancellationToken cancellation) =>
        cancellation.IsCancellationRequested
            ? Task.FromCanceled<ulong>(cancellation)
            : Ends(Send(what, key, value, previous), cancellation);

    private static async Task<ulong> Ends(FlowTask task, CancellationToken cancellation)
    {
        using (task)
        {
            await task.WaitAsync(cancellation).ConfigureAwait(false);
            return task.Version();
        }
    }

    private ulong Waits(UpcallSend what, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous)
    {
        MayWait();
        using FlowTask task = Send(what, key, value, previous);
        task.Wait(null, "wait for a version");
        return task.Version();
    }
}
