// Checks the structure of src; part of `npm run check`. Fails if
//
// - files import each other in a cycle, types included;
// - an import points against the layers below;
// - an export is used by no other file, and no entry exports it;
// - two files export functions of the same name; private functions may share theirs;
// - a script imports from tests, or a test from scripts that it does not test.
//
//   node scripts/check-layers.mjs [--graph]     --graph prints the modules and their imports as JSON
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Files of src/repair that the rooms in it share: data, and the driving of steps. */
const REPAIR_BASE =
  /^repair\/(?:types|json|drive|foreign|limits|text|usage|edit-switches|langchain|without-langchain)\.ts$/;

/** Files of src/repair that describe a repair from outside: options, results, errors, events. */
const REPAIR_TERMS = /^repair\/(?:policy|result|errors|model-message|records|events\/event)\.ts$/;

const READING = ["repair/base", "repair/words", "repair/schema"];
const REPAIR_ROOMS = {
  "repair/base": [],
  "repair/words": ["repair/base"],
  "repair/schema": ["repair/base"],
  "repair/read": READING,
  "repair/align": [...READING, "repair/read"],
  "repair/text-calls": [...READING, "repair/read"],
  "repair/terms": ["repair/base", "repair/schema"],
  "repair/fixers": ["repair/base", "repair/terms", "repair/read", "repair/schema"],
  "repair/events": ["repair/base", "repair/terms", "repair/schema"],
};
const REPAIR = ["repair", ...Object.keys(REPAIR_ROOMS)];

/**
 * What each module may import apart from itself. An entry may import every module, and no module an
 * entry.
 */
const LAYERS = {
  ...REPAIR_ROOMS,
  repair: REPAIR,
  evidence: REPAIR,
  mcp: REPAIR,
  "langchain/trace": REPAIR,
  "langchain/message": [...REPAIR, "langchain/trace"],
  "langchain/correct": [...REPAIR, "langchain/message"],
  "langchain/tool": [...REPAIR, "langchain/message", "langchain/trace"],
  "langchain/executor": [...REPAIR, "langchain/message", "langchain/tool", "langchain/trace"],
  "langchain/middleware": [
    ...REPAIR,
    "langchain/message",
    "langchain/correct",
    "langchain/tool",
    "langchain/trace",
  ],
  "langchain/register": [...REPAIR, "langchain/tool", "langchain/executor", "langchain/trace"],
  cli: [...REPAIR, "evidence", "mcp", "langchain/register"],
};

function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    })
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules"))
    .sort();
}

function roomOf(file) {
  const inner = relative("src", file);
  if (REPAIR_BASE.test(inner)) return "repair/base";
  if (REPAIR_TERMS.test(inner)) return "repair/terms";
  const room = Object.keys(LAYERS).find((name) => inner.startsWith(`${name}/`));
  return room ?? (inner.includes("/") ? inner.split("/")[0] : "entry");
}

/** The imports, exports and definitions of a file. */
function read(file) {
  const text = readFileSync(join(root, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const imports = [];
  const exported = [];
  const functions = [];
  const types = [];
  const resolve = (specifier) => {
    if (specifier?.text?.startsWith("#src/")) return specifier.text.slice(1);
    return specifier?.text?.startsWith(".")
      ? normalize(join(dirname(file), specifier.text))
      : undefined;
  };
  const addImports = (specifier, names) => {
    const path = resolve(specifier);
    if (path !== undefined) imports.push({ path, names });
  };
  const visit = (node) => {
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      addImports(node.argument.literal, [node.qualifier?.getText(source)]);
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      addImports(node.arguments[0], ["*"]);
    }
    ts.forEachChild(node, visit);
  };
  for (const node of source.statements) {
    const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings ?? node.exportClause;
      const names = bindings?.elements?.map((one) => (one.propertyName ?? one.name).text) ?? ["*"];
      if (node.moduleSpecifier) addImports(node.moduleSpecifier, names);
    } else if (ts.isVariableStatement(node)) {
      if (isExported) {
        for (const { name } of node.declarationList.declarations)
          exported.push(name.getText(source));
      }
    } else if (node.name !== undefined) {
      if (isExported) exported.push(node.name.text);
      if (!ts.isFunctionDeclaration(node)) types.push(node.name.text);
      if (isExported && ts.isFunctionDeclaration(node) && node.body) functions.push(node.name.text);
    }
    visit(node);
  }
  /** How often a type is named: an export may name it, which makes it part of that declaration. */
  const mentions = (name) =>
    types.includes(name) ? text.split(new RegExp(`\\b${name}\\b`)).length - 1 : 0;
  return { file, room: roomOf(file), imports, exported, functions, mentions };
}

