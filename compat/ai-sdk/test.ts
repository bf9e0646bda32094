// The recipe of docs/runtimes.md in the AI SDK 5, 6 and 7, with mock models.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createMCPClient } from "@ai-sdk/mcp";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { repairAiCall, validated } from "./recipe.ts";
import { run, VERSIONS, type Version, WAYS } from "./sdks.ts";

const here = dirname(fileURLToPath(import.meta.url));

const shape = {
  type: "object",
  properties: { count: { type: "integer" }, sides: { type: "array", items: { type: "integer" } } },
  required: ["count"],
};

test("the recipe is the code of docs/runtimes.md", () => {
  const recipe = readFileSync(join(here, "recipe.ts"), "utf8");
  const page = readFileSync(join(here, "..", "..", "docs", "runtimes.md"), "utf8");
  const plain = (code: string) =>
    code
      .replace(/\bexport /g, "")
      .replace(/\s+/g, " ")
      .trim();
  const [, , code = ""] = /^(.*\n){2}\n([\s\S]*)$/.exec(recipe) ?? [];
  assert.ok(plain(page).includes(plain(code)), "docs/runtimes.md has another recipe");
});

for (const version of VERSIONS) {
  for (const way of WAYS) {
    if (way === "ToolLoopAgent" && version.sdk.ToolLoopAgent === undefined) continue;
    describe(`AI SDK ${version.name}, ${way}`, () => runsRepaired(version, way));
  }
}

function runsRepaired(version: Version, way: (typeof WAYS)[number]): void {
  /** A tool that notes its inputs, with a zod schema and with a JSON Schema that nothing validates. */
  const toolsOf = (kind: "zod" | "jsonSchema") => {
    const ran: unknown[] = [];
    const execute = async (input: unknown) => {
      ran.push(input);
      return "rolled";
    };
    const zod = z.object({ count: z.int(), sides: z.array(z.int()).optional() });
    const inputSchema = kind === "zod" ? zod : version.sdk.jsonSchema(shape);
    return { ran, tools: { roll: { description: "Rolls dice.", inputSchema, execute } } };
  };

  const faulty = [
    ['{"count": "5", "sides": "[6, 8]"}', { count: 5, sides: [6, 8] }],
    ['{"Count": 5, "sides": null}', { count: 5 }],
    ['{"count": 5,', undefined],
    ["{'count': 5}", { count: 5 }],
  ] as const;

  for (const [input, repaired] of faulty) {
    test(`${input} of a zod tool`, async () => {
      const { ran, tools } = toolsOf("zod");
      const { secondPrompt, recorded } = await run(
        version,
        way,
        tools,
        { name: "roll", input },
        repairAiCall,
      );
      if (repaired === undefined) {
        assert.deepEqual(ran, []);
        assert.match(secondPrompt, /The input of tool \\+"roll\\+" was not accepted/);
        return;
      }
      assert.deepEqual(ran, [repaired]);
      assert.deepEqual(recorded, [repaired]);
      assert.ok(secondPrompt.includes(JSON.stringify(repaired)), secondPrompt);
    });
  }

  test("without the recipe, none of them runs", async () => {
    for (const [input] of faulty) {
      const { ran, tools } = toolsOf("zod");
      await run(version, way, tools, { name: "roll", input });
      assert.deepEqual(ran, [], input);
    }
  });

  test("a valid call is not asked about", async () => {
    const { ran, tools } = toolsOf("zod");
    const repair = () => assert.fail("asked");
    await run(version, way, tools, { name: "roll", input: '{"count": 5}' }, repair);
    assert.deepEqual(ran, [{ count: 5 }]);
  });

  test("a name in another spelling is repaired, and the model reads of an unknown one", async () => {
    const { ran, tools } = toolsOf("zod");
    await run(version, way, tools, { name: "Roll", input: '{"count": 5}' }, repairAiCall);
    assert.deepEqual(ran, [{ count: 5 }]);
    const { secondPrompt } = await run(
      version,
      way,
      tools,
      { name: "fly", input: "{}" },
      repairAiCall,
    );
    assert.match(secondPrompt, /there is no tool of that name|Call one of the available tools/);
  });

  test("a call that the provider has run is left alone", async () => {
    const call = {
      toolCallId: "1",
      toolName: "roll",
      input: "{'count': 5}",
      providerExecuted: true,
    };
    assert.equal(await repairAiCall({ toolCall: call, tools: toolsOf("zod").tools }), null);
  });

  test("jsonSchema() without validated(): what is wrong runs", async () => {
    const { ran, tools } = toolsOf("jsonSchema");
    const input = '{"count": "5", "sides": "[6, 8]"}';
    await run(version, way, tools, { name: "roll", input }, repairAiCall);
    assert.deepEqual(ran, [JSON.parse(input)]);
  });

  for (const [input, repaired] of faulty) {
    test(`${input} of jsonSchema() with validated()`, async () => {
      const { ran, tools } = toolsOf("jsonSchema");
      await run(version, way, validated(tools), { name: "roll", input }, repairAiCall);
      assert.deepEqual(ran, repaired === undefined ? [] : [repaired]);
    });
  }

  test("validated() leaves the tools of zod to zod", async () => {
    const { ran, tools } = toolsOf("zod");
    await run(
      version,
      way,
      validated(tools),
      { name: "roll", input: '{"count": "5"}' },
      repairAiCall,
    );
    assert.deepEqual(ran, [{ count: 5 }]);
  });

  test("validated() leaves valid inputs alone, and repairs an undeclared key", async () => {
    const { ran, tools } = toolsOf("jsonSchema");
    const asked: unknown[] = [];
    const repair = (given: Parameters<typeof repairAiCall>[0]) => {
      asked.push(given);
      return repairAiCall(given);
    };
    await run(version, way, validated(tools), { name: "roll", input: '{"count": 5}' }, repair);
    assert.deepEqual([ran, asked], [[{ count: 5 }], []]);
    await run(
      version,
      way,
      validated(tools),
      { name: "roll", input: '{"count": 5, "Sides": [6]}' },
      repair,
    );
    assert.deepEqual(ran[1], { count: 5, sides: [6] });
  });
}

describe("the tools of a server of MCP, in AI SDK 7", () => {
  test("are repaired with validated()", async () => {
    const server = new McpServer({ name: "dice", version: "1.0.0" });
    const ran: unknown[] = [];
    const inputSchema = { count: z.int(), sides: z.array(z.int()).optional() };
    server.registerTool("roll", { inputSchema }, async (input) => {
      ran.push(input);
      return { content: [{ type: "text", text: "rolled" }] };
    });
    const [atClient, atServer] = InMemoryTransport.createLinkedPair();
    await server.connect(atServer);
    const client = await createMCPClient({ transport: atClient as never });
    const tools = validated(await client.tools());
    const version = VERSIONS[2] ?? assert.fail();
    const call = { name: "roll", input: '{"count": "5", "sides": "[6]"}' };
    await run(version, "generateText", tools, call, repairAiCall);
    assert.deepEqual(ran, [{ count: 5, sides: [6] }]);
    await client.close();
  });
});
