import type { Question } from "./question.ts";

/** An example question. */
export interface Example {
  readonly title: string;
  readonly question: Question;
}

/** The fields that an example sets; the others keep their defaults. */
type Asked = Partial<Question> & { readonly input: string; readonly name: string };

function example(title: string, schema: object, asked: Asked): Example {
  const text = JSON.stringify(schema, null, 2);
  const rest = { fixers: "", level: "safe", undeclared: "repair" } as const;
  return { title, question: { ...rest, schema: text, ...asked } };
}

function object(properties: Readonly<Record<string, object>>, required?: readonly string[]) {
  return { type: "object", properties, required: required ?? Object.keys(properties) };
}

const text = { type: "string" };
const orders = object({
  customer: text,
  items: { type: "array", items: object({ sku: text, quantity: { type: "integer" } }) },
  gift: { type: "boolean" },
});
const search = object({ query: text, limit: { type: "integer", default: 10 } }, ["query"]);

/** The examples, the simplest first. */
export const EXAMPLES: readonly Example[] = [
  example("JSON within text, and values that are text", orders, {
    name: "place_order",
    input:
      "Sure, here is the input:\n```json\n{'customer': 'Ann Lee', 'items': '[{\"sku\": \"A-17\", \"quantity\": \"2\"}]', 'gift': 'True',}\n```",
  }),
  example("The wrong key, with a fixer", object({ selector: text }), {
    name: "click",
    input: '{"element": "#buy"}',
    fixers: 'renameKey("element", "selector")',
  }),
  example("The wrong key without a fixer: rejected", object({ selector: text }), {
    name: "click",
    input: '{"element": "#buy"}',
  }),
  example("Only the value", object({ selector: text }), { name: "click", input: '"#buy"' }),
  example("A typing error in a key, at eager", search, {
    name: "search",
    input: '{"qurey": "red shoes", "limit": "5"}',
    level: "eager",
  }),
  example(
    "A choice in another spelling",
    object({ city: text, unit: { type: "string", enum: ["celsius", "fahrenheit"] } }),
    { name: "get_weather", input: '{"City": "Oslo", "unit": "Celsius"}' },
  ),
  example("Digits that JavaScript would lose", object({ account: text, version: text }), {
    name: "look_up",
    input: '{"account": 12345678901234567890, "version": 3.10}',
  }),
  example("Text that was cut off: rejected", object({ to: text, body: text }), {
    name: "send_mail",
    input: '{"to": "ann@example.com", "body": "Dear Ann, please do not',
    level: "eager",
  }),
  example(
    "A key that the tool would ignore: rejected",
    { ...object({ path: text }), additionalProperties: false },
    { name: "delete_folder", input: '{"path": "/srv/photos", "dry_run": true}', level: "eager" },
  ),
  example("An amount with a currency: rejected", object({ to: text, amount: { type: "number" } }), {
    name: "pay",
    input: '{"to": "bob", "amount": "12 EUR"}',
    level: "eager",
  }),
  example("Two calls in one: rejected", object({ to: text, amount: { type: "number" } }), {
    name: "pay",
    input: '{"to": "bob", "amount": 10}\n{"to": "bob", "amount": 12}',
  }),
  example("Valid, and not touched", search, {
    name: "search",
    input: '{"query": "red shoes", "limit": 5}',
  }),
];
