import { expect, it } from 'vitest';
import { exportFile } from '../../../src/cli/export-file.ts';
import { sha256Hex } from '../../../src/core/lib/hash.ts';

/** A part with these lines. `next` says that another part follows. */
function part(lines: readonly string[], next?: string): string {
  const text = lines.map((line) => `${line}\n`).join('');
  return `${text}${JSON.stringify({ count: lines.length, sha256: sha256Hex(text), next })}\n`;
}

/** The file from these parts, which arrive in pieces of so many bytes. */
async function fileOf(parts: Record<string, string>, size: number): Promise<string> {
  const ask = async (after = 'first') =>
    (async function* () {
      const bytes = Buffer.from(parts[after]!);
      for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
    })();
  const pieces: Uint8Array[] = [];
  for await (const bytes of exportFile(ask)) pieces.push(bytes);
  return Buffer.concat(pieces).toString();
}

const parts = { first: part(['{"é":1}', '{}'], 'A'), A: part(['[1]'], 'B'), B: part([]) };

it('The parts of an export become one file with a last line that matches all of it', async () => {
  for (const size of [1, 7, 1_000]) {
    expect(await fileOf(parts, size)).toBe(part(['{"é":1}', '{}', '[1]']));
    expect(await fileOf({ first: part(['{}', '[1]']) }, size)).toBe(part(['{}', '[1]']));
  }
});

it('An export with a part that was cut off or changed is not complete', async () => {
  const broken = [
    { ...parts, A: parts.A.slice(0, -1).slice(0, 10) },
    { ...parts, A: parts.A.replace('[1]', '[2]') },
    { ...parts, B: '' },
    { ...parts, B: '[2]\n' },
    { first: `${part(['{}'])}{}\n` },
  ];
  for (const damaged of broken) await expect(fileOf(damaged, 5)).rejects.toThrow('The export is incomplete');
});
