using System;
using System.Buffers;
using System.Buffers.Binary;
using System.IO;
using System.Text;

namespace Upcall.Probes;

/// <summary>A blittable value of 16 bytes. The classes here are what the benchmark `typed` measures.</summary>
public struct Measured
{
    /// <summary>Who measured.</summary>
    public ulong Sensor;

    /// <summary>What was measured.</summary>
    public double Celsius;
}

/// <summary>A packed value as a packer would be generated for it: an object of an integer and a text.</summary>
public sealed class Label
{
    /// <summary>A number.</summary>
    public int Id { get; init; }

    /// <summary>A text.</summary>
    public string Text { get; init; } = "";

    /// <summary>Reads one.</summary>
    public static Label? Unpack(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < 13 || bytes[0] != 2)
        {
            throw new InvalidDataException($"no object of two members at byte 0, of {bytes.Length}");
        }
        int id = BinaryPrimitives.ReadInt32LittleEndian(bytes[1..]);
        int length = ~BinaryPrimitives.ReadInt32LittleEndian(bytes[5..]);
        return new Label { Id = id, Text = Encoding.UTF8.GetString(bytes.Slice(13, length)) };
    }

    /// <summary>Writes one.</summary>
    public static void Pack(Label value, IBufferWriter<byte> to)
    {
        Span<byte> room = to.GetSpan(13 + (3 * value.Text.Length));
        int length = Encoding.UTF8.GetBytes(value.Text, room[13..]);
        room[0] = 2;
        BinaryPrimitives.WriteInt32LittleEndian(room[1..], value.Id);
        BinaryPrimitives.WriteInt32LittleEndian(room[5..], ~length);
        BinaryPrimitives.WriteInt32LittleEndian(room[9..], value.Text.Length);
        to.Advance(13 + length);
    }
}

/// <summary>Reads a <see cref="Measured"/> out of the bytes and emits one as bytes, as one does by hand.</summary>
public sealed class MeasuredByHand : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        ReadOnlySpan<byte> value = obj.Value;
        Span<byte> warmer = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64LittleEndian(warmer, BinaryPrimitives.ReadUInt64LittleEndian(value));
        double celsius = BinaryPrimitives.ReadDoubleLittleEndian(value[8..]);
        BinaryPrimitives.WriteDoubleLittleEndian(warmer[8..], celsius + 1);
        emit.Put(obj.Key, warmer);
    }
}

/// <summary>The same with types.</summary>
public sealed class MeasuredTyped : FlowHandler<Measured, Measured>
{
    /// <inheritdoc/>
    public override void OnObject(in Measured value, FlowObject obj, Emitter<Measured> emit) =>
        emit.Put(obj.Key, new Measured { Sensor = value.Sensor, Celsius = value.Celsius + 1 });
}

/// <summary>Unpacks a <see cref="Label"/>, packs one into an array of its own and emits that.</summary>
public sealed class LabelByHand : IObjectHandler
{
    private readonly ArrayBufferWriter<byte> packed = new();

    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        Label value = Label.Unpack(obj.Value)!;
        packed.ResetWrittenCount();
        Label.Pack(new Label { Id = value.Id + 1, Text = value.Text }, packed);
        emit.Put(obj.Key, packed.WrittenSpan);
    }
}

/// <summary>The same with types: packed into the output.</summary>
public sealed class LabelTyped : FlowHandler<Label, Label>
{
    /// <inheritdoc/>
    public override void OnObject(in Label value, FlowObject obj, Emitter<Label> emit) =>
        emit.Put(obj.Key, new Label { Id = value.Id + 1, Text = value.Text });
}
