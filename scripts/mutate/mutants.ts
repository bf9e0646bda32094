// The mutants of a file: one small change each, such as `<` → `<=` or a condition that is always true.
//
// Left out are changes that no test could notice, or none should: types, imports, prose (a string with
// spaces, an error's text, a field named `message` or `reason`), and a change that another one implies.
// A test that notices that `b` is missing in `a && b` notices that it is negated, too.
import ts from "typescript";
import { regexMutations } from "./regex-mutations.ts";

/** A change of a file's text, and the expression or statement that is written twice to switch it. */
export interface Mutant {
  readonly line: number;
  readonly column: number;
  readonly mutator: string;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
  readonly host: Host;
  /** Where its function begins, or its statement outside of functions. */
  readonly scope: number;
  /** The constant of the module that it changes: only a test that reads this constant can notice. */
  readonly constant?: string;
}

/** A place where a constant of the module is read. */
export interface ConstantRead {
  readonly constant: string;
  readonly start: number;
  readonly end: number;
}

export interface MutantsOfFile {
  /** In the order of the text. */
  readonly mutants: readonly Mutant[];
  readonly reads: readonly ConstantRead[];
}

/** A part of the text that can stand in a conditional expression, or in a block. */
export interface Host {
  readonly start: number;
  readonly end: number;
  readonly isStatement: boolean;
}

const { SyntaxKind } = ts;

/** Compared with the boundary itself on the other side. */
const BOUNDARIES = new Map<ts.SyntaxKind, string>([
  [SyntaxKind.LessThanToken, "<="],
  [SyntaxKind.LessThanEqualsToken, "<"],
  [SyntaxKind.GreaterThanToken, ">="],
  [SyntaxKind.GreaterThanEqualsToken, ">"],
]);

