import { eager, given, type HazardClass, refused } from "./hazard.ts";
import { choice, closed, text } from "./schemas.ts";

/** The model's value, and the one of two choices that it resembles. */
type Likeness = readonly [written: string, like: string, other: string];

const CHOICES: readonly Likeness[] = [
  ["hyperthermia", "hypothermia", "fever"],
  ["hypocalcemia", "hypercalcemia", "anemia"],
  ["adduction", "abduction", "rotation"],
  ["ileum", "ilium", "sternum"],
  ["perfusion", "profusion", "none"],
  ["Austria", "Australia", "Japan"],
  ["Iran", "Iraq", "Oman"],
  ["Niger", "Nigeria", "Ghana"],
  ["Zambia", "Gambia", "Kenya"],
  ["megabits", "megabytes", "packets"],
  ["sulfite", "sulfate", "chloride"],
  ["arsenate", "arsenite", "phosphate"],
  ["intranet", "internet", "offline"],
  ["prednisone", "prednisolone", "ibuprofen"],
  ["vinblastine", "vincristine", "cisplatin"],
  ["dopamine", "dobutamine", "adrenaline"],
  ["cefazolin", "cefoxitin", "penicillin"],
  ["hydralazine", "hydroxyzine", "aspirin"],
  ["immigration", "emigration", "customs"],
  ["intramural", "intermural", "online"],
  ["preop", "postop", "ward"],
  ["encode", "decode", "skip"],
  ["import", "export", "delete"],
  ["debit", "credit", "cash"],
  ["upstream", "downstream", "mirror"],
  ["sonata", "sonatina", "fugue"],
  ["Mali", "Malta", "Peru"],
  ["abgelehnt", "abgeholt", "offen"],
  ["recent", "resent", "lost"],
  ["hypoxia", "hyperoxia", "normoxia"],
  ["antigen", "antibody", "serum"],
  ["abduct", "adduct", "flex"],
  ["alkane", "alkene", "alkyne"],
  ["glucagon", "glucose", "insulin"],
  ["phosphate", "phosphite", "nitrate"],
  ["Guinea", "Guyana", "Ghana"],
  ["macro", "micro", "nano"],
  ["uplink", "downlink", "idle"],
  ["encrypt", "decrypt", "hash"],
  ["attach", "detach", "list"],
  ["include", "exclude", "skip"],
  ["accept", "except", "none"],
  ["stationary", "stationery", "food"],
  ["sulfadiazine", "sulfasalazine", "none"],
  ["Montag", "Samstag", "Freitag"],
  ["zugang", "abgang", "umzug"],
  ["viola", "violin", "cello"],
  ["masculine", "feminine", "neuter"],
  ["bisect", "dissect", "merge"],
];

/** Real words, one slip from a choice: `eager` takes them for typos. */
const SLIPS: readonly Likeness[] = [
  ["filed", "field", "court"],
  ["renal", "rental", "sale"],
  ["deceased", "decreased", "same"],
  ["contract", "contact", "visit"],
  ["server", "sever", "join"],
  ["tried", "tired", "awake"],
];

const KEYS: readonly (readonly [written: string, declared: string])[] = [
  ["lessor", "lessee"],
  ["trainer", "trainee"],
  ["mentor", "mentee"],
  ["licensor", "licensee"],
  ["assignor", "assignee"],
  ["interviewer", "interviewee"],
  ["mortgagor", "mortgagee"],
  ["affect", "effect"],
  ["import_path", "export_path"],
  ["intake", "uptake"],
  ["inflow", "outflow"],
  ["hypotonic", "hypertonic"],
  ["prefix", "suffix"],
  ["upload", "download"],
  ["maximum", "minimum"],
  ["income", "outcome"],
  ["vorname", "nachname"],
  ["einnahme", "ausnahme"],
  ["grantor", "grantee"],
  ["obligor", "obligee"],
  ["payor", "payee"],
  ["donor", "donee"],
  ["consignor", "consignee"],
  ["emission", "omission"],
  ["ingress", "egress"],
  ["encoder", "decoder"],
  ["endogenous", "exogenous"],
  ["ausfuhr", "einfuhr"],
  ["ankunft", "auskunft"],
  ["eingang", "ausgang"],
];

export const likenesses: HazardClass = {
  name: "Likenesses that are other words",
  rule: "A typo is two swapped letters, or one lost or too many, in a long word of a key or a choice. Two slips, or another letter, may be another word.",
  groups: [
    ...CHOICES.map(([written, like, other]) =>
      given(`"${written}" is not "${like}"`, closed({ kind: choice(like, other) }), [
        refused({ kind: written }),
      ]),
    ),
    ...SLIPS.map(([written, like, other]) =>
      given(`"${written}" is a typo of "${like}"`, closed({ kind: choice(like, other) }), [
        eager({ kind: written }, { kind: like }),
      ]),
    ),
    ...KEYS.map(([written, declared]) =>
      given(`\`${written}\` is not \`${declared}\``, closed({ [declared]: text }), [
        refused({ [written]: "Rossi" }),
      ]),
    ),
    given(
      "one slip of the keyboard in a choice",
      closed({ state: choice("celsius", "scheduled", "delivered") }),
      [
        eager({ state: "celsuis" }, { state: "celsius" }),
        eager({ state: "scheduld" }, { state: "scheduled" }),
        eager({ state: "delivvered" }, { state: "delivered" }),
        refused({ state: "undelivered" }),
        refused({ state: "unscheduled" }),
        refused({ state: "rescheduled" }),
      ],
    ),
    given("one slip of the keyboard in a key", closed({ selector: text, quantity: text }), [
      eager({ selctor: "#a", quantity: "2" }, { selector: "#a", quantity: "2" }),
      eager({ selector: "#a", quanttity: "2" }, { selector: "#a", quantity: "2" }),
      eager({ seelctor: "#a", quantity: "2" }, { selector: "#a", quantity: "2" }),
    ]),
    given("one slip in a German key", closed({ empfaenger: text, betreff: text }), [
      eager({ empfaengger: "Li", betreff: "x" }, { empfaenger: "Li", betreff: "x" }),
      eager({ empfanger: "Li", betreff: "x" }, { empfaenger: "Li", betreff: "x" }),
      refused({ empfaenger: "Li", bettreff: "x" }),
    ]),
    given("ids, paths and amounts have no typos", closed({ id: choice("ORD-1042", "ORD-1024") }), [
      refused({ id: "ORD-1402" }),
      refused({ id: "ORD-104" }),
      refused({ id: "ORD-10042" }),
    ]),
  ],
};
