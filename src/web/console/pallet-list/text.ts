/** Encodings that have a byte order mark, and their marks. */
const MARKS = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

/** The text of a file: by its byte order mark, else as UTF-8, else as Windows-1252 like old spreadsheets. */
export function decoded(bytes: Uint8Array): string {
  const marked = MARKS.find(({ bytes: mark }) => mark.every((byte, index) => bytes[index] === byte));
  const encoding = marked?.encoding ?? unmarkedUtf16(bytes);
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The characters by which UTF-16 without a mark is recognized. */
const SAMPLE_CHARACTERS = 200;

/** UTF-16 without a mark. Its Latin letters and digits contain a zero byte, and no other text does. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, 2 * SAMPLE_CHARACTERS);
  const zeros = [0, 1].map((part) => sample.filter((byte, index) => byte === 0 && index % 2 === part).length);
  const [high = 0, low = 0] = zeros;
  if (Math.max(high, low) <= sample.length / 4) return undefined;
  return low > high ? 'utf-16le' : 'utf-16be';
}
