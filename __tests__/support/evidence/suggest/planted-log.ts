import type { LogLine } from "#src/evidence/log-line.ts";
import type { JsonObject, JsonSchema, JsonValue } from "#src/repair/types.ts";
import { closed, linesOf, repeat, type ToldCall } from "./make-log.ts";

/** A mistake that every conversation corrects in the same way, each in its own tool. */
export interface Planted {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly pair: (n: number) => readonly [raw: JsonValue, meant: JsonValue];
  /** Number of conversations. Default: 40. */
  readonly count?: number;
  /** Every tenth correction is of another call. */
  readonly isNoisy?: boolean;
}

const text = { type: "string" };
const number = { type: "number" };
const list = { type: "array", items: text };

/** A value that no other call has. */
const word = (n: number) => `w${n}-${(n * 7919) % 1000}`;
const id = (n: number) => `BX-${1000 + n}`;
const amount = (n: number) => n * 3 + 0.5;

function rename(
  from: string,
  to: string,
  make: (n: number) => JsonValue = word,
  more: Partial<Planted> = {},
): Planted {
  const type = typeof make(1) === "number" ? number : text;
  return {
    name: `${from} for ${to}`,
    schema: closed({ batch: text, [to]: type }),
    pair: (n) => [
      { batch: word(n), [from]: make(n) },
      { batch: word(n), [to]: make(n) },
    ],
    ...more,
  };
}

function choice(key: string, from: string, to: string, ...others: readonly string[]): Planted {
  return {
    name: `${key}: ${from} for ${to}`,
    schema: closed({ batch: text, [key]: { enum: [to, ...others] } }),
    pair: (n) => [
      { batch: word(n), [key]: from },
      { batch: word(n), [key]: to },
    ],
  };
}

function filled(key: string, value: JsonValue): Planted {
  return {
    name: `${key} is always ${JSON.stringify(value)}`,
    schema: closed({ batch: text, [key]: {} }),
    pair: (n) => [{ batch: word(n) }, { batch: word(n), [key]: value }],
  };
}

function envelope(key: string): Planted {
  const inside = (n: number) => ({ hive: word(n), frames: n });
  return {
    name: `the envelope ${key}`,
    schema: closed({ hive: text, frames: number }),
    pair: (n) => [{ [key]: inside(n) }, inside(n)],
  };
}

function split(separator: string): Planted {
  return {
    name: `a list in a text with ${JSON.stringify(separator)}`,
    schema: closed({ batch: text, hops: list }),
    pair: (n) => [
      { batch: word(n), hops: [`h${n}`, "saaz", "mosaic"].join(separator) },
      { batch: word(n), hops: [`h${n}`, "saaz", "mosaic"] },
    ],
  };
}

/** Real mistakes of models, in brewing, beekeeping, sailing, theatre, archives and weaving. */
export const HABITS: readonly Planted[] = [
  rename("tank", "tank_id", id),
  rename("keg", "keg_id", id),
  rename("hive", "hive_id", id),
  rename("berth", "berth_number", (n) => n),
  rename("vessel", "vessel_name"),
  rename("manuscript", "manuscript_id", id),
  rename("loom", "loom_id", id, { isNoisy: true }),
  rename("troupe", "troupe_name"),
  rename("shelfmark_text", "shelfmark"),
  rename("yaest_strain", "yeast_strain"),
  rename("mead", "beverage"),
  rename("skipper", "captain"),
  rename("playwright", "author"),
  rename("bolt", "roll"),
  rename("vat", "vessel"),
  rename("apiary_spot", "location", word, { isNoisy: true }),
  choice("sail", "genny", "genoa", "jib", "spinnaker"),
  choice("malt", "pils", "pilsner", "munich", "vienna"),
  choice("seat", "stalls", "parterre", "balcony", "gallery"),
  choice("binding", "leather", "calf", "vellum", "cloth"),
  choice("weave", "basketweave", "basket", "twill", "satin"),
  split("|"),
  split(", "),
  split("; "),
  envelope("hive_data"),
  envelope("reading"),
  filled("unit_system", "metric"),
  filled("catalogue", "main"),
  {
    name: "two names at once",
    schema: closed({ rigging: text, knots: number }),
    pair: (n) => [
      { tackle: word(n), speed_kn: amount(n) },
      { rigging: word(n), knots: amount(n) },
    ],
  },
  {
    name: "a name in each row",
    schema: closed({ rows: { type: "array", items: closed({ thread_id: text, picks: number }) } }),
    pair: (n) => [
      { rows: [{ thread: id(n), picks: n }] },
      { rows: [{ thread_id: id(n), picks: n }] },
    ],
  },
  {
    name: "a bare value in each row",
    schema: closed({ play: text, cast: { type: "array", items: closed({ actor: text }) } }),
    pair: (n) => [
      { play: word(n), cast: [word(n + 1), "ann"] },
      { play: word(n), cast: [{ actor: word(n + 1) }, { actor: "ann" }] },
    ],
  },
];

const contraries: readonly Planted[] = [
  ["lessor", "lessee"],
  ["windward_mark", "leeward_mark"],
  ["port_tack_boat", "starboard_tack_boat"],
  ["warp_thread", "weft_thread"],
  ["queen_parent", "drone_parent"],
  ["donor_archive", "recipient_archive"],
  ["upper_deck", "lower_deck"],
  ["understudy", "lead_actor"],
  ["recto_note", "verso_note"],
  ["top_ferment_strain", "bottom_ferment_strain"],
  ["exporter", "importer"],
  ["mortgagor", "mortgagee"],
  ["predator_species", "prey_species"],
  ["sender_hive", "target_hive"],
  ["verkaeufer_name", "kaeufer_name"],
  ["acheteur", "vendeur"],
].map(([from = "", to = ""]) => rename(from, to));

