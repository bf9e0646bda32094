import { describe, expect, test } from "@jest/globals";
import type { JsonValue } from "#src/repair/types.ts";
import {
  boolean,
  integer,
  listOf,
  number,
  object,
  outcome,
  run,
  text,
} from "../../../../support/repair/align/run.ts";

type Fields = { readonly [name: string]: unknown };
type Row = readonly [fields: Fields, given: JsonValue, meant?: JsonValue];

const said = (description: string) => ({ type: "string", description });
const choice = (...values: string[]) => ({ type: "string", enum: values });
const email = { type: "string", format: "email" };
const uri = { type: "string", format: "uri" };
const uuid = { type: "string", format: "uuid" };

const show = ([fields, given]: Row) =>
  `${JSON.stringify(given)} for ${Object.keys(fields).join(", ")}`;

function refused(what: string, rows: readonly Row[]): void {
  describe(what, () => {
    test.each(rows.map((row) => [show(row), row] as const))("%s is rejected", async (_, row) => {
      const [fields, given] = row;
      expect(await outcome(object(fields), given, { level: "eager" })).toBe("refused");
    });
  });
}

function repaired(what: string, rows: readonly Row[], toolName = "do_it"): void {
  describe(what, () => {
    test.each(rows.map((row) => [show(row), row] as const))("%s is repaired", async (_, row) => {
      const [fields, given, meant] = row;
      const result = await run(object(fields), given, { level: "eager", toolName });
      expect(result).toMatchObject({ ok: true, value: meant });
      if (!result.ok) return;
      for (const { reason } of result.repairs) expect(reason).toMatch(/\w/);
    });
  });
}

refused("a name of the contrary", [
  // One text for a plural may be one of several.
  [
    { label: text, page: text },
    { labels: "red", page: "a" },
  ],
  [
    { refused: boolean, id: text },
    { granted: true, id: "7" },
  ],
  [
    { muted: boolean, id: text },
    { loud: true, id: "7" },
  ],
  [
    { subscribed: boolean, id: text },
    { unsubscribed: true, id: "7" },
  ],
  [
    { verified: boolean, id: text },
    { anonymous: false, id: "7" },
  ],
  [
    { archived: boolean, id: text },
    { live: true, id: "7" },
  ],
  [
    { encrypted: boolean, id: text },
    { plaintext: true, id: "7" },
  ],
  [
    { simulate: boolean, id: text },
    { commit: true, id: "7" },
  ],
  [
    { use_cache: boolean, id: text },
    { bypass_cache: true, id: "7" },
  ],
  [
    { cache: boolean, id: text },
    { purge_cache: true, id: "7" },
  ],
  [
    { clear_history: boolean, id: text },
    { history: true, id: "7" },
  ],
  [
    { skip_tests: boolean, id: text },
    { tests: true, id: "7" },
  ],
  [
    { liabilities: number, id: text },
    { assets: 5, id: "7" },
  ],
  [
    { ceiling: number, id: text },
    { floor: 5, id: "7" },
  ],
  [
    { outflow: number, id: text },
    { inflow: 5, id: "7" },
  ],
  [
    { credits: number, id: text },
    { debits: 5, id: "7" },
  ],
]);

refused("the part that another plays", [
  [
    { lessee: text, rent: number },
    { lessor: "Ada", rent: 5 },
  ],
  [
    { trainee: text, course: text },
    { trainer: "Ada", course: "TypeScript" },
  ],
  [
    { mentee: text, course: text },
    { mentor: "Ada", course: "TypeScript" },
  ],
  [
    { examinee: text, course: text },
    { examiner: "Ada", course: "TypeScript" },
  ],
  [
    { licensee: text, terms: text },
    { licensor: "Ada", terms: "MIT" },
  ],
  [
    { buyer: email, price: number },
    { seller: "ada@example.com", price: 5 },
  ],
  [
    { reviewer: email, pr: integer },
    { requester: "ada@example.com", pr: 5 },
  ],
  [
    { recipient: email, body: text },
    { cc: "ada@example.com", body: "Hi" },
  ],
  [
    { to: email, body: text },
    { reply_to: "ada@example.com", body: "Hi" },
  ],
  [
    { to: listOf(text), body: text },
    { bcc: ["ada@example.com"], body: "Hi" },
  ],
  [
    { winner: choice("red", "blue"), round: integer },
    { loser: "red", round: 2 },
  ],
  [
    { plaintiff: text, court: text },
    { defendant: "Ada", court: "Bern" },
  ],
  [
    { bride: text, date: text },
    { groom: "Ada", date: "2026-11-21" },
  ],
  [
    { payee: said("Who gets the money from the payer"), sum: number },
    { payer: "Ada", sum: 5 },
  ],
]);

