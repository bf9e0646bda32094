import { loadRepair } from "../load-repair.ts";
import type { MarkRun } from "./origin.ts";
import type { Telling, ToldCall, ToldCorrection } from "./told-call.ts";

/** What makes events comes with what repairs: where nobody listens to valid inputs, it is not needed before. */
let code: Awaited<ReturnType<typeof loadRepair>> | undefined;

/**
 * Tells everybody who listens what became of a call: the one place where events are made. What
 * listeners throw is ignored, and nobody is waited for but LangChain's own callbacks.
 *
 * @param call The call.
 * @param options Who is told, how the call was repaired, and where it came from.
 * @returns What marks the tool's run. A promise only where there is something to wait
 * for: then the call goes on after it, so that no event is lost.
 */
export function tellInput(
  call: ToldCall,
  options: Telling,
): Promise<MarkRun | undefined> | undefined {
  if (!hasListeners(options) || (isRight(call) && !options.evidence?.length)) return undefined;
  return code === undefined
    ? load().then((loaded) => loaded?.tellCall(call, options))
    : code.tellCall(call, options);
}

/**
 * Tells everybody who listens which inputs stand for ones that were refused. Never throws.
 *
 * @param find Finds out what stands for what; asked only where somebody listens.
 * @param options Who is told, and how inputs are repaired.
 */
export async function tellCorrections(
  find: () => readonly ToldCorrection[] | Promise<readonly ToldCorrection[]>,
  options: Telling,
): Promise<void> {
  if (!hasListeners(options)) return;
  try {
    const loaded = await load();
    for (const correction of await find()) await loaded?.tellReplaced(correction, options);
  } catch {
    // Watching never stops a run.
  }
}

async function load(): Promise<typeof code> {
  try {
    code = await loadRepair();
  } catch {
    // Watching never stops a run.
  }
  return code;
}

/**
 * Tells whether somebody listens.
 *
 * @param options Who is told.
 */
export function hasListeners({ evidence, onRepair, onRefused, origin }: Telling): boolean {
  return (evidence?.[0] ?? onRepair ?? onRefused ?? origin?.show) !== undefined;
}

/** Of an input that was right, only sinks are told. */
function isRight({ resolution, nameRepair, rescued }: ToldCall): boolean {
  const isChanged = nameRepair !== undefined || rescued === true;
  return resolution.kind === "run" && resolution.repairs.length === 0 && !isChanged;
}
