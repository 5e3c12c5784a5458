namespace Upcall.Graph;

/// <summary>
/// In place of the type of a value that a program does not have: <c>VertexProgram&lt;None, ulong, None&gt;</c> keeps nothing to
/// itself and does not look at edges' values.
/// </summary>
public readonly struct None;
