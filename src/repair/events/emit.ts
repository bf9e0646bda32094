import { loadRepair } from "../load.ts";
import { listenersOf, type MarkRun } from "./event.ts";
import type { CallOutcome, Correction, EmitContext } from "./report.ts";

/**
 * Reports what became of a call to everybody who listens: every way of a call ends here, once. The code
 * that makes events comes with the code that repairs: where nobody listens to valid inputs, neither is
 * needed before a fault.
 */
export function emitCall(
  call: CallOutcome,
  context: EmitContext,
): Promise<MarkRun | undefined> | undefined {
  const isHeard = isRight(call) ? listenersOf(context).length > 0 : hasListeners(context);
  if (!isHeard) return undefined;
  const code = loadRepair();
  return code instanceof Promise
    ? code.then(
        (loaded) => loaded.reportCall(call, context),
        () => undefined,
      )
    : code.reportCall(call, context);
}

/** Reports which inputs stand for ones that were refused. Never throws. */
export async function emitCorrections(
  find: () => readonly Correction[] | Promise<readonly Correction[]>,
  context: EmitContext,
): Promise<void> {
  if (!hasListeners(context)) return;
  try {
    const code = await loadRepair();
    for (const correction of await find()) await code.reportCorrection(correction, context);
  } catch {
    // Watching never stops a run.
  }
}

/** Whether somebody listens. */
function hasListeners(context: EmitContext): boolean {
  return listenersOf(context).length > 0 || context.origin?.show !== undefined;
}

/** LangChain is not shown an input that was right. */
function isRight({ resolution, nameRepair, rescued }: CallOutcome): boolean {
  const isChanged = nameRepair !== undefined || rescued === true;
  return resolution.kind === "run" && resolution.repairs.length === 0 && !isChanged;
}
