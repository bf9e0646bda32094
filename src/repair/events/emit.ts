import { loadRepair } from "../load.ts";
import { listenersOf, type MarkRun, type Outcome } from "./event.ts";
import type { CallOutcome, Correction, EmitContext } from "./report.ts";

/** Reports what became of a call, once. The code that makes events comes with the code that repairs. */
export function emitCall(
  call: CallOutcome,
  context: EmitContext,
): Promise<MarkRun | undefined> | undefined {
  const outcome = outcomeOf(call);
  // LangChain is not shown a valid input.
  if (!isWatched(context, outcome !== "valid")) return undefined;
  const code = loadRepair();
  if (!(code instanceof Promise)) return code.reportCall(call, outcome, context);
  return code.then(
    (loaded) => loaded.reportCall(call, outcome, context),
    () => undefined,
  );
}

/** Reports which inputs stand for ones that were refused. Never throws: watching never stops a run. */
export async function emitCorrections(
  find: () => readonly Correction[] | Promise<readonly Correction[]>,
  context: EmitContext,
): Promise<void> {
  if (!isWatched(context, true)) return;
  try {
    const code = await loadRepair();
    for (const correction of await find()) await code.reportCorrection(correction, context);
  } catch {}
}

function isWatched(context: EmitContext, isShown: boolean): boolean {
  return listenersOf(context).length > 0 || (isShown && context.origin?.show !== undefined);
}

function outcomeOf({ resolution, nameRepair, rescued }: CallOutcome): Outcome {
  if (resolution.kind === "refused") return "refused";
  if (resolution.kind === "observation") return "answered";
  if (resolution.corrects !== undefined) return "corrected";
  if (rescued) return "rescued";
  return resolution.repairs.length === 0 && nameRepair === undefined ? "valid" : "repaired";
}
