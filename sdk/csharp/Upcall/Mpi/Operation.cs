using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// Combines elements of lower ranks into those of higher ones, one by one: two spans of the same length.
/// </summary>
public delegate void SpanOperation<T>(ReadOnlySpan<T> from, Span<T> into);

/// <summary>
/// What a reduction does with two values: an operation of MPI's on its numbers, the type's own operator, or a function.
/// </summary>
/// <remarks>
/// A function must be associative, and commutative unless it is said not to be; where the order matters, its first argument is
/// what lower ranks have. On unmanaged values it is called once per chunk of them. Where it throws, the reduction ends all the
/// same, with an <see cref="MpiException"/> on this rank that has the exception in it; what has been combined is of no use then,
/// on any rank. There may be 64 functions at a time: one that is used more than once is kept, and disposed or forgotten.
/// </remarks>
public sealed unsafe class Operation<T> : IDisposable
{
    private readonly Combiner<T>? combiner;
    /// <summary>MPI's own names of it and of its numbers; null of a function.</summary>
    private readonly (string Operator, string Number)? named;
    private readonly bool isOfHandler;
    private UpcallMpiOperation* native;
    /// <summary>The same for windows, made when it is first used there, and kept for good.</summary>
    private UpcallMpiCombining* combining;

    /// <summary>The same, when it was disposed.</summary>
    private UpcallMpiOperation* ended;

    /// <summary>Whether no other thread knows of it.</summary>
    private bool isOnce;

    /// <summary>One of a function that combines two values; the loop over a chunk is here.</summary>
    /// <exception cref="MpiException">There are 64 already.</exception>
    public Operation(Func<T, T, T> combine, bool commutes = true)
        : this(new EachCombiner<T>(combine.NotNull()), commutes)
    {
    }

    /// <summary>One of a function that combines two spans.</summary>
    /// <exception cref="MpiException">There are 64 already.</exception>
    public Operation(SpanOperation<T> combine, bool commutes = true)
        : this(new SpanCombiner<T>(combine.NotNull()), commutes)
    {
    }

    /// <summary>An operation of MPI's.</summary>
    internal Operation(string name, string number)
    {
        named = (name, number);
        Library.Find();
        Native.Failure* failed = null;
        if (name is "Replace" or "Nothing")
        {
            return;
        }
        byte[] what = Encoding.UTF8.GetBytes(name), of = Encoding.UTF8.GetBytes(number);
        fixed (byte* first = what, second = of)
        {
            native = upcall_mpi_operation_named(Given.Text(first, what.Length), Given.Text(second, of.Length), &failed);
        }
        MpiException.Check(failed);
    }

    internal Operation(Combiner<T> combiner, bool commutes)
    {
        this.combiner = combiner;
        if (!Plain<T>.Is)
        {
            return;
        }
        Library.Find();
        native = Made(combiner, commutes, out Native.Failure* failed);
        if (failed != null && Disposed.Collect())
        {
            Library.Forget(failed);
            native = Made(combiner, commutes, out failed);
        }
        MpiException.Check(failed);
    }

    /// <summary>One of a handler, which has been loaded.</summary>
    internal Operation(UpcallMpiOperation* loaded)
    {
        native = loaded;
        isOfHandler = true;
    }

    /// <summary>Releases it.</summary>
    ~Operation() => Release();

    /// <summary><c>a + b</c>; of text one behind the other.</summary>
    /// <exception cref="NotSupportedException">The type has no such operator.</exception>
    public static Operation<T> Add => Operators<T>.Add.Value;

    /// <summary><c>a * b</c></summary>
    /// <inheritdoc cref="Add"/>
    public static Operation<T> Multiply => Operators<T>.Multiply.Value;

    /// <summary>The smaller of two.</summary>
    /// <inheritdoc cref="Add"/>
    public static Operation<T> Min => Operators<T>.Min.Value;

    /// <summary>The larger of two.</summary>
    /// <inheritdoc cref="Add"/>
    public static Operation<T> Max => Operators<T>.Max.Value;

    /// <summary>The smallest value and where it is, of <see cref="Placed{T}"/> numbers; of equal ones the lowest place, and a
    /// number before a NaN.</summary>
    /// <inheritdoc cref="Add"/>
    public static Operation<T> MinWithPlace => Operators<T>.MinWithPlace.Value;

    /// <summary>The largest value and where it is, as <see cref="MinWithPlace"/>.</summary>
    /// <inheritdoc cref="Add"/>
    public static Operation<T> MaxWithPlace => Operators<T>.MaxWithPlace.Value;

    /// <summary><c>a &amp;&amp; b</c> of <c>bool</c>; of integers 1 where both are not 0.</summary>
    /// <inheritdoc cref="Add"/>
    public static Operation<T> LogicalAnd => Operators<T>.LogicalAnd.Value;

    /// <summary><c>a || b</c> of <c>bool</c>; of integers 1 where one of them is not 0.</summary>
    /// <inheritdoc cref="Add"/>
    public static Operation<T> LogicalOr => Operators<T>.LogicalOr.Value;

