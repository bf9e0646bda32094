import { beforeAll, expect, test } from "@jest/globals";
import { runCli } from "../../support/cli/run-cli.ts";
import { makeProject } from "../../support/langchain/register/make-project.ts";

const schema = {
  type: "object",
  properties: { selector: { type: "string" }, times: { type: "number" } },
  required: ["selector"],
  additionalProperties: false,
};
let project = "";
beforeAll(() => {
  project = makeProject({ "schema.json": schema, "broken.json": "{" });
});
const repair = (input: string, ...args: string[]) =>
  runCli(project, ["repair", "--schema", "schema.json", ...args], { input });

test("prints the repaired JSON, and the repairs on stderr", async () => {
  const { code, out, err } = await repair('{"selector": "#a", "times": "5"}\n');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({ selector: "#a", times: 5 });
  expect(err).toMatch(/^safe \S+ at \/times: "5" → 5$/);
});

test("a valid input has no repairs", async () => {
  expect(await repair('{"selector":"#a"}')).toMatchObject({ code: 0, err: "" });
});

test("the level applies; a rejection has exit code 2 and a reason", async () => {
  const input = '{"selector_text": "#a"}';
  expect((await repair(input, "--level", "eager")).code).toBe(0);
  const { code, out, err } = await repair(input, "--level", "strict", "--name", "click");
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain('of tool "click"');
  expect((await repair("")).code).toBe(2);
});

test('"auto" is no level of the command line, because there is no tool to ask', async () => {
  const { code, out, err } = await repair('{"selector": "#a"}', "--level", "auto");
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(/--level must be strict or safe or eager, not "auto"/);
});

test("misuse of the command line is exit code 1", async () => {
  const lines = [
    ["repair"],
    ["repair", "--schema", "nowhere.json"],
    ["repair", "--schema", "broken.json"],
    ["repair", "--schema", "schema.json", "--level", "wild"],
    ["repair", "--wrong"],
    ["nothing"],
    ["constructor"],
  ];
  for (const args of lines) {
    const { code, out, err } = await runCli(project, args, { input: "{}" });
    expect([args, code, out]).toEqual([args, 1, ""]);
    expect(err).not.toBe("");
  }
});

test("help", async () => {
  for (const args of [[], ["--help"], ["repair", "--help"]]) {
    expect(await runCli(project, args)).toMatchObject({
      code: 0,
      out: expect.stringContaining("toolmend repair --schema"),
    });
  }
});
