import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { zonedIn } from '../../../../src/core/lib/zone.ts';
import { fileValues } from '../../../../src/web/console/pallet-list/file.ts';
import { readPallets } from '../../../../src/web/console/pallet-list/read.ts';
import { bookText } from '../../../../src/web/console/pallet-list/xlsx.ts';
import { wordsIn } from '../../../messages.ts';
import { exported, IDS, RECORDED } from './exported.ts';

const words = wordsIn('en');

/** The pallets and the number of bad lines of a file. */
async function read(file: Uint8Array, live: readonly string[] = []) {
  const { pallets, sheet } = (await fileValues(words, file)) as Record<string, string>;
  const list = { pallets: pallets!, column: '', sheet: sheet! };
  const found = await readPallets(list, words, async (texts) => {
    const wanted = new Set(texts);
    return live.filter((id) => wanted.has(id));
  });
  return { pallets: found.pallets, bad: found.bad.length, taken: found.taken };
}

/** Texts that break lists: separators, quotes, beginnings of formulas, blanks, invisible characters and escapes of XML. */
const nasty = fc
  .array(
    fc.constantFrom(
      ...[...'=+-@＝＋\t;,|\'"<&> abß1'],
      ...['\u00a0', '\u200b', '\u00ad', '\u0001', '\u001f', '\ufffe', "'=", '=""', '_x0041_', '_x005F_', '_'],
    ),
    { minLength: 1, maxLength: 10 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => /[abß1]/.test(text));

it('a list reads back every id of our own workbook unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(nasty, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      async (ids, isLive) => {
        const file = exported([['Coupled', 'Pallet'], ...ids.map((text) => [new Date(0), text])]);
        expect(await read(file, isLive ? ids : [])).toEqual({ pallets: ids, bad: 0, taken: '2' });
      },
    ),
    { numRuns: 1_000 },
  );
});

it('a list reads back an exported workbook that LibreOffice has opened and saved', async () => {
  const own = exported(RECORDED);
  const saved = await readFile(join(import.meta.dirname, 'saved-by-libreoffice.xlsx'));
  expect(strFromU8(unzipSync(saved)['docProps/app.xml']!)).toContain('<Application>LibreOffice/7.4.7.2');
  expect((await bookText(saved)).sheets[0]!.text).toBe((await bookText(own)).sheets[0]!.text);
  expect(await read(saved)).toEqual({ pallets: IDS, bad: 0, taken: '1' });
});

it('a list reads the dates of an exported workbook to the second, also those that clocks show twice', async () => {
  const dates = RECORDED.slice(1).map((row) => row[3] as Date);
  const { text } = (await bookText(exported([['Departure'], ...dates.map((date) => [date])]))).sheets[0]!;
  const written = dates.map((date) => zonedIn('Europe/Berlin', date.getTime()));
  const twice = written.filter((date) => date.startsWith('2026-10-25T02:'));
  expect(twice).toEqual(['2026-10-25T02:15:30+02:00', '2026-10-25T02:15:30+01:00']);
  expect(text.split('\n').slice(1)).toEqual(
    written.map((date) => (twice.includes(date) ? date : date.slice(0, 19))),
  );
});