const EQUALITIES = new Map<ts.SyntaxKind, string>([
  [SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [SyntaxKind.ExclamationEqualsEqualsToken, "==="],
]);

const ARITHMETIC = new Map<ts.SyntaxKind, string>([
  [SyntaxKind.PlusToken, "-"],
  [SyntaxKind.MinusToken, "+"],
  [SyntaxKind.AsteriskToken, "/"],
  [SyntaxKind.AsteriskAsteriskToken, "*"],
  [SyntaxKind.SlashToken, "*"],
  [SyntaxKind.PercentToken, "*"],
  [SyntaxKind.PlusEqualsToken, "-="],
  [SyntaxKind.MinusEqualsToken, "+="],
]);

const LOGIC = new Set<ts.SyntaxKind>([SyntaxKind.AmpersandAmpersandToken, SyntaxKind.BarBarToken]);

/** Methods whose opposite takes the same arguments. */
const OPPOSITES = new Map([
  ["some", "every"],
  ["every", "some"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["min", "max"],
  ["max", "min"],
]);

/** Methods that return what they are called on, changed: `texts.filter(isShort)` → `texts`. */
const PASSING = new Set([
  "filter",
  "flat",
  "normalize",
  "replace",
  "replaceAll",
  "reverse",
  "slice",
  "sort",
  "toLowerCase",
  "toReversed",
  "toSorted",
  "toUpperCase",
  "trim",
  "trimEnd",
  "trimStart",
]);

/** Fields that a human reads. */
const PROSE_FIELDS = new Set(["description", "expected", "hint", "message", "reason", "title"]);

/** All mutants of a file. */
export function mutantsOf(file: string, text: string): MutantsOfFile {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const constants = privateConstants(source);
  const mutants: Mutant[] = [];
  const reads: ConstantRead[] = [];

  const add = (mutator: string, host: ts.Node, span: Span, after: string) => {
    const { line, character } = source.getLineAndCharacterOfPosition(span.start);
    const whole = ts.isExpression(host) ? topOfChain(host) : host;
    const constant = constantAround(host);
    mutants.push({
      line: line + 1,
      column: character + 1,
      mutator,
      ...span,
      before: text.slice(span.start, span.end),
      after,
      host: {
        start: whole.getStart(source),
        end: whole.getEnd(),
        isStatement: ts.isStatement(whole),
      },
      scope: scopeOf(host).getStart(source),
      ...(constant !== undefined && constants.has(constant) && { constant }),
    });
  };
  const spanOf = (node: ts.Node): Span => ({ start: node.getStart(source), end: node.getEnd() });
  const replace = (mutator: string, node: ts.Node, after: string) =>
    add(mutator, node, spanOf(node), after);

  const visit = (node: ts.Node): void => {
    if (hasNoMutants(node)) return;
    if (ts.isIdentifier(node) && constants.has(node.text)) {
      reads.push({ constant: node.text, ...spanOf(node) });
    }
    if (ts.isBinaryExpression(node)) visitBinary(node);
    if (ts.isCallExpression(node)) visitCall(node);
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) visitUnary(node);
    if (ts.isExpressionStatement(node)) visitStatement(node);
    if (ts.isExpression(node)) visitLiteral(node);
    visitCondition(node);
    ts.forEachChild(node, visit);
  };

  const visitCondition = (node: ts.Node) => {
    const condition = conditionOf(node);
    if (condition === undefined) return;
    // Operands of `&&` are dropped, which implies that it is true; those of `||`, that it is false.
    const isTrueImplied = isLoop(node) || isLogic(condition, SyntaxKind.AmpersandAmpersandToken);
    const isFalseImplied = isLogic(condition, SyntaxKind.BarBarToken);
    if (!isTrueImplied) replace("condition", condition, "true");
    if (!isFalseImplied) replace("condition", condition, "false");
  };

  const visitBinary = (node: ts.BinaryExpression) => {
    const { left, operatorToken, right } = node;
    const operator = operatorToken.kind;
    const boundary = BOUNDARIES.get(operator);
    const hasNumber = ts.isNumericLiteral(left) || ts.isNumericLiteral(right);
    // A number is made one larger and one smaller: that moves the boundary.
    if (boundary !== undefined && !hasNumber) {
      add("boundary", node, spanOf(operatorToken), boundary);
    }
    const equality = EQUALITIES.get(operator);
    if (equality !== undefined && !isImplied(node)) {
      add("equality", node, spanOf(operatorToken), equality);
    }
    const arithmetic = ARITHMETIC.get(operator);
    if (arithmetic !== undefined && !isText(left) && !isText(right)) {
      add("arithmetic", node, spanOf(operatorToken), arithmetic);
    }
    const isDefault = operator === SyntaxKind.QuestionQuestionToken;
    if (!isDefault && !LOGIC.has(operator)) return;
    const mutator = isDefault ? "default" : "logic";
    // The left part of a longer chain is dropped operand by operand.
    if (!isLogic(left, operator)) {
      add(mutator, node, { start: node.getStart(source), end: right.getStart(source) }, "");
    }
    add(mutator, node, { start: left.getEnd(), end: node.getEnd() }, "");
  };

  const visitCall = (node: ts.CallExpression) => {
    if (!ts.isPropertyAccessExpression(node.expression)) return;
    const { expression: subject, name } = node.expression;
    const opposite = OPPOSITES.get(name.text);
    if (opposite !== undefined) add("method", node, spanOf(name), opposite);
    if (PASSING.has(name.text)) {
      add("method", node, { start: subject.getEnd(), end: node.getEnd() }, "");
    }
  };

  const visitUnary = (node: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression) => {
    if (node.operator === SyntaxKind.ExclamationToken) {
      if (!isImplied(node)) replace("negation", node, node.operand.getText(source));
    } else if (node.operator === SyntaxKind.PlusPlusToken) {
      replace("arithmetic", node, node.getText(source).replace("++", "--"));
    } else if (node.operator === SyntaxKind.MinusMinusToken) {
      replace("arithmetic", node, node.getText(source).replace("--", "++"));
    }
  };

  const visitStatement = (node: ts.ExpressionStatement) => {
    const isCallOfSuper =
      ts.isCallExpression(node.expression) &&
      node.expression.expression.kind === SyntaxKind.SuperKeyword;
    if (!isCallOfSuper) replace("statement", node, "");
  };

  const visitLiteral = (node: ts.Expression) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const regex = node.getText(source);
      for (const { start, end, after } of regexMutations(regex)) {
        const from = node.getStart(source);
        add("regex", node, { start: from + start, end: from + end }, after);
      }
    }
    if (ts.isNumericLiteral(node)) {
      const number = Number(node.text.replaceAll("_", ""));
      replace("number", node, String(number + 1));
      replace("number", node, String(number - 1));
    }
    if (isImplied(node)) return;
    if (node.kind === SyntaxKind.TrueKeyword) replace("boolean", node, "false");
    if (node.kind === SyntaxKind.FalseKeyword) replace("boolean", node, "true");
    if (ts.isStringLiteralLike(node) && !isSparedText(node)) {
      replace("text", node, node.text === "" ? '"changed"' : '""');
    }
  };

  visit(source);
  mutants.sort((mutant, next) => mutant.start - next.start || mutant.end - next.end);
  return { mutants, reads };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Types, imports, names of properties, and directives. */
