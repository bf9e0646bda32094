import type { ToolLike } from "toolmend";
import type { JsonObject, JsonSchema } from "#src/repair/types.ts";

/** A tool of the planted log, and its usual valid inputs. */
export interface PlantedTool extends ToolLike {
  readonly schema: JsonSchema;
}

const text = { type: "string" } as const;

function tool(name: string, properties: JsonObject, required: readonly string[]): PlantedTool {
  const schema = {
    type: "object",
    properties,
    required: [...required],
    additionalProperties: false,
  };
  return { name, schema };
}

/** The tools before and after the day on which one of them gets another schema. */
export const TOOLS: readonly PlantedTool[] = [
  tool(
    "create_invoice",
    {
      customer_id: text,
      amount: { type: "number" },
      currency: { type: "string", enum: ["EUR", "USD", "GBP"] },
      note: text,
    },
    ["customer_id", "amount", "currency"],
  ),
  tool(
    "search_orders",
    {
      status: { type: "string", enum: ["open", "shipped", "cancelled"] },
      limit: { type: "integer" },
      customer_id: text,
    },
    ["status"],
  ),
  tool(
    "update_ticket",
    {
      ticket: text,
      priority: { type: "string", enum: ["low", "normal", "high", "urgent"] },
      labels: { type: "array", items: text },
    },
    ["ticket", "priority"],
  ),
  tool(
    "get_weather",
    {
      latitude: { type: "number" },
      longitude: { type: "number" },
      units: { type: "string", enum: ["metric", "imperial"] },
    },
    ["latitude", "longitude", "units"],
  ),
  tool("show_map", { url: { type: "string", format: "uri" }, zoom: { type: "integer" } }, ["url"]),
  tool(
    "place_order",
    {
      customer_id: text,
      items: {
        type: "array",
        items: {
          type: "object",
          properties: { sku: text, quantity: { type: "integer" } },
          required: ["sku", "quantity"],
          additionalProperties: false,
        },
      },
      express: { type: "boolean" },
    },
    ["customer_id", "items"],
  ),
  tool("lookup_ip", { ip_address: text, fields: { type: "array", items: text } }, ["ip_address"]),
  tool("read_file", { path: text, max_bytes: { type: "integer" } }, ["path"]),
];

/** `create_invoice` from the day of the change on: it has a due date, too. */
export const LATER_INVOICE: PlantedTool = tool(
  "create_invoice",
  {
    customer_id: text,
    amount: { type: "number" },
    currency: { type: "string", enum: ["EUR", "USD", "GBP", "CHF"] },
    due: { type: "string", format: "date" },
    note: text,
  },
  ["customer_id", "amount", "currency"],
);
