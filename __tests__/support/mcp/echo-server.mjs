// A server of MCP on stdio without any SDK: it answers each call with the bytes of its line.
// Arguments: --exit CODE ends with this code when the input ends; --slow-list MS lists late, or with "never"
// not at all; --die-at-list CODE ends with this code when the list is asked for; --deaf reads nothing.
const flag = (name) => process.argv[process.argv.indexOf(name) + 1];
const has = (name) => process.argv.includes(name);
const inputSchema = {
  type: "object",
  properties: { count: { type: "integer" }, text: { type: "string" } },
  required: ["count"],
};
const write = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
process.stderr.write("ready\n");
process.on("SIGTERM", () => process.exit(has("--exit") ? Number(flag("--exit")) : 9));

if (has("--deaf")) {
  setInterval(() => {}, 1_000);
  await new Promise(() => {});
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) serve(line);
});
process.stdin.on("end", () => {
  if (has("--exit")) process.exitCode = Number(flag("--exit"));
});

function serve(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    write({ method: "notifications/junk", params: { line } });
    return;
  }
  const { id, method } = message;
  if (method === "tools/list") {
    const list = () => write({ id, result: { tools: [{ name: "roll", inputSchema }] } });
    if (has("--die-at-list")) process.exit(Number(flag("--die-at-list")));
    if (flag("--slow-list") !== "never")
      setTimeout(list, has("--slow-list") ? Number(flag("--slow-list")) : 0);
  } else if (id !== undefined) write({ id, result: { content: [], line } });
}
