using System;
using System.Buffers;
using System.Text.Json;

namespace Upcall.Mpi;

/// <summary>
/// Writes and reads objects that have no form of their own: those that are neither unmanaged, nor text, nor arrays of such, nor
/// packed by what <c>upcall bindgen</c> writes. Options of System.Text.Json are one:
/// <code>
/// world.Serializer = new JsonSerializerOptions { IncludeFields = true };
/// </code>
/// It is called by the threads that call the communicator.
/// </summary>
public abstract class Serializer
{
    /// <summary>Writes a value.</summary>
    public abstract void Write<T>(T value, IBufferWriter<byte> to);

    /// <summary>Reads what <see cref="Write"/> has written.</summary>
    public abstract T Read<T>(ReadOnlySpan<byte> bytes);

    /// <summary>JSON.</summary>
    public static implicit operator Serializer(JsonSerializerOptions options) => new Json(options);

    private sealed class Json(JsonSerializerOptions options) : Serializer
    {
        public override void Write<T>(T value, IBufferWriter<byte> to)
        {
            using var json = new Utf8JsonWriter(to);
            JsonSerializer.Serialize(json, value, options);
        }

        public override T Read<T>(ReadOnlySpan<byte> bytes) => JsonSerializer.Deserialize<T>(bytes, options)!;
    }
}
