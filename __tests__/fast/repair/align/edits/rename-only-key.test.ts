import { NO_OBJECTION, testsOf, UNPROVEN } from "../../../../support/repair/align/edit-tables.ts";
import {
  boolean,
  integer,
  listOf,
  number,
  object,
  text,
} from "../../../../support/repair/align/run.ts";

const renameOnlyKey = testsOf("rename-only-key", "eager");

const said = (description: string) => ({ type: "string", description });
const choice = (...values: string[]) => ({ type: "string", enum: values });
const email = { type: "string", format: "email" };

renameOnlyKey.repairs("one name holds the words of the other, and the rest names a form", [
  [
    "a path for a file path",
    object({ file_path: text, mode: text }),
    { path: "src/a.txt", mode: "r" },
    { file_path: "src/a.txt", mode: "r" },
  ],
  [
    "a file path for a path",
    object({ path: text, mode: text }),
    { file_path: "a.txt", mode: "r" },
    { path: "a.txt", mode: "r" },
  ],
  [
    "a file for its path",
    object({ file_path: text, mode: text }),
    { file: "a.txt", mode: "r" },
    { file_path: "a.txt", mode: "r" },
  ],
  [
    "a query for a search query",
    object({ search_query: text, page: integer }),
    { query: "cats", page: 1 },
    { search_query: "cats", page: 1 },
  ],
  [
    "a search query for a query",
    object({ query: text, page: integer }),
    { search_query: "cats", page: 1 },
    { query: "cats", page: 1 },
  ],
  [
    "a city for its name",
    object({ city_name: text, day: text }),
    { city: "Bern", day: "Monday" },
    { city_name: "Bern", day: "Monday" },
  ],
  [
    "the name of a city for a city",
    object({ city: text, day: text }),
    { city_name: "Bern", day: "Monday" },
    { city: "Bern", day: "Monday" },
  ],
  [
    "a text for a selector",
    object({ selector: text, n: integer }),
    { selectorText: "#a", n: 1 },
    { selector: "#a", n: 1 },
  ],
  [
    "an email for its address",
    object({ email_address: text, body: text }),
    { email: "a@b.ch", body: "Hi" },
    { email_address: "a@b.ch", body: "Hi" },
  ],
  [
    "a phone for its number",
    object({ phone_number: text, body: text }),
    { phone: "+4144", body: "Hi" },
    { phone_number: "+4144", body: "Hi" },
  ],
  [
    "an image for its address",
    object({ image_url: text, alt: text }),
    { image: "https://a.b/c.png", alt: "a" },
    { image_url: "https://a.b/c.png", alt: "a" },
  ],
  [
    "grades for a map of them",
    object({ grade_map: { type: "object" }, term: text }),
    { grades: { math: 1 }, term: "a" },
    { grade_map: { math: 1 }, term: "a" },
  ],
  [
    "a plural for one text",
    object({ label: text, page: text }),
    { labels: "red", page: "a" },
    { label: "red", page: "a" },
  ],
  [
    "the words in another order",
    object({ country_code: text }),
    { code_country: "CH1" },
    { country_code: "CH1" },
  ],
]);

renameOnlyKey.repairs(
  "what the written name adds is a word of the description or of the tool's name",
  [
    ["the thing of the tool", object({ id: text }), { user_id: "A-1" }, { id: "A-1" }],
    [
      "the thing that the description begins with",
      object({ url: said("Page to open") }),
      { page_url: "https://a.example/x" },
      { url: "https://a.example/x" },
    ],
    [
      "the thing that a long description begins with",
      object({ url: said(`Page to open${", or to load".repeat(100)}`) }),
      { page_url: "https://a.example/x" },
      { url: "https://a.example/x" },
    ],
  ],
  { toolName: "move_user" },
);

renameOnlyKey.repairs("what it lacks only says whose it is", [
  [
    "an id for that of a user",
    object({ user_id: text, note: text }),
    { id: "u5", note: "a" },
    { user_id: "u5", note: "a" },
  ],
  [
    "a name for that of a user",
    object({ user_name: text, note: text }),
    { name: "Ada", note: "a" },
    { user_name: "Ada", note: "a" },
  ],
]);

renameOnlyKey.repairs("of a number, only words for numbers may differ", [
  ["an id for a number", object({ order_number: integer }), { order_id: 7 }, { order_number: 7 }],
  ["a thing for its id", object({ user_id: integer }), { user: 7 }, { user_id: 7 }],
  ["the id of a thing for it", object({ user: integer }), { user_id: 7 }, { user: 7 }],
  ["a thing for its number", object({ room_nr: integer }), { room: 7 }, { room_nr: 7 }],
]);

