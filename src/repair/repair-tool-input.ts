import { advance, drive, runLimited, type Steps, TimedOut } from "./drive.ts";
import { LEVELS, type OnObjection } from "./edit-switches.ts";
import { copyError, type ToolInputError } from "./errors.ts";
import { type CallOutcome, emitCall } from "./events/report.ts";
import { orElse } from "./foreign.ts";
import { isJsonObject, parseExactly, showValue } from "./json.ts";
import { repairSteps } from "./pipeline.ts";
import {
  type InputOptions,
  limitsOf,
  type NoHandler,
  type NotRegistry,
  policyFor,
  REPAIR_USAGE,
  type RepairOptions,
  type ResolveOptions,
} from "./policy.ts";
import type {
  ExplainedStep,
  RepairOutcome,
  RepairResult,
  Resolution,
} from "./result.ts";
import { compileSchema } from "./schema/compile-schema.ts";
import { typeOf } from "./schema/part.ts";
import {
  type InputIssue,
  ISSUE,
  type JsonValue,
  type Repair,
  type ToolInput,
  type ToolLike,
  type ToolOutput,
} from "./types.ts";
import { checkOptions, checkTool, warnProcess } from "./usage.ts";

/**
 * Repairs a tool's input, or says why it cannot: parse → validate → registered
 * fixers → schema-driven repair. The tool's own schema validates each result. A
 * valid input is returned unchanged, by reference.
 *
 * @param raw What the model wrote: text, a parsed value, or `undefined` for no
 *   arguments.
 * @param tool The tool, or just its name and schema.
 * @param options Fixers, level and limits.
 * @returns The input to run with every change that was made, or the error.
 *   Never throws for a bad input.
 * @throws TypeError for wrong use: something that is not a tool, a schema of an
 *   unknown kind, an unknown option, or an invalid value of an option.
 * @throws The reason of `options.signal` if it is aborted.
 * @example
 * ```ts
 * const result = await repairToolInput('{"element": "#buy"}', click, { fixers });
 * if (result.ok) console.log(result.toolInput.selector); // #buy
 * else console.error(result.error.toModelMessage());
 * ```
 */
export async function repairToolInput<const Tool extends ToolLike>(
  raw: unknown,
  tool: Tool,
  options: RepairOptions & NotRegistry & NoHandler = {},
): Promise<RepairResult<ToolInput<Tool>, ToolOutput<Tool>>> {
  checkTool(tool, "repairToolInput(raw, tool, options)");
  checkOptions(options, REPAIR_USAGE);
  const result = await drive(reportedSteps(raw, tool, options), options.signal);
  return result as RepairResult<ToolInput<Tool>, ToolOutput<Tool>>;
}

/**
 * As `repairToolInput`, without a promise: for tools whose schema and fixers
 * are synchronous.
 *
 * @param raw What the model wrote: text, a parsed value, or `undefined` for no
 *   arguments.
 * @param tool The tool, or just its name and schema.
 * @param options Fixers, level and limits. A time limit cannot stop a fixer
 *   that does not return.
 * @returns The input to run with every change that was made, or the error.
 * @throws TypeError for wrong use, as `repairToolInput`; and if a fixer or the
 *   schema (an `async` refinement, say) returns a promise.
 * @example
 * ```ts
 * const result = repairToolInputSync('{"element": "#buy"}', click, { fixers });
 * if (result.ok) console.log(result.toolInput.selector); // #buy
 * ```
 */
export function repairToolInputSync<const Tool extends ToolLike>(
  raw: unknown,
  tool: Tool,
  options: RepairOptions & NotRegistry & NoHandler = {},
): RepairResult<ToolInput<Tool>, ToolOutput<Tool>> {
  checkTool(tool, "repairToolInputSync(raw, tool, options)");
  checkOptions(options, REPAIR_USAGE);
  const { done, value } = advance(reportedSteps(raw, tool, options));
  if (done) return value as RepairResult<ToolInput<Tool>, ToolOutput<Tool>>;
  Promise.resolve(value).catch(() => {});
  throw new TypeError(
    `repairToolInputSync(raw, tool, options) cannot wait for the schema or a fixer of tool "${tool.name}", ` +
      "which returned a promise. Await repairToolInput instead, or make them synchronous.",
  );
}

/**
 * Repairs a sample, so that the first faulty input of the process does not wait
 * until the code is compiled. Call it when a server starts.
 *
 * @returns A promise that resolves when it is done.
 * @example
 * ```ts
 * await preload();
 * ```
 */
export async function preload(): Promise<void> {
  const properties = {
    selector: { type: "string" },
    count: { type: "integer" },
  };
  const schema = { type: "object", properties, required: ["selector"] };
  repairToolInputSync("{'Selector': '#buy', 'count': '1',}", {
    name: "sample",
    schema,
  });
}

/**
 * An input that stood elsewhere in the call: the change that moved it comes
 * before all others.
 */
interface MovedInput {
  readonly moved?: Repair | undefined;
}

