/** Describes a JSON value that is left out. */
export interface ValueDigest {
  /** The length of its JSON text, in characters. */
  readonly length: number;
  /** A hash of its JSON text, 16 hex digits: to compare values, not as proof. */
  readonly hash: string;
}

/** Hashes in two lanes of 32 bits, as MurmurHash3: no platform's own hash is synchronous everywhere. */
export function digestOf(text: string): ValueDigest {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x9e3779b1);
    second = Math.imul(second ^ unit, 0x5f356495);
  }
  return { length: text.length, hash: mix(first, second) + mix(second, first) };
}

function mix(lane: number, other: number): string {
  const left = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  const once = left ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  return ((once ^ (once >>> 16)) >>> 0).toString(16).padStart(8, "0");
}
