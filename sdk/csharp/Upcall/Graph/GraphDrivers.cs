using System;
using Upcall.Abi;

namespace Upcall.Graph;

/// <summary>Updates vertices one by one.</summary>
internal sealed unsafe class VertexDriver<TOwn, TShown, TEdge>(VertexProgram<TOwn, TShown, TEdge> program)
    : GraphDriver<TOwn, TShown, TEdge>(program)
    where TOwn : unmanaged
    where TShown : unmanaged
    where TEdge : unmanaged
{
    private readonly VertexProgram<TOwn, TShown, TEdge> program = program;

    private delegate void Method(GraphProgram<TOwn, TShown, TEdge>.Vertex vertex, GraphContext context);

    protected override string Form => "vertex";

    protected override Delegate Handle => (Method)program.Update;

    protected override void Update(VertexFrame* frame)
    {
        VertexCursor<TOwn, TShown, TEdge> cursor = Cursor;
        VertexProgram<TOwn, TShown, TEdge> program = this.program;
        var vertex = new GraphProgram<TOwn, TShown, TEdge>.Vertex(cursor);
        var context = new GraphContext(cursor);
        nuint count = cursor.Count;
        for (nuint index = 0; index < count; index++)
        {
            cursor.MoveTo(index);
            program.Update(vertex, context);
        }
    }
}

/// <summary>Updates vertices one by one, with what their neighbours come to.</summary>
internal sealed unsafe class GatherDriver<TOwn, TShown, TGathered> : GraphDriver<TOwn, TShown, None>
    where TOwn : unmanaged
    where TShown : unmanaged
    where TGathered : unmanaged
{
    private readonly GatherProgram<TOwn, TShown, TGathered> program;

    internal GatherDriver(GatherProgram<TOwn, TShown, TGathered> program)
        : base(program)
    {
        this.program = program;
        Cursor.Gathers = true;
    }

    private delegate void Method(
        GraphProgram<TOwn, TShown, None>.Vertex vertex, TGathered gathered, GraphContext context);

    protected override string Form => "gather";

    protected override Delegate Handle => (Method)program.Apply;

    protected override void Describe(Description about)
    {
        base.Describe(about);
        about.Say(About.Gather, Name(), "");
    }

    protected override void Open(OpenFrame* frame)
    {
        Name();
        base.Open(frame);
    }

    protected override void Update(VertexFrame* frame)
    {
        VertexCursor<TOwn, TShown, None> cursor = Cursor;
        GatherProgram<TOwn, TShown, TGathered> program = this.program;
        nuint count = cursor.Count;
        if (frame->Gathered.Len < count * (ulong)sizeof(TGathered))
        {
            FrameCursor.Misfit();
        }
        var gathered = (TGathered*)(frame->Head.Base[Base.Batch] + frame->Gathered.Offset);
        var vertex = new GraphProgram<TOwn, TShown, None>.Vertex(cursor);
        var context = new GraphContext(cursor);
        for (nuint index = 0; index < count; index++)
        {
            cursor.MoveTo(index);
            program.Apply(vertex, gathered[index], context);
        }
    }

    /// <summary>By what is gathered, whose numbers are of the program's type.</summary>
    private string Name()
    {
        Gather gather = program.Gather;
        (string name, Type type) = gather switch
        {
            Gather.Sum => ("sum", typeof(double)),
            Gather.Count => ("count", typeof(double)),
            Gather.Min => ("min", typeof(TShown)),
            Gather.Max => ("max", typeof(TShown)),
            _ => throw new InvalidOperationException(
                $"{program.GetType()} gathers by {gather}: make Gather one of Sum, Min, Max and Count"),
        };
        return typeof(TGathered) == type
            ? name
            : throw new InvalidOperationException(
                $"{program.GetType()} gathers by {gather}, which comes to {FormName.Of(type)}, and takes "
                    + $"{FormName.Of(typeof(TGathered))}: change TGathered");
    }
}

/// <summary>Hands over all vertices of a frame at once.</summary>
internal sealed unsafe class IntervalDriver<TOwn, TShown, TEdge>(IntervalProgram<TOwn, TShown, TEdge> program)
    : GraphDriver<TOwn, TShown, TEdge>(program)
    where TOwn : unmanaged
    where TShown : unmanaged
    where TEdge : unmanaged
{
    private readonly IntervalProgram<TOwn, TShown, TEdge> program = program;

    private delegate void Method(GraphProgram<TOwn, TShown, TEdge>.Vertices vertices, GraphContext context);

    protected override string Form => "interval";

    protected override Delegate Handle => (Method)program.Interval;

    protected override void Update(VertexFrame* frame)
    {
        if (frame->Count > int.MaxValue)
        {
            throw new InvalidOperationException($"an interval of {frame->Count} vertices: a span holds {int.MaxValue}");
        }
        Cursor.Incoming.TakeWindow(frame->Count);
        if (Cursor.LooksOut)
        {
            Cursor.Outgoing.TakeWindow(frame->Count);
        }
        program.Interval(new(Cursor), new GraphContext(Cursor));
    }
}
