/** A sample sheet. The hash of its bytes is the same on every machine. */
export const GOLDEN_SHEET = {
  batchUuid: '01a1fd38-ebf7-766c-80c6-fcc6e37b76c7',
  createDate: Date.UTC(2026, 10, 21, 8, 15, 30, 123),
  firstMarkerCode: 999_999_998,
  lastMarkerCode: 1_000_000_003,
};

/** SHA-256 of that sheet's PDF. */
export const GOLDEN_PDF = {
  A4: '062ede47592a4ad1861156dbed9c776c60aa9c8220c82435190cc4f625752a2c',
  LETTER: '501bb71ece95e61be3b5bcfc30e31822742a8a5cee574d47112c237925f897b2',
} as const;

export async function joined(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return new Uint8Array(await new Blob(all as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}
