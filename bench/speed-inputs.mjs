/** Approximate number of characters of JSON; each order of the tool below is about 100. */
export const SIZES = [
  ["0.1 kB", 1],
  ["1 kB", 10],
  ["10 kB", 100],
  ["100 kB", 1000],
];

/** A realistic tool: strings, numbers, an enum, a list and optional fields. */
export const TOOL = {
  name: "import_orders",
  description: "Imports orders.",
  schema: {
    type: "object",
    properties: {
      orders: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: {
            sku: { type: "string", minLength: 1 },
            quantity: { type: "integer", minimum: 1 },
            price: { type: "number" },
            unit: { type: "string", enum: ["piece", "box", "pallet"] },
            tags: { type: "array", items: { type: "string" } },
            note: { type: "string" },
          },
          required: ["sku", "quantity", "price", "unit"],
          additionalProperties: false,
        },
      },
      dryRun: { type: "boolean" },
    },
    required: ["orders"],
    additionalProperties: false,
  },
};

/** @param {number} count */
export function validInput(count) {
  const orders = Array.from({ length: count }, (_, index) => ({
    sku: `sku-${1000 + index}`,
    quantity: 1 + (index % 9),
    price: 4.5 + index,
    unit: ["piece", "box", "pallet"][index % 3],
    tags: ["new", "fragile"],
  }));
  return { orders };
}

/** JSON as Python writes it, with spaces: BAML repairs hardly any text without them. */
export function textOf(value) {
  return JSON.stringify(value).replace(/(?<=[\]"\d}]),(?=["{])|(?<="):/g, (mark) => `${mark} `);
}

/** The fault in the text of a valid input, once, in its last order. */
export const KINDS = [
  ["valid", (text) => text],
  ["a number in quotes", (text) => atLast(text, /"quantity": (\d)/, '"quantity": "$1"')],
  ["a trailing comma", (text) => atLast(text, /"fragile"\]/, '"fragile",]')],
  [
    "two faults: an enum in capitals and a missing comma",
    (text) => atLast(atLast(text, /"unit": "(\w+)"/, upper), /, "tags"/, ' "tags"'),
  ],
];

function upper(_, unit) {
  return `"unit": "${unit.toUpperCase()}"`;
}

function atLast(text, pattern, replacement) {
  const start = text.lastIndexOf('{"sku"');
  return text.slice(0, start) + text.slice(start).replace(pattern, replacement);
}
