import { isContainer } from "./json.ts";

/**
 * Work that may have to wait: it yields possible promises and receives their
 * values. Run by `drive`, it makes no promise of its own unless it yields one.
 */
// biome-ignore lint/suspicious/noExplicitAny: what a yield returns is of the type of what was yielded
export type Steps<Result> = Generator<unknown, Result, any>;

/** Yielded by long work: its driver may let other work go on first. */
export const PAUSE: unique symbol = Symbol("pause");

/**
 * Runs work to its end, or to that of the first wait that is aborted. What it
 * throws is a rejection.
 */
export function drive<Out>(
  steps: Steps<Out>,
  signal?: AbortSignal,
): Out | Promise<Out> {
  try {
    const state = advance(steps, PAUSE);
    return state.done ? state.value : driveOn(steps, state.value, signal);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Runs work to its end, or to the first promise, or `stop`, that it yields. */
export function advance<Result>(
  steps: Steps<Result>,
  stop?: unknown,
): IteratorResult<unknown, Result> {
  let state = steps.next();
  while (
    !state.done &&
    !isThenable(state.value) &&
    (stop === undefined || state.value !== stop)
  ) {
    state = steps.next(state.value);
  }
  return state;
}

async function driveOn<Result>(
  steps: Steps<Result>,
  first: unknown,
  signal?: AbortSignal,
) {
  let pending = first;
  for (;;) {
    if (pending === PAUSE)
      pending = new Promise((resolve) => setTimeout(resolve));
    const waiting =
      signal === undefined ? pending : runLimited(() => pending, 0, signal);
    const state = await Promise.resolve(waiting).then(
      (value) => steps.next(value),
      (error: unknown) => steps.throw(error),
    );
    if (state.done) return state.value;
    pending = state.value;
  }
}

/**
 * Whether a value must be awaited: promises of other libraries and realms count
 * too.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (!isContainer(value) && typeof value !== "function") return false;
  return typeof (value as { then?: unknown }).then === "function";
}

/** Thrown if foreign work takes too long. */
export class TimedOut extends Error {
  override readonly name = "TimedOut";
}

/** Begins foreign work, and waits for it up to its time limit. */
export function runLimited<Value>(
  work: (signal: AbortSignal) => Value | PromiseLike<Value>,
  timeoutMs: number,
  signal?: AbortSignal,
): Value | Promise<Value> {
  const clock = new AbortController();
  const stopSignal =
    signal === undefined
      ? clock.signal
      : AbortSignal.any([clock.signal, signal]);
  const begun = work(stopSignal);
  if (!isThenable(begun)) return begun;
  // No timer takes longer. AbortSignal.timeout would let an idle process end
  // before the time is up.
  const isLimited = timeoutMs > 0 && timeoutMs < 2 ** 31;
  const stop = () =>
    clock.abort(new TimedOut(`took longer than ${timeoutMs} ms`));
  const timer = isLimited ? setTimeout(stop, timeoutMs) : undefined;
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(stopSignal.reason);
    if (stopSignal.aborted) abort();
    else stopSignal.addEventListener("abort", abort);
  });
  return Promise.race([aborted, begun]).finally(() => {
    clearTimeout(timer);
    stopSignal.removeEventListener("abort", abort);
  });
}

/**
 * Calls a listener, which never stops a run: what it throws is ignored, and
 * nothing is awaited.
 */
export function notify<Event>(
  listener: ((event: Event) => unknown) | undefined,
  event: Event,
): void {
  try {
    const returned = listener?.(event);
    if (isThenable(returned)) Promise.resolve(returned).catch(() => {});
  } catch {
    // Watching never stops a run.
  }
}

/**
 * Delays making a value until it is needed, and makes it once. If `make`
 * throws, the next call tries again.
 */
export function lazy<Value>(make: () => Value): () => Value {
  let kept: { readonly value: Value } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
}

/** Waits for the import of a part of toolmend. */
export async function imported<Module>(part: Promise<Module>): Promise<Module> {
  try {
    return await part;
  } catch (cause) {
    throw new Error(NOT_LOADED, { cause });
  }
}

const NOT_LOADED =
  "toolmend could not import its code for calls in text: ship all the chunks that the bundler made of it, or bundle " +
  "without code splitting";