renameOnlyKey.repairs(
  "its value needs a small repair only",
  [
    [
      "a number in text",
      object({ search_limit: integer, job: text }),
      { limit: "5", job: "a" },
      { search_limit: 5, job: "a" },
    ],
  ],
  { others: ["read-number"] },
);

renameOnlyKey.rejects("a request for something else, or of no text", UNPROVEN, [
  ["a question for a title", object({ title: text }), { question: "Who?" }],
  ["a number for a query", object({ query: integer }), { input: 5 }],
]);

renameOnlyKey.rejects("a number by words of another meaning", UNPROVEN, [
  ["an id for a number of anything", object({ number: integer }), { id: 5 }],
  ["a number of counts", object({ order: integer }), { order_count_number: 5 }],
  ["an id for a bound of ids", object({ id_limit: integer }), { id: 5 }],
  ["a day for a day of payment", object({ pay_day: integer }), { day: 5 }],
]);

renameOnlyKey.rejects("a name that lacks more than whose it is", UNPROVEN, [
  ["a vehicle for a stolen one", object({ stolen_vehicle: text }), { vehicle: "KA-1" }],
  ["a date for the first one", object({ first_visit_date: text }), { visit_date: "2026-01-02" }],
  ["a name for a path's", object({ path_name: text }), { name: "Ada" }],
]);

renameOnlyKey.rejects("a name that only differs in case, which counts", UNPROVEN, [
  ["milli for mega", object({ pump_MW: text }), { pump_mW: "5" }],
]);

renameOnlyKey.rejects("a sign that may deny", "a sign or a repeated word may carry a meaning", [
  ["a request", object({ query: text }), { "!question": "Who?" }],
  ["a link", object({ url: text }), { "-link": "https://a.b/c" }],
]);

renameOnlyKey.rejects("a key of its value beside it", "a key of its value is declared beside it", [
  [
    "one of several",
    object({ config: { type: "object" }, "retries?": integer }),
    { config_object: { retries: 5, delay: 1 } },
  ],
]);

renameOnlyKey.rejects("a name that is a typo away from another", /is a typo away$/, [
  [
    "a county beside a country",
    object({ county_name: text, "country?": text }),
    { county: "Kent" },
  ],
]);

renameOnlyKey.repairs("both names only ask for a text", [
  [
    "a question for a prompt",
    object({ prompt: said("What to ask"), model: text }),
    { question: "Who?", model: "a" },
    { prompt: "Who?", model: "a" },
  ],
  ["an input for a query", object({ query: text }), { input: "cats" }, { query: "cats" }],
  ["a search for a question", object({ question: text }), { search: "cats" }, { question: "cats" }],
  ["a request for a query", object({ query: text }), { request: "cats" }, { query: "cats" }],
  [
    "instructions for a prompt",
    object({ prompt: text }),
    { instructions: "Count." },
    { prompt: "Count." },
  ],
]);

renameOnlyKey.repairs("both names say what format the text has", [
  ["a link for a URL", object({ url: text }), { href: "https://a.b/c" }, { url: "https://a.b/c" }],
  ["a URL for a URI", object({ uri: text }), { url: "https://a.b/c" }, { uri: "https://a.b/c" }],
]);

renameOnlyKey.rejects("a name of the contrary", UNPROVEN, [
  ["granted for refused", object({ refused: boolean, id: text }), { granted: true, id: "7" }],
  [
    "unsubscribed for subscribed",
    object({ subscribed: boolean, id: text }),
    { unsubscribed: true, id: "7" },
  ],
  [
    "skipping a cache, as its description says",
    object({ cache: { type: "boolean", description: "Whether to skip the cache" }, id: text }),
    { skip_cache: true, id: "7" },
  ],
  ["commit for simulate", object({ simulate: boolean, id: text }), { commit: true, id: "7" }],
  [
    "bypassing for using",
    object({ use_cache: boolean, id: text }),
    { bypass_cache: true, id: "7" },
  ],
  [
    "purging a cache for a cache",
    object({ cache: boolean, id: text }),
    { purge_cache: true, id: "7" },
  ],
  [
    "a history for clearing it",
    object({ clear_history: boolean, id: text }),
    { history: true, id: "7" },
  ],
  ["tests for skipping them", object({ skip_tests: boolean, id: text }), { tests: true, id: "7" }],
  ["assets for liabilities", object({ liabilities: number, id: text }), { assets: 5, id: "7" }],
]);

