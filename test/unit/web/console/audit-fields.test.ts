import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { organizationCreateSchema } from '../../../../src/access/organization/schema.ts';
import { authorityPutSchema, userCreateSchema } from '../../../../src/access/user/schema.ts';
import { webhookCreateSchema } from '../../../../src/delivery/webhook/schema.ts';
import { alertSchema } from '../../../../src/dispatch/alert/routes.ts';
import { clientWriteSchema } from '../../../../src/dispatch/client/schema.ts';
import {
  agentCreateSchema,
  heartbeatSchema,
  localManagerCreateSchema,
  scannerCreateSchema,
} from '../../../../src/dispatch/device/schema.ts';
import { gateUpsertSchema } from '../../../../src/dispatch/gate/schema.ts';
import { printingBatchCreateSchema } from '../../../../src/dispatch/printing-batch/schema.ts';
import { DESK_LANGUAGES } from '../../../../src/messages/languages.ts';
import { changeIn, labelIn } from '../../../../src/web/console/resources/audit/words.ts';
import { wordsIn } from '../../../messages.ts';

const SRC = resolve(import.meta.dirname, '../../../../src');

/** The files with commands and their changes. */
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(access|core|delivery|dispatch|log|retention|storage)\/.*\.ts$/.test(file))
  .map((file) => readFileSync(join(SRC, file), 'utf8'));

/**
 * Fields that the source names in a change: `field: 'status', oldValue: …`, or `changedFields(null, { status })`. The test of
 * all writes in `test/contract/audit.test.ts` checks the fields of the records themselves.
 */
const named = files.flatMap((source) => [
  ...[...source.matchAll(/\bfield: '(\w+)',\s*(?:oldValue|newValue)/g)].map(([, field]) => field!),
  ...[...source.matchAll(/\bchangedFields\(\s*\w+,\s*\{(.*?)\n? *\}\)/gs)].flatMap(([, members]) =>
    [...members!.matchAll(/(?:^|[{,])\s*(\w+)\s*(?=[,:]|$)/g)].map(([, field]) => field!),
  ),
]);

/** Fields of requests that are recorded under their own name. */
const requested = [
  organizationCreateSchema,
  userCreateSchema,
  authorityPutSchema,
  webhookCreateSchema,
  alertSchema,
  clientWriteSchema,
  scannerCreateSchema,
  localManagerCreateSchema,
  agentCreateSchema,
  heartbeatSchema,
  gateUpsertSchema,
  printingBatchCreateSchema,
].flatMap(({ shape }) => Object.keys(shape));

/** Members of the schemas that no record has: the record has the objects themselves, or only answers have them. */
const UNRECORDED = new Set(
  `count message gateExternalId uuid createDate updateDate resolvedDate deepLink truncated suspendDate internal disabledDate
  failingSince secretOverlapEndDate raisedDate lastSeenDate gatesCount deviceType activeManifestExternalIds
  activeShipmentExternalIds openAlertsCount printedCount completeDate`.split(/\s+/),
);

it.each(DESK_LANGUAGES)('every field of an audit record has a label in %s', (language) => {
  expect(named.length).toBeGreaterThan(80);
  const fields = new Set([...named, ...requested].filter((field) => !UNRECORDED.has(field)));
  expect([...fields].filter((field) => labelIn(wordsIn(language), field) === undefined)).toEqual([]);
});

it.each([
  ['authority', 'OPERATOR', 'Rolle: Disponent'],
  ['authority', 'NIGHT_SHIFT', 'Rolle: NIGHT_SHIFT'],
  ['alertTypes', ['DEPARTURE_LATE', 'DEVICE_OFFLINE'], /^Arten von Meldungen: .*(?<!_)Gerät/],
  ['eventTypes', ['SIGNATURE_ADDED'], /: Unterschrift hinzugefügt$/],
  ['permissions', ['USER_MANAGEMENT_READ'], /: Benutzer sehen$/],
  ['scopes', ['GATE_WRITE'], /: [^_]+$/],
  ['severity', 'CRITICAL', /: Kritisch$/],
  ['kind', 'DAMAGE', 'Art: Schaden'],
  ['agentType', 'PRINTER', /^Art: [A-Z][a-z]+$/],
  ['gateWorkerIdentification', 'BADGE', /: [^_]*[a-z]$/],
  ['clientSecret', 'changed', /: geändert$/],
  ['disabledReason', 'GONE', 'Grund: Den Empfänger gibt es nicht mehr'],
  ['passwordPolicyMode', 'INVITE_LINK', /: [^_]*[a-z]$/],
])('a code in an audit record is in the language of the page: %s', (field, newValue, text) => {
  const site = { timeZone: 'UTC', shipmentCustomFields: [] };
  const said = changeIn(wordsIn('de'), site, { field, oldValue: null, newValue }, 200);
  if (typeof text === 'string') expect(said).toBe(text);
  else expect(said).toMatch(text);
});
