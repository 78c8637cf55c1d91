import { createHash } from 'node:crypto';

const NEWLINE = 0x0a;

/** The last line of a part: the number and digest of the lines before it, and where the next part begins. */
interface PartEnd {
  count: number;
  sha256: string;
  next?: string;
}

/** Checks a part of an export as it passes: its last line must exist and match everything before it. */
class Check {
  readonly #hash = createHash('sha256');
  #count = 0;
  /** The possible last line: the bytes after the last newline but one. */
  #last: Buffer[] = [];

  /** Returns the bytes that are before the possible last line. */
  take(bytes: Uint8Array): Buffer {
    const passed: Buffer[] = [];
    let from = 0;
    while (from < bytes.length) {
      if (this.#last.at(-1)?.at(-1) === NEWLINE) passed.push(this.#pass());
      const end = bytes.indexOf(NEWLINE, from);
      const to = end < 0 ? bytes.length : end + 1;
      this.#last.push(Buffer.from(bytes.subarray(from, to)));
      from = to;
    }
    return Buffer.concat(passed);
  }

  #pass(): Buffer {
    const line = Buffer.concat(this.#last);
    this.#hash.update(line);
    this.#count += 1;
    this.#last = [];
    return line;
  }

  /** The last line; undefined if the part is incomplete. */
  get end(): PartEnd | undefined {
    try {
      const end = JSON.parse(Buffer.concat(this.#last).toString()) as PartEnd;
      return end.count === this.#count && end.sha256 === this.#hash.copy().digest('hex') ? end : undefined;
    } catch {
      return undefined;
    }
  }
}

/**
 * One complete export from all of its parts. `ask` requests the first part, or the part after a place.
 * @throws if a part is incomplete
 */
export async function* exportFile(
  ask: (after: string | undefined) => Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let count = 0;
  let after: string | undefined;
  do {
    const check = new Check();
    for await (const bytes of await ask(after)) {
      const lines = check.take(bytes);
      hash.update(lines);
      if (lines.length > 0) yield lines;
    }
    const { end } = check;
    if (!end) throw new Error('The export is incomplete: its last line is missing or does not match.');
    count += end.count;
    after = end.next;
  } while (after !== undefined);
  yield Buffer.from(`${JSON.stringify({ count, sha256: hash.digest('hex') })}\n`);
}
