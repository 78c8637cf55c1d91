/** UUIDs of version 7 as the `uuid` package makes them, but out of nothing than time and chance: it remembers the last. */
export function v7(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  const time = Date.now().toString(16).padStart(12, '0');
  const random = Buffer.from(bytes).toString('hex');
  const variant = ((bytes[2]! & 0x3) | 0x8).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${random.slice(0, 3)}`,
    `${variant}${random.slice(5, 8)}`,
    random.slice(8),
  ].join('-');
}
