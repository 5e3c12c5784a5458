using System.IO;
using System.Text;

namespace Upcall;

/// <summary>A value that a pool stores, copied.</summary>
/// <param name="Value">The value.</param>
/// <param name="Version">Its version.</param>
/// <param name="Time">Nanoseconds since the Unix epoch.</param>
public readonly record struct Stored(byte[] Value, ulong Version, ulong Time)
{
    /// <summary>With the value as text where it is text, else its bytes in hexadecimal; the beginning of a long one.</summary>
    public override string ToString() => $"Stored {{ Value = {Shown.Value(Value)}, Version = {Version}, Time = {Time} }}";

    /// <summary>The value as text.</summary>
    public string ValueText => Encoding.UTF8.GetString(Value);

    /// <summary>The value as a <typeparamref name="T"/>.</summary>
    /// <exception cref="InvalidDataException">The bytes are not a value of that type.</exception>
    public T ValueAs<T>()
        where T : notnull => Form<T>.Read(Value);
}

/// <summary>A version of a key that a pool keeps.</summary>
/// <param name="Version">The version.</param>
/// <param name="Time">Nanoseconds since the Unix epoch.</param>
/// <param name="Removed">Whether this version removed the key.</param>
public readonly record struct SeenVersion(ulong Version, ulong Time, bool Removed);
