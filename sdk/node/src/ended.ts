/** What is over, and why: the errors that a handler meets when it goes on with what has ended. */

/** The item's deadline has passed before it was answered. */
export class TimedOutError extends Error {
  override readonly name = "TimedOutError";
}

/** The item was cancelled from outside the handler: the flow is being stopped. */
export class CancelledError extends Error {
  override readonly name = "CancelledError";
}

/** The call has ended: it was answered already, or the handler was closed before. */
export class ClosedError extends Error {
  override readonly name = "ClosedError";
}

/** One of the three. */
export type Ended = typeof TimedOutError | typeof CancelledError | typeof ClosedError;

const REASONS = new Map<Ended, [was: string, why: string]>([
  [TimedOutError, ["its deadline had passed", "its deadline has passed"]],
  [CancelledError, ["it had been cancelled, as the flow is being stopped", "the flow is being stopped"]],
  [ClosedError, ["its call had ended", "the handler was closed before it had answered"]],
]);

/** Why an item was ended before it was answered. */
export function reason(why: Ended): Error {
  return new why(REASONS.get(why)?.[1]);
}

/** What is used after its call. */
export function ended(what: string, why: Ended = ClosedError): Error {
  const advice = why === ClosedError ? ": use it while your method runs, and copy what you keep" : "";
  return new why(`${what} was used after ${REASONS.get(why)?.[0]}${advice}`);
}
