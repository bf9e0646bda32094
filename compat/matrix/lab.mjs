// One cell of the matrix: that cell's LangChain, with toolmend in that cell's mode.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * @param {import("./cells.mjs").Cell} cell
 */
export async function openLab(cell) {
  const loaders = {
    esm: (await import(pathToFileURL(join(cell.folder, "load.mjs")).href)).load,
    cjs: async (name) => createRequire(join(cell.folder, "load.mjs"))(name),
  };
  const load = loaders[cell.format];
  const loadOther = loaders[cell.format === "esm" ? "cjs" : "esm"];
  const { names } = cell;
  const usesToolmend = cell.mode !== "bare" && cell.mode !== "patched";
  const toolmend = usesToolmend ? await loadToolmend(cell, load) : undefined;
  const [tools, otherTools, parsers, otherParsers, { AgentExecutor }, { z }] = await Promise.all([
    load(names.tools),
    loadOther(names.tools),
    load(names.parsers),
    loadOther(names.parsers),
    load(names.agents),
    load("zod"),
  ]);
  const { DynamicStructuredTool } = tools;
  const fix = (input) => ("element" in Object(input) ? { selector: input.element } : undefined);
  const mode = MODES[cell.mode]({ fix, toolmend });
  const schema = z.object({ selector: z.string() });

  const lab = { ...cell, load, tools, otherTools, parsers, otherParsers, z, DynamicStructuredTool };

  /** A tool that clicks, with the mode's corrections. */
  lab.clickTool = async ({ tools: from = tools, corrects = true } = {}) => {
    const fields = { name: "click", description: "clicks", schema, func: runClick };
    return corrects ? mode.makeTool(from, fields) : new from.DynamicStructuredTool(fields);
  };
  lab.repairing = mode.repairing;
  lab.close = () => mode.close?.();

  /** LangChain's bare executor, with a scripted agent. */
  lab.plainExecutor = ({ actions, ...fields }) =>
    new AgentExecutor({ agent: scriptedAgent(actions), returnIntermediateSteps: true, ...fields });

  /** The same, wrapped with toolmend's defaults only. */
  lab.wrapExecutor = (fields) => toolmend.wrapAgentExecutor(lab.plainExecutor(fields));

  /** An executor with the click tool, with the mode's corrections. */
  lab.executor = ({ handler, ...fields }) => {
    const made = { name: "click", description: "clicks", schema, func: runClick };
    return mode.makeExecutor(
      lab.plainExecutor,
      { ...fields, tools: [mode.makeTool(tools, made)] },
      handler,
    );
  };
  return lab;
}

async function runClick(input) {
  if (input.selector === "#down") throw new Error("DB down");
  if (input.selector === "#object") return { ok: 1 };
  return `ran ${JSON.stringify(input)}`;
}

/** Each entry is one turn: actions, or an error to throw. */
function scriptedAgent(turns = []) {
  return {
    inputKeys: ["input"],
    returnValues: ["output"],
    _agentActionType: () => "multi",
    prepareForOutput: async () => ({}),
    async plan(steps) {
      const turn = turns[steps.length];
      if (turn instanceof Error) throw turn;
      return turn ?? { returnValues: { output: "done" }, log: "" };
    },
  };
}

/** How each mode corrects: not at all, by a subclass, a global registration, or wrappers. */
const MODES = {
  bare: () => ({
    makeTool: ({ DynamicStructuredTool }, fields) => new DynamicStructuredTool(fields),
    makeExecutor: (make, fields) => make(fields),
  }),
  both: (given) => MODES.wrapped(given),
  patched: ({ fix }) => ({
    repairing: (tool) => tool,
    makeTool: ({ DynamicStructuredTool }, fields) => {
      class Corrected extends DynamicStructuredTool {
        async parseInput(input, context) {
          return super.parseInput(fix(input) ?? input, context);
        }
      }
      return new Corrected(fields);
    },
    makeExecutor: (make, fields, handler) =>
      make({ ...fields, ...(handler && { handleParsingErrors: handler }) }),
  }),
  registered: ({ fix, toolmend }) => {
    const undo = [toolmend.globalFixers.register("click", { level: "strict" }, fix)];
    return {
      repairing: (tool) => tool,
      makeTool: ({ DynamicStructuredTool }, fields) => new DynamicStructuredTool(fields),
      makeExecutor: (make, fields, onUnfixable) => {
        if (onUnfixable) undo.push(toolmend.register({ onUnfixable }));
        return make(fields);
      },
      close: () => undo.forEach((one) => void one()),
    };
  },
  wrapped: ({ fix, toolmend }) => {
    const fixers = toolmend.createFixerRegistry(undefined, { level: "strict" });
    fixers.register("click", fix);
    return {
      repairing: (tool) => toolmend.wrapTool(tool, { fixers }),
      makeTool: ({ DynamicStructuredTool }, fields) =>
        toolmend.wrapTool(new DynamicStructuredTool(fields), { fixers }),
      makeExecutor: (make, fields, onUnfixable) =>
        toolmend.wrapAgentExecutor(make(fields), {
          fixers,
          compat: true,
          ...(onUnfixable && { onUnfixable }),
        }),
    };
  },
};

async function loadToolmend({ folder, format, mode }) {
  const at = (file) => join(folder, "node_modules", "toolmend", "dist", file);
  const require = createRequire(join(folder, "load.mjs"));
  const load = (name) =>
    format === "esm" ? import(pathToFileURL(at(`${name}.js`)).href) : require(at(`${name}.cjs`));
  return { ...(await load("index")), ...(mode === "registered" ? await load("register") : {}) };
}