    /// <summary><c>a != b</c> of <c>bool</c>; of integers 1 where exactly one of them is not 0.</summary>
    /// <inheritdoc cref="Add"/>
    public static Operation<T> LogicalXor => Operators<T>.LogicalXor.Value;

    /// <summary><c>a &amp; b</c></summary>
    /// <inheritdoc cref="Add"/>
    public static Operation<T> BitwiseAnd => Operators<T>.BitwiseAnd.Value;

    /// <summary><c>a | b</c></summary>
    /// <inheritdoc cref="Add"/>
    public static Operation<T> BitwiseOr => Operators<T>.BitwiseOr.Value;

    /// <summary><c>a ^ b</c></summary>
    /// <inheritdoc cref="Add"/>
    public static Operation<T> ExclusiveOr => Operators<T>.ExclusiveOr.Value;

    /// <summary>What is there is replaced: for windows alone.</summary>
    /// <exception cref="NotSupportedException">The type is none of MPI's numbers.</exception>
    public static Operation<T> Replace => Operators<T>.Replace.Value;

    /// <summary>
    /// A handler that combines, in whichever language, named as a flow's file names it: it is called once per chunk, and what it
    /// throws is the error of the reduction.
    /// </summary>
    /// <param name="guest">Its language: <c>native</c>, <c>csharp</c>, <c>java</c>, <c>python</c>, <c>node</c>, <c>wasm</c>.</param>
    /// <param name="file">The file that has it, relative to the current folder.</param>
    /// <param name="class">Its class, or the name that it is exported by.</param>
    /// <param name="settings">What it reads when it is opened.</param>
    /// <param name="isolated">Whether it runs in a process of its own, as handlers in JavaScript do always.</param>
    /// <remarks>A handler in Python is called on the thread that this is called on, and nowhere else.</remarks>
    /// <exception cref="MpiException">There is no such handler, it does not combine, or another type; its runtime is not there;
    /// or there are 64 operations already.</exception>
    public static Operation<T> OfHandler(
        string guest, string file, string @class, IReadOnlyDictionary<string, string>? settings = null, bool isolated = false) =>
        new(HandlerOperation.Load<T>(guest, file, @class, settings, isolated));

    /// <summary>MPI's, of unmanaged values.</summary>
    internal UpcallMpiOperation* Handle => native != null ? native : throw NoHandle();

    /// <summary>
    /// Releases it: at once where it was made for one call, and else some time after the last call with it, as another thread may
    /// be in one. Those that the class has are never disposed.
    /// </summary>
    public void Dispose()
    {
        if (!(isOfHandler || combiner is { IsShared: false }) || native == null)
        {
            return;
        }
        ended = native;
        native = null;
        if (isOnce)
        {
            Release();
            GC.SuppressFinalize(this);
        }
        else
        {
            Disposed.One();
        }
    }

    /// <summary>The function that it is, if it is one.</summary>
    internal Combiner? Combiner => combiner;

    /// <summary>One of a function, for a single call.</summary>
    internal static Operation<T> Once(Func<T, T, T> operation) => new(operation.NotNull()) { isOnce = true };

    /// <summary>Combines two objects.</summary>
    internal T Combine(T from, T into) => combiner!.Combine(from, into);

    /// <summary>What windows combine by.</summary>
    internal UpcallMpiCombining* Combining
    {
        get
        {
            if (combining == null)
            {
                (string Operator, string Number) name = named ?? throw new MpiException(
                    MpiError.Usage,
                    "combine in a window: a function is run by nobody at the rank whose memory it is; use an operation of MPI's own, as Operation<T>.Add of a number");
                byte[] what = Encoding.UTF8.GetBytes(name.Operator), of = Encoding.UTF8.GetBytes(name.Number);
                Native.Failure* failed = null;
                fixed (byte* first = what, second = of)
                {
                    combining = upcall_mpi_combining_named(
                        Given.Text(first, what.Length), Given.Text(second, of.Length), &failed);
                }
                MpiException.Check(failed);
            }
            return combining;
        }
    }

    private Exception NoHandle() => named is { Operator: "Replace" or "Nothing" }
        ? new MpiException(MpiError.Usage, "reduce by an operation that is for windows alone: it has no result of two values")
        : new ObjectDisposedException(nameof(Operation<T>));

    /// <summary>Throws what a reduction reported, with what the function threw.</summary>
    internal void Check(Native.Failure* failed)
    {
        GC.KeepAlive(this);
        if (failed != null)
        {
            throw MpiException.Of(failed, combiner?.TakeThrown());
        }
    }

    private static UpcallMpiOperation* Made(Combiner<T> combiner, bool commutes, out Native.Failure* failed)
    {
        Native.Failure* why = null;
        UpcallMpiOperation* made = upcall_mpi_operation_new(
            (nuint)Plain<T>.Size, commutes ? (byte)1 : (byte)0, &Combiner.Call, (void*)GCHandle.ToIntPtr(GCHandle.Alloc(combiner)),
            &Combiner.Release, &why);
        failed = why;
        return made;
    }

    private void Release()
    {
        UpcallMpiOperation* last = native != null ? native : ended;
        native = null;
        ended = null;
        if (last != null)
        {
            upcall_mpi_operation_release(last);
        }
    }
}
