import { orAborted } from "./or-aborted.ts";

/** The longest time that a timer can be set to, in milliseconds. */
const MAX_TIMER = 2 ** 31 - 1;

/** Thrown where foreign work takes longer than it may. */
export class TimedOut extends Error {
  override readonly name = "TimedOut";

  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`took longer than ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/**
 * Runs foreign work for no longer than it may take. Whatever has a `then` is waited for: promises
 * of other libraries and realms are promises too.
 *
 * @param work The work. It is told by its signal when its time is up or the run was aborted.
 * @param timeoutMs Its time in milliseconds; 0 or `Infinity`: as long as it likes.
 * @param signal Aborts it.
 * @returns What the work comes to.
 * @throws TimedOut when the time is up; the signal's reason; what the work throws.
 */
export async function runLimited<Value>(
  work: (signal: AbortSignal) => Value | PromiseLike<Value>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Value> {
  // AbortSignal.timeout would let a process with nothing else to do end before the time is up.
  const clock = new AbortController();
  const isLimited = timeoutMs > 0 && timeoutMs < MAX_TIMER;
  const ring = (): void => clock.abort(new TimedOut(timeoutMs));
  const timer = isLimited ? setTimeout(ring, timeoutMs) : undefined;
  const either = signal === undefined ? clock.signal : AbortSignal.any([clock.signal, signal]);
  try {
    return await orAborted(Promise.resolve(work(either)), either);
  } finally {
    clearTimeout(timer);
  }
}
