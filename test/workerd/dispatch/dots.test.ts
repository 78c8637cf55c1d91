import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type Answer, operator } from '../client.ts';
import { signIn } from '../delivery/live/listener.ts';
import { pagesOf } from '../web/console/forms.ts';
import { newDock } from './load/shipment/dock.ts';

const { DB: db } = env as unknown as { DB: D1Database };
const DOTS = ['.', '..'];
const NO_DOTS = ['...', '.a', '..a', 'a.', '%2e', '. ', '․'];

const dock = await newDock({ shipmentCustomFields: [{ fieldKey: 'k', fieldType: 'TEXT' }] });
const FREE = 'M-free';
for (const name of [FREE, 'M-member']) await dock.manifest(name);
await dock.must('POST', '/client', { displayName: 'One', externalId: 'ONE' });
const scanner = await operator('POST', `/organization/${dock.uuid}/scanner`, { name: 'Printer' });
const { body: marker } = await dock.must('POST', '/marker-code/allocate?quantity=50&imageDelivery=URL');
const codes: number[] = marker.entries.map(({ markerCode }: { markerCode: number }) => markerCode);

/** How each kind of identifier is created, and the field that names it. */
const CREATIONS: Record<string, [field: string, (id: string) => Promise<Answer>]> = {
  manifest: ['externalIdentifier', (id) => dock.call('POST', '/manifest', { externalIdentifier: id })],
  asset: [
    'assets[1]',
    (id) => dock.call('POST', '/manifest', { externalIdentifier: `M ${id}`, assets: ['W', id] }),
  ],
  'added asset': ['assets[1]', (id) => dock.call('PUT', `/manifest/${FREE}`, { assets: ['W', id] })],
  'manifest field': [
    'customFields[0].fieldKey',
    (id) =>
      dock.call('POST', '/manifest', {
        externalIdentifier: `F ${id}`,
        customFields: [{ fieldKey: id, fieldValue: 'v' }],
      }),
  ],
  'added field': [
    'fieldKey',
    (id) => dock.call('POST', `/manifest/${FREE}/custom-field`, { fieldKey: id, fieldValue: 'v' }),
  ],
  'replaced fields': [
    'customFields[0].fieldKey',
    (id) => dock.call('PUT', `/manifest/${FREE}`, { customFields: [{ fieldKey: id, fieldValue: 'v' }] }),
  ],
  client: ['externalId', (id) => dock.call('POST', '/client', { displayName: `C ${id}`, externalId: id })],
  'renamed client': [
    'externalId',
    async (id) => {
      const [{ uuid }] = (await dock.must('GET', '/client?q=One')).body.content;
      return dock.call('PUT', `/client/${uuid}`, { displayName: 'One', externalId: `${id}` });
    },
  ],
  track: ['wmsId', (id) => dock.call('POST', '/track/couple', { wmsId: id, markerCode: codes.pop() })],
  'new track': [
    'wmsId',
    (id) => dock.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: `${id}` }),
  ],
  'printing batch': [
    'externalIdentifier',
    (id) =>
      dock.call('POST', `/scanner/${scanner.body.uuid}/printing-batch`, {
        quantity: 1,
        externalIdentifier: id,
      }),
  ],
  'track field': [
    'customFields[0].fieldKey',
    (id) =>
      dock.call('POST', '/track/get-and-couple?imageDelivery=URL', {
        wmsId: `T ${id}`,
        customFields: [{ fieldKey: id, fieldValue: 'v' }],
      }),
  ],
  'shipment field of an organization': [
    'shipmentCustomFields[0].fieldKey',
    (id) =>
      operator('POST', '/organization', {
        name: 'Dots',
        slug: `dots-${crypto.randomUUID()}`,
        dispatchStrategy: 'SHIPMENT',
        shipmentCustomFields: [{ fieldKey: id, fieldType: 'TEXT' }],
      }),
  ],
  'shipment field': [
    'shipmentCustomFields[0].fieldKey',
    (id) =>
      operator('PUT', `/organization/${dock.uuid}`, {
        shipmentCustomFields: [
          { fieldKey: id, fieldType: 'TEXT' },
          { fieldKey: 'k', fieldType: 'TEXT' },
        ],
      }),
  ],
};

