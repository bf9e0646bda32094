import { z } from "zod";

/** A small tool; its input is some 55 characters of JSON. */
export const SMALL = {
  name: "click",
  description: "Clicks.",
  schema: {
    type: "object",
    properties: {
      selector: { type: "string" },
      button: { enum: ["left", "right"] },
      count: { type: "integer", minimum: 1 },
    },
    required: ["selector"],
    additionalProperties: false,
  },
};

/** A tool whose input grows, by about a hundred characters for each order. */
export const LARGE = {
  name: "import_orders",
  description: "Imports orders.",
  schema: {
    type: "object",
    properties: {
      orders: {
        type: "array",
        items: {
          type: "object",
          properties: {
            sku: { type: "string", minLength: 1 },
            count: { type: "integer", minimum: 1 },
            price: { type: "number" },
            unit: { type: "string", enum: ["piece", "box", "pallet"] },
            tags: { type: "array", items: { type: "string" } },
          },
          required: ["sku", "count", "price", "unit"],
          additionalProperties: false,
        },
      },
    },
    required: ["orders"],
    additionalProperties: false,
  },
};

/** The same tools with zod's schemas. */
export const ZOD = {
  small: { ...SMALL, schema: z.fromJSONSchema(SMALL.schema as never) },
  large: { ...LARGE, schema: z.fromJSONSchema(LARGE.schema as never) },
};

/** The inputs of one size. */
export interface Sized {
  readonly size: string;
  readonly isSmall: boolean;
  readonly value: object;
  readonly text: string;
}

/** An input of a size. */
export function inputOf(size: string): Sized {
  const orders = ORDERS[size];
  const value =
    orders === undefined
      ? { selector: "#buy", button: "left", count: 2 }
      : { orders: Array.from({ length: orders }, (_, index) => orderOf(index)) };
  return { size, isSmall: orders === undefined, value, text: JSON.stringify(value) };
}

const ORDERS: Readonly<Record<string, number>> = {
  "1 kB": 11,
  "10 kB": 110,
  "100 kB": 1_100,
  "1 MB": 11_000,
};

function orderOf(index: number) {
  const unit = ["piece", "box", "pallet"][index % 3];
  return {
    sku: `sku-${1000 + index}`,
    count: 1 + (index % 9),
    price: 4.5 + index,
    unit,
    tags: ["new"],
  };
}

/** A superfluous comma after the last value. */
export function withComma(text: string): string {
  return text.replace(/(\]?\}?\]?\})$/, ",$1");
}

/** The last count in quotes. */
export function withQuotes(text: string): string {
  const start = text.lastIndexOf('"count":');
  return text.slice(0, start) + text.slice(start).replace(/(\d+)/, '"$1"');
}

/** The last count as unreadable text. */
export function withNonsense(text: string): string {
  const start = text.lastIndexOf('"count":');
  return text.slice(0, start) + text.slice(start).replace(/(\d+)/, '"some or none"');
}
