import { declaredPath, receivedType } from "../errors.ts";
import {
  cutText,
  digestOf,
  isContainer,
  isJsonObject,
  mapFields,
  parseExactly,
  toPointer,
} from "../json.ts";
import { boundRepairs, MAX_LISTED } from "../records.ts";
import type { InputIssue, JsonValue, NameRepair, Repair } from "../types.ts";
import {
  type Check,
  mergeGiven,
  oneOf,
  warnProcess,
  wrongValue,
} from "../usage.ts";
import {
  bareFixer,
  type CallEvent,
  type CorrectionEvent,
  type InputEvent,
} from "./event.ts";

/**
 * How much of what a model wrote is in a log or a trace.
 *
 * - `none`: nothing: the schema's own paths, codes and counts, and the names of
 *   fixers without their parameters.
 * - `keys`: and the names of keys and tools.
 * - `full`: and the values, as `redact` leaves them.
 */
export type ContentLevel = "none" | "keys" | "full";

/**
 * Changes a value before it is written.
 *
 * @param value A string, a number or a boolean. Text that could not be read as
 *   JSON comes whole.
 * @param path Where it stands in the input, as a JSON Pointer.
 * @returns The value to write instead.
 */
export type Redact = (value: unknown, path: string) => unknown;

export interface ContentOptions {
  readonly content: ContentLevel;
  readonly redact?: Redact | undefined;
}

export const aContentLevel: Check = oneOf("none", "keys", "full");

/**
 * The content that is asked for, else what `TOOLMEND_CONTENT` of the
 * environment says, else `none`. Warns, once, of another word there.
 */
export function contentOrDefault(
  content: ContentLevel | undefined,
): ContentLevel {
  const level = content ?? (readEnvironment(VARIABLE) || "none");
  if (isContentLevel(level)) return level;
  if (!hasWarned) {
    const what = `environment variable ${VARIABLE}`;
    const { message } = wrongValue(what, level, aContentLevel);
    warnProcess(`${message} toolmend goes by "none".`, VARIABLE);
    hasWarned = true;
  }
  return "none";
}

const VARIABLE = "TOOLMEND_CONTENT";
let hasWarned = false;

function isContentLevel(level: string): level is ContentLevel {
  return aContentLevel.isMet(level);
}

/** Returns a variable of the environment, in runtimes that have one. */
export function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as {
    process?: { env?: Record<string, string | undefined> };
  };
  return process?.env?.[name];
}

/** What every line about a tool says of it and its model. */
export interface PlainBase {
  readonly v: 1;
  /** When, as ISO 8601 in UTC. */
  readonly t: string;
  /**
   * The tool's name; at content `none`, `_unknown` for one that is not offered.
   */
  readonly tool: string;
  /** A hash of the tool's JSON Schema: eight hexadecimal digits. */
  readonly schema?: string;
  readonly model?: string;
  readonly provider?: string;
}

interface PlainRepair {
  /** The fixer's name; at content `none`, without its parameters. */
  readonly fixer: string;
  readonly path: string;
  readonly level: string;
  /** At content `full` only. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What both kinds of event say of an input. */
interface PlainInput extends PlainBase, Pick<InputEvent, "level"> {
  readonly run?: string;
  readonly thread?: string;
  /**
   * At content `none`, undeclared keys are `+1 key`; a value was received only
   * at `full`, unredacted.
   */
  readonly issues: readonly Pick<
    InputIssue,
    "path" | "code" | "expected" | "received"
  >[];
  /**
   * What the model wrote, and what ran or stands for it; at content `full`
   * only.
   */
  readonly raw?: unknown;
  readonly toolInput?: unknown;
}

/** What became of one call. */
export interface PlainCall
  extends PlainInput,
    Pick<CallEvent, "kind" | "seam" | "outcome"> {
  readonly call?: string;
  readonly repairs: readonly PlainRepair[];
  /** How the tool's name was changed; `before` not at content `none`. */
  readonly nameRepair?: Omit<PlainRepair, "path">;
  /**
   * The keys that the schema does not declare, as JSON Pointers; at content
   * `none` as `+2 keys`.
   */
  readonly undeclared?: readonly string[];
  /** How long the repair took, in microseconds. */
  readonly us?: number;
}

/**
 * Which input stands for one that was rejected. It can be read without the
 * calls.
 */
export interface PlainCorrection
  extends PlainInput,
    Pick<CorrectionEvent, "kind" | "source"> {
  /** The ids of the call that was rejected, and of the one that replaces it. */
  readonly of?: string;
  readonly by?: string;
}

/**
 * Returns an event as plain JSON, with no more of what a model wrote than is
 * asked for.
 */
export function toPlainEvent(
  event: InputEvent,
  options: ContentOptions,
): PlainCall | PlainCorrection {
  const writer = new EventWriter(event, options);
  if (event.kind === "call") return writer.writeCall(event);
  return writer.writeCorrection(event);
}

/** Writes an event's fields at a level of content. */
class EventWriter {
  readonly #event: InputEvent;
  readonly #options: ContentOptions;
  readonly #isNone: boolean;
  readonly #isFull: boolean;

