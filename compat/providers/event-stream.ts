/**
 * Encodes events as AWS streams them: length, headers and payload, each guarded by a checksum.
 *
 * @param events The events, with their types.
 */
export function eventStream(events: readonly (readonly [string, object])[]): Uint8Array {
  return Buffer.concat(
    events.map(([type, payload]) =>
      message(
        [
          [":event-type", type],
          [":content-type", "application/json"],
          [":message-type", "event"],
        ],
        Buffer.from(JSON.stringify(payload)),
      ),
    ),
  );
}

function message(headers: readonly (readonly [string, string])[], payload: Buffer): Buffer {
  const encoded = Buffer.concat(
    headers.map(([name, value]) => {
      const head = Buffer.from([name.length, ...Buffer.from(name), STRING, 0, value.length]);
      return Buffer.concat([head, Buffer.from(value)]);
    }),
  );
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + encoded.length + payload.length, 0);
  prelude.writeUInt32BE(encoded.length, 4);
  const guarded = Buffer.concat([prelude, checksum(prelude), encoded, payload]);
  return Buffer.concat([guarded, checksum(guarded)]);
}

/** The type of a header whose value is text. */
const STRING = 7;

/** CRC-32; Node.js has it only since 20.15. */
function checksum(bytes: Buffer): Buffer {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const result = Buffer.alloc(4);
  result.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return result;
}
