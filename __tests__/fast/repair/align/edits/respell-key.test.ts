import { NO_OBJECTION, testsOf } from "../../../../support/repair/align/edit-tables.ts";
import {
  boolean,
  integer,
  listOf,
  number,
  object,
  text,
} from "../../../../support/repair/align/run.ts";

const respellKey = testsOf("respell-key", "safe");

const closed = (fields: { readonly [name: string]: unknown }) => object(fields, true);

respellKey.repairs("the same name but for case and separators", [
  ["camel case", object({ file_path: text }), { filePath: "a" }, { file_path: "a" }],
  ["snake case", object({ filePath: text }), { file_path: "a" }, { filePath: "a" }],
  ["capitals", object({ maxResults: integer }), { MAX_RESULTS: 5 }, { maxResults: 5 }],
  [
    "an abbreviation in capitals",
    object({ image_url: text }),
    { imageURL: "a" },
    { image_url: "a" },
  ],
  ["a hyphen where a word ends", object({ signIn: text }), { "sign-in": "a" }, { signIn: "a" }],
  [
    "a space where a word ends",
    object({ file_path: text }),
    { "file path": "a" },
    { file_path: "a" },
  ],
  ["a colon behind it", object({ path: text }), { "path:": "a" }, { path: "a" }],
  ["quotes around it", object({ path: text }), { '"path"': "a" }, { path: "a" }],
  ["an underscore before a digit", object({ line2: text }), { line_2: "a" }, { line2: "a" }],
  ["several keys", object({ a_b: text, c_d: text }), { aB: "x", cD: "y" }, { a_b: "x", c_d: "y" }],
  [
    "an optional key",
    closed({ q: text, "pageSize?": integer }),
    { q: "a", page_size: 5 },
    { q: "a", pageSize: 5 },
  ],
  ["a unit in small letters", object({ freq_mhz: number }), { FreqMHz: 5 }, { freq_mhz: 5 }],
  ["a unit in capitals", object({ power_mw: number }), { power_MW: 5 }, { power_mw: 5 }],
  [
    "a name of 100 letters",
    object({ ["a".repeat(100)]: text }),
    { ["A".repeat(100)]: "x" },
    { ["a".repeat(100)]: "x" },
  ],
]);

respellKey.repairs("the only undeclared key, with a short word in full or the reverse", [
  [
    "a command",
    object({ command: text, cwd: text }),
    { cmd: "ls", cwd: "/" },
    { command: "ls", cwd: "/" },
  ],
  ["a source", object({ src_path: text }), { sourcePath: "a" }, { src_path: "a" }],
  [
    "an email beside another",
    object({ email: text, "backup_email?": text }),
    { mail: "ada@example.com" },
    { email: "ada@example.com" },
  ],
]);

respellKey.rejects(
  "a space or hyphen where the declared key has no break",
  "the declared key has no break",
  [
    ["signing again for leaving", closed({ resign: text }), { "re-sign": "now" }],
    ["a stop of two for one word", closed({ coop: text }), { "co-op": "a" }],
  ],
);

respellKey.rejects("a unit whose case counts", "case tells short words of the names apart", [
  ["milli for mega", closed({ pump_MW: number }), { pump_mW: 5 }],
  ["mega for milli", closed({ pump_mW: number }), { pump_MW: 5 }],
  ["milli for mega, alone", closed({ MW: number }), { mW: 5 }],
  ["an acidity for a meter", closed({ PH: number }), { pH: 5 }],
  ["a pressure in capitals", closed({ pump_kPa: number }), { pump_KPA: 5 }],
]);

respellKey.rejects(
  "two keys, or two declared ones, of the same name",
  /^another key|^it is like several|^that key is there/,
  [
    ["two spellings", closed({ user_id: text }), { userId: "7", UserID: "8" }],
    ["a spelling beside the key", closed({ user_id: text }), { user_id: "7", userId: "8" }],
    ["two declared", closed({ "user_id?": text, "userid?": text }), { userID: "7" }],
  ],
);

respellKey.rejects("a sign that may mean something", NO_OBJECTION, [
  ["a negation", closed({ recursive: boolean }), { "!recursive": true }],
  ["a negation of a short form", closed({ command: text }), { "!cmd": "ls" }],
  ["a sign and no name", closed({ query: text }), { _: "cats" }],
  ["a hyphen before it", closed({ recursive: boolean }), { "-recursive": true }],
  ["a flag", closed({ recursive: boolean }), { "--recursive": true }],
  ["a tilde", closed({ recursive: boolean }), { "~recursive": true }],
  ["a bound", closed({ amount: number }), { "amount>=": 5 }],
  ["another bound", closed({ amount: number }), { "amount<": 5 }],
  ["a percentage", closed({ amount: number }), { "amount%": 5 }],
  ["a semicolon", closed({ vessel: text }), { "vessel;": "a" }],
  ["a question", closed({ vessel: text }), { "vessel?": "a" }],
  ["a minus before a digit", closed({ dock1: text }), { "dock-1": "a" }],
  ["a minus behind a digit", closed({ "5dock": text }), { "5-dock": "a" }],
  ["a point before a digit", closed({ lat1: number }), { "lat.1": 5 }],
  ["sharp s", closed({ Masse: number }), { Maße: 5 }],
]);

respellKey.rejects("a key that is too long for a name", NO_OBJECTION, [
  ["101 letters", closed({ ["a".repeat(101)]: text }), { ["A".repeat(101)]: "x" }],
]);

respellKey.rejects("a plural", NO_OBJECTION, [
  ["of one number", closed({ day: integer }), { days: 3 }],
  ["of a list", closed({ day: listOf(integer) }), { days: "3 and 4" }],
]);
