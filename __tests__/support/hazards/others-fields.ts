import { given, type HazardClass, refused } from "./hazard.ts";
import { closed, number, open, text } from "./schemas.ts";

export const othersFields: HazardClass = {
  name: "Another thing's field",
  rule: "A field is never lifted out of an object: a parent's id is not the id.",
  groups: [
    given("a parent's id", closed({ amount: number, id: text }), [
      refused({ amount: 1, parent: { id: "5" } }),
      refused({ amount: 1, related: { id: "5" } }),
      refused('{"amount":1,"superseded_by":{"id":"5"}}'),
    ]),
    given("somebody else's address", closed({ email: text }), [
      refused({ spouse: { email: "a@b.example" } }),
      refused({ emergency_contact: { email: "a@b.example" } }),
    ]),
    given("a competitor's price", closed({ sku: text, price: number }), [
      refused({ sku: "A", rival: { price: 9 } }),
      refused({ sku: "A", last_year: { price: 9 } }),
    ]),
    given("what was", closed({ ticket: text, status: text }), [
      refused({ ticket: "T-1", previous: { status: "open" } }),
      refused({ ticket: "T-1", before: { status: "open" } }),
      refused({ ticket: "T-1", vorher: { status: "offen" } }),
    ]),
    given("what must not be", closed({ drug: text, dose: number }), [
      refused({ drug: "KCl", contraindicated: { dose: 5 } }),
      refused({ drug: "KCl", maximum: { dose: 5 } }),
      refused({ drug: "KCl", not: { dose: 5 } }),
    ]),
    given("what is only a draft or was refused", closed({ clause: text }), [
      refused({ draft: { clause: "§ 4" } }),
      refused({ rejected: { clause: "§ 4" } }),
      refused({ quoted: { clause: "§ 4" } }),
      refused({ opposing_party: { clause: "§ 4" } }),
    ]),
    given("where other keys are let through", open({ room: text, temperature: number }), [
      refused({ room: "attic", outside: { temperature: 3 } }),
      refused({ room: "attic", yesterday: { temperature: 3 } }),
    ]),
    given("from one of a list", closed({ name: text, phone: text }), [
      refused({ name: "Ada", relatives: [{ phone: "0170" }] }),
      refused({ name: "Ada", office: { phone: "0170" } }),
    ]),
    given("the joined name is declared", closed({ user_name: text }), [
      refused({ user: { name: "Ada" } }),
    ]),
    given("and beside others", closed({ weight: number, shipping_city: text }), [
      refused({ weight: 2, shipping: { city: "Ulm" } }),
    ]),
    given("in camel case", closed({ billingAddress: text, total: number }), [
      refused({ billing: { address: "Ulm 1" }, total: 3 }),
    ]),
  ],
};
