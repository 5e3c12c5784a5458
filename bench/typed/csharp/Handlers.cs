using System;
using System.Buffers;
using System.Buffers.Binary;
using Upcall;

namespace Measured;

/// <summary>Reads a <see cref="Reading"/> out of the bytes and emits one as bytes, as one does by hand.</summary>
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
public sealed class MeasuredTyped : FlowHandler<Reading, Reading>
{
    /// <inheritdoc/>
    public override void OnObject(in Reading value, FlowObject obj, Emitter<Reading> emit) =>
        emit.Put(obj.Key, new Reading { Sensor = value.Sensor, Celsius = value.Celsius + 1 });
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
