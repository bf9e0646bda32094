import { describe, expect, test } from "@jest/globals";
import { createFixerRegistry, type RepairOptions, repairToolCall, repairToolInput } from "toolmend";
import { specifiedEdits } from "#src/repair/align/edits/specs.ts";
import { toolNameEdits } from "#src/repair/align/repair-tool-name.ts";
import { SWITCHABLE_EDITS } from "#src/repair/edit-switches.ts";
import { integer, object, text } from "../../support/repair/align/run.ts";

const click = { name: "click", schema: object({ selector: text, "times?": integer }, true) };

async function repair(raw: unknown, options: RepairOptions): Promise<unknown> {
  const result = await repairToolInput(raw, click, options);
  return result.ok ? result.toolInput : "refused";
}

test("every edit that is specified, of text and of names has a switch, and no other name does", () => {
  const ofText = ["parse-json", "json-syntax", "close-brackets"];
  const ofInputs = specifiedEdits.map(({ edit }) => edit.name);
  const ofNames = toolNameEdits.map(({ name }) => name);
  // `fill-default` is two edits of one name.
  const names = new Set<string>([...ofText, ...ofInputs, ...ofNames]);
  expect([...SWITCHABLE_EDITS].sort()).toEqual([...names].sort());
});

describe("an edit that is switched on", () => {
  const slip = { selctor: "#buy" };
  test("is made at a level that lacks it", async () => {
    expect(await repair(slip, {})).toBe("refused");
    expect(await repair(slip, { edits: { "correct-key": true } })).toEqual({ selector: "#buy" });
    const strict = { level: "strict", edits: { "correct-key": true } } as const;
    expect(await repair(slip, strict)).toEqual({ selector: "#buy" });
  });

  test("is made where only fixers run: null is left out, a misspelt choice is corrected", async () => {
    const nulls = { level: "strict", edits: { "drop-null": true } } as const;
    expect(await repair({ selector: "#buy", times: null }, nulls)).toEqual({ selector: "#buy" });
    const unit = { type: "string", enum: ["celsius", "fahrenheit"] };
    const tool = { name: "heat", schema: object({ unit }) };
    const edits = { "correct-choice": true };
    const corrected = await repairToolInput({ unit: "celsuis" }, tool, { edits });
    expect(corrected).toMatchObject({ ok: true, toolInput: { unit: "celsius" } });
  });

  test("enables no other edit", async () => {
    const edits = { "correct-key": true };
    expect(await repair({ selector_text: "#buy" }, { level: "eager" })).not.toBe("refused");
    expect(await repair({ selector_text: "#buy" }, { edits })).toBe("refused");
    expect(await repair({ selctor: "#buy", times: "5" }, { level: "strict", edits })).toBe(
      "refused",
    );
    expect(await repair({ selctor: "#buy", times: "5" }, { edits })).toEqual({
      selector: "#buy",
      times: 5,
    });
  });

  test("works on text, too", async () => {
    const broken = "{'selector': '#buy'}";
    const cut = '{"selector": "#buy"';
    expect(await repair(broken, { level: "strict" })).toBe("refused");
    const edits = { "json-syntax": true, "close-brackets": true };
    expect(await repair(broken, { level: "strict", edits })).toEqual({ selector: "#buy" });
    expect(await repair(cut, {})).toBe("refused");
    expect(await repair(cut, { edits })).toEqual({ selector: "#buy" });
  });
});

describe("an edit that is switched off", () => {
  test("is not made at a level that has it, and no costlier edit replaces it", async () => {
    const input = { selector: "#buy", times: "5" };
    expect(await repair(input, {})).toEqual({ selector: "#buy", times: 5 });
    expect(await repair(input, { level: "eager", edits: { "read-number": false } })).toBe(
      "refused",
    );
  });

  test("is not made on text, and the error names it", async () => {
    const result = await repairToolInput("{'selector': '#buy'}", click, {
      edits: { "json-syntax": false },
    });
    if (result.ok) throw new Error("It must be refused.");
    expect(result.error.message).toContain('"json-syntax" is switched off (option edits)');
  });

  test("is not made on an undeclared key that the schema accepts", async () => {
    const open = { name: "click", schema: object({ selector: text, "maxTimes?": integer }) };
    const input = { selector: "#buy", max_times: 5 };
    const off = { edits: { "respell-key": false } };
    expect(await repairToolInput(input, open)).toMatchObject({ toolInput: { maxTimes: 5 } });
    expect(await repairToolInput(input, open, off)).toMatchObject({ toolInput: input });
  });
});

describe("switches", () => {
  test("hold for one of several edits of a level", async () => {
    const pay = {
      name: "pay",
      schema: object({ currency: { enum: ["US dollars", "shillings"] } }, true),
    };
    const slip = { currency: "shilllings" };
    const eager = await repairToolInput(slip, pay, { level: "eager" });
    expect(eager).toMatchObject({ toolInput: { currency: "shillings" } });
    const off = { level: "eager", edits: { "correct-choice": false } } as const;
    expect(await repairToolInput(slip, pay, off)).toMatchObject({ ok: false });
    const on = { level: "safe", edits: { "correct-choice": true } } as const;
    expect(await repairToolInput(slip, pay, on)).toMatchObject({
      toolInput: { currency: "shillings" },
    });
  });

  test("apply in order, edit by edit: the tool's, the options', the registry's", async () => {
    const slip = { selctor: "#buy" };
    const fixers = createFixerRegistry([click], { edits: { "correct-key": true } });
    expect(await repair(slip, { fixers })).toEqual({ selector: "#buy" });
    expect(await repair(slip, { fixers, edits: { "correct-key": false } })).toBe("refused");
    fixers.register("*", { edits: { "correct-key": true } });
    fixers.register("click", { edits: { "read-number": false } });
    expect(await repair(slip, { fixers, edits: { "correct-key": false } })).toEqual({
      selector: "#buy",
    });
    expect(await repair({ selector: "#buy", times: "5" }, { fixers })).toBe("refused");
  });

  test("apply to tool names", async () => {
    const call = { name: "???", args: { selector: "#buy" } };
    const on = await repairToolCall(call, [click], { edits: { "take-only-tool": true } });
    expect(on).toMatchObject({ ok: true, nameRepair: { fixer: "take-only-tool" } });
    expect(await repairToolCall(call, [click])).toMatchObject({ ok: false });
    const off = { level: "eager", edits: { "take-only-tool": false } } as const;
    expect(await repairToolCall(call, [click], off)).toMatchObject({ ok: false });
  });

  test.each([
    [{ "corect-key": true }, /no option "corect-key" .*"edits"\. Did you mean "correct-key"\?/],
    [{ "correct-key": "eager" }, /"correct-key" .*"edits" must be true or false, not "eager"/],
    [["correct-key"], /must be an object such as/],
    [{ toString: true }, /no option "toString"/],
  ])("with the invalid value %j are rejected", (edits, message) => {
    const given = { edits } as never;
    expect(() => createFixerRegistry([click], given)).toThrow(message);
    expect(() => createFixerRegistry([click]).register("click", given)).toThrow(message);
    return expect(repairToolInput({ selctor: "" }, click, given)).rejects.toThrow(message);
  });
});
