import type { JsonValue } from "../../src/repair/types.ts";
import { byEager, eager, given, type HazardClass, refused } from "./hazard.ts";
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

/** What the model called it, and what the only required field is called: two different things. */
type Pair = readonly [said: string, declared: string];

const FLAGS: readonly Pair[] = [
  ["muted", "audible"],
  ["disabled", "enabled"],
  ["denied", "granted"],
  ["offline", "online"],
  ["uninsured", "insured"],
  ["unlocked", "locked"],
  ["insecure", "secure"],
  ["inactive", "active"],
  ["nonsmoking", "smoking"],
  ["archived", "live"],
  ["unmount", "mount"],
  ["excluded", "included"],
  ["descending", "ascending"],
  ["blocked", "permitted"],
  ["fasting", "fed"],
  ["ausgeschaltet", "eingeschaltet"],
  ["encrypt", "decrypt"],
  ["pause", "resume"],
  ["preview", "publish"],
];

const ROLES: readonly Pair[] = [
  ["lender", "borrower"],
  ["buyer", "seller"],
  ["plaintiff", "defendant"],
  ["sender", "receiver"],
  ["origin", "destination"],
  ["composer", "performer"],
  ["patient", "physician"],
  ["landlord", "tenant"],
  ["parent_id", "child_id"],
  ["old_name", "new_name"],
  ["source_branch", "target_branch"],
  ["src", "dst"],
  ["shipper", "consignee"],
  ["verkaeufer", "kaeufer"],
  ["absender", "empfaenger"],
  ["acheteur", "vendeur"],
  ["emisor", "receptor"],
  ["upload_url", "download_url"],
  ["inbound_port", "outbound_port"],
  ["first_page", "last_page"],
  ["before", "after"],
  ["arrival_gate", "departure_gate"],
  ["input_file", "output_file"],
  ["buy_order", "sell_order"],
  ["bill_to", "ship_to"],
  ["home_address", "work_address"],
  ["current_pin", "new_pin"],
  ["first_name", "last_name"],
];

const KINDS: readonly Pair[] = [
  ["issue_number", "pull_request"],
  ["order_status", "order_id"],
  ["iban", "bic"],
  ["isbn", "issn"],
  ["timeout", "command"],
  ["language", "lyrics"],
  ["invoice_date", "due_date"],
  ["house_number", "phone_number"],
  ["customer_name", "product_name"],
  ["track_title", "album_title"],
  ["diagnosis", "medication"],
  ["refusal", "statement"],
  ["charset", "content"],
  ["mime_type", "body"],
  ["blood_group", "allergies"],
];

const UNITS: readonly Pair[] = [
  ["delay_s", "delay_ms"],
  ["distance_km", "distance_mi"],
  ["dose_mg", "dose_ml"],
  ["temp_f", "temp_c"],
  ["height_in", "height_cm"],
  ["size_kb", "size_mb"],
  ["angle_deg", "angle_rad"],
  ["price_usd", "price_eur"],
  ["timeout_minutes", "timeout_seconds"],
  ["pressure_bar", "pressure_psi"],
  ["weight_oz", "weight_g"],
  ["volume_db", "volume_percent"],
  ["stunden", "minuten"],
  ["min_dose", "max_dose"],
  ["debit", "credit"],
  ["subtotal", "discount"],
  ["age", "weight"],
];

const named = (pairs: readonly Pair[], spec: Spec, value: JsonValue) =>
  pairs.map(([said, declared]) =>
    given(`\`${said}\` is not \`${declared}\``, closed({ [declared]: spec }), [
      refused({ [said]: value }),
    ]),
  );

export const turnedRenames: HazardClass = {
  name: "Renames that turn the meaning",
  rule: "A key is renamed on evidence alone: never between opposites, roles, units or kinds of thing.",
  groups: [
    ...named(FLAGS, flag, true),
    ...named(ROLES, text, "Rossi"),
    ...named(KINDS, text, "Rossi"),
    ...named(UNITS, number, 12),
    given("one of a pair is there, the other is not it", closed({ from: text, to: text }), [
      refused({ from: "Ulm", source: "Bonn" }),
      refused({ from: "Ulm", via: "Bonn" }),
    ]),
    given("a shared word that sets it apart is evidence", closed({ selector: text }), [
      eager({ css_selector: "#pay" }, { selector: "#pay" }),
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
      "the description of the missing field speaks of it",
      closed({ selector: described(text, "CSS selector of the element to click") }),
      [eager({ element: "#pay" }, { selector: "#pay" })],
    ),
    given(
      "the description says it in other words",
      closed({ q: described(text, "The question that is asked of the encyclopedia") }),
      [eager({ question: "Who was Ada?" }, { q: "Who was Ada?" })],
    ),
    given(
      "only one missing field takes a list",
      closed({ title: text, participants: list(text) }),
      [
        eager(
          { title: "Probe", attendees: ["Eva", "Li"] },
          { title: "Probe", participants: ["Eva", "Li"] },
        ),
      ],
    ),
    given(
      "only one missing field takes this choice",
      closed({ topic: text, priority: choice("low", "medium", "high") }),
      [eager({ topic: "leak", importance: "medium" }, { topic: "leak", priority: "medium" })],
    ),
    given("only one missing field takes an address", closed({ message: text, contact: email }), [
      eager(
        { message: "Hallo", mail: "eva@uni.example" },
        { message: "Hallo", contact: "eva@uni.example" },
      ),
    ]),
    given("another spelling is no rename", closed({ orderNumber: text }), [
      byEager({ "order-number": "A7" }, { orderNumber: "A7" }),
      byEager({ ORDER_NUMBER: "A7" }, { orderNumber: "A7" }),
    ]),
  ],
};
