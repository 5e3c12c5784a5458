namespace Upcall;

/// <summary>What every typed handler is; derive from <see cref="FlowHandler{TIn, TOut}"/>.</summary>
public abstract class FlowHandler
{
    private protected FlowHandler()
    {
    }

    internal abstract Driver Drive();
}

/// <summary>A handler that takes values of one type and emits values of one type, instead of bytes.</summary>
/// <typeparam name="TIn">What it takes.</typeparam>
/// <typeparam name="TOut">What it emits.</typeparam>
/// <remarks>
/// <para>A type may be</para>
/// <list type="bullet">
/// <item>unmanaged: numbers, and structs of them. Such a value is read where it lies in the engine's memory
/// and written straight into the output. One that is emitted must have no padding between its fields, which is memory
/// that nobody has written;</item>
/// <item>an enum, <c>bool</c>, <c>Rune</c>, <c>DateTime</c>, <c>DateOnly</c>, <c>TimeOnly</c> or <c>decimal</c>:
/// bytes that are no value of theirs fail the object. A struct that holds one of them has to be packed;</item>
/// <item>packed: a type with <c>static T Unpack(ReadOnlySpan&lt;byte&gt;)</c> and
/// <c>static void Pack(T, IBufferWriter&lt;byte&gt;)</c>, as <c>upcall bindgen</c> writes them. What is written to
/// is native memory: it has <c>GetSpan</c> and <c>Advance</c>, and no <c>GetMemory</c>;</item>
/// <item><c>string</c>, the value being UTF-8, and <c>byte[]</c>, a copy.</item>
/// </list>
/// <para>Bytes that are no value of the type fail the object. When the declared type of a watched pool, or of the first
/// output pool, is another one, the handler does not start and the flow stops before its first object; when it is that
/// of another output pool, the object that is emitted there fails.</para>
/// <para>Everything else is as for <see cref="IObjectHandler"/>; <see cref="IOpen"/> and
/// <see cref="System.IDisposable"/> are optional.</para>
/// </remarks>
/// <example><code>
/// struct Reading { public ulong Sensor; public double Celsius; }
///
/// class Fahrenheit : FlowHandler&lt;Reading, double&gt;
/// {
///     public override void OnObject(in Reading value, FlowObject obj, Emitter&lt;double&gt; emit) =&gt;
///         emit.Put(obj.Key, value.Celsius * 1.8 + 32);
/// }
/// </code></example>
public abstract class FlowHandler<TIn, TOut> : FlowHandler
    where TIn : notnull
    where TOut : notnull
{
    /// <summary>Handles one object. What it emits is kept if it returns.</summary>
    /// <param name="value">Its value, in the engine's memory where it is unmanaged: it ends with the call.</param>
    /// <param name="obj">The object itself: key, version, time, and the value's bytes.</param>
    /// <param name="emit">Where to emit.</param>
    public abstract void OnObject(in TIn value, FlowObject obj, Emitter<TOut> emit);

    /// <summary>Called when the input has ended and everything upstream is flushed.</summary>
    public virtual void OnFlush(Emitter<TOut> emit)
    {
    }

    internal sealed override Driver Drive() => new TypedDriver<TIn, TOut>(this);
}
