import { expect, test } from "@jest/globals";
import ts from "typescript";
import { PUBLIC_EXPORTS } from "../../support/public-exports.ts";

const all = [
  ...new Map([...PUBLIC_EXPORTS.values()].flat().map((one) => [one.node, one])).values(),
];

/** The parts that the docstring of a function lacks. */
function lacks(node: ts.FunctionDeclaration): readonly string[] {
  const tags = ts.getJSDocTags(node).map((tag) => tag.tagName.text);
  const parameters = node.parameters.flatMap((parameter) => {
    const isTold = ts.getJSDocParameterTags(parameter).some(({ comment }) => comment);
    const isUnnamed = ts.isObjectBindingPattern(parameter.name) || parameter.dotDotDotToken;
    return isTold || isUnnamed ? [] : [parameter.name.getText()];
  });
  const isVoid = node.type === undefined || /^(?:Promise<)?void>?$/.test(node.type.getText());
  return [
    ...parameters.map((name) => `@param ${name}`),
    ...(isVoid || tags.includes("returns") || node.type?.getText().includes(" is ")
      ? []
      : ["@returns"]),
    ...(tags.includes("example") ? [] : ["@example"]),
  ];
}

test("every public export has a docstring", () => {
  expect(all.length).toBeGreaterThan(50);
  const bare = all.filter(({ node }) => ts.getJSDocCommentsAndTags(node).length === 0);
  expect(bare.map(({ name }) => name)).toEqual([]);
});

test("every public function documents its parameters and return value, and has an example", () => {
  const functions = all.flatMap(({ name, node }) =>
    ts.isFunctionDeclaration(node) && ts.getJSDocDeprecatedTag(node) === undefined
      ? [[name, lacks(node)] as const]
      : [],
  );
  expect(functions.length).toBeGreaterThan(25);
  expect(functions.filter(([, missing]) => missing.length > 0)).toEqual([]);
});