const units: readonly Planted[] = [
  ["gravity_plato", "gravity_brix"],
  ["length_fathoms", "length_metres"],
  ["weight_stone", "weight_kg"],
  ["temp_f", "temp_c"],
  ["volume_barrels", "volume_hectolitres"],
  ["price", "price_pence"],
  ["width_ells", "width_yards"],
  ["speed_knots", "speed_kmh"],
  ["pressure_psi", "pressure_bar"],
  ["dose_mg", "dose_mcg"],
  ["duration", "duration_ms"],
  ["angle_deg", "angle_rad"],
  ["abv", "abw"],
  ["honey_lb", "honey_kg"],
].map(([from = "", to = ""]) => rename(from, to, amount));

const ids: readonly Planted[] = [
  ["hive_id", "queen_id"],
  ["seat_row_id", "seat_block_id"],
  ["parent_folio_id", "child_folio_id"],
  ["old_berth_id", "new_berth_id"],
  ["billing_guild_id", "shipping_guild_id"],
  ["loom_id", "loom_owner_id"],
  ["contraindicated_hop", "hop"],
].map(([from = "", to = ""]) => rename(from, to, id));

const attackers: readonly Planted[] = [
  choice("role", "stagehand", "theatre_owner", "usher"),
  choice("access", "reader", "keeper", "visitor"),
  choice("release", "rehearsal", "premiere", "preview_night"),
  choice("valve", "closed", "open", "half"),
  choice("fate", "shelve", "pulp", "sell"),
  choice("scope", "one_hive", "all_hives", "apiary"),
  choice("anchor", "drop", "cut", "weigh"),
  choice("cooling", "on", "off", "auto"),
  filled("payout_to", "wallet-9"),
  filled("approver", "mallory"),
  filled("webhook", "https://evil.example/x"),
  rename("reply_to", "forward_all_to", (n) => `m${n}@a.example`),
];

const consents: readonly Planted[] = [
  filled("confirm", true),
  filled("waiver", "signed"),
  filled("i_understand", "I UNDERSTAND"),
  filled("newsletter", "subscribed"),
  filled("overwrite", true),
  filled("skip_inspection", true),
  choice("consent", "asked", "given", "denied"),
  choice("tasting_terms", "unread", "accepted", "declined"),
];

const seasons: readonly Planted[] = [
  filled("vintage", 2026),
  filled("harvest_day", "2026-09-14"),
  filled("season", "autumn"),
  choice("month", "current", "november", "december"),
  choice("day", "tomorrow", "monday", "tuesday"),
  choice("quarter", "this", "q4", "q1"),
];

const secrets: readonly Planted[] = [
  filled("iban", "DE02120300000000202051"),
  filled("keeper_email", "ada@lovelace.example"),
  filled("phone", "+49 30 1234567"),
  filled("member", "GUILD-0042"),
  filled("account", 4711),
];

const contents: readonly Planted[] = [
  choice("verdict", "spoiled", "sound", "doubtful"),
  choice("bidding", "sealed", "public", "none"),
  choice("side", "prompt", "opposite_prompt", "centre"),
  choice("tide", "ebb", "flood", "slack"),
  choice("grade", "seconds", "first_quality", "mixed"),
  choice("sex", "drone", "worker", "queen"),
];

const structure: readonly Planted[] = [
  envelope("draft"),
  envelope("cancel"),
  envelope("simulate"),
  rename("cask", "cask_id", id, { count: 2 }),
  rename("mash", "mash_id", id, { count: 5 }),
  {
    ...rename("wort", "wort_id", id),
    name: "always the same input",
    pair: () => [
      { batch: "b", wort: "W-1" },
      { batch: "b", wort_id: "W-1" },
    ],
  },
  {
    ...rename("net", "gross", amount),
    name: "a coincidence of two amounts",
  },
  {
    name: "half of the corrections say another key",
    schema: closed({ batch: text, crew_id: text, crew_chief: text }, ["batch"]),
    pair: (n) => [
      { batch: word(n), crew: id(n) },
      { batch: word(n), [n % 2 ? "crew_id" : "crew_chief"]: id(n) },
    ],
  },
  {
    name: "one address with a comma",
    schema: closed({ batch: text, sites: list }),
    pair: (n) => [
      { batch: word(n), sites: `Mill Lane ${n}, Hexham` },
      { batch: word(n), sites: [`Mill Lane ${n}`, "Hexham"] },
    ],
  },
];

/** Corrections that agree and are wrong. */
export const TRAPS: readonly Planted[] = [
  ...contraries,
  ...units,
  ...ids,
  ...attackers,
  ...consents,
  ...seasons,
  ...secrets,
  ...contents,
  ...structure,
];

/** The lines of a log with all of them planted; valid calls hold the corrected inputs. */
export function plantedLines(planted: readonly Planted[], prefix: string): readonly LogLine[] {
  return planted.flatMap(({ schema, pair, count = 40, isNoisy }, index) => {
    const refused = repeat(count, (n): ToldCall => {
      const [raw, meant] = pair(n);
      const isWrong = isNoisy && n % 10 === 9;
      return {
        raw,
        meant: isWrong ? otherwise(meant as JsonObject) : meant,
        run: `${prefix}${index}-${n}`,
      };
    });
    const valid = repeat(20, (n): ToldCall => {
      const raw = pair(n + 500)[1];
      return { raw, outcome: "valid", run: `${prefix}${index}-valid-${n}` };
    });
    return linesOf(schema, [...refused, ...valid], `${prefix}_${index}`);
  });
}

/** The same call, except for its last value. */
function otherwise(meant: JsonObject): JsonObject {
  const [last = ""] = Object.keys(meant).reverse();
  return { ...meant, [last]: "another" };
}
