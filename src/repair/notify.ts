/**
 * Tells a listener of an event. Watching never stops a run: what the listener throws is ignored, and
 * so is the rejection of what it returns, which is not waited for.
 *
 * @param listener The listener; `undefined` is for none.
 * @param event The event.
 */
export function notify<Event>(
  listener: ((event: Event) => unknown) | undefined,
  event: Event,
): void {
  try {
    const said = listener?.(event);
    // Most listeners return nothing, and a promise for nothing costs time.
    if (typeof said === "object" && said !== null) Promise.resolve(said).catch(ignore);
  } catch {
    ignore();
  }
}

function ignore(): void {}
