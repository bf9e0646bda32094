import {
  eager,
  eagerAtMost,
  given,
  type HazardClass,
  left,
  leftUntilEager,
  refused,
  right,
} from "./hazard.ts";
import { closed, either, list, number, open, record, text, welcoming, whole } from "./schemas.ts";

const folder = closed({ folder: text });
const songs = closed({ table: text });
const query = { query: text, "limit?": whole };

export const undeclaredKeys: HazardClass = {
  name: "Undeclared keys",
  rule: "What the model said and the tool will not hear is never thrown away where it could change the meaning, and never ignored in silence.",
  groups: [
    given("a flag that the tool does not have", folder, [
      refused({ folder: "/srv", simulate: true }),
      refused({ folder: "/srv", preview: true }),
      refused({ folder: "/srv", recursive: false }),
      refused({ folder: "/srv", keep_backups: true }),
      refused({ folder: "/srv", force: false }),
      refused('{"folder":"/srv","nur_testen":true}'),
      refused({ folder: "/srv", dryrun: "true" }),
    ]),
    given("a condition or a limit that the tool does not have", songs, [
      refused({ table: "songs", where: "year > 1990" }),
      refused({ table: "songs", filter: { genre: "jazz" } }),
      refused({ table: "songs", limit: 10 }),
      refused({ table: "songs", max_rows: 10 }),
      refused({ table: "songs", top: 10 }),
      refused({ table: "songs", only_if: "archived" }),
      refused({ table: "songs", unless: "archived" }),
      refused({ table: "songs", exclude: "live" }),
      refused({ table: "songs", except: ["live"] }),
      refused({ table: "songs", not: { genre: "jazz" } }),
      refused('{"table":"songs","where":"year > 1990",}'),
    ]),
    given("a unit or a currency that the tool does not have", closed({ amount: number }), [
      refused({ amount: 500, currency: "HUF" }),
      refused({ amount: 500, unit: "mg" }),
      refused({ amount: 500, units: "pounds" }),
      refused({ amount: 500, currency_code: "ISK" }),
    ]),
    given("a recipient that the tool does not have", closed({ to: text, body: text }), [
      refused({ to: "Eva", body: "Hallo", cc: "Li" }),
      refused({ to: "Eva", body: "Hallo", bcc: ["Li"] }),
      refused({ to: "Eva", body: "Hallo", reply_to: "Li" }),
      refused({ to: "Eva", body: "Hallo", recipients: ["Li", "Jo"] }),
    ]),
    given("while a declared key is absent, another one may be it", closed(query), [
      refused({ query: "tango", max_results: 5 }),
      refused({ query: "tango", count: 5 }),
      refused({ query: "tango", limit: 3, offset: 20 }),
      eager({ query: "tango", limt: 5 }, { query: "tango", limit: 5 }),
      right({ query: "tango", Limit: 5 }, { query: "tango", limit: 5 }),
      right({ query: "tango", "limit ": 5 }, { query: "tango", limit: 5 }),
    ]),
    given("an end that is called otherwise", closed({ start: text, "end?": text }), [
      refused({ start: "09:00", until: "10:30" }),
      refused({ start: "09:00", duration: "90 min" }),
    ]),
    given("commentary, nothing, and what is said twice may go", closed({ city: text }), [
      right({ city: "Wien", reasoning: "The user asked for it." }, { city: "Wien" }),
      right({ thought: "Look it up first.", city: "Wien" }, { city: "Wien" }),
      right({ city: "Wien", explanation: "capital of Austria" }, { city: "Wien" }),
      right({ city: "Wien", season: null }, { city: "Wien" }),
      right({ city: "Wien", season: "" }, { city: "Wien" }),
      right({ city: "Wien", town: "Wien" }, { city: "Wien" }),
      eagerAtMost({ city: "Wien", mood: "curious" }, { city: "Wien" }),
    ]),
    given("a placeholder for a tool that takes nothing", closed({}), [
      right({ random_string: "x" }, {}),
      right({ dummy: "1" }, {}),
      right({ input: "" }, {}),
      right("null", {}),
      right("", {}),
      right("[]", {}),
      refused({ force: true }),
      refused({ delete_all: true }),
      refused({ limit: 5 }),
    ]),
    given(
      "a key in another spelling is meant where the schema would strip it, too",
      open({ query: text, "maxResults?": whole }),
      [
        right({ query: "tango", max_results: 3 }, { query: "tango", maxResults: 3 }),
        right('{"query":"tango","MaxResults":3}', { query: "tango", maxResults: 3 }),
        right({ query: "tango", "max-results": 3 }, { query: "tango", maxResults: 3 }),
        right({ query: "tango", "max results": "3" }, { query: "tango", maxResults: 3 }),
      ],
    ),
    given("what the schema lets through is left, and told", open(query), [
      left({ query: "tango", max_results: 5 }, "/max_results"),
      left({ query: "tango", preview: true }, "/preview"),
      left({ query: "tango", where: "x", page: 2 }, "/where", "/page"),
      left({ query: "tango", reasoning: "because" }, "/reasoning"),
      leftUntilEager({ query: "tango", limt: 5 }, { query: "tango", limit: 5 }),
      right({ query: "tango", Limit: 5 }, { query: "tango", limit: 5 }),
    ]),
    given("where other keys are welcome, they are declared", welcoming(query), [
      left({ query: "tango", max_results: 5 }),
      left({ query: "tango", preview: true }),
    ]),
    given("a map declares all keys", closed({ labels: record(text) }), [
      left({ labels: { tier: "web", "app.kubernetes.io/name": "shop" } }),
    ]),
    given("deeper down it is the same", closed({ jobs: list(closed({ image: text })) }), [
      refused({ jobs: [{ image: "nginx" }, { image: "redis", privileged: true }] }),
      refused({ jobs: [{ image: "nginx", timeout: 30 }] }),
    ]),
    given("and in a union", either(closed({ sku: text }), closed({ ean: text })), [
      refused({ sku: "A-7", quantity: 3 }),
      refused({ ean: "4006381", gift: true }),
    ]),
  ],
};
