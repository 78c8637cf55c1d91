/** A sample sheet. The hash of its bytes is the same on every machine. */
export const GOLDEN_SHEET = {
  batchUuid: '01a1fd38-ebf7-766c-80c6-fcc6e37b76c7',
  createDate: Date.UTC(2026, 10, 21, 8, 15, 30, 123),
  firstMarkerCode: 999_999_998,
  lastMarkerCode: 1_000_000_003,
};

/** SHA-256 of that sheet's PDF. */
export const GOLDEN_PDF = {
  A4: '09fb0fe3fe748e209d8072200902cce241b27ff8754822ebc3aa808df45afd32',
  LETTER: 'b29ec412128702963ba7aa83f6c5160d7d82150842b0a0e72db6607e163e8329',
} as const;

export async function joined(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return new Uint8Array(await new Blob(all as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}
