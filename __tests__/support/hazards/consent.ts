import { atMost, given, type HazardClass, refused, right } from "./hazard.ts";
import {
  choice,
  closed,
  constant,
  defaulting,
  described,
  flag,
  list,
  number,
  text,
} from "./schemas.ts";

const erase = closed({ path: text, confirm: constant(true) });
const typed = closed({ patient: text, confirm: constant("DISCHARGE") });
const defaultingFlag = defaulting(flag, true);
const scope = closed({ text, scope: defaulting(choice("all", "team"), "all") });
const room = closed({ message: text, room: defaulting(choice("public", "private"), "public") });
const route = closed({ drug: text, route: defaulting(choice("iv", "oral"), "iv") });

export const consent: HazardClass = {
  name: "Consent",
  rule: "A required constant that gives consent is never filled in, and no default replaces an undeclared key.",
  groups: [
    given("a confirmation is not given for the model", erase, [
      refused({ path: "/archive" }),
      refused('{"path":"/archive"}'),
      refused({ path: "/archive", confirm: false }),
      refused({ path: "/archive", confirm: "no" }),
      refused({ path: "/archive", confirm: null }),
      refused({ path: "/archive", confirm: "" }),
      refused({ path: "/archive", confirm: "true?" }),
      refused('{"path":"/archive"'),
      refused("/archive"),
    ]),
    given("nor is a word that has to be typed", typed, [
      refused({ patient: "P-77" }),
      refused({ patient: "P-77", confirm: "KEEP" }),
      refused({ patient: "P-77", confirm: true }),
      refused({ patient: "P-77", confirm: "DISCHARG" }),
    ]),
    given("whatever it is called", closed({ iban: text, accept_fees: constant(true) }), [
      refused({ iban: "DE02" }),
      refused({ iban: "DE02", accept_fees: 0 }),
    ]),
    given("in German, too", closed({ vertrag: text, bestaetigt: constant(true) }), [
      refused({ vertrag: "V-1" }),
    ]),
    given("an acknowledgement", closed({ branch: text, i_understand: constant("yes") }), [
      refused({ branch: "main" }),
    ]),
    given("force", closed({ volume: text, force: constant(true) }), [refused({ volume: "data" })]),
    given("a default does not replace what was said in other words", scope, [
      refused({ text: "Lunch", audience: "only Bob" }),
      refused({ text: "Lunch", visible_to: ["Bob"] }),
    ]),
    given("nor a room", room, [refused({ message: "salary", visibility: "just me" })]),
    given("nor a way to give a drug", route, [refused({ drug: "KCl", via: "by mouth" })]),
    given(
      "a required value is never made up",
      closed({ to: text, amount: number, tags: list(text) }),
      [
        refused({ to: "Eva", amount: 5 }),
        refused({ to: "Eva", tags: [] }),
        refused({ to: "Eva", amount: null, tags: ["a"] }),
        refused({ to: null, amount: 5, tags: ["a"] }),
        refused({ to: "Eva", amount: "", tags: ["a"] }),
        refused({ to: "Eva", amount: "a lot", tags: ["a"] }),
      ],
    ),
    given(
      "nothing is copied to somebody because nobody was meant",
      closed({ body: text, "cc?": defaulting(list(text), ["chief@firm.example"]) }),
      [refused({ body: "Hallo", cc: "None" })],
    ),
    ...["confirmed", "accept_terms", "i_agree", "zustimmung", "force"].map((name) =>
      given(
        "nor is a default an answer to what asks for consent",
        closed({ room: text, [name]: defaultingFlag }),
        [
          atMost({ room: "attic", [name]: true }, { room: "attic", [name]: true }),
          // Where the schema fills it in by itself, null is no more than its absence.
          atMost({ room: "attic", [name]: null }, { room: "attic" }),
        ],
      ),
    ),
    given("a word to be typed is typed as it is", typed, [
      refused({ patient: "P-77", confirm: "discharge" }),
      refused({ patient: "P-77", confirm: "discharge?" }),
      refused({ patient: "P-77", confirm: "Dis-charge" }),
    ]),
    given("a consent is no word for yes", erase, [
      refused({ path: "/archive", confirm: "yes" }),
      refused({ path: "/archive", confirm: 1 }),
      refused({ path: "/archive", confirm: "on" }),
    ]),
    ...["hard_delete", "irreversible", "cancel-all", "permanent"].map((value) =>
      given("what is done for good is no tag", closed({ vm: text, kind: constant(value) }), [
        refused({ vm: "web-1" }),
      ]),
    ),
    given(
      "what something is, is not filled in either",
      closed({ kind: constant("paragraph"), body: text }),
      [refused({ body: "Hallo" })],
    ),
    ...["No default: without it all go.", "Kein Default. Ohne Angabe gehen alle."].map((says) =>
      given(
        "nothing is what is left out, whatever that means",
        closed({ id: text, "most?": described(number, says) }),
        [right({ id: "r", most: null }, { id: "r" }), right({ id: "r", most: "" }, { id: "r" })],
      ),
    ),
    ...["The most; null for all.", "Empty: all go."].map((says) =>
      given("unless nothing is an answer", closed({ id: text, "most?": described(number, says) }), [
        refused({ id: "r", most: null }),
        refused({ id: "r", most: "" }),
      ]),
    ),
    ...[
      "Defaults to 10.",
      "The most, 10 by default",
      "Default: 10",
      "default is ten",
      "(default 10)",
    ].map((says) =>
      given(
        "also where a default is named",
        closed({ id: text, "most?": described(number, says) }),
        [right({ id: "r", most: null }, { id: "r" })],
      ),
    ),
    given("an optional null is nothing", closed({ body: text, "cc?": list(text) }), [
      right({ body: "Hallo", cc: null }, { body: "Hallo" }),
    ]),
  ],
};
