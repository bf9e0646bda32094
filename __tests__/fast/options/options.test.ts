import { describe, expect, test } from "@jest/globals";
import { createFixerRegistry } from "toolmend";
import { renameKey } from "toolmend/fixers";
import {
  type CommonKey,
  type LangChainKey,
  type ProbedOptions,
  runBy,
  wrappers,
} from "../../support/options/wrappers.ts";

/** Shows that an option has its effect. */
interface Probe {
  readonly args: Record<string, unknown>;
  /** The tool's metadata. Default: none. */
  readonly metadata?: Record<string, unknown>;
  /** The tool's input without the option; undefined if the call is rejected. */
  readonly before?: unknown;
  /** The option; `received` records a listener's arguments. */
  readonly given: (received: unknown[]) => ProbedOptions;
  /** The tool's input with the option. */
  readonly after?: unknown;
  /** The listener's arguments with the option. */
  readonly received?: readonly object[];
  /** The trace before and after. */
  readonly shown?: readonly [before: readonly string[], after: readonly string[]];
}

const valid = { selector: "#a", times: 5 };
const faulty = { selector: "#a", times: "5" };
const fixers = createFixerRegistry();
fixers.register("click", renameKey("element", "selector"));

/**
 * One for each option that all wrappers take: the compiler asks for the probe of a new option here.
 */
const probes: Readonly<Record<CommonKey | LangChainKey, Probe>> = {
  fixers: {
    args: { element: "#a" },
    given: () => ({ fixers }),
    after: { selector: "#a" },
  },
  level: { args: faulty, before: valid, given: () => ({ level: "strict" }) },
  objectAsText: {
    args: { selector: { css: "#a" } },
    given: () => ({ objectAsText: true }),
    after: { selector: '{"css":"#a"}' },
  },
  undeclaredKeys: {
    args: { selector: "#a", dry_run: true },
    before: expect.objectContaining({ selector: "#a" }),
    given: () => ({ undeclaredKeys: "refuse" }),
  },
  edits: { args: faulty, before: valid, given: () => ({ edits: { "read-number": false } }) },
  limits: { args: faulty, before: valid, given: () => ({ limits: { maxLength: 4 } }) },
  onToolCall: {
    args: valid,
    before: valid,
    given: (received) => ({ onToolCall: [(event) => void received.push(event)] }),
    after: valid,
    received: [{ kind: "call", outcome: "valid", toolName: "click" }],
  },
  onUnfixable: {
    args: { nothing: 5 },
    given: () => ({ onUnfixable: () => ({ selector: "#given" }) }),
    after: { selector: "#given" },
  },
  trace: {
    args: faulty,
    before: valid,
    given: () => ({ trace: false }),
    after: valid,
    shown: [["toolmend.repair"], []],
  },
};

type Received = Parameters<Probe["given"]>[0];

/** Options with `level: "auto"`, whose listener shows what it was resolved to. */
const autoLevel = (received: Received): ProbedOptions => ({
  level: "auto",
  onToolCall: (event) => void received.push(event),
});
const typo = { selectr: "#a" };

/** Further values of an option: its key, what the test is called after, and the probe. */
const furtherValues: readonly (readonly [key: CommonKey, title: string, probe: Probe])[] = [
  [
    "level",
    'level: "auto" for a tool that only reads',
    {
      args: typo,
      metadata: { annotations: { readOnlyHint: true } },
      given: autoLevel,
      after: { selector: "#a" },
      received: [{ outcome: "repaired", level: "eager", repairs: [{ level: "eager" }] }],
    },
  ],
  [
    "level",
    'level: "auto" for a tool that writes, if only eager repairs',
    {
      args: typo,
      metadata: { annotations: { readOnlyHint: false, destructiveHint: true } },
      given: autoLevel,
      received: [{ outcome: "refused", level: "safe" }],
    },
  ],
  [
    "level",
    'level: "auto" for a tool that writes, if safe repairs',
    {
      args: faulty,
      before: valid,
      metadata: { annotations: { destructiveHint: true } },
      given: autoLevel,
      after: valid,
      received: [{ outcome: "repaired", level: "safe" }],
    },
  ],
  [
    "level",
    'level: "auto" for a tool without metadata',
    { args: typo, given: autoLevel, received: [{ outcome: "refused", level: "safe" }] },
  ],
];

describe.each(Object.entries(wrappers))("%s", (_, wrapper) => {
  const rows = [
    ...Object.entries(probes).map(([key, probe]) => ({ key, title: key, probe })),
    ...furtherValues.map(([key, title, probe]) => ({ key, title, probe })),
  ].filter(({ key }) => !wrapper.lacks?.some((lacking) => lacking === key));
  test.each(rows)("has the option $title take effect", async ({ key, probe }) => {
    const ranWith = (input: unknown) => (input === undefined ? [] : [input]);
    const before = await runBy(wrapper, probe.args, {}, probe.metadata);
    expect(before.inputs).toEqual(ranWith(probe.before));
    const received: unknown[] = [];
    const after = await runBy(wrapper, probe.args, probe.given(received), probe.metadata);
    expect(after.inputs).toEqual(ranWith(probe.after));
    const isIgnored = wrapper.ignores?.some((one) => one === key);
    expect(received).toMatchObject(isIgnored ? [] : (probe.received ?? []));
    if (probe.shown) expect([before.shown, after.shown]).toEqual(probe.shown);
  });
});
