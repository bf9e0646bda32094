import { describe, expect, test } from "@jest/globals";
import { missesOf } from "../../support/hazards/check.ts";
import { hazardClasses } from "../../support/hazards/table.ts";
import { sampled } from "../../support/tier.ts";

describe.each(hazardClasses.map((each) => [each.name, each] as const))("%s", (_, { groups }) => {
  const all = groups.flatMap(({ why, schema, hazards }) =>
    hazards.map((hazard) => [`${why}: ${JSON.stringify(hazard.raw)}`, hazard, schema] as const),
  );

  test.each(sampled(all, 20))("%s", async (_, hazard, schema) => {
    expect(await missesOf(hazard, schema)).toEqual([]);
  });
});
