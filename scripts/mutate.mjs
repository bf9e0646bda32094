// Mutates src/langchain, one small change after another, and runs the related tests: a change that
// fails no test shows a promise without a test.
//
//   node scripts/mutate.mjs [--count 150] [--only src/langchain/correct] [--list]
//
// The changes are the same in every run: conditions are inverted, calls and filters dropped, literals
// altered; of all possible ones, `count` are taken evenly. Commit first: files are written and
// restored. Survivors are listed at the end, and the exit code is 1 if less than 85 % are killed.
// scripts/mutate-survivors.md lists the equivalent mutants, with the reasons.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import ts from "typescript";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values: options } = parseArgs({
  options: {
    count: { type: "string", default: "150" },
    only: { type: "string", default: "src/langchain" },
    list: { type: "boolean", default: false },
  },
});

const OPERATORS = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  [ts.SyntaxKind.BarBarToken, "&&"],
  [ts.SyntaxKind.LessThanToken, ">="],
  [ts.SyntaxKind.LessThanEqualsToken, ">"],
  [ts.SyntaxKind.GreaterThanToken, "<="],
  [ts.SyntaxKind.GreaterThanEqualsToken, "<"],
]);

function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesIn(path) : [path];
    })
    .filter((path) => path.endsWith(".ts"))
    .sort();
}

/** Every change of one file: the position, and the new text. */
function changesOf(file) {
  const text = readFileSync(join(root, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const changes = [];
  const add = (node, kind, replacement) => {
    const from = node.getStart(source);
    const { line } = source.getLineAndCharacterOfPosition(from);
    const id = createHash("sha1").update(`${file}${from}${kind}`).digest("hex");
    changes.push({ file, line: line + 1, kind, from, to: node.getEnd(), replacement, id });
  };
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const operator = OPERATORS.get(node.operatorToken.kind);
      if (operator) add(node.operatorToken, "operator", operator);
      if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
        add(node, "no default", node.left.getText(source));
      }
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      add(node, "no negation", `(${node.operand.getText(source)})`);
    }
    if (ts.isIfStatement(node)) add(node.expression, "never", "false");
    if (ts.isConditionalExpression(node)) add(node.condition, "always", "true");
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
      add(node, "no statement", ";");
    }
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      ["filter", "toReversed", "trim"].includes(node.expression.name.text)
    ) {
      add(node, `no ${node.expression.name.text}`, node.expression.expression.getText(source));
    }
    if (ts.isNumericLiteral(node)) add(node, "number", `${Number(node.text) + 1}`);
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "boolean", "false");
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "boolean", "true");
    if (ts.isStringLiteral(node) && !ts.isLiteralTypeNode(node.parent) && node.text !== "") {
      add(node, "string", '"changed"');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return changes;
}

/** Evenly over all changes, in a fixed arbitrary order. */
function sample(changes, count) {
  const sorted = [...changes].sort((one, other) => (one.id < other.id ? -1 : 1));
  return sorted.slice(0, count).sort((one, other) => (one.file < other.file ? -1 : 1));
}

function jest(...args) {
  const { status } = spawnSync("npx", ["jest", "-w", "1", "--bail", "--silent", ...args], {
    cwd: root,
    stdio: "ignore",
    timeout: 180_000,
  });
  return status === 0;
}

/** The tests of the module first: they kill most. */
function survives({ file }) {
  const room = `__tests__/fast/${dirname(relative("src", file))}`;
  if (existsSync(join(root, room)) && !jest("--testPathPatterns", `${room}/`)) return false;
  return jest("--findRelatedTests", file, "--testPathPatterns", "__tests__/.*/langchain/");
}

const changes = sample(filesIn(options.only).flatMap(changesOf), Number(options.count));
const show = ({ file, line, kind, replacement }) =>
  `${file}:${line} ${kind} → ${replacement.replace(/\s+/g, " ").slice(0, 60)}`;

if (options.list) {
  for (const change of changes) console.log(show(change));
  process.exit(0);
}

const survivors = [];
for (const [index, change] of changes.entries()) {
  const path = join(root, change.file);
  const text = readFileSync(path, "utf8");
  const restore = () => writeFileSync(path, text);
  process.once("SIGINT", restore);
  let isAlive = false;
  try {
    writeFileSync(path, text.slice(0, change.from) + change.replacement + text.slice(change.to));
    isAlive = survives(change);
  } finally {
    restore();
    process.removeListener("SIGINT", restore);
  }
  if (isAlive) survivors.push(change);
  console.log(`${index + 1}/${changes.length} ${isAlive ? "SURVIVED" : "killed"} ${show(change)}`);
}
const killed = (100 * (changes.length - survivors.length)) / changes.length;
console.log(`\n${killed.toFixed(1)} % of ${changes.length} killed.`);
for (const change of survivors) console.log(`- ${show(change)}`);
process.exitCode = killed < 85 ? 1 : 0;
