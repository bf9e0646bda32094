import { declaredPath, receivedType } from "../repair/errors/messages.ts";
import {
  bareFixer,
  type CallEvent,
  type CorrectionEvent,
  type InputEvent,
} from "../repair/events/event.ts";
import { boundRepairs } from "../repair/records.ts";
import { cutText } from "../repair/usage.ts";
import { fitLine } from "./fit-line.ts";
import type { CallLine, CorrectionLine, LoggedIssue, LoggedRepair } from "./log-line.ts";
import { type LineOptions, loggedShape, offeredName, redactCallId, redactValue } from "./redact.ts";

/** The longest name or phrase that a line holds, in characters. */
const MAX_WORDS = 200;

/** The most repairs that a line lists. */
const MAX_REPAIRS = 100;

/**
 * Returns an event as a line of a log, with no more of what a model wrote than is asked for.
 *
 * @param event The event.
 * @param options How much that is.
 */
export function toLogLine(event: CallEvent, options: LineOptions): CallLine;
export function toLogLine(event: CorrectionEvent, options: LineOptions): CorrectionLine;
export function toLogLine(event: InputEvent, options: LineOptions): CallLine | CorrectionLine;
export function toLogLine(event: InputEvent, options: LineOptions): CallLine | CorrectionLine {
  try {
    return fitLine(lineOf(event, options));
  } catch {
    // What is no JSON after all, of a redaction say, or throws when it is looked at.
    const cut = options.content === "keys" ? ["shape"] : ["raw", "toolInput"];
    return { ...lineOf(event, { content: "none" }), cut };
  }
}

function lineOf(event: InputEvent, options: LineOptions): CallLine | CorrectionLine {
  return event.kind === "call" ? toCallLine(event, options) : toCorrectionLine(event, options);
}

/**
 * Returns what every line says of the tool and the model.
 *
 * @param event The event.
 * @param options How much of what a model wrote is told.
 */
export function lineBase(
  event: InputEvent,
  { content }: LineOptions,
): Pick<CallLine, "v" | "t" | "tool" | "schema" | "model" | "provider"> {
  const { time, toolName, schemaHash, model, provider } = event;
  const tool = cutText(content === "none" ? offeredName(event) : toolName, MAX_WORDS);
  const t = new Date(time).toISOString();
  const named = { model: toName(model), provider: toName(provider) };
  return { v: 1, t, tool, ...withValues({ schema: schemaHash, ...named }) };
}

function toCallLine(event: CallEvent, options: LineOptions): CallLine {
  const { content, redact } = options;
  const { seam, outcome, level, nameRepair, microseconds, rawToolInput, toolInput } = event;
  const run = {
    run: toName(event.runId),
    thread: toName(event.threadId),
    call: idAs(event.callId, event, content),
  };
  const undeclared = undeclaredAs(event.undeclared, content);
  return {
    kind: "call",
    ...lineBase(event, options),
    ...withValues(run),
    seam,
    outcome,
    level,
    issues: issuesAs(event, options),
    repairs: repairsAs(event, options),
    ...(nameRepair && {
      nameRepair: {
        fixer: fixerAs(nameRepair, content),
        level: nameRepair.level,
        ...(content !== "none" && { before: cutText(nameRepair.before, MAX_WORDS) }),
      },
    }),
    ...withValues({ undeclared, us: microseconds }),
    ...(content === "keys" && { shape: loggedShape(rawToolInput) }),
    ...(content === "full" &&
      withValues({
        raw: redactValue(rawToolInput, redact),
        toolInput: redactValue(toolInput, redact),
      })),
  };
}

function toCorrectionLine(event: CorrectionEvent, options: LineOptions): CorrectionLine {
  const { content, redact } = options;
  const { source, level, rawToolInput, toolInput } = event;
  const ids = {
    run: toName(event.runId),
    thread: toName(event.threadId),
    of: idAs(event.of, event, content),
    by: idAs(event.by, event, content),
  };
  return {
    kind: "correction",
    ...lineBase(event, options),
    ...withValues(ids),
    source,
    level,
    issues: issuesAs(event, options),
    ...(content === "keys" && {
      shape: loggedShape(rawToolInput),
      correctedShape: loggedShape(toolInput),
    }),
    ...(content === "full" &&
      withValues({
        raw: redactValue(rawToolInput, redact),
        toolInput: redactValue(toolInput, redact),
      })),
  };
}

function idAs(
  id: string | undefined,
  event: InputEvent,
  content: LineOptions["content"],
): string | undefined {
  return content === "none" ? redactCallId(id, event) : toName(id);
}

/** Ids and names come from models, too: no line is longer for them than a line may be. */
function toName(name: string | undefined): string | undefined {
  return name === undefined ? undefined : cutText(name, MAX_WORDS);
}

function issuesAs(
  { issues, jsonSchema }: InputEvent,
  { content, redact }: LineOptions,
): readonly LoggedIssue[] {
  const isWhole = content === "full" && redact === undefined;
  return issues.map(({ path, code, expected, received }) => ({
    path: content === "none" ? declaredPath(path, jsonSchema) : cutText(path, MAX_WORDS),
    code,
    ...withValues({
      expected: expected === undefined ? undefined : cutText(expected, MAX_WORDS),
      received: received === undefined || isWhole ? received : receivedType(received),
    }),
  }));
}

function repairsAs(
  { repairs, jsonSchema }: CallEvent,
  { content, redact }: LineOptions,
): readonly LoggedRepair[] {
  const told = content === "full" ? boundRepairs(repairs) : repairs.slice(0, MAX_REPAIRS);
  return told.map(({ fixer, path, level, before, after }) => ({
    fixer: fixerAs({ fixer }, content),
    path: content === "none" ? declaredPath(path, jsonSchema) : cutText(path, MAX_WORDS),
    level,
    ...(content === "full" &&
      withValues({
        before: redactBelow(before, path, redact),
        after: redactBelow(after, path, redact),
      })),
  }));
}

/** The parameters of a fixer may be what a model wrote. */
function fixerAs({ fixer }: { readonly fixer: string }, content: LineOptions["content"]): string {
  return content === "none" ? bareFixer(fixer) : cutText(fixer, MAX_WORDS);
}

/** A redaction goes by the place in the whole input. */
function redactBelow(value: unknown, path: string, redact: LineOptions["redact"]): unknown {
  return redactValue(value, redact && ((one, at) => redact(one, `${path}${at}`)));
}

function undeclaredAs(
  undeclared: readonly string[],
  content: LineOptions["content"],
): readonly string[] | undefined {
  const { length } = undeclared;
  if (length === 0) return undefined;
  return content === "none" ? [`+${length} ${length === 1 ? "key" : "keys"}`] : undeclared;
}

/** A line has no fields without a value. */
function withValues<Fields extends object>(fields: Fields): Fields {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Fields;
}
