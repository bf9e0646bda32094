import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Writes the configuration of a worker.
 *
 * @param bundle The worker's file.
 * @param port Its port on 127.0.0.1.
 * @returns The configuration's file.
 */
export function writeWorkerConfig(bundle: string, port: number): string {
  const name = basename(bundle);
  const file = join(dirname(bundle), `${name}.capnp`);
  writeFileSync(
    file,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "${name}", esModule = embed "${name}")],
  compatibilityDate = "2026-10-01",
);
`,
  );
  return file;
}
