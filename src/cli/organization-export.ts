/**
 * `npm run export -- UUID`: exports an organization as of one instant, and verifies that the export is complete.
 * `-- --out FILE`: the file to write (default stdout: `npm run --silent export -- UUID > FILE`).
 * `-- --base URL`: the service (default BASE_URL, or PORT (default 8787) on 127.0.0.1).
 * Environment: OPERATOR_KEY.
 * Exit codes: 0 if the export is complete, 1 if it broke off (then there is no FILE), 2 if it could not begin.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { commandLine } from './command-line.ts';
import { main, megabytes, progress, refused, serviceAt, tell } from './operator-shell.ts';

const OPTIONS = { base: { type: 'string' }, out: { type: 'string' } } as const;
const NEWLINE = 0x0a;

/** Checks an export as it passes: its last line must exist and match everything before it. */
class Check {
  readonly #hash = createHash('sha256');
  #count = 0;
  /** The possible last line: the bytes after the last newline but one. */
  #last = Buffer.alloc(0);

  take(bytes: Uint8Array): void {
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      if (this.#last.at(-1) === NEWLINE) this.#pass();
      this.#last = Buffer.concat([this.#last, bytes.subarray(from, end + 1)]);
      from = end + 1;
    }
    if (from === bytes.length) return;
    if (this.#last.at(-1) === NEWLINE) this.#pass();
    this.#last = Buffer.concat([this.#last, bytes.subarray(from)]);
  }

  #pass(): void {
    this.#hash.update(this.#last);
    this.#count += 1;
    this.#last = Buffer.alloc(0);
  }

  get isWhole(): boolean {
    try {
      const { count, sha256 } = JSON.parse(this.#last.toString()) as { count: number; sha256: string };
      return count === this.#count && sha256 === this.#hash.copy().digest('hex');
    } catch {
      return false;
    }
  }
}

async function run(): Promise<number> {
  const { values, positionals } = commandLine(import.meta.filename, {
    options: OPTIONS,
    allowPositionals: true,
  });
  const [uuid, ...others] = positionals;
  if (uuid === undefined || others.length > 0) throw new Error('Name one organization, by its uuid.');
  const { api, headers } = serviceAt(values.base);
  const answer = await fetch(`${api}/organization/${encodeURIComponent(uuid)}/export`, {
    headers,
    redirect: 'manual',
  });
  if (answer.status !== 200) throw await refused(answer);
  const partial = values.out === undefined ? undefined : `${values.out}.part`;
  const out = partial === undefined ? process.stdout : createWriteStream(partial);
  const check = new Check();
  const report = progress('exported');
  let total = 0;
  try {
    for await (const bytes of answer.body!) {
      check.take(bytes);
      report(bytes.length);
      total += bytes.length;
      if (!out.write(bytes)) await once(out, 'drain');
    }
  } catch (error) {
    tell(`The export broke off: ${String(error)}`);
  }
  if (partial !== undefined) await new Promise<void>((resolve) => out.end(() => resolve()));
  if (!check.isWhole) {
    if (partial !== undefined) await rm(partial, { force: true });
    tell('The export is incomplete: its last line is missing or does not match.');
    return 1;
  }
  if (partial !== undefined) await rename(partial, values.out!);
  tell(`exported ${megabytes(total)}, complete`);
  return 0;
}

await main(run);
