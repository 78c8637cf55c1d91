import { expect, it } from 'vitest';
import { z } from 'zod';
import { ProblemError, refusal } from '../../../../src/core/lib/problem.ts';
import { FAULT_CODES } from '../../../../src/delivery/webhook/rules.ts';
import { BATCH_STATUSES } from '../../../../src/dispatch/printing-batch/table.ts';
import {
  codeDetails,
  type Detail,
  type DetailCode,
  detailsText,
  TIMELINE_DETAILS,
} from '../../../../src/dispatch/track/rules.ts';
import { DESK_LANGUAGES, LANGUAGES } from '../../../../src/messages/languages.ts';
import { detailsIn } from '../../../../src/web/console/board/outcome-words.ts';
import { batchStatusIn } from '../../../../src/web/console/resources/printing-batch/words.ts';
import { authorIn } from '../../../../src/web/console/resources/track/timeline.tsx';
import { faultIn } from '../../../../src/web/console/resources/webhook/deliveries.tsx';
import { rowsOf } from '../../../../src/web/ui/list/bulk.tsx';
import { schemaText } from '../../../../src/web/ui/parts/form-rules.ts';
import { inWords } from '../../../../src/web/ui/parts/language.ts';
import { wordsIn } from '../../../messages.ts';

const [en, de] = [wordsIn('en'), wordsIn('de')];

it.each(DESK_LANGUAGES)('each fault of a delivery has its own text in %s', (language) => {
  const said = FAULT_CODES.filter((fault) => fault !== 'ANSWERED').map(faultIn(wordsIn(language)));
  expect(new Set(said).size).toBe(said.length);
  if (language !== 'en') expect(said.filter((text) => /receiver|sent|answer/.test(text))).toEqual([]);
});

it.each<[details: Detail[], english: string, german: string]>([
  [[{ markerCode: 1000000023 }], 'marker 1000000023', 'Marker 1000000023'],
  [
    codeDetails('lastManifestClosed'),
    'its last open manifest closed',
    'Die letzte offene Ladeliste wurde geschlossen',
  ],
  [codeDetails('damageSeen'), 'damaged, as a camera saw it', 'Beschädigt laut Kamera'],
  [codeDetails('damageOnPhoto'), 'damaged, as a photo shows', 'Beschädigt laut Foto'],
  [
    codeDetails('retiresLater'),
    'once its open manifests are closed',
    'Sobald die offenen Ladelisten geschlossen sind',
  ],
  [[{ outcome: 'WRONGLY_LOADED' }], 'WRONGLY_LOADED', 'Falsche Palette'],
  [[{ outcome: 'NO_ACTIVE_MANIFEST' }], 'NO_ACTIVE_MANIFEST', 'Es wurde nichts geladen'],
  [[{ outcome: 'NOT_LOADED' }], 'NOT_LOADED', 'War nicht geladen'],
  [[{ outcome: 'SUPERSEDED' }], 'SUPERSEDED', 'Durch einen neueren Scan ersetzt'],
  // A person may write what the service also says. It is not translated.
  [[{ note: 'damaged, as a photo shows' }], 'damaged, as a photo shows', 'damaged, as a photo shows'],
])('the details %j of a timeline are %s in the API, and %s on a German page', (details, english, german) => {
  expect(detailsText(details)).toBe(english);
  expect(detailsIn(de, details)).toBe(german);
});

it('an entry with two details shows both', () => {
  const details = [{ outcome: 'LOADED' as const }, ...codeDetails('receiptTime')];
  expect(detailsText(details)).toBe(`LOADED; ${TIMELINE_DETAILS.receiptTime}`);
  expect(detailsIn(de, details)).toContain(de.t('track.receiptTime'));
});

it.each(DESK_LANGUAGES)('each detail that the service writes to timelines has a text in %s', (language) => {
  const said = (Object.keys(TIMELINE_DETAILS) as DetailCode[]).map((code) =>
    detailsIn(wordsIn(language), codeDetails(code)),
  );
  expect(new Set(said).size).toBe(said.length);
  expect(said.filter((text) => (Object.values(TIMELINE_DETAILS) as string[]).includes(text))).toEqual([]);
});

it.each(LANGUAGES)('the reason of a flag that the service writes has a text in %s', (language) => {
  const words = wordsIn(language);
  expect(detailsIn(words, codeDetails('damageSeen'))).toBe(words.t('note.seenDamaged'));
  expect(detailsIn(words, codeDetails('damageOnPhoto'))).toBe(words.t('note.photoDamaged'));
  expect(detailsIn(words, [{ note: 'Foil torn' }])).toBe('Foil torn');
});

it('the service is the author of its own entries in timelines, in the language of the page', () => {
  expect(authorIn(de, null)).toBe('Der Dienst');
  // Also if a person has the name that the API shows for the service.
  expect(authorIn(de, 'System')).toBe('System');
});

it('a printing batch in progress is not being loaded', () => {
  expect(BATCH_STATUSES.map((status) => batchStatusIn(de, status))).toContain('Wird gedruckt');
  expect(batchStatusIn(de, 'IN_PROGRESS')).not.toBe(de.t('status.IN_PROGRESS'));
});

it.each([
  [[], 'Wählen Sie mindestens eine Zeile aus.', 'Select at least one row.'],
  [
    Array(1_001).fill('r'),
    'Wählen Sie höchstens 1.000 Zeilen auf einmal aus.',
    'Select at most 1,000 rows at once.',
  ],
])('a form for rows says how many rows it takes, in the language of the page', (row, german, english) => {
  const { message } = z.object(rowsOf(z.string())).safeParse({ row }).error!.issues[0]!;
  const errors = [{ field: 'row', code: 'validationFailed' as const, message, rejectedValue: null }];
  const refused = new ProblemError(refusal('validationFailed', 'Not valid.', { errors }));
  for (const [words, text] of [
    [de, german],
    [en, english],
  ] as const) {
    const { detail, errors: shown } = inWords(words, refused);
    expect([detail, shown?.[0]?.message]).toEqual([text, text]);
  }
});

it('a form with two wrong inputs has the text of each input in the language of the page', () => {
  const schema = z.object({ row: z.string().min(1, schemaText('noDay')), other: z.string() });
  const errors = schema.safeParse({ row: '' }).error!.issues.map(({ path, message }) => {
    return { field: String(path[0]), code: 'validationFailed' as const, message, rejectedValue: null };
  });
  const refused = new ProblemError(refusal('validationFailed', 'Not valid.', { errors }));
  for (const words of [de, en])
    expect(inWords(words, refused).errors?.[0]?.message).toBe(words.t('field.noDay'));
});
