import { isJsonObject } from "../../json.ts";
import { inputsFor, object, texts } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";

export const listFromNumberedKeys: ValueEdit = {
  name: "list-from-numbered-keys",
  level: "safe",
  cost: 2,
  types: ["object"],
  fits: "allKeys",
  propose({ value }) {
    if (!isJsonObject(value)) return [];
    const keys = Object.keys(value);
    const areNumbered =
      keys.length > 0 && keys.every((key, index) => key === String(index));
    return areNumbered
      ? proposeValue(Object.values(value), "the keys are positions from 0 on")
      : [];
  },
};

export function listFromNumberedKeysSpec(): EditSpec {
  const files = object({ files: texts });
  return {
    does: "An object whose keys are 0, 1, 2 and so on becomes a list.",
    example: {
      schema: files,
      input: { files: { "0": "a.txt", "1": "b.txt" } },
      after: { files: ["a.txt", "b.txt"] },
    },
    notFor: inputsFor(
      files,
      { files: { "1": "a.txt", "2": "b.txt" } },
      { files: { "0": "a.txt", "2": "b.txt" } },
      { files: { "0": "a.txt", last: "b.txt" } },
    ),
  };
}
