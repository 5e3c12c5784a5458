using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Upcall;

/// <summary>An object that no handler could handle, and why.</summary>
/// <param name="Pool">The pool that it was put into.</param>
/// <param name="Key">Its key.</param>
/// <param name="Value">Its value.</param>
/// <param name="Version">Its version.</param>
/// <param name="Time">Its time, in nanoseconds since the Unix epoch.</param>
/// <param name="Trace">Who put it, the pool, the handler that failed.</param>
/// <param name="Attempts">How often it was tried; a batch that failed as a whole counts once.</param>
/// <param name="TypeName">The type of the handler's exception.</param>
/// <param name="Message">What the exception said.</param>
/// <param name="Stack">Where it was thrown.</param>
public sealed record DeadLetter(
    string Pool,
    string Key,
    byte[] Value,
    ulong Version,
    ulong Time,
    IReadOnlyList<string> Trace,
    int Attempts,
    string TypeName,
    string Message,
    string Stack)
{
    /// <summary>With the value as text where it is text, else its bytes in hexadecimal; the beginning of a long one.</summary>
    public override string ToString() =>
        $"DeadLetter {{ Pool = {Pool}, Key = {Key}, Value = {Shown.Value(Value)}, Version = {Version}, Time = {Time}, "
        + $"Trace = [{string.Join(", ", Trace)}], Attempts = {Attempts}, TypeName = {TypeName}, Message = {Message}, Stack = {Stack} }}";

    internal static IReadOnlyList<DeadLetter> All(string json)
    {
        using var letters = JsonDocument.Parse(json);
        return [.. letters.RootElement.EnumerateArray().Select(Of)];
    }

    private static DeadLetter Of(JsonElement letter)
    {
        JsonElement cause = letter.GetProperty("cause");
        return new DeadLetter(
            letter.GetProperty("pool").GetString()!,
            letter.GetProperty("key").GetString()!,
            letter.GetProperty("value").GetBytesFromBase64(),
            letter.GetProperty("version").GetUInt64(),
            letter.GetProperty("time").GetUInt64(),
            [.. letter.GetProperty("trace").EnumerateArray().Select(step => step.GetString()!)],
            letter.GetProperty("attempts").GetInt32(),
            cause.GetProperty("type").GetString()!,
            cause.GetProperty("message").GetString()!,
            cause.GetProperty("stack").GetString()!);
    }
}
