using System;
using System.Runtime.CompilerServices;
using System.Text;

namespace Upcall.Tests;

// Handlers that the tests run here in a harness, and the host's tests in a CLR inside a Rust process.

/// <summary>Emits the key in upper case with the value behind it, and fails on the value "fail".</summary>
public sealed class Shout : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        emit.Put(Encoding.UTF8.GetBytes(obj.KeyText.ToUpperInvariant()), obj.Value);
        if (obj.Value.SequenceEqual("fail"u8))
        {
            Explode(obj.KeyText);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Explode(string key) => throw new InvalidOperationException($"will not shout {key}");
}

/// <summary>Dereferences null.</summary>
public sealed class Dereferences : IObjectHandler
{
    private readonly string? nothing = null;

    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit) => Length();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Length() => nothing!.Length;
}

/// <summary>Emits, and then does what the value says, which the processor finds out.</summary>
public sealed class Faults : IObjectHandler
{
    private readonly string? nothing = null;
    private int number;

    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        emit.Put(obj.Key, obj.Value);
        switch (obj.ValueText)
        {
            case "fail":
                number = nothing!.Length;
                break;
            case "divide":
                number = 7 / number;
                break;
        }
    }
}

/// <summary>Emits each key; reports progress after each object but the last; fails on the value "fail".</summary>
public sealed class Batches : IBatchHandler
{
    /// <inheritdoc/>
    public void OnBatch(Batch batch, Emitter emit)
    {
        for (int index = 0; index < batch.Count; index++)
        {
            emit.Put(batch[index].Key, default);
            if (batch[index].Value.SequenceEqual("fail"u8))
            {
                throw new FormatException("not this one");
            }
            if (batch[index].Value.SequenceEqual("done"u8))
            {
                batch.Done(index + 1);
            }
        }
    }
}

/// <summary>Emits 100 records of 1 MiB for each object; the bytes of each are its number.</summary>
public sealed class Floods : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
        for (byte number = 0; number < 100; number++)
        {
            Reserved record = emit.Reserve(obj.Key.Length, 1 << 20);
            obj.Key.CopyTo(record.Key);
            record.Value.Fill(number);
        }
    }
}

/// <summary>Emits to a pool that nobody declares.</summary>
public sealed class Strays : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit) => emit.Put("/nowhere", obj.Key, obj.Value);
}

/// <summary>Tells all that it learns, and writes to standard output.</summary>
public sealed class Talks : IObjectHandler, IOpen, IFlush, IDisposable
{
    private OpenContext? open;

    /// <summary>Whether CLOSE came.</summary>
    public bool Closed { get; private set; }

    /// <inheritdoc/>
    public void OnOpen(OpenContext open)
    {
        this.open = open;
        open.Log.Info($"{open.Name} {open.Setting("mood")} {open.Setting("absent") ?? "none"} {open.Pools.Count}");
    }

    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit) => open!.Log.Warn(
        $"{obj.SenderName} {obj.PoolPath} {obj.KeyText}={obj.ValueText} v{obj.Version}");

    /// <inheritdoc/>
    public void OnFlush(Emitter emit)
    {
        Console.Write("");
        emit.Put("end"u8, 42UL);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Closed = true;
        open?.Log.Debug("closed");
    }
}

/// <summary>Emits every so many numbers in words, and says so of itself.</summary>
public sealed class Spells : FlowHandler<double, string>, IDescribe
{
    /// <inheritdoc/>
    public void Describe(Description about)
    {
        about.Parameter("every", "u64", "10", "1..=1000");
        about.Parameter("language", "text", range: "German\nor English");
        about.Parameter("prefix", "text", "");
    }

    /// <inheritdoc/>
    public override void OnObject(in double value, FlowObject obj, Emitter<string> emit) =>
        emit.Put(obj.Key, value == 1 ? "one" : "many");
}

/// <summary>Cannot be made.</summary>
public sealed class ConstructorThrows : IObjectHandler
{
    /// <summary>Throws.</summary>
    public ConstructorThrows() => throw new NotSupportedException("no such luck");

    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit)
    {
    }
}

/// <summary>Cannot be made without being told something.</summary>
public sealed class NeedsParameters(int number) : IObjectHandler
{
    /// <inheritdoc/>
    public void OnObject(FlowObject obj, Emitter emit) => emit.Put(obj.Key, number);
}

/// <summary>No handler.</summary>
public sealed class NoHandler;
