namespace Upcall.Graph;

/// <summary>
/// Vertices that are updated together: all of the graph's in Jacobi's way, and so many of them, one interval after the other, in
/// Gauss-Seidel's.
/// </summary>
/// <param name="Iteration">The number of the iteration, from 0 on.</param>
/// <param name="First">Its first vertex.</param>
/// <param name="End">The vertex behind its last.</param>
/// <param name="Pass">How often it was updated in this iteration before.</param>
/// <param name="Updated">How many of its vertices were updated in this pass; here and below 0 before they are.</param>
/// <param name="Residual">The sum of what they have added to the residual in it.</param>
/// <param name="Total">The sum of what they have added to the total in it.</param>
public readonly record struct Interval(
    long Iteration, long First, long End, long Pass, long Updated, double Residual, double Total);
