// Writes all mutants of a file into one text, each behind a switch: `a < b` becomes
// `(globalThis.__mutant(7) ? (a <= b) : (a < b))`. So one compiled text serves every mutant. A constant that
// has mutants is marked where it is read: `(globalThis.__mutant(8), NAME)`.
import type { ConstantRead, Host, Mutant } from "./mutants.ts";

/** A mutant with the number that switches it on. */
export interface NumberedMutant extends Mutant {
  readonly file: string;
  readonly id: number;
  /** The number that is reported when a test reaches it: its own, or that of the constant's reads. */
  readonly reachId: number;
}

/** A place where a constant is read, with the number that is reported there. */
export interface NumberedRead extends ConstantRead {
  readonly id: number;
}

interface HostNode {
  readonly host: Host;
  readonly mutants: NumberedMutant[];
  readonly inner: HostNode[];
  readonly readId?: number;
}

/** The text with all mutants: `globalThis.__mutant(id)` says whether one is active. */
export function instrument(
  text: string,
  mutants: readonly NumberedMutant[],
  reads: readonly NumberedRead[],
): string {
  const readNodes = reads.map(({ start, end, id }): HostNode => {
    return { host: { start, end, isStatement: false }, mutants: [], inner: [], readId: id };
  });
  return render(text, 0, text.length, nest([...hostNodes(mutants), ...readNodes]));
}

/** One node for each host, with all its mutants. */
function hostNodes(mutants: readonly NumberedMutant[]): readonly HostNode[] {
  const nodes = new Map<string, HostNode>();
  for (const mutant of mutants) {
    const { host } = mutant;
    const key = `${host.start} ${host.end} ${host.isStatement}`;
    const node = nodes.get(key) ?? { host, mutants: [], inner: [] };
    node.mutants.push(mutant);
    nodes.set(key, node);
  }
  return [...nodes.values()];
}

/** Puts those that are inside of others into them; returns the outermost. */
function nest(nodes: readonly HostNode[]): readonly HostNode[] {
  const outermost: HostNode[] = [];
  const open: HostNode[] = [];
  for (const node of [...nodes].sort(byPlace)) {
    while ((open.at(-1)?.host.end ?? Number.POSITIVE_INFINITY) <= node.host.start) open.pop();
    const siblings = open.at(-1)?.inner ?? outermost;
    siblings.push(node);
    open.push(node);
  }
  return outermost;
}

/** By start; of two that start at the same place, the one that contains the other comes first. */
function byPlace({ host, readId }: HostNode, { host: next }: HostNode): number {
  // A condition may be no more than a constant: the read is inside of it.
  const isInner = readId === undefined ? -1 : 1;
  return host.start - next.start || next.end - host.end || isInner;
}

function render(text: string, start: number, end: number, nodes: readonly HostNode[]): string {
  let written = "";
  let at = start;
  for (const node of nodes) {
    const { host, inner } = node;
    const original = render(text, host.start, host.end, inner);
    written += text.slice(at, host.start) + withSwitches(text, node, original);
    at = host.end;
  }
  return written + text.slice(at, end);
}

function withSwitches(text: string, { host, mutants, readId }: HostNode, original: string): string {
  if (readId !== undefined) return `(globalThis.__mutant(${readId}), ${original})`;
  if (host.isStatement) {
    const isRemoved = mutants.map(({ id }) => `globalThis.__mutant(${id})`).join(" || ");
    return `{ if (!(${isRemoved})) { ${original} } }`;
  }
  const choices = mutants.map(
    (mutant) => `globalThis.__mutant(${mutant.id}) ? (${mutatedHost(text, mutant)}) : `,
  );
  return `(${choices.join("")}(${original}))`;
}

/** The text of a mutant's host, with the mutation. */
export function mutatedHost(text: string, { host, start, end, after }: Mutant): string {
  return text.slice(host.start, start) + after + text.slice(end, host.end);
}
