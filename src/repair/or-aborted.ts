/**
 * Waits for work, but no longer than until a signal is aborted.
 *
 * @param work The work. It goes on by itself; its outcome after the abort is ignored.
 * @param signal The signal. Without one, the work is waited for.
 * @returns What the work comes to.
 * @throws The signal's reason.
 */
export function orAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
