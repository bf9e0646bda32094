import { cutText, declaredPath, receivedType } from "../errors.ts";
import { boundRepairs, MAX_LISTED } from "../records.ts";
import type { InputIssue, RepairLevel } from "../types.ts";
import {
  bareFixer,
  type CorrectionSource,
  type InputEvent,
  type Outcome,
  type Seam,
} from "./event.ts";
import {
  type ContentOptions,
  offeredName,
  redactCallId,
  redactValue,
  type Shape,
  shapeOf,
} from "./redact.ts";

/** What every event says of its tool and its model. */
export interface PlainBase {
  readonly v: 1;
  /** When, as ISO 8601 in UTC. */
  readonly t: string;
  /** The tool's name; at content `none`, `_unknown` for one that is not offered. */
  readonly tool: string;
  /** A hash of the tool's JSON Schema: eight hexadecimal digits. */
  readonly schema?: string;
  readonly model?: string;
  readonly provider?: string;
}

/**
 * One thing that a schema had against an input. At content `none`, its path has `+1 key` for undeclared
 * keys; but at content `full` without a redaction, it received a type and no value.
 */
export type PlainIssue = Pick<InputIssue, "path" | "code" | "expected" | "received">;

/** One change to an input. */
export interface PlainRepair {
  /** The fixer's name; at content `none`, without its parameters. */
  readonly fixer: string;
  readonly path: string;
  readonly level: string;
  /** At content `full` only. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What both kinds of event say of an input. */
interface PlainInput extends PlainBase {
  /** The ids of LangChain's run and LangGraph's thread. */
  readonly run?: string;
  readonly thread?: string;
  /** What was wrong with what the model wrote. */
  readonly issues: readonly PlainIssue[];
  /** Of what the model wrote; at content `keys` only. */
  readonly shape?: Shape;
  /** What the model wrote, and what ran or stands for it; at content `full` only. */
  readonly raw?: unknown;
  readonly toolInput?: unknown;
}

/** What became of one call. */
export interface PlainCall extends PlainInput {
  readonly kind: "call";
  /** The id of the tool call. */
  readonly call?: string;
  readonly seam: Seam;
  readonly outcome: Outcome;
  readonly level: RepairLevel;
  readonly repairs: readonly PlainRepair[];
  /** How the tool's name was changed; `before` not at content `none`. */
  readonly nameRepair?: Omit<PlainRepair, "path" | "before"> & { readonly before?: string };
  /** The keys that the schema does not declare, as JSON Pointers; at content `none` as `+2 keys`. */
  readonly undeclared?: readonly string[];
  /** How long the repair took, in microseconds. */
  readonly us?: number;
}

/** Which input stands for one that was refused. It can be read without the calls. */
export interface PlainCorrection extends PlainInput {
  readonly kind: "correction";
  /** The ids of the call that was refused, and of the one that replaces it. */
  readonly of?: string;
  readonly by?: string;
  readonly source: CorrectionSource;
  readonly level?: RepairLevel;
  /** At content `keys` only. */
  readonly correctedShape?: Shape;
}

/** The longest name or phrase, in characters: ids and names come from models, too. */
const MAX_WORDS = 200;

/** Returns an event as plain JSON, with no more of what a model wrote than is asked for. */
export function toPlainEvent(
  event: InputEvent,
  options: ContentOptions,
): PlainCall | PlainCorrection {
  const { content, redact } = options;
  const [isNone, isFull] = [content === "none", content === "full"];
  const shape = (value: unknown) => (content === "keys" ? shapeOf(value) : undefined);
  const { runId, threadId, level, jsonSchema, rawToolInput, toolInput } = event;
  const idOf = (id: string | undefined) => (isNone ? redactCallId(id, event) : cut(id));
  const pathOf = (path: string) =>
    isNone ? declaredPath(path, jsonSchema) : cutText(path, MAX_WORDS);
  // The parameters of a fixer may be what a model wrote.
  const nameOf = (fixer: string) => (isNone ? bareFixer(fixer) : cutText(fixer, MAX_WORDS));
  // A redaction goes by the place in the whole input.
  const valueAt = (path: string, value: unknown) =>
    isFull ? redactValue(value, redact && ((one, at) => redact(one, `${path}${at}`))) : undefined;

  const about = { ...plainBase(event, options), run: cut(runId), thread: cut(threadId), level };
  const said = {
    issues: event.issues.slice(0, MAX_LISTED).map(({ path, code, expected, received }) => {
      const isShown = received === undefined || (isFull && redact === undefined);
      const said = { path: pathOf(path), code, expected: cut(expected) };
      return present<PlainIssue>({
        ...said,
        received: isShown ? received : receivedType(received),
      });
    }),
    shape: shape(rawToolInput),
    raw: valueAt("", rawToolInput),
    toolInput: valueAt("", toolInput),
  };
  if (event.kind === "correction") {
    const { kind, of, by, source } = event;
    const own = { kind, of: idOf(of), by: idOf(by), source, correctedShape: shape(toolInput) };
    return present<PlainCorrection>({ ...about, ...said, ...own });
  }
  const { kind, callId, seam, outcome, repairs, nameRepair: renamed, undeclared } = event;
  const count = undeclared.length === 1 ? "+1 key" : `+${undeclared.length} keys`;
  const listed = isFull ? boundRepairs(repairs) : repairs.slice(0, MAX_LISTED);
  return present<PlainCall>({
    ...{ kind, ...about, call: idOf(callId), seam, outcome, ...said },
    repairs: listed.map((repair) =>
      present<PlainRepair>({
        fixer: nameOf(repair.fixer),
        path: pathOf(repair.path),
        level: repair.level,
        before: valueAt(repair.path, repair.before),
        after: valueAt(repair.path, repair.after),
      }),
    ),
    nameRepair: renamed && {
      fixer: nameOf(renamed.fixer),
      level: renamed.level,
      ...(!isNone && { before: cutText(renamed.before, MAX_WORDS) }),
    },
    ...(undeclared.length > 0 && {
      undeclared: isNone ? [count] : undeclared.slice(0, MAX_LISTED),
    }),
    us: event.microseconds,
  });
}

/** Returns what an event says of its tool and its model. */
export function plainBase(event: InputEvent, { content }: ContentOptions): PlainBase {
  const { time, toolName, schemaHash, model, provider } = event;
  return present<PlainBase>({
    v: 1,
    t: new Date(time).toISOString(),
    tool: cutText(content === "none" ? offeredName(event) : toolName, MAX_WORDS),
    schema: schemaHash,
    model: cut(model),
    provider: cut(provider),
  });
}

function cut(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cutText(text, MAX_WORDS);
}

/** Leaves out the fields that are absent. */
function present<Plain>(fields: { [Key in keyof Plain]: Plain[Key] | undefined }): Plain {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Plain;
}