  constructor(event: InputEvent, options: ContentOptions) {
    this.#event = event;
    this.#options = options;
    this.#isNone = options.content === "none";
    this.#isFull = options.content === "full";
  }

  writeCorrection({ kind, of, by, source }: CorrectionEvent): PlainCorrection {
    const input = this.#writeInput();
    const ids = { of: this.#idOf(of), by: this.#idOf(by) };
    return present<PlainCorrection>({ kind, ...input, ...ids, source });
  }

  writeCall(event: CallEvent): PlainCall {
    const { kind, callId, seam, outcome, microseconds } = event;
    return present<PlainCall>({
      kind,
      ...this.#writeInput(),
      call: this.#idOf(callId),
      seam,
      outcome,
      repairs: this.#writeRepairs(event.repairs),
      nameRepair: event.nameRepair && this.#writeNameRepair(event.nameRepair),
      undeclared: this.#writeUndeclared(event.undeclared),
      us: microseconds,
    });
  }

  #writeInput() {
    const { runId, threadId, level, issues, rawToolInput, toolInput } =
      this.#event;
    return {
      ...plainBase(this.#event, this.#options),
      run: cut(runId),
      thread: cut(threadId),
      level,
      issues: issues
        .slice(0, MAX_LISTED)
        .map((issue) => this.#writeIssue(issue)),
      raw: this.#valueAt("", rawToolInput),
      toolInput: this.#valueAt("", toolInput),
    };
  }

  #writeIssue({
    path,
    code,
    expected,
    received,
  }: InputIssue): PlainInput["issues"][number] {
    return present<PlainInput["issues"][number]>({
      path: this.#pathOf(path),
      code,
      expected: cut(expected),
      received: this.#receivedOf(received),
    });
  }

  #writeRepairs(repairs: readonly Repair[]): readonly PlainRepair[] {
    // Values, which may be long, are written at content `full` only.
    const listed = this.#isFull
      ? boundRepairs(repairs)
      : repairs.slice(0, MAX_LISTED);
    return listed.map((repair) => this.#writeRepair(repair));
  }

  #writeRepair({ fixer, path, level, before, after }: Repair): PlainRepair {
    return present<PlainRepair>({
      fixer: this.#nameOf(fixer),
      path: this.#pathOf(path),
      level,
      before: this.#valueAt(path, before),
      after: this.#valueAt(path, after),
    });
  }

  #writeNameRepair({
    fixer,
    level,
    before,
  }: NameRepair): PlainCall["nameRepair"] {
    const fields = { fixer: this.#nameOf(fixer), level };
    if (this.#isNone) return fields;
    return { ...fields, before: cut(before) };
  }

  #writeUndeclared(paths: readonly string[]): readonly string[] | undefined {
    if (paths.length === 0) return undefined;
    if (!this.#isNone) return paths.slice(0, MAX_LISTED);
    return [paths.length === 1 ? "+1 key" : `+${paths.length} keys`];
  }

  #idOf(id: string | undefined): string | undefined {
    if (this.#isNone) return redactCallId(id, this.#event);
    return cut(id);
  }

  #pathOf(path: string): string {
    if (this.#isNone) return declaredPath(path, this.#event.jsonSchema);
    return cut(path);
  }

  /** The parameters of a fixer may be what a model wrote. */
  #nameOf(fixer: string): string {
    if (this.#isNone) return bareFixer(fixer);
    return cut(fixer);
  }

  /** A redaction goes by the place in the whole input. */
  #valueAt(path: string, value: unknown): unknown {
    const { redact } = this.#options;
    if (!this.#isFull) return undefined;
    if (redact === undefined) return value;
    return redactValue(value, (part, at) => redact(part, `${path}${at}`));
  }

  #receivedOf(received: string | undefined): string | undefined {
    if (received === undefined) return undefined;
    const isShown = this.#isFull && !this.#options.redact;
    if (isShown) return received;
    return receivedType(received);
  }
}

