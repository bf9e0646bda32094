import { atMost, given, type HazardClass, refused, right } from "./hazard.ts";
import { closed, constant, either, flag, list, number, text, whole } from "./schemas.ts";

export const unionFields: HazardClass = {
  name: "Fields of a union",
  rule: "A field that any branch of a union declares is never dropped to make another branch fit.",
  groups: [
    given(
      "a flag of the other branch",
      either(closed({ ref: text }), closed({ ref: text, urgent: flag })),
      [
        refused({ ref: "MRI-7", urgent: "perhaps" }),
        refused('{"ref":"MRI-7","urgent":"perhaps"}'),
        refused({ ref: "MRI-7", urgent: [] }),
        right({ ref: "MRI-7", urgent: "true" }, { ref: "MRI-7", urgent: true }),
      ],
    ),
    given(
      "a filter of the other branch",
      either(closed({ table: text }), closed({ table: text, filter: text })),
      [
        refused({ table: "patients", filter: { ward: 5 } }),
        refused({ table: "patients", filter: [{ ward: 5 }] }),
        right({ table: "patients", filter: 5 }, { table: "patients", filter: "5" }),
      ],
    ),
    given(
      "a currency of the other branch",
      either(
        closed({ payee: text, sum: number }),
        closed({ payee: text, sum: number, currency: text }),
      ),
      [
        atMost(
          { payee: "Li", sum: 3, currency: ["CHF"] },
          { payee: "Li", sum: 3, currency: "CHF" },
        ),
        refused({ payee: "Li", sum: 3, currency: ["CHF", "EUR"] }),
        refused({ payee: "Li", sum: 3, currency: { code: "CHF", rate: 2 } }),
        refused({ payee: "Li", sum: "much", currency: "CHF" }),
      ],
    ),
    given(
      "two fields of the other branch, one of them wrong",
      either(closed({ playlist: text }), closed({ playlist: text, shuffle: flag, seed: whole })),
      [
        refused({ playlist: "Jazz", shuffle: "maybe", seed: 3 }),
        refused({ playlist: "Jazz", shuffle: true, seed: "three" }),
        refused({ playlist: "Jazz", shuffle: true }),
        right(
          { playlist: "Jazz", shuffle: "False", seed: "3" },
          { playlist: "Jazz", shuffle: false, seed: 3 },
        ),
      ],
    ),
    given(
      "a union deeper down",
      closed({ target: either(closed({ host: text }), closed({ host: text, port: whole })) }),
      [
        refused({ target: { host: "db1", port: "five" } }),
        refused({ target: { host: "db1", port: {} } }),
        right({ target: { host: "db1", port: "5432" } }, { target: { host: "db1", port: 5432 } }),
      ],
    ),
    given(
      "the branch that the input names is the branch",
      either(
        closed({ kind: constant("mail"), address: text }),
        closed({ kind: constant("sms"), number: text }),
      ),
      [
        refused({ kind: "mail", number: "0170" }),
        refused({ kind: "sms", address: "Ulm" }),
        refused({ kind: "fax", number: "0170" }),
        refused({ kind: "mail", address: { street: "a", town: "b" } }),
        right({ kind: "sms", number: 170 }, { kind: "sms", number: "170" }),
        right({ kind: "Mail", address: "Ulm" }, { kind: "mail", address: "Ulm" }),
      ],
    ),
    given(
      "both branches at once are none",
      either(closed({ iban: text }), closed({ card: text, cvc: text })),
      [refused({ iban: "DE02", card: "4111" }), refused({ iban: "DE02", card: "4111", cvc: "1" })],
    ),
    given(
      "elements of a list of branches",
      closed({
        steps: list(either(closed({ click: text }), closed({ click: text, times: whole }))),
      }),
      [
        refused({ steps: [{ click: "#a" }, { click: "#b", times: "often" }] }),
        right({ steps: [{ click: "#b", times: "2" }] }, { steps: [{ click: "#b", times: 2 }] }),
      ],
    ),
  ],
};
