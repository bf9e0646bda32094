// Threads in PostgreSQL, over several processes.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { type Cluster, startCluster } from "./cluster.ts";
import { rowsOf } from "./rows.ts";

let cluster: Cluster;
let client: Client;
before(async () => {
  cluster = await startCluster();
  client = new Client({ connectionString: cluster.url });
  await client.connect();
});
after(async () => {
  // A pool has ended before its connections are closed, and one that the server closes throws.
  const others =
    "select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";
  await until(async () => (await client.query(others)).rows.length === 0);
  await client.end();
  await cluster.stop();
});

interface Line {
  readonly ran?: unknown;
  readonly began?: unknown;
  readonly asked?: unknown;
  readonly branch?: string;
  readonly contents?: readonly string[];
  readonly raw?: readonly unknown[];
  readonly faults?: readonly string[];
}

/** A step of a thread in its own process, and the lines that it prints. */
function start(
  thread: string,
  step: string,
): {
  readonly child: ChildProcess;
  readonly lines: Line[];
  readonly ended: Promise<number | null>;
} {
  const runner = fileURLToPath(new URL("../../scripts/run-ts.mjs", import.meta.url));
  const file = fileURLToPath(new URL("step.ts", import.meta.url));
  const child = spawn(process.execPath, [runner, file, cluster.url, thread, step], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: Line[] = [];
  let rest = "";
  child.stdout?.on("data", (chunk) => {
    const parts = `${rest}${chunk}`.split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.map((line) => JSON.parse(line)));
  });
  return { child, lines, ended: new Promise((resolve) => child.on("close", resolve)) };
}

async function run(
  thread: string,
  step: string,
): Promise<{ readonly ran: readonly unknown[]; readonly lines: readonly Line[] } & Line> {
  const { lines, ended } = start(thread, step);
  assert.equal(await ended, 0);
  const last = lines.findLast(({ contents }) => contents !== undefined) ?? {};
  return { ...last, lines, ran: ranIn(lines) };
}

function ranIn(lines: readonly Line[]): readonly unknown[] {
  return lines.flatMap(({ ran }) => (ran === undefined ? [] : [ran]));
}

const RAW = { Selector: "#buy", times: "2" };
const REFUSED = /^The input of tool "click" was not accepted, and the tool was not run:/;

for (const [step, ran, answer] of [
  ["approve", [{ selector: "#buy", times: 2 }], "clicked #buy"],
  ["edit", [{ selector: "#other" }], "clicked #other"],
  ["edit faulty", [{ selector: "#other", times: 4 }], "clicked #other"],
  ["reject", [], "No."],
] as const) {
  test(`another process resumes after the human's decision: ${step}`, async () => {
    const thread = `asked, ${step}`;
    const first = await run(thread, "start");
    assert.deepEqual(first.asked, [{ selector: "#buy", times: 2 }]);
    assert.deepEqual(first.ran, []);

    const second = await run(thread, step);
    assert.deepEqual(second.ran, ran);
    assert.deepEqual(second.faults, []);
    // LangChain puts calls without approval first; a rejected call is removed.
    const [refused = "", answered, said] =
      step === "reject"
        ? ["", ...(second.contents?.slice(2) ?? [])]
        : (second.contents?.slice(2) ?? []);
    assert.equal(answered, answer);
    if (step !== "reject") assert.match(refused, REFUSED);
    assert.equal(said, "done");
    // What the model wrote stays on record when a human edits it.
    assert.ok(second.raw?.some((raw) => JSON.stringify(raw) === JSON.stringify(RAW)));
  });
}

test("the database holds what the model wrote only as the original of its repair", async () => {
  const holds = (text: string) => isKept("asked, approve", text, "checkpoint_blobs");
  assert.equal(await holds('"args":{"selector":"#buy","times":2}'), true);
  assert.equal(await holds('"args":{"Selector"'), false);
  assert.equal(await holds('"Selector"'), true);
});

test("a faulty edit is repaired in a process that was not given the tools", async () => {
  const thread = "asked, unnamed";
  await run(thread, "start");
  const { ran, asked, faults } = await run(thread, "edit faulty");
  assert.deepEqual([ran, asked], [[{ selector: "#other", times: 4 }], undefined]);
  assert.deepEqual(faults, []);
});

test("a process is killed in the middle of a tool, and another runs that tool only", async () => {
  const { child, lines, ended } = start("killed", "hang");
  await until(
    async () => lines.some(({ began }) => began === 3) && (await isKept("killed", "clicked #buy")),
  );
  child.kill("SIGKILL");
  await ended;
  assert.deepEqual(ranIn(lines), [{ selector: "#buy", times: 2 }]);

  const { ran, faults, contents } = await run("killed", "resume");
  assert.deepEqual(ran, [{ hours: 3 }]);
  assert.deepEqual(faults, []);
  const [, , clicked, refused = "", waited, said] = contents ?? [];
  assert.deepEqual([clicked, waited, said], ["clicked #buy", "waited 3", "done"]);
  assert.match(refused, REFUSED);
});

test("from each of its checkpoints, a thread resumes with complete requests", async () => {
  await run("travelled", "start");
  const { lines } = await run("travelled", "travel");
  const branches = lines.filter(({ branch }) => branch !== undefined);
  assert.ok(branches.length >= 5, `${branches.length} checkpoints`);
  for (const { faults } of lines) assert.deepEqual(faults ?? [], []);
  const ran = ranIn(lines);
  assert.ok(ran.length > 0 && ran.length < branches.length, `${ran.length} runs`);
  for (const one of ran) assert.deepEqual(one, { selector: "#buy", times: 2 });
});

test("a repaired input of 100 kB takes at most a fifth more space than a valid one", async (context) => {
  const rows = await rowsOf(cluster.url, client);
  for (const [name, bytes] of rows) {
    context.diagnostic(
      `${name}: ${bytes} bytes, ${(bytes / (rows.get("valid") ?? 0)).toFixed(3)} of a valid one`,
    );
  }
  const valid = rows.get("valid") ?? 0;
  for (const name of ["number as text", "another key", "envelope", "refused"]) {
    const bytes = rows.get(name) ?? Number.NaN;
    assert.ok(bytes <= 1.2 * valid, `${name}: ${bytes} of ${valid}`);
  }
  assert.ok(valid <= 1.01 * (rows.get("valid, without toolmend") ?? 0));
});

/** Whether the database holds a text in what it keeps of a thread. */
async function isKept(
  thread: string,
  text: string,
  table: "checkpoint_blobs" | "checkpoint_writes" = "checkpoint_writes",
): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from ${table} where thread_id = $1 and position(convert_to($2, 'UTF8') in blob) > 0`,
    [thread, text],
  );
  return rows.length > 0;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    assert.ok(tries < 600, "It did not happen within a minute.");
    await setTimeout(100);
  }
}
