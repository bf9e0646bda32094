import type { JsonObject } from "#src/repair/types.ts";
import type { Random } from "../../fuzz/random.ts";

const NOTES = ["second reminder", "as agreed by phone", "for the March delivery", "no VAT"];
const CITIES = [
  [48.137, 11.575],
  [59.913, 10.752],
  [41.385, 2.173],
  [-33.868, 151.209],
  [35.676, 139.65],
] as const;

/** Creates a valid input of each tool. */
export const VALID_INPUTS: Readonly<Record<string, (random: Random) => JsonObject>> = {
  create_invoice: (random) => ({
    customer_id: customer(random),
    amount: random.below(90_000) / 100 + 1,
    currency: random.of(["EUR", "EUR", "USD", "GBP"]),
    ...(random.oneIn(4) ? { note: random.of(NOTES) } : {}),
  }),
  search_orders: (random) => ({
    status: random.of(["open", "open", "shipped", "cancelled"]),
    ...(random.oneIn(2) ? { limit: 5 + random.below(40) } : {}),
    ...(random.oneIn(3) ? { customer_id: customer(random) } : {}),
  }),
  update_ticket: (random) => ({
    ticket: `T-${1000 + random.below(8000)}`,
    priority: random.of(["low", "normal", "high", "urgent"]),
    ...(random.oneIn(3) ? { labels: labels(random) } : {}),
  }),
  get_weather: (random) => {
    const [latitude, longitude] = random.of(CITIES);
    // Nearly always metric, so that a default seems plausible.
    return { latitude, longitude, units: random.oneIn(40) ? "imperial" : "metric" };
  },
  show_map: (random) => ({
    url: `https://maps.example/${random.of(["harbour", "old-town", "station"])}/${random.below(900)}`,
    ...(random.oneIn(2) ? { zoom: 3 + random.below(15) } : {}),
  }),
  place_order: (random) => ({
    customer_id: customer(random),
    items: Array.from({ length: 1 + random.below(3) }, () => ({
      sku: `SKU-${100 + random.below(900)}`,
      quantity: 1 + random.below(12),
    })),
    ...(random.oneIn(5) ? { express: true } : {}),
  }),
  lookup_ip: (random) => ({
    ip_address: `10.${random.below(256)}.${random.below(256)}.${1 + random.below(250)}`,
    ...(random.oneIn(3) ? { fields: ["country", "owner"] } : {}),
  }),
  read_file: (random) => ({
    path: `/srv/data/${random.of(["orders", "tickets", "prices"])}-${random.below(400)}.csv`,
    ...(random.oneIn(3) ? { max_bytes: 1024 * (1 + random.below(64)) } : {}),
  }),
};

function customer(random: Random): string {
  return `C-${10_000 + random.below(80_000)}`;
}

function labels(random: Random): string[] {
  const all = ["billing", "bug", "delivery", "refund"];
  return all.slice(random.below(2), 2 + random.below(3));
}