refused("another direction or end", [
  [
    { destination: text, day: text },
    { origin: "Bern", day: "Monday" },
  ],
  [
    { to_branch: text, repo: text },
    { from_branch: "main", repo: "a" },
  ],
  [
    { head: text, repo: text },
    { base: "main", repo: "a" },
  ],
  [
    { target_language: choice("en", "de"), body: text },
    { source_language: "en", body: "Hi" },
  ],
  [
    { end_line: integer, file: text },
    { start_line: 5, file: "a.ts" },
  ],
  [
    { to_path: text, from_path: text },
    { path: "a.txt", from_path: "b.txt" },
  ],
  [
    { upper: number, steps: integer },
    { lower: 5, steps: 2 },
  ],
  [
    { dropoff: text, time: text },
    { pickup: "Bern", time: "10:30" },
  ],
]);

refused("another unit", [
  [
    { timeout_ms: integer, url: text },
    { timeout: 5, url: "a" },
  ],
  [
    { timeout_ms: integer, url: text },
    { timeout_seconds: 5, url: "a" },
  ],
  [
    { delay: integer, url: text },
    { delay_min: 5, url: "a" },
  ],
  [
    { height_cm: number, name: text },
    { height_in: 70, name: "Ada" },
  ],
  [
    { distance_km: number, car: text },
    { distance_miles: 70, car: "a" },
  ],
  [
    { price_eur: number, sku: text },
    { price_usd: 5, sku: "a" },
  ],
  [
    { price: number, sku: text },
    { price_cents: 500, sku: "a" },
  ],
  [
    { size_kib: number, file: text },
    { size_kb: 5, file: "a" },
  ],
  [
    { angle_rad: number, axis: text },
    { angle_deg: 90, axis: "z" },
  ],
  [
    { pressure_bar: number, valve: text },
    { pressure_psi: 30, valve: "a" },
  ],
  [
    { discount_percent: number, sku: text },
    { discount_fraction: 0.2, sku: "a" },
  ],
  [
    { celsius: number, room: text },
    { kelvin: 280, room: "a" },
  ],
  [
    { flow: number, pump: text },
    { flow_lpm: 5, pump: "a" },
  ],
]);

refused("another kind of thing", [
  [
    { invoice_id: text, note: text },
    { invoice_status: "open", note: "a" },
  ],
  [
    { issue_number: integer, repo: text },
    { pull_number: 5, repo: "a" },
  ],
  [
    { new_name: text, file: text },
    { current_name: "a", file: "b" },
  ],
  [
    { commit_sha: text, repo: text },
    { commit_message: "Fix", repo: "a" },
  ],
  [
    { page_title: text, space: text },
    { page_body: "Hi", space: "a" },
  ],
  [
    { table_schema: text, db: text },
    { table_name: "users", db: "a" },
  ],
  [
    { role: text, team: text },
    { salary: "5000", team: "a" },
  ],
  [
    { command: text, cwd: text },
    { timeout: "5", cwd: "/" },
  ],
  [
    { command: text, cwd: text },
    { response: "I will not.", cwd: "/" },
  ],
  [
    { content: text, path: text },
    { charset: "utf-8", path: "a" },
  ],
  [
    { email: email, body: text },
    { subject: "Hello", body: "a" },
  ],
  [
    { order_id: text, note: text },
    { customer_id: "5", note: "a" },
  ],
  [
    { message: text, room: text },
    { error_message: "No", room: "a" },
  ],
  [
    { url: text, method: text },
    { callback_url: "https://example.com", method: "GET" },
  ],
  [
    { path: text, mode: text },
    { backup_path: "a.bak", mode: "r" },
  ],
  [
    { retries: integer, url: text },
    { jitter: 5, url: "a" },
  ],
  [
    { email_subject: text, body: text },
    { email: "ada@example.com", body: "Hi" },
  ],
  [
    { user_role: text, team: text },
    { user: "ada", team: "a" },
  ],
  [
    { country_code: text, city: text },
    { country: "Germany", city: "Bonn" },
  ],
  [
    { departure_date: text, city: text },
    { departure: "Lisbon", city: "Bonn" },
  ],
  [
    { iban: text, sum: number },
    { type: "iban", number: "4111", sum: 5 },
  ],
  [
    { phone: text, type: text },
    { value: "5551234", type: "phone" },
  ],
  [
    { filter: { type: "object" }, table: text },
    { metadata: { a: 1 }, table: "users" },
  ],
  [
    { filter: { type: "object" }, table: text },
    { user_context: { a: 1 }, table: "users" },
  ],
  [
    { selector: text, page: text },
    { thing: "#buy", page: "a" },
  ],
  [
    { query: text, page: text },
    { what: "cats", page: "a" },
  ],
]);

