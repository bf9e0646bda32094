import { digestOf } from "../json/digest.ts";
import type { EvidenceSink } from "./input-event.ts";
import type { KnownCall } from "./told-call.ts";

/** The sinks that were told of a call, by its id and what its input says: LangGraph copies inputs. */
const told = new Map<string, readonly EvidenceSink[]>();

/** The most calls that are kept in mind; the oldest are forgotten. */
const MAX_CALLS = 1_000;

/** The longest input that is compared as it is, in characters of JSON. */
const MAX_LENGTH = 1_000;

/**
 * Keeps in mind that sinks were told of a call. It may come by several places that have one sink, say
 * an agent's middleware and a wrapped tool, and is told of once.
 *
 * @param call The call, as the tool will get it.
 * @param sinks The sinks.
 */
export function keepTold(call: KnownCall, sinks: readonly EvidenceSink[]): void {
  const key = callText(call);
  if (key === undefined || sinks.length === 0) return;
  const known = told.get(key) ?? [];
  told.delete(key);
  told.set(key, [...new Set([...known, ...sinks])]);
  const [oldest] = told.keys();
  if (told.size > MAX_CALLS && oldest !== undefined) told.delete(oldest);
}

/**
 * Returns the sinks that were not told of a call yet.
 *
 * @param call The call, as the tool got it.
 * @param sinks The sinks; the very list where none of them was told.
 */
export function untoldSinks(
  call: KnownCall,
  sinks: readonly EvidenceSink[],
): readonly EvidenceSink[] {
  // Most processes have one place only: then no key is made.
  const key = told.size === 0 ? undefined : callText(call);
  const known = key === undefined ? undefined : told.get(key);
  return known === undefined ? sinks : sinks.filter((sink) => !known.includes(sink));
}

function callText({ toolName, callId, input }: KnownCall): string | undefined {
  if (callId === undefined || callId === "") return undefined;
  try {
    const text = JSON.stringify(input) ?? "";
    const said = text.length > MAX_LENGTH ? digestOf(text).hash : text;
    return JSON.stringify([toolName, callId, said]);
  } catch {
    return undefined;
  }
}
