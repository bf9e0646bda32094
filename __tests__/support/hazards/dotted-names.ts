import { atMost, byEager, given, type HazardClass, refused } from "./hazard.ts";
import { anything, closed, number, record, text } from "./schemas.ts";

export const dottedNames: HazardClass = {
  name: "Names with dots, and values without their object",
  rule: "A key is split only into declared objects, and a value gains no operator or unit.",
  groups: [
    given("a label's name has dots", closed({ name: text, labels: record(text) }), [
      atMost(
        { name: "a", "labels.app.kubernetes.io/tier": "web" },
        { name: "a", labels: { "app.kubernetes.io/tier": "web" } },
      ),
      atMost({ name: "a", "labels.v1.2": "x" }, { name: "a", labels: { "v1.2": "x" } }),
    ]),
    given("a setting's name has dots", closed({ settings: record(anything) }), [
      atMost({ "settings.editor.tabSize": 4 }, { settings: { "editor.tabSize": 4 } }),
    ]),
    given("a file's name has dots and slashes", closed({ files: record(text) }), [
      atMost({ "files/src/main.rs": "x" }, { files: { "src/main.rs": "x" } }),
      atMost({ "files.readme.md": "x" }, { files: { "readme.md": "x" } }),
    ]),
    given("declared objects are what a path is for", closed({ site: closed({ host: text }) }), [
      byEager({ "site.host": "db1" }, { site: { host: "db1" } }),
    ]),
    given("a number is not hours", closed({ wait: closed({ hours: number }) }), [
      refused({ wait: 30 }),
      refused({ wait: "30" }),
    ]),
    given("a number is not milligrams", closed({ dose: closed({ mg: number }) }), [
      refused({ dose: 5 }),
    ]),
    given("a number is not a bound", closed({ age: closed({ gt: number }) }), [
      refused({ age: 18 }),
    ]),
    given("a word is not what is left out", closed({ filter: closed({ exclude: text }) }), [
      refused({ filter: "live" }),
    ]),
    given("a word is not denied", closed({ match: closed({ not: text }) }), [
      refused({ match: "jazz" }),
    ]),
    given("a number is not inches", closed({ length: closed({ inches: number }) }), [
      refused({ length: 5 }),
    ]),
    given("a number is not dollars", closed({ price: closed({ usd: number }) }), [
      refused({ price: 5 }),
    ]),
    given("a date is not its bound", closed({ date: closed({ before: text }) }), [
      refused({ date: "2024" }),
    ]),
    given("a number is not degrees", closed({ heat: closed({ celsius: number }) }), [
      refused({ heat: 21 }),
    ]),
  ],
};
