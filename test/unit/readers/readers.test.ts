import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { READERS } from '../../../src/core/lib/reader.ts';
import type { ReaderCases } from './case.ts';
import { bundled } from './measure.ts';
import seeds from './seeds.ts';

const SRC = resolve(import.meta.dirname, '../../../src');
const files = globSync('*.cases.ts', { cwd: import.meta.dirname }).toSorted();
const all: (ReaderCases & { file: string })[] = [];
for (const file of files) {
  const { default: cases } = await import(`./${file}`);
  all.push({ file, ...cases });
}

/** The names of all readers in the source. */
const declared = globSync('**/*.{ts,tsx}', { cwd: SRC }).flatMap((file) =>
  [...readFileSync(join(SRC, file), 'utf8').matchAll(/\bdeclareReader\('([^']+)'/g)].map(([, name]) => name!),
);

it('every reader of foreign bytes has its worst inputs', () => {
  expect(all.map(({ reader }) => reader).toSorted()).toEqual(declared.toSorted());
});

const threads = await bundled(files);
afterAll(() => threads.dispose());

it.each(
  all.flatMap(({ file, reader, inputs }) => Object.keys(inputs).map((input) => ({ file, reader, input }))),
)(
  'the reader "$reader" stays within 300 ms of CPU time and 32 MiB of heap for: $input',
  async ({ file, input }) => expect(await threads.fault({ file, input })).toBeUndefined(),
);

it.each(all)('each limit of the reader "$reader" has an input that needs it', ({ reader, needed }) => {
  expect(Object.keys(needed).toSorted()).toEqual(Object.keys(READERS.get(reader)!.limits).toSorted());
});

it.each(
  all.flatMap(({ file, reader, needed }) =>
    Object.entries(needed).map(([without, input]) => ({ file, reader, without, input })),
  ),
)(
  'the reader "$reader" costs too much without its limit of $without for: $input',
  async ({ file, without, input }) =>
    expect(await threads.fault({ file, input, without })).toMatch(/^It (takes|holds|throws)/),
);

it.each(Object.keys(seeds.inputs))(
  'the measurement finds whether a read costs too much: %s',
  async (input) => {
    const seeded = await bundled(['seeds.ts']);
    const { fault, isWithout } = seeds.inputs[input]!();
    const found = await seeded.fault({ file: 'seeds.ts', input, without: isWithout ? 'items' : undefined });
    expect(found).toEqual(fault && expect.stringMatching(fault));
    seeded.dispose();
  },
);
