import type { Terminal } from "./terminal.ts";

/** How long nothing is shown, and how often something, in milliseconds. */
const PATIENCE = 400;
const PACE = 100;

const WIDTH = 24;

/** A bar that grows. */
export interface Progress {
  update(progress: { readonly done: number; readonly total: number }): void;
  /** Takes the bar away. */
  end(): void;
}

/**
 * Shows on a terminal how far long work is. Where nobody watches, nothing is shown.
 *
 * @param terminal The terminal.
 * @param doing What is done, in a word.
 */
export function showProgress({ status }: Terminal, doing: string): Progress {
  if (status === undefined) return { update: () => {}, end: () => {} };
  let next = Date.now() + PATIENCE;
  let isShown = false;
  return {
    update({ done, total }) {
      const now = Date.now();
      if (now < next || total === 0) return;
      next = now + PACE;
      isShown = true;
      const share = Math.min(1, done / total);
      const full = Math.round(share * WIDTH);
      status(`${doing} ${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${Math.floor(share * 100)}%`);
    },
    end() {
      if (isShown) status("");
      isShown = false;
    },
  };
}
