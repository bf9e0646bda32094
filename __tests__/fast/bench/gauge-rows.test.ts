import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { Ajv, type ValidateFunction } from "ajv";
import {
  type AttackRow,
  type GaugeTool,
  type PlainRow,
  readRows,
  VALID_CLASS,
} from "../../../bench/gauge/rows.ts";

const { plain, attacks } = readRows(join(__dirname, "..", "..", "..", "bench", "gauge", "rows"));
const idsOf = (rows: readonly (PlainRow | AttackRow)[]) => rows.map(({ id }) => id);
const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });

const validators = new Map<GaugeTool, ValidateFunction>();

/** Whether a tool's schema accepts a value. */
function accepts({ tool }: PlainRow | AttackRow, value: unknown): boolean {
  const schema = { ...(tool.schema as object), $schema: undefined };
  const validate = validators.get(tool) ?? ajv.compile(schema);
  validators.set(tool, validate);
  return validate(value) === true;
}

/** Whether the input needs no repair: what the provider parsed, or text that is JSON, is valid. */
function isValid(row: PlainRow | AttackRow): boolean {
  if (typeof row.raw !== "string") return accepts(row, row.raw);
  try {
    return accepts(row, JSON.parse(row.raw));
  } catch {
    return false;
  }
}

describe("the rows of the gauge", () => {
  test("are at least 400 plain ones and 800 attacks, each with its own id", () => {
    expect(plain.length).toBeGreaterThanOrEqual(400);
    expect(attacks.length).toBeGreaterThanOrEqual(800);
    const ids = idsOf([...plain, ...attacks]);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test("that are plain mean a value that the schema accepts, and have a fault", () => {
    expect(idsOf(plain.filter((row) => !accepts(row, row.want)))).toEqual([]);
    expect(idsOf(plain.filter(isValid))).toEqual([]);
    expect(idsOf(plain.filter(({ level }) => level !== "safe" && level !== "eager"))).toEqual([]);
  });

  test("that are attacks have a reason, allow only valid values, and are invalid unless they say so", () => {
    expect(idsOf(attacks.filter(({ why }) => why === ""))).toEqual([]);
    const allowsInvalid = (row: AttackRow) => row.allow.some((value) => !accepts(row, value));
    expect(idsOf(attacks.filter(allowsInvalid))).toEqual([]);
    const isMarked = (row: AttackRow) => row.class === VALID_CLASS;
    expect(idsOf(attacks.filter((row) => isValid(row) !== isMarked(row)))).toEqual([]);
  });

  test("that come from a text agent are text", () => {
    const fromText = [...plain, ...attacks].filter(({ agent }) => agent === "text");
    expect(idsOf(fromText.filter(({ raw }) => typeof raw !== "string"))).toEqual([]);
  });
});
