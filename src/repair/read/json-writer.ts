interface OpenContainer {
  readonly object: boolean;
  /** Where the pieces of each key's value are, by key. */
  readonly values: Map<string, readonly [from: number, to: number]> | undefined;
  count: number;
  key: string;
  valueFrom: number;
}

/** Writes JSON text token by token. */
export interface JsonWriter {
  open(object: boolean): void;
  key(json: string): void;
  scalar(json: string): void;
  close(): void;
  /** The elements or keys of the innermost container so far. */
  count(): number;
  /** Whether a key was written twice with different values. */
  conflicting(): boolean;
  /** What was written, with the brackets that are still open closed. */
  text(): string;
}

/** Creates a writer that sets commas and colons, and notices a key with two different values. */
export function createJsonWriter(): JsonWriter {
  const pieces: string[] = [];
  const containers: OpenContainer[] = [];
  let conflict = false;

  function beforeValue(): void {
    const container = containers.at(-1);
    if (container && !container.object && container.count++ > 0) pieces.push(",");
  }

  function afterValue(): void {
    const container = containers.at(-1);
    if (!container?.values) return;
    const { key, valueFrom, values } = container;
    const earlier = values.get(key);
    const value = [valueFrom, pieces.length] as const;
    if (earlier && pieces.slice(...earlier).join("") !== pieces.slice(...value).join("")) {
      conflict = true;
    }
    values.set(key, value);
  }

  return {
    open(object) {
      beforeValue();
      containers.push({
        object,
        values: object ? new Map() : undefined,
        count: 0,
        key: "",
        valueFrom: 0,
      });
      pieces.push(object ? "{" : "[");
    },
    key(json) {
      const container = containers.at(-1);
      if (!container) return;
      if (container.count++ > 0) pieces.push(",");
      pieces.push(json, ":");
      container.key = JSON.parse(json);
      container.valueFrom = pieces.length;
    },
    scalar(json) {
      beforeValue();
      pieces.push(json);
      afterValue();
    },
    close() {
      pieces.push(containers.pop()?.object ? "}" : "]");
      afterValue();
    },
    count: () => containers.at(-1)?.count ?? 0,
    conflicting: () => conflict,
    text() {
      const closing = containers.map(({ object }) => (object ? "}" : "]")).reverse();
      return pieces.join("") + closing.join("");
    },
  };
}
