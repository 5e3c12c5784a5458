using System;
using System.Text;
using Upcall.Abi;

namespace Upcall;

/// <summary>A handler that has something to say of itself before it is opened.</summary>
/// <example><code>
/// class Sample : IObjectHandler, IDescribe
/// {
///     public void Describe(Description about) =&gt; about.Parameter("every", "u64", "10", "1..=1000");
/// }
/// </code></example>
public interface IDescribe
{
    /// <summary>Called before <c>OnOpen</c>, where somebody asks. What it says holds for all instances of the class.</summary>
    void Describe(Description about);
}

/// <summary>
/// What a handler says of itself: shown by <c>upcall describe</c>; an engine compares the kind before it opens the
/// handler. Ends with the call.
/// </summary>
public readonly unsafe ref struct Description
{
    private readonly DescribeFrame* frame;

    internal Description(DescribeFrame* frame) => this.frame = frame;

    /// <summary>A setting that the handler understands.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="type">The type of its values: <c>u64</c>, <c>text</c>.</param>
    /// <param name="defaultValue">What it is when nobody sets it, which may be empty; null when there is no such value.</param>
    /// <param name="range">
    /// Which values it may have, in words of the type's own (<c>1..=100</c>, <c>fast or exact</c>); null for any.
    /// </param>
    public void Parameter(string name, string type, string? defaultValue = null, string? range = null) =>
        Say(About.Parameter, name, $"{Line(type)}\n{(defaultValue is null ? "" : "=" + Line(defaultValue))}\n{Line(range)}");

    /// <summary>The type of the values it takes, and the bytes of one where all have as many, else 0.</summary>
    internal void Takes(string name, int size) => Say(About.Takes, name, size == 0 ? "" : $"{size}");

    /// <summary>A type of the values it gives; as <see cref="Takes"/>.</summary>
    internal void Gives(string name, int size) => Say(About.Gives, name, size == 0 ? "" : $"{size}");

    internal void Say(uint what, string key, string value)
    {
        if (!Records.Put(&frame->Head, &frame->Out, what, Encoding.UTF8.GetBytes(key), Encoding.UTF8.GetBytes(value)))
        {
            throw new OutOfMemoryException("the engine gives no room for the description");
        }
    }

    private static string Line(string? text) => (text ?? "").Replace('\n', ' ');
}
