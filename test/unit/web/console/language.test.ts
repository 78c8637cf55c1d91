import { expect, it } from 'vitest';
import {
  PROBLEMS,
  type ProblemCode,
  ProblemError,
  type RefusalFacts,
  refusal,
} from '../../../../src/core/lib/problem.ts';
import type { ItemResult } from '../../../../src/core/writer/decide-items.ts';
import { LANGUAGES, type Language } from '../../../../src/messages/languages.ts';
import { itemsInWords } from '../../../../src/web/console/kit/bulk-rows.ts';
import { inWords, titleOf } from '../../../../src/web/console/kit/language.ts';
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
  expect(isEnglish).toHaveLength(language === 'en' ? CODES.length : 0);
});

it.each<[ProblemCode, string, string]>([
  ['gateNotFound', 'Gate "G7" does not exist.', 'Gate "G7" does not exist.'],
  [
    'gateNotFound',
    'Gate "0192F7c1-7c1a-7000-8000-000000000001" does not exist.',
    'This gate does not exist.',
  ],
  [
    'trackNotFound',
    'Track "Track IN_PROGRESS" does not exist.',
    'Pallet "Track IN_PROGRESS" does not exist.',
  ],
  [
    'shipmentClosed',
    'Shipment "S-\\"1\\"" is COMPLETED.',
    'Shipment "S-\\"1\\"" is completed. It can no longer be changed.',
  ],
  [
    'transitionNotAllowed',
    'Shipment "S" is IN_PROGRESS already.',
    'Shipment "S" is in progress already. Reload the page.',
  ],
  [
    'permissionRequired',
    'It requires USER_MANAGEMENT_READ, SSCC.',
    'It requires See users, SSCC. Ask an administrator.',
  ],
  ['unauthorized', 'Send a valid credential for this host.', 'You are not signed in. Sign in first.'],
  ['validationFailed', 'You have 10 passkeys. Delete one first.', 'You have 10 passkeys. Delete one first.'],
  // A detail of one sentence gets the next step, if there is one.
  [
    'trackOnOpenManifest',
    'Track "A. B" is on an open manifest.',
    'Pallet "A. B" is on an open manifest. Remove it from there first.',
  ],
  ['gateInUse', 'Gate "G" has loads. Assign them first.', 'Gate "G" has loads. Assign them first.'],
  ['formExpired', 'Send it again.', 'Send it again.'],
  [
    'validationFailed',
    'The format SLACK has no message for PHOTO_ADDED. Remove it.',
    'The format SLACK has no message for “Photo added”. Remove it.',
  ],
  // A page has a button in place of the parameter.
  [
    'wmsIdAlreadyCoupled',
    'WMS id "P" has a track on the open manifest "M". Retire it now, with force=true.',
    'WMS id "P" has a pallet on the open manifest "M". Retire it now.',
  ],
  ['databaseFull', 'Database "DB_2" is full.', 'Database "DB_2" is full.'],
  ['operatorNotFound', `Operator "${NIL}" does not exist.`, `Operator "${NIL}" does not exist.`],
])('a person reads the refusal %s with the detail %s as: %s', (code, detail, shown) => {
  expect(inWords(wordsIn('en'), new ProblemError(refusal(code, detail))).detail).toBe(shown);
});

it.each<[Language, ProblemCode, RefusalFacts, string]>([
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
  ['uk', 'shipmentClosed', { name: 'S-1', status: 'COMPLETED' }, 'S-1: Відправлення завершено або скасовано. Змінити його вже не можна.'],
])('a person reads in %s that %s is about %j as: %s', (language, code, facts, shown) => {
  const { detail } = inWords(wordsIn(language), new ProblemError(refusal(code, 'In English.', { facts })));
  expect(detail.replaceAll(/[\u2068\u2069]/g, '')).toBe(shown);
});

it('a person reads a sentence about a wrong form, and the faults of its fields', () => {
  const more = items('validationFailed');
  const refused = refusal('validationFailed', 'externalIdentifier: This is required.', more);
  const { detail, errors } = inWords(wordsIn('en'), new ProblemError(refused));
  expect([detail, errors]).toEqual(['An entry is not valid: In English.', more.errors]);
  const two = { errors: [...more.errors, ...more.errors] };
  const both = refusal('validationFailed', '2 items of the request are not valid.', two);
  expect(inWords(wordsIn('en'), new ProblemError(both)).detail).toBe(
    'An entry is not valid. Check the form.',
  );
});

it('the title of a page about a refusal has no word of the API only', () => {
  const titles = CODES.map((code) => titleOf(wordsIn('en'), refusal(code, '')));
  expect(
    titles.filter((title) => /\btracks?\b|\bassets?\b|credential is missing|media type/i.test(title)),
  ).toEqual([]);
  expect(titleOf(wordsIn('en'), refusal('gateNotFound', ''))).toBe('The gate does not exist');
  expect(titleOf(wordsIn('en'), refusal('unauthorized', ''))).toBe('This was not done');
});

it('the results of a command for several items have refusals in the language of the page', () => {
  const items: ItemResult[] = [
    { name: 'S-1', refused: null },
    { name: 'S-2', refused: 'Shipment "S-2" is CANCELLED.', code: 'shipmentClosed' },
  ];
  const refusedIn = (language: 'en' | 'de') =>
    itemsInWords(wordsIn(language), items).map(({ refused }) => refused);
  expect(refusedIn('en')).toEqual([null, 'Shipment "S-2" is cancelled. It can no longer be changed.']);
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
