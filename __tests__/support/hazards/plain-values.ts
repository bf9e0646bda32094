import { given, type HazardClass, refused, right } from "./hazard.ts";
import { closed, flag, link, list, number, open, text, whole } from "./schemas.ts";

const order = closed({ order_id: text, quantity: whole, "gift?": flag, "note?": text });

export const plainValues: HazardClass = {
  name: "Plain values and keys",
  rule: "A value of the wrong type with one reading, and a key in another spelling, are repaired.",
  groups: [
    given("keys in another case or with other separators", order, [
      right({ orderId: "A7", quantity: 2 }, { order_id: "A7", quantity: 2 }),
      right({ "order-id": "A7", Quantity: 2 }, { order_id: "A7", quantity: 2 }),
      right({ "order id": "A7", quantity: 2 }, { order_id: "A7", quantity: 2 }),
      right({ ORDER_ID: "A7", QUANTITY: 2 }, { order_id: "A7", quantity: 2 }),
      right({ "order_id ": "A7", quantity: 2 }, { order_id: "A7", quantity: 2 }),
      right({ '"order_id"': "A7", quantity: 2 }, { order_id: "A7", quantity: 2 }),
      right('{"OrderID":"A7","quantity":2}', { order_id: "A7", quantity: 2 }),
    ]),
    given("numbers, booleans and text", order, [
      right({ order_id: "A7", quantity: "2" }, { order_id: "A7", quantity: 2 }),
      right({ order_id: "A7", quantity: " 2 " }, { order_id: "A7", quantity: 2 }),
      right({ order_id: "A7", quantity: "2.0" }, { order_id: "A7", quantity: 2 }),
      right({ order_id: 7, quantity: 2 }, { order_id: "7", quantity: 2 }),
      right({ order_id: "A7", quantity: ["2"] }, { order_id: "A7", quantity: 2 }),
      right(
        { order_id: "A7", quantity: 2, gift: "true" },
        { order_id: "A7", quantity: 2, gift: true },
      ),
      right(
        { order_id: "A7", quantity: 2, gift: "False" },
        {
          order_id: "A7",
          quantity: 2,
          gift: false,
        },
      ),
      right({ order_id: "A7", quantity: 2, note: null }, { order_id: "A7", quantity: 2 }),
      right({ order_id: "A7", quantity: 2, gift: "null" }, { order_id: "A7", quantity: 2 }),
      right({ order_id: "A7", quantity: 2, gift: "None" }, { order_id: "A7", quantity: 2 }),
    ]),
    given("stringified values", closed({ tags: list(text), site: open({ host: text }) }), [
      right(
        { tags: '["a","b"]', site: '{"host":"db1"}' },
        { tags: ["a", "b"], site: { host: "db1" } },
      ),
      right(
        { tags: "['a', 'b']", site: "{'host': 'db1'}" },
        {
          tags: ["a", "b"],
          site: { host: "db1" },
        },
      ),
      right({ tags: "a", site: { host: "db1" } }, { tags: ["a"], site: { host: "db1" } }),
      right({ tags: [], site: { host: 5 } }, { tags: [], site: { host: "5" } }),
      right(
        { tags: { "0": "a", "1": "b" }, site: { host: "db1" } },
        {
          tags: ["a", "b"],
          site: { host: "db1" },
        },
      ),
    ]),
    given("a link in Markdown where a link is wanted", closed({ url: link }), [
      right({ url: "<https://a.example/x>" }, { url: "https://a.example/x" }),
      refused({ url: "[https://a.example/x](https://a.example/x)" }),
    ]),
    given("decimals in text", closed({ price: number, "rates?": list(number) }), [
      right({ price: "19.90" }, { price: 19.9 }),
      right({ price: "-3" }, { price: -3 }),
      right({ price: 1, rates: ["0.5", "2"] }, { price: 1, rates: [0.5, 2] }),
      right({ price: 1, rates: "[0.5, 2]" }, { price: 1, rates: [0.5, 2] }),
      right({ price: "1e3" }, { price: 1000 }),
    ]),
    given("a valid input is left alone", order, [
      right(
        { order_id: "00713", quantity: 2, note: "null" },
        {
          order_id: "00713",
          quantity: 2,
          note: "null",
        },
      ),
      right('{"order_id":"1e5","quantity":2,"note":"[a](b)"}', {
        order_id: "1e5",
        quantity: 2,
        note: "[a](b)",
      }),
    ]),
  ],
};