renameOnlyKey.rejects("the part that another plays", UNPROVEN, [
  ["a lessor for a lessee", object({ lessee: text, rent: number }), { lessor: "Ada", rent: 5 }],
  [
    "an employee for an employer",
    object({ employer: text, sum: number }),
    { employee: "Ada", sum: 5 },
  ],
  [
    "a seller for a buyer, both of one format",
    object({ buyer: email, price: number }),
    { seller: "ada@example.com", price: 5 },
  ],
  [
    "who answers for who gets it",
    object({ to: email, body: text }),
    { reply_to: "ada@example.com", body: "Hi" },
  ],
  [
    "who gets a copy for who gets it",
    object({ to: listOf(text), body: text }),
    { bcc: ["ada@example.com"], body: "Hi" },
  ],
  [
    "a loser for a winner, both of the same choices",
    object({ winner: choice("red", "blue"), round: integer }),
    { loser: "red", round: 2 },
  ],
  [
    "a payer for a payee, of whom the description speaks",
    object({ payee: said("Who gets the money from the payer"), sum: number }),
    { payer: "Ada", sum: 5 },
  ],
]);

renameOnlyKey.rejects("another direction or end", UNPROVEN, [
  [
    "an origin for a destination",
    object({ destination: text, day: text }),
    { origin: "Bern", day: "Monday" },
  ],
  [
    "from a branch for to it",
    object({ to_branch: text, repo: text }),
    { from_branch: "main", repo: "a" },
  ],
  [
    "a source language for a target language",
    object({ target_language: choice("en", "de"), body: text }),
    { source_language: "en", body: "Hi" },
  ],
  [
    "a start for an end",
    object({ end_line: integer, file: text }),
    { start_line: 5, file: "a.ts" },
  ],
  ["a least price for a greatest", object({ max_price: number }), { min_price: 5 }],
]);

renameOnlyKey.rejects("another unit, or none", UNPROVEN, [
  ["none for milliseconds", object({ timeout_ms: integer, url: text }), { timeout: 5, url: "a" }],
  [
    "seconds for milliseconds",
    object({ timeout_ms: integer, url: text }),
    { timeout_seconds: 5, url: "a" },
  ],
  ["minutes for no unit", object({ delay: integer, url: text }), { delay_min: 5, url: "a" }],
  ["dollars for euros", object({ price_eur: number }), { price_usd: 5 }],
  ["cents for no unit", object({ price: number, sku: text }), { price_cents: 500, sku: "a" }],
  [
    "a fraction for a percentage",
    object({ discount_percent: number, sku: text }),
    { discount_fraction: 0.2, sku: "a" },
  ],
  ["kelvin for celsius", object({ celsius: number, room: text }), { kelvin: 280, room: "a" }],
]);

renameOnlyKey.rejects("what a number counts for what it numbers", UNPROVEN, [
  ["pages for a page", object({ page: integer, q: text }), { pages: 3, q: "a" }],
  ["a day for days", object({ days: integer, q: text }), { day: 3, q: "a" }],
  ["a count of rooms for a room", object({ room: integer }), { room_count: 3 }],
]);

renameOnlyKey.rejects("another thing, or another part of it", UNPROVEN, [
  [
    "a status for an id",
    object({ invoice_id: text, note: text }),
    { invoice_status: "open", note: "a" },
  ],
  [
    "the number of another thing",
    object({ issue_number: integer, repo: text }),
    { pull_number: 5, repo: "a" },
  ],
  [
    "the present name for the new one",
    object({ new_name: text, file: text }),
    { current_name: "a", file: "b" },
  ],
  [
    "a message for a hash",
    object({ commit_sha: text, repo: text }),
    { commit_message: "Fix", repo: "a" },
  ],
  [
    "the id of another thing",
    object({ order_id: text, note: text }),
    { customer_id: "5", note: "a" },
  ],
  [
    "the message of an error",
    object({ message: text, room: text }),
    { error_message: "No", room: "a" },
  ],
  [
    "the address to call back",
    object({ url: text, method: text }),
    { callback_url: "https://example.com", method: "GET" },
  ],
  ["the path of a copy", object({ path: text, mode: text }), { backup_path: "a.bak", mode: "r" }],
  [
    "an address for a subject",
    object({ email_subject: text, body: text }),
    { email: "ada@example.com", body: "Hi" },
  ],
  ["a user for a role", object({ user_role: text, team: text }), { user: "ada", team: "a" }],
  [
    "a country for its code",
    object({ country_code: text, city: text }),
    { country: "Germany", city: "Bonn" },
  ],
  [
    "a place for a date",
    object({ departure_date: text, city: text }),
    { departure: "Lisbon", city: "Bonn" },
  ],
  ["the content of a file", object({ file: text }), { file_content: "x" }],
  [
    "an object of another kind",
    object({ filter: { type: "object" }, table: text }),
    { metadata: { a: 1 }, table: "users" },
  ],
  [
    "an answer for a command",
    object({ command: text, cwd: text }),
    { response: "I will not.", cwd: "/" },
  ],
]);