/** Repairs one input, with its event and its explanation. */
export function* reportedSteps(
  raw: unknown,
  tool: ToolLike,
  inputOptions: InputOptions,
  {
    moved,
    ...call
  }: Pick<CallOutcome, "callId" | "nameRepair"> & MovedInput = {},
): Steps<RepairResult> {
  const options = { ...inputOptions, tried: [] as string[] };
  const repaired = yield* repairSteps(raw, tool, options);
  const isMoved = moved !== undefined && repaired.ok;
  const outcome = isMoved
    ? { ...repaired, repairs: [moved, ...repaired.repairs] }
    : repaired;
  const written = moved === undefined ? raw : moved.before;
  yield emitCall(
    { raw: written, tool, resolution: toResolution(outcome), ...call },
    options,
  );
  const result = toResult(outcome, call.nameRepair !== undefined);
  if (!options.explain) return result;
  return { ...result, steps: yield* explain(result, raw, tool, options) };
}

/** A result without what only events report. */
function toResult(outcome: RepairOutcome, isRenamed: boolean): RepairResult {
  const { faults: _, microseconds: __, ...reported } = outcome;
  if (!reported.ok) return reported;
  return { ...reported, changed: isRenamed || reported.repairs.length > 0 };
}

/** So many reasons why an edit was not made are shown. */
const MAX_OBJECTIONS = 5;

/**
 * Explains a result step by step: the schema's verdict, what each fixer did,
 * the edits, why the input was rejected, and which level would repair it.
 */
function* explain(
  result: RepairResult,
  raw: unknown,
  tool: ToolLike,
  options: InputOptions,
): Steps<readonly ExplainedStep[]> {
  const repairWith = (changes: InputOptions) =>
    repairSteps(raw, tool, { ...options, ...changes });
  const plain = { ...policyFor(tool, options), fixers: undefined };
  // At this level, without fixers and switches, only the schema is asked.
  const asWritten = yield* repairWith({ ...plain, level: "strict", edits: {} });
  const would: string[] = [];
  const objections = new Set<string>();
  const onObjection: OnObjection = (edit, path, reason) => {
    objections.add(`no ${edit} at ${placeInWords(path)}: ${reason}`);
  };
  for (const level of result.ok ? [] : LEVELS) {
    const { ok, repairs } = yield* repairWith({ ...plain, level, onObjection });
    const names = repairs.map(({ fixer }) => fixer).join(", ");
    if (ok && names !== "")
      would.push(`"${level}" would repair it, by ${names}`);
  }
  return [
    ...say("read", [`the model wrote ${showValue(raw, 300)}`]),
    ...say("schema", verdictOf(asWritten)),
    ...say("fixer", options.tried ?? []),
    ...say("edit", result.repairs.map(editInWords)),
    ...say("objection", [...objections].slice(0, MAX_OBJECTIONS)),
    ...say("level", would.slice(0, 1)),
    ...say("result", [resultInWords(result)]),
  ];
}

function say(
  step: ExplainedStep["step"],
  lines: readonly string[],
): readonly ExplainedStep[] {
  return lines.map((says) => ({ step, says }));
}

/** What the schema says of an input without any edit. */
function verdictOf(asWritten: RepairOutcome): readonly string[] {
  if (!asWritten.ok) return asWritten.error.issues.map(issueInWords);
  const accepted =
    asWritten.repairs.length === 0 ? "it as it is" : "what is read from it";
  const ignored = asWritten.undeclared.map(
    (path) => `${path} is not declared: the tool ignores it`,
  );
  return [`accepts ${accepted}`, ...ignored];
}

function issueInWords({
  path,
  message,
  expected,
  received,
}: InputIssue): string {
  const wanted = expected ? `expected ${expected}` : message;
  const got = received === undefined ? "" : `, received ${received}`;
  return `${placeInWords(path)}: ${wanted}${got}`;
}

function editInWords({
  fixer,
  path,
  before,
  after,
  level,
  reason,
}: Repair): string {
  const change = `${showValue(before, 120)} → ${showValue(after, 120)}`;
  const why = reason ? `: ${reason}` : "";
  return `${fixer} (${level}) at ${placeInWords(path)}: ${change}${why}`;
}

function resultInWords(result: RepairResult): string {
  if (!result.ok) {
    return `refused, ${result.error.reason}${listed("it could mean", result.error.candidates)}`;
  }
  return `runs with ${showValue(result.toolInput, 300)}${listed("not declared", result.undeclared)}`;
}

function listed(what: string, items: readonly string[] = []): string {
  return items.length === 0 ? "" : `; ${what}: ${items.join(", ")}`;
}

function placeInWords(path: string): string {
  return path || "the whole input";
}

/**
 * Repairs a tool's input and, if that fails, asks `onUnfixable`. Makes no
 * promise unless a schema, a fixer or the handler does. All wrappers use it,
 * and report the call themselves (`emitCall`), because only they know every
 * change.
 */