refused("a description that speaks of something else", [
  [
    { title: said("Title of the page"), lang: text },
    { page: "https://a.b", lang: "de" },
  ],
  [
    { body: said("Body of the email"), lang: text },
    { email: "a@b.c", lang: "de" },
  ],
  [
    { command: said("Shell command to run"), cwd: text },
    { shell: "bash", cwd: "/" },
  ],
  [
    { selector: said("A CSS selector, not the element itself"), page: text },
    { element: "#buy", page: "a" },
  ],
  [
    { query: said("Use the exact term instead of a question"), page: text },
    { question: "Who?", page: "a" },
  ],
  [
    { city: said("City to look up"), region: said("Region, or the city around it") },
    { location: "Bern", region: "BE" },
  ],
  [
    { prompt: said("The question to ask"), answer_to: said("The question it answers") },
    { question: "Who?", answer_to: "a" },
  ],
  [
    { count: { type: "integer", description: "The limit to use" }, q: text },
    { limit: 5, q: "a" },
  ],
  [
    { code: said("Name, such as a product, of what to look up"), lang: text },
    { product: "a", lang: "b" },
  ],
]);

refused("a shape that another field takes, too", [
  [{ tags: listOf(text), "labels?": listOf(text) }, { markers: ["a", "b"] }],
  [{ email: email, "backup_email?": email }, { mail: "ada@example.com" }],
  [{ sort: choice("asc", "desc"), "then?": choice("asc", "desc") }, { way: "asc" }],
  [{ shape: { type: "object" }, "style?": { type: "object" } }, { look: { a: 1 } }],
  [
    { mode: choice("yes", "no"), id: text },
    { confirm: "yes", id: "5" },
  ],
]);

repaired("a name that shares a word that tells", [
  [
    { file_path: text, mode: text },
    { path: "a.txt", mode: "r" },
    { file_path: "a.txt", mode: "r" },
  ],
  [
    { path: text, mode: text },
    { file_path: "a.txt", mode: "r" },
    { path: "a.txt", mode: "r" },
  ],
  [
    { file_path: text, mode: text },
    { file: "a.txt", mode: "r" },
    { file_path: "a.txt", mode: "r" },
  ],
  [
    { search_query: text, page: integer },
    { query: "cats", page: 1 },
    { search_query: "cats", page: 1 },
  ],
  [
    { query: text, page: integer },
    { search_query: "cats", page: 1 },
    { query: "cats", page: 1 },
  ],
  [
    { city_name: text, day: text },
    { city: "Bern", day: "Monday" },
    { city_name: "Bern", day: "Monday" },
  ],
  [
    { city: text, day: text },
    { city_name: "Bern", day: "Monday" },
    { city: "Bern", day: "Monday" },
  ],
  [
    { email_address: text, body: text },
    { email: "a@b.c", body: "Hi" },
    { email_address: "a@b.c", body: "Hi" },
  ],
  [
    { command: text, cwd: text },
    { cmd: "ls", cwd: "/" },
    { command: "ls", cwd: "/" },
  ],
  [
    { phone_number: text, body: text },
    { phone: "+4144", body: "Hi" },
    { phone_number: "+4144", body: "Hi" },
  ],
  [
    { image_url: text, alt: text },
    { image: "https://a.b/c.png", alt: "a" },
    { image_url: "https://a.b/c.png", alt: "a" },
  ],
  [
    { grade_map: { type: "object" }, term: text },
    { grades: { math: 1 }, term: "a" },
    { grade_map: { math: 1 }, term: "a" },
  ],
]);

