import { type JsonValue, repairToolCall } from "toolmend";
import type { CallEvent, CorrectionEvent, InputEvent } from "#src/repair/events/event.ts";
import type { JsonObject } from "#src/repair/types.ts";
import { createRandom, type Random } from "../../fuzz/random.ts";
import { HABITS, MODELS, type Planted, SLIPS, TRAPS } from "./habits.ts";
import { VALID_INPUTS } from "./plant-inputs.ts";
import { LATER_INVOICE, type PlantedTool, TOOLS } from "./planted-tools.ts";

/** The size and seed of the planted log. */
export interface PlantedLogOptions {
  /** The same seed gives the same log. Default: 1. */
  readonly seed?: number;
  /** Number of agent runs, of one to four calls each. Default: 1,500. */
  readonly runs?: number;
  /** Number of days. Default: 30. */
  readonly days?: number;
  /** The end of the last day, as ISO 8601. Default: `2026-11-21T00:00:00Z`. */
  readonly until?: string;
  /** The percentage of rejected calls with a known correction. Default: 40. */
  readonly labelled?: number;
}

const DAY = 24 * 60 * 60 * 1000;

/** The percentage of the days after which `create_invoice` has another schema. */
const CHANGE_AT = 60;

const PROVIDERS: Readonly<Record<string, string>> = {
  "nimbus-2-mini": "nimbus",
  "quill-large": "quill",
  "terra-7b": "ollama",
};

/**
 * Creates the events of an agent's runs with planted mistakes: habits that a fixer repairs,
 * similar-looking traps, and typos that `safe` repairs. Every input goes through toolmend.
 *
 * @param options Seed, size and time.
 * @returns The events, in chronological order.
 */
export async function plantedEvents({
  seed = 1,
  runs = 1_500,
  days = 30,
  until = "2026-11-21T00:00:00Z",
  labelled = 40,
}: PlantedLogOptions = {}): Promise<readonly InputEvent[]> {
  const random = createRandom(seed);
  const start = Date.parse(until) - days * DAY;
  const events: InputEvent[] = [];
  for (let index = 0; index < runs; index++) {
    const day = random.below(days);
    const run: Run = {
      random,
      id: `run-${seed}-${index}`,
      model: random.of([...MODELS, MODELS[0]]),
      time: start + day * DAY + timeOfDay(random),
      // The thirty days of habits.ts, scaled to the number of days.
      day: Math.floor((day / days) * 30),
      isLater: day * 100 >= days * CHANGE_AT,
      labelled,
    };
    const calls = 1 + random.below(4);
    for (let call = 0; call < calls; call++) {
      events.push(...(await plantCall(run, `call-${seed}-${index}-${call}`)));
      run.time += 4_000 + random.below(90_000);
    }
  }
  return events.sort((one, other) => one.time - other.time);
}

interface Run {
  readonly random: Random;
  readonly id: string;
  readonly model: string;
  time: number;
  readonly day: number;
  readonly isLater: boolean;
  readonly labelled: number;
}

/** Busiest around the middle of the day. */
function timeOfDay(random: Random): number {
  const parts = Array.from({ length: 3 }, () => random.below(DAY));
  return Math.floor(parts.reduce((sum, part) => sum + part, 0) / 3);
}

async function plantCall(run: Run, id: string): Promise<readonly InputEvent[]> {
  const { random, model } = run;
  const tools = TOOLS.map((tool) =>
    run.isLater && tool.name === LATER_INVOICE.name ? LATER_INVOICE : tool,
  );
  const tool = random.of(tools);
  const meant = VALID_INPUTS[tool.name]?.(random) ?? {};
  const planted = [...HABITS, ...TRAPS].find(
    (one) =>
      one.tool === tool.name &&
      one.models.includes(model) &&
      run.day >= (one.fromDay ?? 0) &&
      random.oneIn(one.oneIn),
  );
  const isSlip = planted === undefined && random.oneIn(14);
  const { raw, name = tool.name } = planted?.spoil(meant, random) ?? {
    raw: isSlip ? random.of(SLIPS)(meant) : meant,
  };
  const first = await callEvent(run, { id, name, raw, tools });
  if (first.outcome !== "refused" || random.below(100) >= run.labelled) return [first];
  return [first, ...(await correctCall(run, first, { planted, meant, tool, tools }))];
}

/** The model's next attempt, and its link to the first. */
async function correctCall(
  run: Run,
  first: CallEvent,
  {
    planted,
    meant,
    tool,
    tools,
  }: {
    readonly planted: Planted | undefined;
    readonly meant: JsonObject;
    readonly tool: PlantedTool;
    readonly tools: readonly PlantedTool[];
  },
): Promise<readonly InputEvent[]> {
  const { random } = run;
  const raw = planted?.correct?.(meant, random) ?? meant;
  run.time += 1_500 + random.below(6_000);
  const id = `${first.callId}-again`;
  const later = await callEvent(run, { id, name: tool.name, raw, tools });
  const correction: CorrectionEvent = {
    ...first,
    kind: "correction",
    outcome: "corrected",
    time: later.time,
    source: random.of(["later-call", "later-call", "later-call", "self-correct", "human"]),
    of: first.callId,
    by: id,
    toolInput: later.toolInput,
  };
  return [later, correction];
}

async function callEvent(
  run: Run,
  {
    id,
    name,
    raw,
    tools,
  }: {
    readonly id: string;
    readonly name: string;
    readonly raw: JsonValue;
    readonly tools: readonly PlantedTool[];
  },
): Promise<CallEvent> {
  const events: InputEvent[] = [];
  await repairToolCall({ name, args: raw, id }, tools, {
    onToolCall: [(event) => events.push(event)],
  });
  const [event] = events;
  if (event?.kind !== "call") throw new Error("The call was not reported.");
  const { level, jsonSchema, schemaHash } = event;
  return {
    ...event,
    // An event's lazy getters are not copied with it.
    level,
    jsonSchema,
    schemaHash,
    time: run.time,
    seam: "middleware",
    model: run.model,
    provider: PROVIDERS[run.model],
    runId: run.id,
    threadId: `thread-${run.id}`,
    // Measured values differ from run to run.
    microseconds: event.microseconds === undefined ? undefined : 90 + run.random.below(400),
  };
}