renameOnlyKey.rejects("a name that only the description knows", UNPROVEN, [
  [
    "what it is a part of",
    object({ title: said("Title of the page"), lang: text }),
    { page: "https://a.b", lang: "de" },
  ],
  [
    "what it finds",
    object({ selector: said("CSS selector of the element"), timeout: integer }),
    { element: "#buy", timeout: 5 },
  ],
  [
    "another word for it",
    object({ ticker: said("Stock symbol"), day: text }),
    { symbol: "ACME", day: "Monday" },
  ],
  [
    "another word that it begins with",
    object({ expression: said("Formula to evaluate"), digits: integer }),
    { formula: "1+1", digits: 2 },
  ],
  [
    "an example",
    object({ code: said("Name, such as a product, of what to look up"), lang: text }),
    { product: "a", lang: "b" },
  ],
]);

renameOnlyKey.rejects("a value that no other field takes, by another name", UNPROVEN, [
  ["a list", object({ participants: listOf(text), n: integer }), { attendees: ["Ada"], n: 1 }],
  [
    "a text of one format",
    object({ website: { type: "string", format: "uri" }, board: text }),
    { homepage: "https://a.b/", board: "x" },
  ],
  [
    "one of the choices",
    object({ urgency: choice("low", "high"), board: text }),
    { severity: "high", board: "x" },
  ],
  [
    "an object of the declared keys",
    object({ place: object({ lat: number, lon: number }), board: text }),
    { spot: { lat: 1, lon: 2 }, board: "x" },
  ],
  [
    "a list of such objects",
    object({ positions: listOf(object({ sku: text })), board: text }),
    { articles: [{ sku: "a" }], board: "x" },
  ],
]);

renameOnlyKey.rejects("a value for nothing", "its value is nothing", [
  ["null", object({ path: text }), { file_path: null }],
  ["none", object({ path: text }), { file_path: "None" }],
  ["empty text", object({ path: text }), { file_path: " " }],
]);

renameOnlyKey.rejects(
  "a field of an object, or around one",
  "its value needs more than a small repair to fit",
  [
    [
      "a field of another thing",
      object({ amount: number, id: text }),
      { amount: 1, ancestor: { id: "5" } },
    ],
    [
      "a field of the same thing",
      object({ user_name: text, age: integer }),
      { user: { name: "Ada" }, age: 5 },
    ],
    [
      "an object of one field",
      object({ user: object({ name: text }), age: integer }),
      { user_name: "Ada", age: 5 },
    ],
    ["a text of another format", object({ email, body: text }), { mail_text: "Hello", body: "a" }],
    ["one text for a list", object({ paths: listOf(text) }), { file_path: "a.txt" }],
    [
      "a key that is required, and not declared",
      { type: "object", required: ["path"] },
      { file_path: "a.txt" },
    ],
    [
      "an object without a declared key",
      object({ config: object({ "retries?": integer }) }),
      { config_object: { delay: 5 } },
    ],
  ],
);

renameOnlyKey.rejects(
  "a field with a default, or beside a like one",
  /^the field has a default|^another declared key shares a word/,
  [
    [
      "a field with a default",
      object({ path: { type: "string", default: "." } }),
      { file_path: "a.txt" },
    ],
    [
      "the one end beside the other",
      object({ to_path: text, from_path: text }),
      { path: "a.txt", from_path: "b.txt" },
    ],
    ["one beside an optional one", object({ path: text, "file?": text }), { file_path: "a.txt" }],
  ],
);

renameOnlyKey.rejects("several undeclared keys, or several missing ones", NO_OBJECTION, [
  [
    "a thing and its kind",
    object({ iban: text, sum: number }),
    { type: "iban", iban_number: "4111", sum: 5 },
  ],
  ["positions from 0", object({ from: text, to: text }), { "0": "a", "1": "b" }],
  ["numbered arguments", object({ x: number, y: number }), { arg0: 1, arg1: 2 }],
  ["two keys for one", object({ query: text }), { search_query: "a", query_text: "b" }],
  ["one key for two", object({ from_city: text, to_city: text }), { city: "Rome" }],
]);
