import { equal, ok, same } from "./expect.mjs";

/** Exceptions of another build, or another install, of LangChain. */
export const instances = [
  {
    name: "a tool of the other build, in this build's executor, has its error handled",
    async run(lab) {
      const click = await lab.clickTool({ tools: lab.otherTools, corrects: false });
      const handleParsingErrors = () => "handled";
      const actions = [[{ tool: "click", toolInput: { nothing: 5 }, log: "" }]];
      const executor = lab.plainExecutor({ tools: [click], actions, handleParsingErrors });
      const { intermediateSteps } = await executor.invoke({ input: "go" });
      same(intermediateSteps[0].observation, "handled");
    },
  },
  {
    name: "instanceof works across builds, both ways",
    async run({ tools, otherTools, parsers, otherParsers }) {
      const pairs = [
        [tools.ToolInputParsingException, otherTools.ToolInputParsingException],
        [parsers.OutputParserException, otherParsers.OutputParserException],
      ];
      for (const [Here, There] of pairs) {
        ok(Here !== There, "the builds are one: nothing is tested");
        equal([new There("x") instanceof Here, new Here("x") instanceof There], [true, true]);
      }
    },
  },
  {
    name: "a subclass matches only its own instances, and no other error passes",
    async run({ tools, otherTools, parsers }) {
      const { ToolInputParsingException: Here } = tools;
      const { ToolInputParsingException: There } = otherTools;
      class Mine extends Here {}
      equal([new Mine("x") instanceof Mine, new Mine("x") instanceof Here], [true, true]);
      equal([new Mine("x") instanceof There, new There("x") instanceof Mine], [true, false]);
      equal([new Here("x") instanceof Mine, new Error("x") instanceof Here], [false, false]);
      equal([null instanceof Here, "x" instanceof Here, {} instanceof Here], [false, false, false]);
      same(new parsers.OutputParserException("x") instanceof Here, false);
    },
  },
];