repaired("a name of more words, or of another ending, for the same", [
  [
    { selector: text, n: integer },
    { selectorText: "#a", n: 1 },
    { selector: "#a", n: 1 },
  ],
  [
    { city: text, n: integer },
    { cityString: "Bern", n: 1 },
    { city: "Bern", n: 1 },
  ],
]);

repaired("a name of which the description speaks", [
  [
    { selector: said("CSS selector of the element"), timeout: integer },
    { element: "#buy", timeout: 5 },
    { selector: "#buy", timeout: 5 },
  ],
]);

refused("a name with which a description only begins", [
  [
    { prompt: said("The question or message to ask the model"), model: text },
    { question: "Who?", model: "a" },
  ],
  [
    { expression: said("Formula to evaluate"), digits: integer },
    { formula: "1+1", digits: 2 },
  ],
]);

refused("a shape that no other field takes, by another name", [
  [
    { email, board: text },
    { contact: "ada@example.com", board: "x" },
  ],
  [
    { place: object({ lat: number }), "other?": object({ lat: number }), board: text },
    { spot: { lat: 1 }, board: "x" },
  ],
]);

repaired("an object whose keys only that field declares", [
  [
    { place: object({ lat: number, lon: number }), board: text },
    { spot: { lat: 1, lon: 2 }, board: "x" },
    { place: { lat: 1, lon: 2 }, board: "x" },
  ],
]);

repaired(
  "a plain name that the tool's own name completes",
  [
    [
      { user_id: text, note: text },
      { id: "u5", note: "a" },
      { user_id: "u5", note: "a" },
    ],
    [
      { user_name: text, note: text },
      { name: "Ada", note: "a" },
      { user_name: "Ada", note: "a" },
    ],
  ],
  "update_user",
);

refused("a name that is another word, or has more than one slip", [
  [
    { payee: text, sum: number },
    { payer: "Ada", sum: 5 },
  ],
  [
    { employer: text, sum: number },
    { employee: "Ada", sum: 5 },
  ],
  [
    { country: text, sum: number },
    { county: "Kent", sum: 5 },
  ],
  [
    { trail: text, sum: number },
    { trial: "a", sum: 5 },
  ],
  [
    { prefix: text, sum: number },
    { postfix: "a", sum: 5 },
  ],
  [
    { price: number, sku: text },
    { prize: 5, sku: "a" },
  ],
  [
    { page: integer, q: text },
    { pages: 3, q: "a" },
  ],
  [
    { days: integer, q: text },
    { day: 3, q: "a" },
  ],
  [
    { selector: text, page: text },
    { selctr: "#buy", page: "a" },
  ],
  [
    { humane: text, page: text },
    { human: "a", page: "a" },
  ],
  [
    { hypertension: text, page: text },
    { hypotension: "a", page: "a" },
  ],
]);

repaired("one slip of the keyboard", [
  [
    { selector: text, page: text },
    { selctor: "#buy", page: "a" },
    { selector: "#buy", page: "a" },
  ],
  [
    { selector: text, page: text },
    { seletcor: "#buy", page: "a" },
    { selector: "#buy", page: "a" },
  ],
  [
    { selector: text, page: text },
    { selecttor: "#buy", page: "a" },
    { selector: "#buy", page: "a" },
  ],
  [
    { temperature: number, page: text },
    { temprature: 5, page: "a" },
    { temperature: 5, page: "a" },
  ],
  [
    { from_unit: text, to_unit: text },
    { from_unit: "km", to_to_unit: "mi" },
    { from_unit: "km", to_unit: "mi" },
  ],
]);

refused("what is filled in would be a consent, or in the place of what was said", [
  [{ path: text, confirm: { const: true } }, { path: "/data" }],
  [{ path: text, confirm: { const: "DELETE" } }, { path: "/data" }],
  [{ path: text, acknowledged: { const: "yes" } }, { path: "/data" }],
  [{ path: text, type: { const: "DELETE" } }, { path: "/data" }],
  [{ path: text, i_understand: { const: "I understand" } }, { path: "/data" }],
  [{ path: text, force: { enum: [true] } }, { path: "/data" }],
  [
    { text, scope: { type: "string", default: "all" } },
    { text: "a", audience: "Bob" },
  ],
  [
    { text, scope: { type: "string", default: "all" } },
    { text: "a", only: ["Bob"] },
  ],
  [
    { text, to: object({ name: text }), scope: { type: "string", default: "all" } },
    { text: "a", to: { name: "Bob", group: "x" } },
  ],
]);

