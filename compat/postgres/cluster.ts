// A PostgreSQL server for the test, which ends with it.
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Client } from "pg";

export interface Cluster {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. */
export async function startCluster(): Promise<Cluster> {
  const bin = findPrograms();
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), "toolmend-postgres-"));
  const password = randomBytes(16).toString("hex");
  const secret = join(folder, "password");
  writeFileSync(secret, password, { mode: 0o600 });
  if (user !== undefined) for (const path of [folder, secret]) chownSync(path, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, "data");
  const login = ["-U", "toolmend", "-A", "scram-sha-256", `--pwfile=${secret}`];
  execFileSync(join(bin, "initdb"), ["-D", data, "--no-sync", "-E", "UTF8", ...login], {
    ...user,
    cwd: folder,
  });
  const port = await freePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "fsync=off",
  ];
  const flags = settings.map((setting) => `-c ${setting}`).join(" ");
  // When this process ends, the pipe closes, and the server stops.
  const script = `"$0" -D "$1" ${flags} & read -r _; kill -INT $!; wait; cd /; rm -rf "$2"`;
  const server = spawn("sh", ["-c", script, join(bin, "postgres"), data, folder], {
    ...user,
    cwd: folder,
    stdio: ["pipe", "ignore", "pipe"],
  });
  let log = "";
  server.stderr.on("data", (chunk) => {
    log = `${log}${chunk}`.slice(-4_000);
  });
  const ended = new Promise<void>((resolve) => server.on("exit", () => resolve()));
  const url = `postgresql://toolmend:${password}@127.0.0.1:${port}/postgres`;
  const stop = async () => {
    server.stdin.end("\n");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilItAnswers(url);
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL did not start.\n${log}`, { cause: error });
  }
  return { url, stop };
}

function findPrograms(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : [];
  const bin = versions
    .map((version) => join(debian, version, "bin"))
    .find((one) => existsSync(join(one, "initdb")));
  return bin ?? execFileSync("pg_config", ["--bindir"]).toString().trim();
}

/** PostgreSQL does not run as root. */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"]).toString());
  return { uid: idOf("-u"), gid: idOf("-g") };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function untilItAnswers(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (tries >= 100) throw error;
      await setTimeout(100);
    }
  }
}
