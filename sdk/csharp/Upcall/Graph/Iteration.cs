namespace Upcall.Graph;

/// <summary>An iteration that has ended.</summary>
/// <param name="Number">Its number, from 0 on.</param>
/// <param name="Updated">How many vertices were updated.</param>
/// <param name="Scheduled">How many vertices are scheduled for the next one.</param>
/// <param name="Residual">The sum of what vertices have added to the residual.</param>
/// <param name="Total">The sum of what they have added to the total, which the next iteration sees.</param>
public readonly record struct Iteration(long Number, long Updated, long Scheduled, double Residual, double Total);
