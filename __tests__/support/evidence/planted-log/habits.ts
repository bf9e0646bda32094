import type { JsonValue } from "toolmend";
import type { JsonObject } from "#src/repair/types.ts";
import type { Random } from "../../fuzz/random.ts";

/** A planted mistake: a rule from the intended input to the model's input. */
export interface Planted {
  readonly name: string;
  readonly tool: string;
  /** The models that make it. */
  readonly models: readonly string[];
  /** Its frequency among their calls of the tool: one in so many. */
  readonly oneIn: number;
  /** The first day of the mistake. Default: the first of all. */
  readonly fromDay?: number;
  /** The model's input, and its wrong tool name, if it has one. */
  spoil(meant: JsonObject, random: Random): { readonly raw: JsonValue; readonly name?: string };
  /** The input of the correction, if it differs from the intended one. */
  correct?(meant: JsonObject, random: Random): JsonObject;
}

/** A mistake that a fixer repairs. */
export interface Habit extends Planted {
  /** The fixers that repair it, in order, as code. */
  readonly fixers: readonly string[];
  /** Features beyond toolmend's fixers, if it needs one. */
  readonly needs?: "wildcard" | "tool name";
}

export const MODELS = ["nimbus-2-mini", "quill-large", "terra-7b"] as const;
const [MINI, LARGE, SMALL] = MODELS;
const LABELS = ["billing", "refund"];

/** Mistakes with support in the log: a search for fixers must find them. */
export const HABITS: readonly Habit[] = [
  {
    name: "customer for customer_id",
    tool: "create_invoice",
    models: [MINI],
    oneIn: 5,
    fixers: ['renameKey("customer", "customer_id")'],
    spoil: (meant) => ({ raw: renamed(meant, { customer_id: "customer" }) }),
  },
  {
    name: "a currency's name",
    tool: "create_invoice",
    models: [SMALL],
    oneIn: 4,
    fixers: ['mapValue("/currency", { "euros": "EUR", "dollars": "USD", "pounds": "GBP" })'],
    spoil: (meant) => ({
      raw: {
        ...meant,
        currency:
          { EUR: "euros", USD: "dollars", GBP: "pounds" }[String(meant.currency)] ?? "euros",
      },
    }),
  },
  {
    name: "pending for open",
    tool: "search_orders",
    models: [MINI, SMALL],
    oneIn: 6,
    fixers: ['mapValue("/status", { "pending": "open" })'],
    spoil: (meant) => ({ raw: { ...meant, status: "pending" } }),
    correct: (meant) => ({ ...meant, status: "open" }),
  },
  {
    name: "issue and severity",
    tool: "update_ticket",
    models: [LARGE, SMALL],
    oneIn: 6,
    fixers: ['renameKey("issue", "ticket")', 'renameKey("severity", "priority")'],
    spoil: (meant) => ({ raw: renamed(meant, { ticket: "issue", priority: "severity" }) }),
  },
  {
    name: "lat and lon",
    tool: "get_weather",
    models: [MINI, LARGE],
    oneIn: 5,
    fixers: ['renameKey("lat", "latitude")', 'renameKey("lon", "longitude")'],
    spoil: (meant) => ({ raw: renamed(meant, { latitude: "lat", longitude: "lon" }) }),
  },
  {
    name: "no units",
    tool: "get_weather",
    models: [SMALL],
    oneIn: 4,
    fixers: ['(input) => ({ units: "metric", ...input })'],
    spoil: ({ units: _, ...rest }) => ({ raw: rest }),
    correct: (meant) => ({ ...meant, units: "metric" }),
  },
  {
    name: "pieces in a list",
    tool: "place_order",
    models: [SMALL],
    oneIn: 4,
    fixers: ['renameKey("pieces", "quantity", "/items/*")'],
    needs: "wildcard",
    spoil: (meant) => ({
      raw: {
        ...meant,
        items: (meant.items as JsonObject[]).map((item) => renamed(item, { quantity: "pieces" })),
      },
    }),
  },
  {
    name: "find_orders",
    tool: "search_orders",
    models: [LARGE],
    oneIn: 8,
    fixers: [],
    needs: "tool name",
    spoil: (meant) => ({ raw: meant, name: "find_orders" }),
  },
  {
    name: "labels in one text, lately",
    tool: "update_ticket",
    models: [MINI],
    oneIn: 3,
    fromDay: 24,
    fixers: ['renameKey("labels_csv", "labels")', 'splitList("/labels", "|")'],
    spoil: ({ labels: _, ...rest }) => ({ raw: { ...rest, labels_csv: LABELS.join(" | ") } }),
    correct: (meant) => ({ ...meant, labels: [...LABELS] }),
  },
];

/** Mistakes that a fixer seems to repair, but must not: none may be suggested. */
export const TRAPS: readonly Planted[] = [
  {
    // The schema would accept lon as url; the model meant something else.
    name: "coordinates where a map's address is wanted",
    tool: "show_map",
    models: [MINI, SMALL],
    oneIn: 4,
    spoil: (_, random) => ({
      raw: { lat: `${random.below(90)}.5`, lon: `https://tiles.example/${random.below(90)}` },
    }),
  },
  {
    // Always the same address, because it is always the same question.
    name: "the address of one question",
    tool: "lookup_ip",
    models: [SMALL],
    oneIn: 5,
    spoil: ({ ip_address: _, ...rest }) => ({ raw: rest }),
    correct: (meant) => ({ ...meant, ip_address: "192.168.1.1" }),
  },
  {
    name: "done is shipped or cancelled",
    tool: "search_orders",
    models: [LARGE, SMALL],
    oneIn: 8,
    spoil: (meant) => ({ raw: { ...meant, status: "done" } }),
    correct: (meant, random) => ({ ...meant, status: random.of(["shipped", "cancelled"]) }),
  },
  {
    name: "a tool that there is not, for several",
    tool: "read_file",
    models: [LARGE],
    oneIn: 10,
    spoil: (meant) => ({ raw: meant, name: "open_document" }),
    correct: (meant, random) => ({ ...meant, path: `/srv/data/other-${random.below(400)}.csv` }),
  },
  {
    // Corrected by an unrelated call.
    name: "a file that is named later",
    tool: "read_file",
    models: [MINI],
    oneIn: 8,
    spoil: (_, random) => ({ raw: { file: random.of(["the usual", "yesterday's", "that one"]) } }),
  },
];

/** Mistakes that `safe` repairs by itself. */
export const SLIPS: readonly ((meant: JsonObject) => JsonValue)[] = [
  (meant) => mapped(meant, (value) => (typeof value === "number" ? String(value) : value)),
  (meant) => JSON.stringify(meant).replaceAll('"', "'"),
  (meant) => `\`\`\`json\n${JSON.stringify(meant)}\n\`\`\``,
  (meant) => Object.fromEntries(Object.entries(meant).map(([key, value]) => [camel(key), value])),
  (meant) => ({ ...meant, reasoning: "The user asked for it." }),
];

function renamed(object: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [names[key] ?? key, value]),
  );
}

function mapped(object: JsonObject, map: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

function camel(key: string): string {
  return key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