/** Returns what an event says of its tool and its model. */
export function plainBase(
  event: InputEvent,
  { content }: ContentOptions,
): PlainBase {
  const { time, toolName, schemaHash, model, provider } = event;
  return present<PlainBase>({
    v: 1,
    t: new Date(time).toISOString(),
    tool: cut(content === "none" ? offeredName(event) : toolName),
    schema: schemaHash,
    model: cut(model),
    provider: cut(provider),
  });
}

/** Ids, names and phrases come from models, too. */
function cut<Text extends string | undefined>(text: Text): Text {
  if (text === undefined) return text;
  return cutText(text, 200) as Text;
}

/** Leaves out the fields that are absent. */
function present<Plain>(
  fields: { [Key in keyof Plain]: Plain[Key] | undefined },
): Plain {
  return mergeGiven<object>(fields) as Plain;
}

/**
 * What is written where a redaction throws, or a value is nested too deeply to
 * be redacted.
 */
const FAILED = "[redact threw]";

/**
 * Redacts every value of an input. Text that is JSON stays text, and each value
 * in it has its own path.
 */
export function redactValue(
  value: unknown,
  redact: Redact | undefined,
  path: readonly string[] = [],
): unknown {
  if (redact === undefined) return value;
  if (value === null || value === undefined) return value;
  if (path.length > 64) return FAILED;
  const redactField = (field: unknown, key: string | number) =>
    redactValue(field, redact, [...path, String(key)]);
  if (Array.isArray(value)) return value.map(redactField);
  if (isJsonObject(value)) return mapFields(value, redactField);
  try {
    const held = typeof value === "string" ? parseExactly(value) : undefined;
    if (!isContainer(held)) return redactScalar(value, redact, path);
    return redactJsonText(value, held, redact, path);
  } catch {
    return FAILED;
  }
}

/** Redacts text that holds a value as JSON. */
function redactJsonText(
  text: unknown,
  held: JsonValue,
  redact: Redact,
  path: readonly string[],
): unknown {
  // An input that is JSON text has no value of its own.
  if (path.length > 0) {
    const clean = redactScalar(text, redact, path);
    if (clean !== text) return clean;
  }
  const redacted = JSON.stringify(redactValue(held, redact, path));
  // Keep the original spelling if nothing was hidden.
  return redacted === JSON.stringify(held) ? text : redacted;
}

function redactScalar(
  value: unknown,
  redact: Redact,
  path: readonly string[],
): unknown {
  const clean = redact(value, toPointer(path));
  // What is no JSON throws here, and not where it is written.
  if (typeof clean === "object" || typeof clean === "bigint")
    JSON.stringify(clean);
  return clean;
}

/**
 * The name of an event's tool where it is the application's, and not made up by
 * a model.
 */
export function offeredName({ toolName, isOffered }: InputEvent): string {
  if (isOffered) return toolName;
  return "_unknown";
}

/**
 * Returns the id of a call; its hash where it may hold the name of a tool that
 * a model made up.
 */
export function redactCallId(
  id: string | undefined,
  event: InputEvent,
): string | undefined {
  if (id === undefined) return undefined;
  // Some models write ids as `functions.search:0`.
  const namedTool =
    /^(?:functions\.)?(.+):\d+$/s.exec(id)?.[1] ?? event.toolName;
  const holdsMadeUp = madeUpNames(event).some((name) => id.includes(name));
  if (namedTool === event.toolName && !holdsMadeUp) return cut(id);
  return `id-${digestOf(id).hash}`;
}

/** The names of tools in an event that a model made up. */
function madeUpNames(event: InputEvent): readonly string[] {
  const names: string[] = [];
  if (!event.isOffered) names.push(event.toolName);
  if (event.kind === "call" && event.nameRepair)
    names.push(event.nameRepair.before);
  return names.filter((name) => name !== "");
}