export function resolveToolInput(
  raw: unknown,
  tool: ToolLike,
  options: ResolveOptions = {},
): Resolution | Promise<Resolution> {
  return drive(resolveSteps(raw, tool, options), options.signal);
}

function* resolveSteps(
  raw: unknown,
  tool: ToolLike,
  options: ResolveOptions,
): Steps<Resolution> {
  const first = yield* repairSteps(raw, tool, options);
  if (first.ok) return toResolution(first);
  const { microseconds } = first;
  const { answer, error } = yield* askHandler(first.error, options, tool);
  if (answer === undefined || answer === null)
    return toResolution({ ...first, error });
  if (typeof answer === "string") {
    yield* warnOfInputAsText(answer, tool, options);
    return { kind: "observation", text: answer, error, microseconds };
  }

  // A copy, so that the validated value is the one that runs. A value that is
  // not JSON has none.
  const after = orElse<JsonValue | undefined>(
    () => structuredClone(answer),
    undefined,
  );
  if (!(yield* isMeantAsInput(after, tool))) {
    const what = `what this tool does not take: the ${typeOf(answer)} ${showValue(answer)}`;
    const rejected = badCorrection(what, error, error);
    return toResolution({ ...first, error: rejected });
  }
  const changed = { ...options, truncated: false };
  const second = yield* repairSteps(after, tool, changed);
  if (!second.ok) {
    const what = "an input that was rejected, too";
    const rejected = badCorrection(what, second.error, error);
    return toResolution({ ...first, error: rejected });
  }
  const { faults: _, ...corrected } = second;
  const repair: Repair = {
    fixer: "onUnfixable",
    path: "",
    before: raw as JsonValue | undefined,
    after,
    level: "strict",
  };
  const repairs = [repair, ...second.repairs];
  return { kind: "run", ...corrected, repairs, corrects: error, microseconds };
}

/**
 * Whether a handler's answer is meant as an input: the length of a list is not,
 * as in `(error) => errors.push(error)`.
 */
function* isMeantAsInput(
  answer: JsonValue | undefined,
  tool: ToolLike,
): Steps<boolean> {
  if (isJsonObject(answer)) return true;
  if (answer === undefined) return false;
  const { ok } = yield compileSchema(tool.schema).validate(answer);
  return ok;
}

/** The error of an input whose correction by `onUnfixable` does not run. */
function badCorrection(
  what: string,
  cause: ToolInputError,
  error: ToolInputError,
): ToolInputError {
  const message = `onUnfixable returned ${what}`;
  const issue = { path: "", code: ISSUE.badCorrection, message };
  return copyError(error, {
    issues: [...error.issues, issue],
    cause,
    reason: undefined,
    candidates: undefined,
    limit: undefined,
  });
}

/**
 * Warns, once for each handler, of a text that the tool would run with as an
 * object.
 */
function* warnOfInputAsText(
  text: string,
  tool: ToolLike,
  options: ResolveOptions,
): Steps<void> {
  const { onUnfixable: handler } = options;
  if (typeof handler !== "function") return;
  if (warnedHandlers.has(handler)) return;
  const input = parseExactly(text);
  if (!isJsonObject(input)) return;
  const { ok } = yield compileSchema(tool.schema).validate(input);
  if (!ok) return;
  warnedHandlers.add(handler);
  warnProcess(
    `onUnfixable returned JSON as text for "${tool.name}". Text is what the model reads, and the tool does not run; return the object to run it.`,
    "TOOLMEND_INPUT_AS_TEXT",
  );
}

const warnedHandlers = new WeakSet<object>();

/**
 * Asks `onUnfixable` about an error. If it takes too long, the error returned
 * says so. If it throws, the rejected call is reported here: what it throws
 * ends the run.
 */
export function* askHandler(
  error: ToolInputError,
  options: ResolveOptions,
  tool?: ToolLike,
): Steps<{
  readonly answer?: JsonValue | undefined;
  readonly error: ToolInputError;
}> {
  const { onUnfixable, signal } = options;
  if (onUnfixable === undefined) return { error };
  if (onUnfixable === "tellModel")
    return { answer: error.toModelMessage(), error };
  const { handlerTimeoutMs: value } = limitsOf(options);
  const ask = () =>
    onUnfixable(error, structuredClone(error.causingData), error.action);
  try {
    return { answer: yield runLimited(ask, value, signal), error };
  } catch (cause) {
    if (cause instanceof TimedOut) {
      const limit = { name: "handlerTimeoutMs", value } as const;
      return {
        error: copyError(error, { reason: "handler_timeout", limit, cause }),
      };
    }
    const isLost = tool !== undefined && !signal?.aborted;
    const resolution = { kind: "refused" as const, error };
    if (isLost)
      yield emitCall({ raw: error.causingData, tool, resolution }, options);
    throw cause;
  }
}

function toResolution(result: RepairOutcome): Resolution {
  if (result.ok) return { kind: "run", ...result };
  return { kind: "refused", ...result };
}
