using System;
using System.Collections.Generic;
using Upcall.Hosting;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall;

/// <summary>A flow that is described and has not started. From <see cref="Flow.Describe"/> and its like.</summary>
/// <remarks>What is wrong with it, all at once, is said when it starts.</remarks>
public sealed unsafe partial class FlowBuilder
{
    private readonly FlowText text = new();
    private readonly string file;
    private readonly string path;
    private readonly List<(string Name, Func<object> Make)> given = [];
    private readonly Dictionary<string, int> names = [];

    static FlowBuilder() => Library.Find();

    internal FlowBuilder(string file = "", string path = "")
    {
        this.file = file;
        this.path = path;
    }

    /// <summary>The flow's name, for messages and the report.</summary>
    public FlowBuilder Name(string name) => Own("name", name);

    /// <summary>Worker threads; one per core if it is not said.</summary>
    public FlowBuilder Workers(int workers) => Own("workers", workers);

    /// <summary>Bytes that the flow may hold before it stops with an error.</summary>
    public FlowBuilder Memory(long bytes) => Own("memory", bytes);

    /// <summary>What may be in flight before a put from outside waits.</summary>
    public FlowBuilder Credit(long bytes, long items) =>
        Own("credit", new Dictionary<string, object> { ["bytes"] = bytes, ["items"] = items });

    /// <summary>How long an object should wait for a handler.</summary>
    public FlowBuilder Delay(TimeSpan delay) => Own("delay", delay);

    /// <summary>Objects in a batch at most.</summary>
    public FlowBuilder Batch(int items) => Own("batch", items);

    /// <summary>Adds a pool of plain bytes, or of the type that is named as in a flow's file: <c>u64</c>, <c>text</c>.</summary>
    /// <param name="path">Its path, as in <c>/lines</c>.</param>
    /// <param name="kind">What it keeps.</param>
    /// <param name="type">A word for the type of its values.</param>
    /// <param name="keep">Versions of a key that it keeps.</param>
    public FlowBuilder Pool(string path, PoolKind kind = PoolKind.Volatile, string? type = null, int keep = 1) =>
        Pool(path, kind, (object?)type, keep);

    /// <summary>Adds a pool of values of a type, as <see cref="FlowHandler{TIn, TOut}"/> takes them.</summary>
    /// <inheritdoc cref="Pool(string, PoolKind, string?, int)" path="/param"/>
    public FlowBuilder Pool<T>(string path, PoolKind kind = PoolKind.Volatile, int keep = 1)
        where T : notnull
    {
        if ((Form<T>.Unreadable ?? Form<T>.Unwritable) is string wrong)
        {
            throw new PoolTypeException(wrong);
        }
        bool word = typeof(T).IsPrimitive || typeof(T) == typeof(string);
        object? type = Form<T>.Said switch
        {
            null => null,
            (string name, _) when word => name,
            (string name, 0) => new Dictionary<string, object> { ["packed"] = name },
            (string name, int size) => new Dictionary<string, object> { ["blittable"] = name, ["size"] = size },
        };
        return Pool(path, kind, type, keep);
    }

    /// <summary>Adds a function on the objects of a pool, and of all below its path, that emits into another.</summary>
    public FlowBuilder On(string watched, string to, ObjectFunction handle, HandlerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(handle);
        return On(watched, to, () => new ObjectFunctionHandler(handle), options);
    }

    /// <summary>Adds a function that takes values of one type and emits values of one type.</summary>
    public FlowBuilder On<TIn, TOut>(
        string watched, string to, ValueFunction<TIn, TOut> handle, HandlerOptions? options = null)
        where TIn : notnull
        where TOut : notnull
    {
        ArgumentNullException.ThrowIfNull(handle);
        return On(watched, to, () => new ValueFunctionHandler<TIn, TOut>(handle), options);
    }

    /// <summary>Adds a function that takes values of one type and emits nothing.</summary>
    public FlowBuilder On<TIn>(string watched, ValueFunction<TIn> handle, HandlerOptions? options = null)
        where TIn : notnull
    {
        ArgumentNullException.ThrowIfNull(handle);
        return On(watched, () => new ValueFunctionHandler<TIn>(handle), options);
    }

    /// <summary>Adds a function that answers later.</summary>
    public FlowBuilder OnAsync(string watched, string to, AsyncObjectFunction handle, HandlerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(handle);
        return On(watched, to, () => new AsyncObjectFunctionHandler(handle), options);
    }

    /// <summary>Adds a function that answers later and emits nothing.</summary>
    public FlowBuilder OnAsync(string watched, AsyncObjectFunction handle, HandlerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(handle);
        return On(watched, () => new AsyncObjectFunctionHandler(handle), options);
    }

    /// <summary>Adds a handler of a class: the same that <c>upcall run</c> would load. One is made per worker, on its thread.</summary>
    public FlowBuilder On<THandler>(string watched, string to, HandlerOptions? options = null)
        where THandler : class, new() => On(watched, to, Drivers.Make<THandler>, options);

