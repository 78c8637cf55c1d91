import { expect, it } from 'vitest';
import {
  PROBLEMS,
  type ProblemCode,
  ProblemError,
  type RefusalFacts,
  refusal,
} from '../../../../src/core/lib/problem.ts';
import type { ItemResult } from '../../../../src/core/writer/command.ts';
import { LANGUAGES, type Language } from '../../../../src/messages/languages.ts';
import { itemsInWords } from '../../../../src/web/ui/list/bulk-rows.ts';
import { inWords } from '../../../../src/web/ui/parts/language.ts';
import { wordsIn } from '../../../messages.ts';

const NIL = '00000000-0000-0000-0000-000000000000';
const CODES = Object.keys(PROBLEMS) as ProblemCode[];
const items = (code: ProblemCode) => ({ errors: [{ field: 'name', code, message: 'In English.' }] });

it.each(LANGUAGES)('no refusal on a page in %s shows its code', (language) => {
  const words = wordsIn(language);
  const shown = CODES.map((code) => {
    const { detail, errors } = inWords(words, new ProblemError(refusal(code, 'In English.', items(code))));
    return { code, texts: [detail, ...errors!.map(({ message }) => message)] };
  });
  const bare = shown.filter(({ code, texts }) => texts.some((text) => text === '' || text.includes(code)));
  expect(bare).toEqual([]);
  const isEnglish = shown.filter(({ texts }) => texts.includes('In English.'));
  expect(isEnglish.length > 0).toBe(language === 'en');
});

it.each<[Language, ProblemCode, RefusalFacts, string]>([
  ['en', 'trackNotFound', { name: 'P-1' }, 'P-1: This pallet does not exist.'],
  ['en', 'databaseFull', { name: 'DB_2' }, 'In English.'],
  ['en', 'validationFailed', {}, 'In English.'],
  ['de', 'validationFailed', {}, 'Eine Eingabe ist ungültig. Prüfen Sie das Formular.'],
  ['de', 'manifestNotFound', { name: 'M-4' }, 'M-4: Diese Ladeliste gibt es nicht.'],
  ['de', 'manifestNotFound', { name: NIL }, 'Diese Ladeliste gibt es nicht.'],
  [
    'de',
    'shipmentClosed',
    { name: 'S-1', status: 'COMPLETED' },
    'S-1 (Abgeschlossen): Die Sendung ist abgeschlossen oder storniert. Sie kann nicht mehr geändert werden.',
  ],
  [
    'fr',
    'transitionNotAllowed',
    { name: 'S-1', status: 'IN_PROGRESS', to: 'PLANNED' },
    'S-1 (En cours → Planifiée)\u00a0: Le statut actuel ne le permet pas. Rechargez la page.',
  ],
  [
    'pl',
    'transitionNotAllowed',
    { name: 'S-1', status: 'PLANNED', to: 'PLANNED' },
    'S-1 (Zaplanowana): Obecny status na to nie pozwala. Odśwież stronę.',
  ],
  [
    'nl',
    'manifestBelongsToShipment',
    { name: 'M-4', other: 'S-1' },
    'M-4 (S-1): De laadlijst hoort bij een zending. Doe deze wijziging bij de zending.',
  ],
  [
    'it',
    'photoLimitReached',
    { name: 'P-1', maximum: 1_000 },
    'P-1: Ci sono troppe foto. Prima eliminane una. Il massimo è 1000.',
  ],
  [
    'es',
    'permissionRequired',
    { permissions: ['USER_MANAGEMENT_READ', 'APP_LOGIN'] },
    'No tiene permiso para esto. Consulte a un administrador. Le falta: Ver usuarios y Trabajar en el almacén.',
  ],
  // A language of the floor has no words of the desk.
  [
    'uk',
    'shipmentClosed',
    { name: 'S-1', status: 'COMPLETED' },
    'S-1: Відправлення завершено або скасовано. Змінити його вже не можна.',
  ],
])('a person reads in %s that %s is about %j as: %s', (language, code, facts, shown) => {
  const { detail } = inWords(wordsIn(language), new ProblemError(refusal(code, 'In English.', { facts })));
  expect(detail.replaceAll(/[\u2068\u2069]/g, '')).toBe(shown);
});

it('a person reads a sentence about a wrong form, and the faults of its fields', () => {
  const more = items('validationFailed');
  const refused = refusal('validationFailed', 'externalIdentifier: This is required.', more);
  const { detail, errors } = inWords(wordsIn('en'), new ProblemError(refused));
  expect([detail, errors]).toEqual(['An entry is not valid: In English.', more.errors]);
});

it('the results of a command for several items have refusals in the language of the page', () => {
  const items: ItemResult[] = [
    { name: 'S-1', refused: null },
    { name: 'S-2', refused: 'Shipment "S-2" is CANCELLED.', code: 'shipmentClosed' },
  ];
  const refusedIn = (language: 'en' | 'de') =>
    itemsInWords(wordsIn(language), items).map(({ refused }) => refused);
  expect(refusedIn('en')).toEqual([
    null,
    'The shipment is completed or cancelled. It can no longer be changed.',
  ]);
  expect(refusedIn('de')).toEqual([
    null,
    'Die Sendung ist abgeschlossen oder storniert. Sie kann nicht mehr geändert werden.',
  ]);
});

it('a field that is wrong for a known reason says so in the language of the page', () => {
  const error = new ProblemError(refusal('emailInUse', 'In use.', items('emailInUse')));
  expect(inWords(wordsIn('de'), error).errors![0]!.message).toBe(
    'Ein anderer Benutzer hat diese E-Mail-Adresse. Geben Sie eine andere ein.',
  );
});

it('a person reads the sentence of a code where a detail names a field of the API', () => {
  const message = 'The list must have at least 1 item.';
  const errors = [{ field: 'manifests', code: 'manifestsEmpty' as const, message }];
  const refused = refusal('manifestsEmpty', `manifests: ${message}`, { errors });
  const shown = inWords(wordsIn('en'), new ProblemError(refused));
  expect([shown.detail, shown.errors?.map((item) => item.message)]).toEqual([
    'Choose at least one manifest.',
    ['Choose at least one manifest.'],
  ]);
});
