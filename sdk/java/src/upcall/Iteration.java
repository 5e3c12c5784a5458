package upcall;

/**
 * An iteration of a vertex program that has ended.
 *
 * @param number its number, from 0 on
 * @param updated how many vertices were updated
 * @param scheduled how many are scheduled for the next one
 * @param residual what vertices have added to the residual
 * @param total what they have added to the total, which the next iteration sees
 */
public record Iteration(long number, long updated, long scheduled, double residual, double total) {}
