import { cutText, declaredPath, receivedType } from "../errors.ts";
import { boundRepairs } from "../records.ts";
import type { RepairLevel } from "../types.ts";
import {
  bareFixer,
  type CallEvent,
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
  /** The tool's name; `_unknown` for one that is not offered, unless the content is `keys` or `full`. */
  readonly tool: string;
  /** A hash of the tool's JSON Schema: eight hexadecimal digits. */
  readonly schema?: string;
  readonly model?: string;
  readonly provider?: string;
}

/** One thing that a schema had against an input. */
export interface PlainIssue {
  /** A JSON Pointer; at content `none`, keys that the schema does not declare are written `+1 key`. */
  readonly path: string;
  readonly code: string;
  readonly expected?: string;
  /** What stood there, in a few words; but at content `full` without a redaction, its type only. */
  readonly received?: string;
}

/** One change to an input. */
export interface PlainRepair {
  /** The fixer's name; at content `none`, without its parameters. */
  readonly fixer: string;
  readonly path: string;
  readonly level: string;
  /** At content `full` only. */
  readonly before?: unknown;
  /** At content `full` only. */
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
  /** What the model wrote; at content `full` only. */
  readonly raw?: unknown;
  /** What ran, or stands for what was refused; at content `full` only. */
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
  /** How the tool's name was changed; `before` at content `keys` and `full` only. */
  readonly nameRepair?: {
    readonly fixer: string;
    readonly level: string;
    readonly before?: string;
  };
  /** The keys that the schema does not declare, as JSON Pointers; at content `none` as `+2 keys`. */
  readonly undeclared?: readonly string[];
  /** How long the repair took, in microseconds. */
  readonly us?: number;
}

/** Which input stands for one that was refused. It can be read without the calls. */
export interface PlainCorrection extends PlainInput {
  readonly kind: "correction";
  /** The id of the call that was refused. */
  readonly of?: string;
  /** The id of the call that replaces it. */
  readonly by?: string;
  readonly source: CorrectionSource;
  readonly level?: RepairLevel;
  /** At content `keys` only. */
  readonly correctedShape?: Shape;
}

/** The longest name or phrase, in characters, and the most repairs, issues and keys that are listed. */
const MAX_WORDS = 200;
const MAX_LISTED = 100;

/** Returns an event as plain JSON, with no more of what a model wrote than is asked for. */
export function toPlainEvent<Event extends InputEvent>(
  event: Event,
  options: ContentOptions,
): Event extends CallEvent ? PlainCall : PlainCorrection;
export function toPlainEvent(
  event: InputEvent,
  options: ContentOptions,
): PlainCall | PlainCorrection {
  const { content } = options;
  const idOf = (id: string | undefined) =>
    content === "none" ? redactCallId(id, event) : toName(id);
  const about = {
    ...plainBase(event, options),
    run: toName(event.runId),
    thread: toName(event.threadId),
  };
  const { level } = event;
  const issues = plainIssues(event, options);
  const values = plainValues(event, options);
  if (event.kind === "correction") {
    const { kind, of, by, source, toolInput } = event;
    const correctedShape = content === "keys" ? shapeOf(toolInput) : undefined;
    const ids = { of: idOf(of), by: idOf(by) };
    return withoutAbsent({
      kind,
      ...about,
      ...ids,
      source,
      level,
      issues,
      ...values,
      correctedShape,
    });
  }
  const { kind, callId, seam, outcome, nameRepair: renamed, microseconds: us } = event;
  return withoutAbsent({
    ...{ kind, ...about, call: idOf(callId), seam, outcome, level, issues },
    repairs: plainRepairs(event, options),
    nameRepair: renamed && {
      fixer: plainFixer(renamed.fixer, options),
      level: renamed.level,
      ...(content !== "none" && { before: cutText(renamed.before, MAX_WORDS) }),
    },
    undeclared: plainUndeclared(event.undeclared, options),
    us,
    ...values,
  });
}

/** Returns what an event says of its tool and its model. */
export function plainBase(event: InputEvent, { content }: ContentOptions): PlainBase {
  const { time, toolName, schemaHash, model, provider } = event;
  return withoutAbsent({
    v: 1 as const,
    t: new Date(time).toISOString(),
    tool: cutText(content === "none" ? offeredName(event) : toolName, MAX_WORDS),
    schema: schemaHash,
    model: toName(model),
    provider: toName(provider),
  });
}

function plainValues({ rawToolInput, toolInput }: InputEvent, options: ContentOptions) {
  const { content, redact } = options;
  if (content === "keys") return { shape: shapeOf(rawToolInput) };
  if (content === "none") return {};
  return { raw: redactValue(rawToolInput, redact), toolInput: redactValue(toolInput, redact) };
}

/** Ids and names come from models, too. */
function toName(name: string | undefined): string | undefined {
  return name === undefined ? undefined : cutText(name, MAX_WORDS);
}

function plainPath(path: string, { jsonSchema }: InputEvent, { content }: ContentOptions): string {
  return content === "none" ? declaredPath(path, jsonSchema) : cutText(path, MAX_WORDS);
}

function plainIssues(event: InputEvent, options: ContentOptions): readonly PlainIssue[] {
  const isWhole = options.content === "full" && options.redact === undefined;
  return event.issues.slice(0, MAX_LISTED).map(({ path, code, expected, received }) =>
    withoutAbsent({
      path: plainPath(path, event, options),
      code,
      expected: toName(expected),
      received: received === undefined || isWhole ? received : receivedType(received),
    }),
  );
}

function plainRepairs(event: CallEvent, options: ContentOptions): readonly PlainRepair[] {
  const isFull = options.content === "full";
  const listed = isFull ? boundRepairs(event.repairs) : event.repairs.slice(0, MAX_LISTED);
  return listed.map(({ fixer, path, level, before, after }) => {
    // A redaction goes by the place in the whole input.
    const { redact } = options;
    const value = (one: unknown) =>
      isFull ? redactValue(one, redact && ((it, at) => redact(it, `${path}${at}`))) : undefined;
    return withoutAbsent({
      fixer: plainFixer(fixer, options),
      path: plainPath(path, event, options),
      level,
      before: value(before),
      after: value(after),
    });
  });
}

/** The parameters of a fixer may be what a model wrote. */
function plainFixer(fixer: string, { content }: ContentOptions): string {
  return content === "none" ? bareFixer(fixer) : cutText(fixer, MAX_WORDS);
}

function plainUndeclared(
  undeclared: readonly string[],
  { content }: ContentOptions,
): readonly string[] | undefined {
  const { length } = undeclared;
  if (length === 0) return undefined;
  if (content === "none") return [`+${length} ${length === 1 ? "key" : "keys"}`];
  return undeclared.slice(0, MAX_LISTED);
}

type Present<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
} & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<
    Fields[Key],
    undefined
  >;
};

function withoutAbsent<Fields extends object>(fields: Fields): Present<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Present<Fields>;
}