repaired("a tag, or a declared default where all else has its place", [
  [{ text, limit: { type: "integer", default: 10 } }, { text: "a" }, { text: "a", limit: 10 }],
]);

refused("a field of another thing", [
  [
    { amount: number, id: text },
    { amount: 1, ancestor: { id: "5" } },
  ],
  [
    { email: text, team: text },
    { boss: { email: "a@b.c" }, team: "x" },
  ],
  [
    { price: number, sku: text },
    { rival: { price: 5 }, sku: "x" },
  ],
  [
    { status: text, sku: text },
    { formerly: { status: "open" }, sku: "x" },
  ],
  [
    { query: text, lang: text },
    { sample: { query: "a" }, lang: "x" },
  ],
  [
    { parent: object({ id: text }), name: text },
    { id: "5", name: "a" },
  ],
  [
    { author: object({ name: text }), title: text },
    { name: "Ada", title: "a" },
  ],
]);

repaired("a field one level too deep or too high", [
  [{ query: text, lang: text }, { ":)": { query: "a", lang: "x" } }, { query: "a", lang: "x" }],
]);

refused("keys of an object that is missing", [
  [{ action: object({ command: text }) }, { command: "ls" }],
]);

refused("arguments by position, where two could change places", [
  [
    { from: text, to: text },
    { "0": "a", "1": "b" },
  ],
  [
    { x: number, y: number },
    { arg0: 1, arg1: 2 },
  ],
  [
    { path: text, content: text, lines: integer },
    { "0": "a", "1": "b", "2": 5 },
  ],
]);

refused("a bare value for an object that says in what unit, or with what sign, it is meant", [
  [{ pause: object({ minutes: number }) }, { pause: 5 }],
  [{ mass: object({ grams: number }) }, { mass: "5" }],
  [{ age: object({ min: number }) }, { age: 18 }],
  [{ where: object({ except: text }) }, { where: "a" }],
]);

describe("keys that spell out a path are nested at `safe`", () => {
  test("of two parts", async () => {
    const result = await run(object({ a: object({ b: text }), n: integer }), { "a.b": "x", n: 1 });
    expect(result.ok && result.value).toEqual({ a: { b: "x" }, n: 1 });
  });

  const deep = object({ a: object({ b: object({ c: text, "d?": text }) }), n: integer });
  test("of three parts, and beside each other", async () => {
    const given = { "a.b.c": "x", "a.b.d": "y", n: 1 };
    expect(await outcome(deep, given)).toEqual({ a: { b: { c: "x", d: "y" } }, n: 1 });
  });

  test.each<JsonValue>([
    { "a[b][c]": "x", n: 1 },
    { "a.b.e": "x", n: 1 },
    { "a.b.c": "x", a: { b: { c: "y" } }, n: 1 },
    { "a.b.c": "x", a: { b: 5 }, n: 1 },
    { "a.b.__proto__": "x", n: 1 },
  ])("not in brackets, nor to a place that is taken or not declared: %j", async (given) => {
    expect(await outcome(deep, given, { level: "eager" })).toBe("refused");
  });

  test.each<readonly [Fields, JsonValue]>([
    [
      { labels: { type: "object" }, name: text },
      { "labels.example.org/tier": "web", name: "a" },
    ],
    [
      { settings: { type: "object" }, name: text },
      { "settings.tab.size": 2, name: "a" },
    ],
    [
      { labels: { type: "object", additionalProperties: text }, name: text },
      { "labels.app": "web", name: "a" },
    ],
    [
      { user: object({ name: text }), n: integer },
      { "user.nick": "Ada", n: 1 },
    ],
    [
      { user: object({ name: text }), n: integer },
      { "user.name.first": "Ada", n: 1 },
    ],
    [
      { user: object({ "name.first": text, name: object({ first: text }) }), n: integer },
      { "user.name.first": "Ada", n: 1 },
    ],
  ])("%j does not accept %j", async (fields, given) => {
    expect(await outcome(object(fields), given)).toBe("refused");
  });

  test.each([10_000, 100_000, 1_000_000])(
    "a key with %i dots is rejected at once",
    async (length) => {
      const schema = object({ u: { type: "object" } });
      const start = process.cpuUsage();
      for (const level of ["safe", "eager"] as const) {
        expect(await outcome(schema, { [`u${".a".repeat(length / 2)}`]: 1 }, { level })).toBe(
          "refused",
        );
      }
      const { user, system } = process.cpuUsage(start);
      expect(user + system).toBeLessThan(1_500_000);
    },
  );

  test("a repair never nests deeper than the limit", async () => {
    const schema = {
      $ref: "#/$defs/node",
      $defs: { node: object({ next: { $ref: "#/$defs/node" } }) },
    };
    const optional = {
      ...schema,
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
    };
    const root = { ...optional, required: ["next"] };
    const key = Array.from({ length: 100 }, () => "next").join(".");
    expect(await outcome(root, { [key]: {} })).toBe("refused");
  });

  test("a schema whose names share a prefix is not read in every combination", async () => {
    const properties = { a: { $ref: "#" }, "a.a": { $ref: "#" }, "a.a.a": { $ref: "#" } };
    const schema = { type: "object", properties, required: ["b"] };
    expect(await outcome(schema, { [`${"a.".repeat(200)}x`]: 1 })).toBe("refused");
  });
});

