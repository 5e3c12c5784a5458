namespace Upcall;

/// <summary>A handler that is called once per object.</summary>
/// <remarks>
/// An instance belongs to one worker and is used on its thread only. An exception fails the object: what it
/// emitted is forgotten, it is retried and then buried as its flow says. A class needs a constructor without
/// parameters; <see cref="IOpen"/>, <see cref="IFlush"/>, <see cref="System.IDisposable"/> and
/// <see cref="System.IAsyncDisposable"/> are optional.
/// </remarks>
/// <example><code>
/// class Shout : IObjectHandler
/// {
///     public void OnObject(FlowObject obj, Emitter emit) =&gt; emit.Put(obj.Key, "!"u8);
/// }
/// </code></example>
public interface IObjectHandler
{
    /// <summary>Handles one object. What it emits is kept if it returns.</summary>
    void OnObject(FlowObject obj, Emitter emit);
}

/// <summary>A handler that takes the whole batch.</summary>
/// <remarks>
/// An exception fails everything since the last <see cref="Batch.Done"/> together, and what was emitted since
/// is forgotten; a flow then hands it over again, one object at a time. A class that is also an
/// <see cref="IObjectHandler"/> is called in batches.
/// </remarks>
public interface IBatchHandler
{
    /// <summary>Handles the objects of one batch.</summary>
    void OnBatch(Batch batch, Emitter emit);
}

/// <summary>A handler that wants to know its settings and pools before the first object.</summary>
public interface IOpen
{
    /// <summary>Called once, before anything else. An exception stops the flow.</summary>
    void OnOpen(OpenContext open);
}

/// <summary>A handler that has something to say when the input has ended.</summary>
public interface IFlush
{
    /// <summary>Called when the input has ended and everything upstream is flushed.</summary>
    void OnFlush(Emitter emit);
}