describe('an identifier that is part of a path', () => {
  it.each(Object.entries(CREATIONS))('a new %s is not called . or ..', async (_, [field, create]) => {
    for (const id of DOTS) {
      const { status, body } = await create(id);
      expect([id, status, body.code, body.errors]).toEqual([
        id,
        400,
        'validationFailed',
        [expect.objectContaining({ field, rejectedValue: id })],
      ]);
    }
  });

  it('a new shipment is not called . or ..', async () => {
    const manifests = [{ manifestExternalId: 'M-member' }];
    for (const identifier of DOTS) {
      const { status, body } = await dock.call('POST', '/shipment', { identifier, manifests });
      expect([status, body.errors[0].field]).toEqual([400, 'identifier']);
    }
    expect((await dock.call('POST', '/shipment', { identifier: '...', manifests })).status).toBe(201);
  });

  it.each(Object.entries(CREATIONS).filter(([kind]) => !['new track', 'renamed client'].includes(kind)))(
    'a new %s may have any other name with dots',
    async (_, [, create]) => {
      for (const id of NO_DOTS) {
        const { status, body } = await create(id);
        expect([id, [200, 201].includes(status), body]).toEqual([id, true, body]);
      }
    },
  );

  it('forms refuse . and .. for new gates, authorities and assets', async () => {
    const pages = pagesOf(await signIn(dock));
    const { uuid } = (await dock.must('GET', `/manifest/${FREE}`)).body;
    for (const [name, status] of [
      ['..', 400],
      ['.', 400],
      ['...', 303],
    ] as const) {
      const gate = await pages.send('/app/gate', 'create', { externalIdentifier: name, name: 'Gate' });
      const authority = { authorityName: name, permissions: 'BACKOFFICE_LOGIN' };
      const put = await pages.send('/app/authority', 'put', authority);
      const asset = await pages.send(`/app/manifest/${uuid}`, 'attach', { trackIdentifier: name });
      expect([name, gate.status, put.status, asset.status]).toEqual([name, status, status, status]);
    }
  });

  it('identifiers that were stored before stay readable, and can be sent back', async () => {
    const rename = (table: string, column: string, from: string) =>
      db
        .prepare(`UPDATE ${table} SET ${column} = '.' WHERE organization_uuid = ?1 AND ${column} = ?2`)
        .bind(dock.uuid, from)
        .run();
    await dock.must('POST', '/manifest', {
      externalIdentifier: 'OLD',
      assets: ['OLD-ASSET'],
      customFields: [{ fieldKey: 'old-key', fieldValue: 'v' }],
    });
    const { uuid } = (await dock.must('GET', '/manifest/OLD')).body;
    await rename('manifest', 'external_identifier', 'OLD');
    await rename('asset_loading', 'wms_id', 'OLD-ASSET');
    await rename('custom_field', 'field_key', 'old-key');
    const shown = (await dock.must('GET', `/manifest/${uuid}`)).body;
    expect([shown.externalIdentifier, shown.customFields[0].fieldKey]).toEqual(['.', '.']);
    const answer = await dock.call('PUT', `/manifest/${uuid}`, {
      assets: ['.'],
      customFields: shown.customFields,
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        assets: { added: 0, removed: 0, unchanged: 1 },
        customFields: { added: 0, updated: 0, removed: 0, unchanged: 1 },
      },
    ]);
    await dock.must('POST', '/client', { displayName: 'Old', externalId: 'OLD-CLIENT' });
    const { body: client } = await dock.must('GET', '/client/OLD-CLIENT');
    await rename('client', 'external_id', 'OLD-CLIENT');
    const kept = await dock.call('PUT', `/client/${client.uuid}`, { displayName: 'Kept', externalId: '.' });
    expect([kept.status, kept.body.externalId]).toEqual([200, '.']);
  });
});
