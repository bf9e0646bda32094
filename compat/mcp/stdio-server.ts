// A server over stdio: `stdio-server.ts 0|1 McpServer|Server`, by the place of its SDK in SDKS.
import { repairCalls } from "toolmend/mcp";
import { SDKS, type ServerKind } from "./sdks.ts";

const [at = "0", kind = "Server"] = process.argv.slice(2);
const sdk = SDKS[Number(at)];
if (sdk === undefined) throw new Error(`no SDK ${at}`);
const ran: unknown[] = [];
const server = sdk.makeServer(kind as ServerKind, ran);
// The inputs go to the standard error: the standard output is the protocol's.
ran.push = (input) => {
  process.stderr.write(`${JSON.stringify(input)}\n`);
  return 0;
};
await server.connect(repairCalls(new sdk.StdioServer(), "server"));
await new Promise((resolve) => process.stdin.on("close", resolve));
