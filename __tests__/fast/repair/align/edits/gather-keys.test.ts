import { NO_OBJECTION, testsOf } from "../../../../support/repair/align/edit-tables.ts";
import { integer, listOf, object, text } from "../../../../support/repair/align/run.ts";

const gatherKeys = testsOf("gather-keys", "safe");

const edit = object({ oldText: text, newText: text }, true);

gatherKeys.repairs("two keys or more that only the missing field declares", [
  [
    "into a list of such objects",
    object({ path: text, edits: listOf(edit) }),
    { path: "a.ts", oldText: "a", newText: "b" },
    { path: "a.ts", edits: [{ oldText: "a", newText: "b" }] },
  ],
  [
    "into an object",
    object({ path: text, edit }, true),
    { path: "a.ts", oldText: "a", newText: "b" },
    { path: "a.ts", edit: { oldText: "a", newText: "b" } },
  ],
  [
    "one of them optional",
    object({ place: object({ lat: integer, "alt?": integer }) }),
    { lat: 1, alt: 2 },
    { place: { lat: 1, alt: 2 } },
  ],
  [
    "into an absent field, if none is missing",
    object({ "place?": object({ lat: integer, lon: integer }), "name?": text }, true),
    { lat: 1, lon: 2 },
    { place: { lat: 1, lon: 2 } },
  ],
]);

gatherKeys.rejects("one key alone", "a single key may belong elsewhere", [
  ["an id", object({ parent: object({ id: text }), name: text }), { id: "5", name: "a" }],
  ["a name", object({ author: object({ name: text }), title: text }), { name: "Ada", title: "a" }],
  ["all that was written", object({ action: object({ command: text }) }), { command: "ls" }],
]);

gatherKeys.rejects("keys of another field, too", "another field declares one of them", [
  [
    "an optional object",
    object({ from: object({ city: text, zip: text }), "to?": object({ city: text }) }),
    { city: "Ulm", zip: "89073" },
  ],
  [
    "an optional list",
    object({ edit, "others?": listOf(object({ newText: text })) }),
    { oldText: "a", newText: "b" },
  ],
  [
    "an object that is there",
    object({ from: object({ city: text, zip: text }), to: object({ city: text }) }),
    { city: "Ulm", zip: "89073", to: { city: "Rome" } },
  ],
]);

gatherKeys.rejects("keys for no field, or for one of several", NO_OBJECTION, [
  [
    "a key that it does not declare",
    object({ edit }),
    { oldText: "a", newText: "b", dry_run: true },
  ],
  ["a second field that is missing", object({ edit, path: text }), { oldText: "a", newText: "b" }],
  [
    "a key that it lets through",
    object({ edit: object({ oldText: text, newText: text }) }),
    { oldText: "a", newText: "b", dry_run: true },
  ],
  [
    "a second field that is missing, which has a default",
    object({ edit, mode: { type: "string", default: "all" } }),
    { oldText: "a", newText: "b" },
  ],
  [
    "an absent field while another is missing, which has a default",
    object({ "edit?": edit, mode: { type: "string", default: "all" } }, true),
    { oldText: "a", newText: "b" },
  ],
  ["no undeclared key at all", object({ edit }), {}],
  ["a field of text", object({ edit: text }), { oldText: "a", newText: "b" }],
]);