function hasNoMutants(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return true;
  if (ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isExpressionStatement(node) && ts.isStringLiteral(node.expression)) return true;
  // the cases of an edit are what its tests run
  if (ts.isFunctionDeclaration(node) && node.type?.getText() === "EditSpec") return true;
  const isImport = ts.isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword;
  return isImport || isPropertyName(node);
}

function isPropertyName(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined || ts.isComputedPropertyName(node)) return false;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return "name" in parent && parent.name === node;
}

function conditionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return node.expression;
  if (ts.isDoStatement(node)) return node.expression;
  return ts.isConditionalExpression(node) || ts.isForStatement(node) ? node.condition : undefined;
}

/** A loop without an end would only be stopped by the clock. */
function isLoop(node: ts.Node): boolean {
  return ts.isIterationStatement(node, false);
}

function isLogic(node: ts.Node, operator: ts.SyntaxKind): boolean {
  return LOGIC.has(operator) && ts.isBinaryExpression(node) && node.operatorToken.kind === operator;
}

/** Whether turning a node is implied by making a condition true or false, or by dropping an operand. */
function isImplied(node: ts.Node): boolean {
  let { parent } = node;
  let operand = node;
  while (ts.isParenthesizedExpression(parent)) [operand, parent] = [parent, parent.parent];
  if (conditionOf(parent) === operand) return true;
  return ts.isBinaryExpression(parent) && LOGIC.has(parent.operatorToken.kind);
}

/** Whether an operand of `+` is visibly text. */
function isText(node: ts.Expression): boolean {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return true;
  return ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right));
}

/** Texts that are prose, or that another mutant covers: a compared one, and the empty default. */
function isSparedText(node: ts.StringLiteralLike): boolean {
  if (/\S\s+\S/.test(node.text)) return true;
  const { parent } = node;
  if (ts.isTaggedTemplateExpression(parent)) return true;
  if (ts.isNewExpression(parent)) return /Error$/.test(parent.expression.getText());
  if (ts.isPropertyAssignment(parent)) return PROSE_FIELDS.has(parent.name.getText());
  if (ts.isBindingElement(parent)) return node.text === "";
  if (!ts.isBinaryExpression(parent)) return false;
  const operator = parent.operatorToken.kind;
  return EQUALITIES.has(operator) || operator === SyntaxKind.QuestionQuestionToken;
}

/** `a?.b.filter(c)` in `a?.b.filter(c).d` cannot be put into parentheses: `.d` would run without `a`. */
function topOfChain(node: ts.Expression): ts.Expression {
  let top: ts.Node = node;
  while (ts.isOptionalChain(top.parent) && top.parent.expression === top) top = top.parent;
  return top as ts.Expression;
}

/** The outermost function around a node; outside of functions, the module's statement. */
function scopeOf(node: ts.Node): ts.Node {
  let scope = node;
  for (let part = node; !ts.isSourceFile(part); part = part.parent) {
    if (ts.isFunctionLike(part) || ts.isSourceFile(part.parent)) scope = part;
    if (ts.isSourceFile(part.parent) && ts.isFunctionLike(scope)) break;
  }
  return scope;
}

/** The constants that only the module itself reads, each by its name. */
function privateConstants(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const isExported = statement.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword);
    if (isExported || !(statement.declarationList.flags & ts.NodeFlags.Const)) continue;
    for (const { name } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name)) names.add(name.text);
    }
  }
  // `export { NAME }` and `{ NAME }` read a constant where nothing can be written before it.
  const leaveOut = (node: ts.Node): void => {
    if (ts.isShorthandPropertyAssignment(node)) names.delete(node.name.text);
    if (ts.isExportSpecifier(node)) names.delete((node.propertyName ?? node.name).text);
    ts.forEachChild(node, leaveOut);
  };
  leaveOut(source);
  return names;
}

/** The constant of the module whose initial value a node is part of; `undefined` inside of functions. */
function constantAround(node: ts.Node): string | undefined {
  let part = node;
  while (!ts.isVariableDeclaration(part) || !ts.isSourceFile(part.parent.parent.parent)) {
    if (ts.isSourceFile(part) || ts.isFunctionLike(part)) return undefined;
    part = part.parent;
  }
  return ts.isIdentifier(part.name) ? part.name.text : undefined;
}