const files = filesIn("src").map(read);
const faults = [];

if (process.argv.includes("--graph")) {
  const moduleOf = (room) => (room.startsWith("repair/") ? "repair" : room);
  const rooms = {};
  for (const { room, imports } of files) {
    const module = moduleOf(room);
    rooms[module] ??= new Set();
    for (const { path } of imports) {
      const target = moduleOf(roomOf(path));
      if (target !== module) rooms[module].add(target);
    }
  }
  const sorted = Object.entries(rooms).map(([room, uses]) => [room, [...uses].sort()]);
  console.log(JSON.stringify(Object.fromEntries(sorted)));
  process.exit(0);
}

for (const { file, room, imports } of files) {
  for (const { path } of imports) {
    const target = roomOf(path);
    const isAllowed =
      target === room || (room === "entry" ? true : (LAYERS[room]?.includes(target) ?? false));
    if (!isAllowed) faults.push(`${file} imports ${path}: ${room} must not use ${target}`);
  }
}

const byFile = new Map(files.map((one) => [one.file, one]));
const done = new Set();
function findCircle(file, way) {
  if (way.includes(file)) {
    faults.push(`circle: ${[...way.slice(way.indexOf(file)), file].join(" → ")}`);
    return;
  }
  if (done.has(file)) return;
  for (const { path } of byFile.get(file)?.imports ?? []) findCircle(path, [...way, file]);
  done.add(file);
}
for (const { file } of files) findCircle(file, []);

/** A file that the build substitutes for another must export the same names. */
const STAND_IN = "src/repair/without-langchain.ts";
const used = new Set([`${STAND_IN} *`]);
const users = ["__tests__", "bench", "examples", "scripts"].flatMap(filesIn).map(read);
for (const { imports } of [...files, ...users]) {
  for (const { path, names } of imports) for (const name of names) used.add(`${path} ${name}`);
}
for (const { file, room, exported, mentions } of files) {
  if (room === "entry" || used.has(`${file} *`)) continue;
  for (const name of exported) {
    if (used.has(`${file} ${name}`) || mentions(name) > 1) continue;
    faults.push(`${file}: nobody uses its export ${name}`);
  }
}

/** Tests of scripts, of the pages that scripts write, and of the package. */
const TESTS_OF_SCRIPTS = /^__tests__\/(?:fast|slow)\/(?:scripts|docs|package)\//;
for (const { file, imports } of users) {
  const isScript = file.startsWith("scripts/");
  const isOtherTest = file.startsWith("__tests__/") && !TESTS_OF_SCRIPTS.test(file);
  for (const { path } of imports) {
    const isWrong =
      (isScript && path.startsWith("__tests__/")) || (isOtherTest && path.startsWith("scripts/"));
    if (isWrong) faults.push(`${file} imports ${path}: tests and scripts do not use each other`);
  }
}

const definers = new Map();
for (const { file, functions } of files) {
  for (const name of functions) definers.set(name, [...(definers.get(name) ?? []), file]);
}
for (const [name, where] of definers) {
  if (where.length > 1) faults.push(`${name} is exported by ${where.join(", ")}`);
}

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
