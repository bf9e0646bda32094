import type { JsonValue } from "#src/repair/types.ts";
import { byEager, eager, given, type HazardClass, refused } from "./hazard.ts";
import { KINDS, UNITS } from "./pairs-of-kinds.ts";
import { OPPOSITES, type Pair, ROLES } from "./pairs-of-roles.ts";
import {
  choice,
  closed,
  described,
  email,
  flag,
  list,
  number,
  type Spec,
  text,
} from "./schemas.ts";

const named = (pairs: readonly Pair[], spec: Spec, value: JsonValue) =>
  pairs.map(([said, declared]) =>
    given(`\`${said}\` is not \`${declared}\``, closed({ [declared]: spec }), [
      refused({ [said]: value }),
    ]),
  );

export const turnedRenames: HazardClass = {
  name: "Renames that turn the meaning",
  rule: "A key is renamed on evidence only: an added word must be a form that the value has, or a word of the description or of the tool.",
  groups: [
    ...named(OPPOSITES, flag, true),
    ...named(ROLES, text, "Rossi"),
    ...named(KINDS, text, "Rossi"),
    ...named(UNITS, number, 12),
    ...(
      [
        ["mac_address", "address"],
        ["proxy_url", "url"],
        ["savings_account", "account"],
        ["log_file", "file"],
        ["billing_email", "email"],
        ["towing_vessel", "vessel"],
        ["rollback_command", "command"],
        ["third_party", "party"],
        ["opponent_player", "player"],
        ["product_id", "product"],
        ["arrival_time", "arrival"],
        ["avoid_ingredient", "ingredient"],
      ] as const
    ).map(([said, declared]) =>
      given(
        `\`${said}\` is one of several that \`${declared}\` could be`,
        closed({ [declared]: text }),
        [refused({ [said]: "4711" })],
      ),
    ),
    ...(["room", "guest", "night", "seat"] as const).map((name) =>
      given("what is numbered is not what is counted", closed({ [`${name}s`]: number }), [
        refused({ [name]: 5 }),
        refused({ [`${name}_id`]: 5 }),
      ]),
    ),
    ...(
      [
        ["order", "user_id", "Id of the user who placed the order"],
        ["surgery", "drug", "Drug to stop before the surgery"],
        ["claim", "reason", "Why the claim is rejected"],
        ["map", "url", "Page which has a link to the map"],
        ["stdin", "command", "Shell command; stdin is closed"],
        ["language", "words", "Words to look up. The answer language is that of the words"],
        ["language", "words", "Words, language: Danish"],
        ["currency", "total", "Total and currency"],
        ["solvent", "reagent", "Reagent added to the solvent"],
      ] as const
    ).map(([said, declared, description]) =>
      given(
        `"${description}" speaks of another thing`,
        closed({ [declared]: described(text, description) }),
        [refused({ [said]: "x" })],
      ),
    ),
    given("a folder is no password", closed({ password: text }), [
      refused({ pwd: "/home/ada" }),
      refused({ pwd: "s3cret" }),
    ]),
    ...(
      [
        ["colour", "color"],
        ["organisation", "organization"],
        ["licence", "license"],
        ["catalog", "catalogue"],
        ["python_code", "code"],
        ["shell_command", "command"],
        ["page_url", "url"],
        ["sql_query", "query"],
      ] as const
    ).map(([said, declared]) =>
      given(
        `that \`${said}\` is \`${declared}\` takes more than names`,
        closed({ [declared]: text }),
        [refused({ [said]: "x" })],
      ),
    ),
    given("but two swapped letters are a typo", closed({ centre: text }), [
      eager({ center: "x" }, { centre: "x" }),
    ]),
    given("a form with a type that is added may be another thing", closed({ phone: text }), [
      refused({ phone_number: "+49 731 5" }),
    ]),
    given(
      "a word of the description is no name of the field",
      closed({ selector: described(text, "Selector of the element") }),
      [refused({ element: "#buy" })],
    ),
    given(
      "but it may stand beside the name",
      closed({ selector: described(text, "Selector of the element") }),
      [eager({ element_selector: "#buy" }, { selector: "#buy" })],
    ),
    given("what is not to be", closed({ avoid: described(text, "City to stay away from") }), [
      refused({ city: "Ulm" }),
    ]),
    given("one of a pair is there, the other is not it", closed({ from: text, to: text }), [
      refused({ from: "Ulm", source: "Bonn" }),
      refused({ from: "Ulm", via: "Bonn" }),
    ]),
    given("a shared word that sets it apart is evidence", closed({ selector: text }), [
      refused({ css_selector: "#pay" }),
      eager({ selectorText: "#pay" }, { selector: "#pay" }),
    ]),
    given("the longer name for the same thing", closed({ query: text }), [
      eager({ search_query: "tango" }, { query: "tango" }),
      eager({ queryText: "tango" }, { query: "tango" }),
    ]),
    given("and the shorter one", closed({ file_path: text, content: text }), [
      eager({ path: "a.txt", content: "x" }, { file_path: "a.txt", content: "x" }),
    ]),
    given(
      "nor does the description say what is done with it",
      closed({ selector: described(text, "CSS selector of the element to skip") }),
      [refused({ element: "#pay" })],
    ),
    given("a list is no evidence by itself", closed({ title: text, participants: list(text) }), [
      refused({ title: "Probe", attendees: ["Eva", "Li"] }),
    ]),
    given("nor is a choice", closed({ topic: text, priority: choice("low", "medium", "high") }), [
      refused({ topic: "leak", importance: "medium" }),
    ]),
    given("nor is an address", closed({ message: text, contact: email }), [
      refused({ message: "Hallo", mail: "eva@uni.example" }),
    ]),
    ...["bees and wasps", "bee; wasp"].map((several) =>
      given("a text keeps its words, whatever the number of its name", closed({ insect: text }), [
        eager({ insects: several }, { insect: several }),
      ]),
    ),
    given("a minus is no separator", closed({ temp: number }), [refused({ "temp-": 5 })]),
    ...["The new day.", "Wann?"].map((says) =>
      given("a word of the tool's name says whose it is", closed({ day: described(text, says) }), [
        eager({ step_day: "Monday" }, { day: "Monday" }),
      ]),
    ),
    given(
      "also if the field names it, too",
      closed({ notes: described(text, "Of the new step.") }),
      [eager({ step_notes: "b" }, { notes: "b" })],
    ),
    given("another spelling is no rename", closed({ orderNumber: text }), [
      byEager({ "order-number": "A7" }, { orderNumber: "A7" }),
      byEager({ ORDER_NUMBER: "A7" }, { orderNumber: "A7" }),
    ]),
  ],
};
