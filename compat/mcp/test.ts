// What strict modes and careless models write for the tools of published MCP servers.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { Ajv } from "ajv";
import { repairToolInput } from "toolmend";
import {
  EVERYTHING,
  FILESYSTEM,
  GITLAB,
  PLAYWRIGHT,
  type PublishedServer,
  type RunningServer,
  startServer,
} from "./servers.ts";
import { type FieldSchema, inputFor } from "./values.ts";

const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });

/** What a server of this version offers. */
interface Offer {
  readonly tools: number;
  /** The optional fields that reject null. */
  readonly optional: number;
  /** Those of them that stay null: a description speaks of null, of nothing or of empty text. */
  readonly kept: readonly string[];
  /** The lists, objects, numbers and booleans whose fields reject text. */
  readonly notText: number;
}

/** One field of one tool, and an input where only this field is faulty. */
interface FaultyField {
  readonly tool: StructuredToolInterface;
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly want: Record<string, unknown>;
}

// In all, null is left out from 454 of 460 optional fields, and 221 of 221 stringified values are read.
describeServer(FILESYSTEM, {
  tools: 14,
  optional: 8,
  // The tool: "directories always have a children array (which may be empty)".
  kept: ["directory_tree.excludePatterns"],
  notText: 9,
});
describeServer(EVERYTHING, { tools: 13, optional: 10, kept: [], notText: 8 });
describeServer(PLAYWRIGHT, { tools: 25, optional: 44, kept: [], notText: 20 });
describeServer(GITLAB, {
  tools: 118,
  optional: 398,
  kept: [
    // "Null is treated as omitted."
    "update_merge_request.milestone_id",
    // "the given user ID (integer), 'none', or 'any'"
    "list_merge_requests.assignee_id",
    "list_merge_requests.reviewer_id",
    "list_group_merge_requests.assignee_id",
    "list_group_merge_requests.reviewer_id",
  ],
  notText: 184,
});

function describeServer(published: PublishedServer, offer: Offer): void {
  describe(published.package, () => {
    let server: RunningServer;
    before(async () => {
      server = await startServer(published);
    });
    after(async () => {
      await server.stop();
      assert.throws(() => process.kill(server.pid, 0), "the server has ended");
    });

    test(`offers ${offer.tools} tools, and their valid inputs stay untouched`, async () => {
      assert.equal(server.tools.length, offer.tools);
      for (const tool of server.tools) {
        for (const fields of ["required", "all"] as const) {
          const input = inputFor(schemaOf(tool), fields);
          assert.ok(accepts(tool, input), `${tool.name}: the input is valid`);
          const result = await repairToolInput(input, tool);
          assert.ok(result.ok, tool.name);
          assert.equal(result.toolInput, input, tool.name);
          assert.deepEqual(result.repairs, []);
        }
      }
    });

    const left = offer.optional - offer.kept.length;
    test(`null in one of ${offer.optional} optional fields is left out from ${left}`, async () => {
      const faulty = server.tools.flatMap(nullFields);
      assert.equal(faulty.length, offer.optional);
      assert.deepEqual(await listUnrepaired(faulty), offer.kept);
    });

    test("null in all of them, as strict modes write it, is left out everywhere", async () => {
      const unrepaired: string[] = [];
      for (const tool of server.tools) {
        const input = inputFor(schemaOf(tool), "required and null");
        for (const name of Object.keys(input)) {
          if (offer.kept.includes(`${tool.name}.${name}`)) delete input[name];
        }
        const want = inputFor(schemaOf(tool), "required");
        if (!(await becomes(tool, input, want))) unrepaired.push(tool.name);
      }
      assert.deepEqual(unrepaired, []);
    });

    test(`each of ${offer.notText} stringified values is read`, async () => {
      const faulty = server.tools.flatMap(stringifiedFields);
      assert.equal(faulty.length, offer.notText);
      assert.deepEqual(await listUnrepaired(faulty), []);
    });

    test("an input whose every value is stringified is read", async () => {
      const unrepaired: string[] = [];
      for (const tool of server.tools) {
        const want = inputFor(schemaOf(tool), "all");
        const input = { ...want };
        for (const { name } of stringifiedFields(tool)) input[name] = JSON.stringify(want[name]);
        if (!(await becomes(tool, input, want))) unrepaired.push(tool.name);
      }
      assert.deepEqual(unrepaired, []);
    });
  });
}

/** Null for each optional field that rejects it, beside the required ones. */
function nullFields(tool: StructuredToolInterface): readonly FaultyField[] {
  const schema = schemaOf(tool);
  const want = inputFor(schema, "required");
  const optional = Object.keys(schema.properties ?? {}).filter((name) => !(name in want));
  return optional
    .map((name) => ({ tool, name, input: { ...want, [name]: null }, want }))
    .filter(({ input }) => !accepts(tool, input));
}

/** Each list, object, number and boolean as text, if its field rejects text. */
function stringifiedFields(tool: StructuredToolInterface): readonly FaultyField[] {
  const want = inputFor(schemaOf(tool), "all");
  const notText = Object.keys(want).filter((name) => typeof want[name] !== "string");
  return notText
    .map((name) => ({
      tool,
      name,
      input: { ...want, [name]: JSON.stringify(want[name]) },
      want,
    }))
    .filter(({ input }) => !accepts(tool, input));
}

/** The fields whose input does not become what was meant. */
async function listUnrepaired(faulty: readonly FaultyField[]): Promise<readonly string[]> {
  const unrepaired: string[] = [];
  for (const { tool, name, input, want } of faulty) {
    if (!(await becomes(tool, input, want))) unrepaired.push(`${tool.name}.${name}`);
  }
  return unrepaired;
}

/** Whether level `safe` repairs an input to exactly what was meant. */
async function becomes(
  tool: StructuredToolInterface,
  input: unknown,
  want: unknown,
): Promise<boolean> {
  const result = await repairToolInput(input, tool, { level: "safe" });
  if (!result.ok) return false;
  try {
    assert.deepStrictEqual(result.toolInput, want);
    return true;
  } catch {
    return false;
  }
}

function schemaOf({ schema }: StructuredToolInterface): FieldSchema {
  return schema as FieldSchema;
}

function accepts(tool: StructuredToolInterface, input: unknown): boolean {
  const schema = { ...(schemaOf(tool) as object), $schema: undefined };
  return ajv.validate(schema, input);
}
