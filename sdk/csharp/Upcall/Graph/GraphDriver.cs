using System;
using Upcall.Abi;

namespace Upcall.Graph;

/// <summary>Runs a program over the vertices of a frame: what is the same for all forms.</summary>
internal abstract unsafe class GraphDriver<TOwn, TShown, TEdge> : Driver
    where TOwn : unmanaged
    where TShown : unmanaged
    where TEdge : unmanaged
{
    /// <summary>Bytes of <see cref="VertexOpen"/> that it began with.</summary>
    private const ulong Least = 24;

    /// <summary>Where a frame ends that says which interval it is about.</summary>
    private const uint End = 536;

    private readonly GraphProgram<TOwn, TShown, TEdge> program;
    private bool opened;
    private bool begun;

    // The first vertex and the pass of the interval that it was told of in this iteration.
    private (ulong First, ulong Pass)? told;

    protected GraphDriver(GraphProgram<TOwn, TShown, TEdge> program)
        : base(program, BatchFrame.Vertex)
    {
        this.program = program;
        Cursor = new VertexCursor<TOwn, TShown, TEdge>(Log);
    }

    /// <summary>Where the program stands.</summary>
    protected VertexCursor<TOwn, TShown, TEdge> Cursor { get; }

    /// <summary>The form, as DESCRIBE says it.</summary>
    protected abstract string Form { get; }

    /// <summary>UPDATE: a frame that the cursor has taken.</summary>
    protected abstract void Update(VertexFrame* frame);

    internal override void Run(FrameHead* head)
    {
        var frame = (VertexFrame*)head;
        Cursor.Index = FrameCursor.Nowhere;
        if (!opened)
        {
            throw new InvalidOperationException("the program was called before OPEN, which says what the graph is");
        }
        switch (frame->Phase)
        {
            case Phase.Start:
                begun = false;
                Start(frame);
                break;
            case Phase.Update:
                if (!begun)
                {
                    program.BeforeIteration((long)frame->Iteration, frame->Total);
                    begun = true;
                    told = null;
                }
                BeginInterval(frame);
                Cursor.Take(frame);
                Update(frame);
                break;
            case Phase.After:
                begun = false;
                frame->Ended = program.AfterIteration(new Iteration(
                    (long)frame->Iteration, (long)frame->Updated, (long)frame->Scheduled, frame->Residual, frame->Total)) ? 1u : 0;
                break;
            case Phase.Interval:
                if (frame->Head.Size < End)
                {
                    throw new InvalidOperationException("a frame about an interval does not say which: the engine breaks the rules");
                }
                var interval = new Interval(
                    (long)frame->Iteration, (long)frame->IntervalFirst, (long)frame->IntervalEnd, (long)frame->Pass,
                    (long)frame->Updated, frame->Residual, frame->Total);
                program.AfterInterval(interval);
                frame->Ended = program.RepeatUpdates(interval) ? 1u : 0;
                break;
            default:
                throw new InvalidOperationException(
                    $"unknown phase {frame->Phase} of a graph's run: the engine is newer than this Upcall.dll; build it again");
        }
    }

    protected override void Describe(Description about)
    {
        Check();
        about.Say(About.Form, Form, "");
        Value(about, "own", typeof(TOwn));
        Value(about, "shown", typeof(TShown));
        Value(about, "edge", typeof(TEdge));
        if (program.Outgoing)
        {
            about.Say(About.Needs, "outgoing", "");
        }
        if (program.Writes)
        {
            about.Say(About.Needs, "writes", "");
        }
        if (program.Selective)
        {
            about.Say(About.Needs, "selective", "");
        }
    }

    protected override void Open(OpenFrame* frame)
    {
        Check();
        if (frame->Added.Len < Least)
        {
            throw new InvalidOperationException("OPEN has no graph: build engine and handler with the same version");
        }
        var graph = (VertexOpen*)(frame->Head.Base[Base.Batch] + frame->Added.Offset);
        var open = new GraphOpenContext(frame, graph, Log);
        Cursor.Open(open);
        program.OnOpen(open);
        Cursor.Outgoing.Written = program.Writes;
        Cursor.Incoming.Asks = true;
        Cursor.Incoming.Weighs = program.Writes;
        Cursor.LooksOut = program.Outgoing || program.Writes;
        opened = true;
    }

    protected override void Flush(FrameHead* frame)
    {
        // It holds nothing back.
    }

    /// <summary>The vertex that an exception concerns.</summary>
    protected override uint Undo(FrameHead* frame) => (uint)Cursor.Index;

    private void Start(VertexFrame* frame)
    {
        Cursor.Take(frame);
        Cursor.Clear();
        var vertex = new GraphProgram<TOwn, TShown, TEdge>.Vertex(Cursor);
        var context = new GraphContext(Cursor);
        for (nuint index = 0; index < Cursor.Count; index++)
        {
            Cursor.MoveTo(index);
            program.Start(vertex, context);
        }
    }

    /// <summary>Tells the program of the interval that a frame's vertices are of, unless it was told.</summary>
    private void BeginInterval(VertexFrame* frame)
    {
        // An older engine's frame ends before it.
        if (frame->Head.Size < End || told == (frame->IntervalFirst, frame->Pass))
        {
            return;
        }
        told = (frame->IntervalFirst, frame->Pass);
        program.BeforeInterval(new Interval(
            (long)frame->Iteration, (long)frame->IntervalFirst, (long)frame->IntervalEnd, (long)frame->Pass, 0, 0, 0));
    }

    private void Check()
    {
        if (program.Writes && typeof(TEdge) == typeof(None))
        {
            throw new InvalidOperationException(
                $"{program.GetType()} writes values of edges: make TEdge of a VertexProgram or an IntervalProgram their type");
        }
    }

    private static void Value(Description about, string what, Type type)
    {
        if (type != typeof(None))
        {
            about.Say(About.Value, what, FormName.Of(type));
        }
    }
}