    /// <summary>Adds a handler of a class that emits nothing, or what its options say.</summary>
    public FlowBuilder On<THandler>(string watched, HandlerOptions? options = null)
        where THandler : class, new() => Add(watched, [], Drivers.Make<THandler>, options);

    /// <summary>Adds a function on the objects of a pool, and of all below its path, that emits nothing.</summary>
    public FlowBuilder On(string watched, ObjectFunction handle, HandlerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(handle);
        return On(watched, () => new ObjectFunctionHandler(handle), options);
    }

    /// <summary>Adds a handler that a function makes, once per worker and on its thread.</summary>
    public FlowBuilder On(string watched, string to, Func<object> make, HandlerOptions? options = null) =>
        Add(watched, [to], make, options);

    /// <summary>Adds a handler that a function makes, and that emits nothing, or what its options say.</summary>
    public FlowBuilder On(string watched, Func<object> make, HandlerOptions? options = null) =>
        Add(watched, [], make, options);

    /// <summary>Gives the code of a handler that a file describes and names no code for.</summary>
    public FlowBuilder Give(string name, Func<object> make)
    {
        ArgumentNullException.ThrowIfNull(make);
        given.Add((name, make));
        return this;
    }

    /// <summary>Gives it as a function.</summary>
    public FlowBuilder Give(string name, ObjectFunction handle)
    {
        ArgumentNullException.ThrowIfNull(handle);
        return Give(name, () => new ObjectFunctionHandler(handle));
    }

    private static Flow Started(FlowTask start, InsideFlow inside) => new(start.Flow(), inside);

    private FlowBuilder Add(string watched, string[] to, Func<object> make, HandlerOptions? options)
    {
        ArgumentNullException.ThrowIfNull(make);
        options ??= new HandlerOptions();
        string name = options.Name ?? Numbered(to.Length == 0 ? watched : $"{watched} to {to[0]}");
        text.Table("[[handler]]", [
            ("name", name),
            ("on", watched),
            ("to", (string[])[.. to, .. options.AlsoTo]),
            ("read", options.Reads.Count > 0 ? options.Reads : null),
            ("order", options.Order == HandlerOrder.Key ? null : options.Order.ToString().ToLowerInvariant()),
            ("batch", options.Batch),
            ("retry", options.Retry),
            ("retry_delay", options.RetryDelay),
            ("in_flight", options.InFlight),
            ("deadline", options.Deadline),
            ("rate", options.PerSecond is int rate ? $"{rate} / s" : null),
            ("cycle", options.Cycle),
            ("settings", options.Settings.Count > 0 ? options.Settings : null),
        ]);
        return Give(name, make);
    }

    private FlowBuilder Own(string key, object value)
    {
        text.Own(key, value);
        return this;
    }

    private FlowBuilder Pool(string path, PoolKind kind, object? type, int keep)
    {
        string? word = kind == PoolKind.Trigger ? "trigger" : null;
        object? kept = kind == PoolKind.Trigger ? null : keep;
        text.Table($"[pool.{FlowText.Quoted(path)}]", [("kind", word), ("type", type), ("keep", kept)]);
        return this;
    }

    /// <summary>The second handler of a name has a number.</summary>
    private string Numbered(string name)
    {
        names[name] = names.GetValueOrDefault(name) + 1;
        return names[name] == 1 ? name : $"{name}, {names[name]}";
    }

    private FlowTask Begin(InsideFlow inside)
    {
        byte[] keys = WellFormed.Bytes(text.Keys);
        byte[] description = WellFormed.Bytes(text.Of(file));
        byte[] where = WellFormed.Bytes(path);
        Native.Failure* failed = null;
        UpcallFlowBuilder* builder;
        fixed (byte* keysAt = keys, textAt = description, pathAt = where)
        {
            Str own = Given.Text(keysAt, keys.Length), rest = Given.Text(textAt, description.Length);
            builder = upcall_flow_builder_with_keys(own, rest, Given.Text(pathAt, where.Length), &failed);
        }
        Given.Check(failed);
        try
        {
            Give(builder, inside);
            UpcallTask* task = upcall_flow_builder_start(builder, &failed);
            Given.Check(failed);
            return new FlowTask(task, null);
        }
        finally
        {
            upcall_flow_builder_release(builder);
        }
    }

    private void Give(UpcallFlowBuilder* builder, InsideFlow inside)
    {
        Native.Failure* failed = null;
        fixed (byte* guest = "csharp"u8)
        {
            Str name = Given.Text(guest, "csharp"u8.Length);
            upcall_flow_builder_program(builder, name, Exports.Own, UpcallThreadsOwn, &failed);
        }
        Given.Check(failed);
        foreach ((string handler, Func<object> make) in given)
        {
            byte[] utf8 = WellFormed.Bytes(handler);
            void* module = Exports.ModuleOf(new GivenHandler(make, inside));
            fixed (byte* data = utf8)
            {
                upcall_flow_builder_give(builder, Given.Text(data, utf8.Length), module, &failed);
            }
            Given.Check(failed);
        }
    }
}