describe("a typo in the ending of a key", () => {
  const two: readonly Row[] = [
    [{ "query?": text, "queries?": listOf(text) }, { querys: "x" }],
    [{ "query?": text, "queries?": listOf(text) }, { querys: ["x"] }],
    [{ "city?": text, "cities?": text }, { citys: "Ulm" }],
    [{ "box?": text, "boxes?": listOf(text) }, { boxs: "x" }],
    [{ "total?": integer, "totaler?": integer }, { totall: 3 }],
  ];
  test.each(two)("of %j is ambiguous: %j is rejected", async (fields, given) => {
    expect(await outcome(object(fields, true), given, { level: "eager" })).toBe("refused");
  });

  const one: readonly (readonly [Fields, JsonValue, JsonValue])[] = [
    [{ "countries?": listOf(text), "limit?": integer }, { coutnries: ["x"] }, { countries: ["x"] }],
    [
      { "start_interval?": text, "start_date?": text },
      { start_intevral: "10:30" },
      { start_interval: "10:30" },
    ],
  ];
  test.each(one)("of %j is unambiguous elsewhere: %j", async (fields, given, meant) => {
    expect(await outcome(object(fields, true), given, { level: "eager" })).toEqual(meant);
  });
});

refused("what only a fixer, the model or a person can know", [
  [
    { email: text, body: text },
    { user_email: "a@b.c", body: "Hi" },
  ],
  [
    { participants: listOf(text), n: integer },
    { attendees: ["Ada"], n: 1 },
  ],
  [
    { recipient: said("The person who gets it, by name"), gift: text },
    { person: "Ada", gift: "book" },
  ],
  [
    { ticker: said("Stock symbol"), day: text },
    { symbol: "ACME", day: "Monday" },
  ],
  [
    { labels: listOf(text), board: text },
    { markers: ["a", "b"], board: "x" },
  ],
  [
    { website: uri, board: text },
    { homepage: "https://a.b/", board: "x" },
  ],
  [
    { ticket: uuid, board: text },
    { card: "0b0e4a0e-6b1c-4c83-9f5b-0a7a3c0f2d11", board: "x" },
  ],
  [
    { urgency: choice("low", "high"), board: text },
    { severity: "high", board: "x" },
  ],
  [
    { positions: listOf(object({ sku: text })), board: text },
    { articles: [{ sku: "a" }], board: "x" },
  ],
  [
    { file_path: text, page: text },
    { flie_path: "a", page: "a" },
  ],
  [{ type: { const: "text" }, text }, { text: "a" }],
  [{ schema_version: { const: 2 }, text }, { text: "a" }],
  [
    { user_name: text, age: integer },
    { user: { name: "Ada" }, age: 5 },
  ],
  [
    { query: text, lang: text },
    { details: { query: "a" }, lang: "x" },
  ],
  [
    { user: object({ name: text }), age: integer },
    { user_name: "Ada", age: 5 },
  ],
  [
    { path: text, lines: listOf(integer) },
    { "0": "a", "1": [5] },
  ],
  [
    { path: text, force: boolean },
    { arg1: "a", arg2: true },
  ],
]);
