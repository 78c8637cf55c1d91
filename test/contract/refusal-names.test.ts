import { beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS, type ProblemCode } from '../../src/core/lib/problem.ts';
import { type Answer, call, operator } from '../workerd/client.ts';
import { type Dock, newDock } from '../workerd/dispatch/load/shipment/dock.ts';

const UNKNOWN = 'Unknown "7"\n';
const SHOWN = JSON.stringify(UNKNOWN);
const PERSON = {
  firstName: 'Jane',
  lastName: 'Doe',
  passwordPolicyMode: 'INVITE_LINK',
  authority: { authorityName: 'OPERATOR' },
};
const unused = (): string => `new-${crypto.randomUUID().slice(0, 8)}`;
const settings = (more: object) => ({
  name: 'Acme',
  slug: unused(),
  dispatchStrategy: 'MANIFEST',
  clientFeatureEnabled: true,
  ...more,
});

/** A request that is refused: status, code, the names that `detail` contains, and the values that items repeat. */
interface Refused {
  send(dock: Dock): Promise<Answer>;
  status: 400 | 404 | 409;
  code: ProblemCode;
  names: (string | ((dock: Dock) => string))[];
  rejected?: unknown[];
}
const post =
  (path: string, json?: object) =>
  (dock: Dock): Promise<Answer> =>
    dock.call('POST', path, json);

const REFUSED: Record<string, Refused> = {
  'a manifest with a used identifier': {
    send: post('/manifest', { externalIdentifier: 'OPEN' }),
    status: 409,
    code: 'externalIdentifierInUse',
    names: ['Manifest "OPEN"'],
    rejected: ['OPEN'],
  },
  'a shipment with a used identifier': {
    send: post('/shipment', { identifier: 'SENT', manifests: [{ manifestExternalId: 'OPEN' }] }),
    status: 409,
    code: 'externalIdentifierInUse',
    names: ['Shipment "SENT"'],
    rejected: ['SENT'],
  },
  'a client with used names': {
    send: post('/client', { displayName: 'First', externalId: 'C-1' }),
    status: 409,
    code: 'displayNameInUse',
    names: ['"First"', '"C-1"'],
    rejected: ['First', 'C-1'],
  },
  'a user with a used address': {
    send: post('/user', { ...PERSON, email: 'JANE@example.com' }),
    status: 409,
    code: 'emailInUse',
    names: ['"JANE@example.com"'],
    rejected: ['JANE@example.com'],
  },
  'a coupling of a marker that was never allocated': {
    send: post('/track/couple', { wmsId: 'NEW', markerCode: 5_000_000_000 }),
    status: 409,
    code: 'markerNotAllocated',
    names: ['5000000000'],
    rejected: [5_000_000_000],
  },
  'a coupling of a WMS id that has a track': {
    send: post('/track/get-and-couple?imageDelivery=URL', { wmsId: 'A' }),
    status: 409,
    code: 'wmsIdAlreadyCoupled',
    names: ['"A"'],
    rejected: ['A'],
  },
  'a deletion of a pallet on an open manifest': {
    send: (dock) => dock.call('DELETE', '/track/B'),
    status: 409,
    code: 'trackOnOpenManifest',
    names: ['Track "B"'],
  },
  'a deletion of an attached manifest': {
    send: (dock) => dock.call('DELETE', '/manifest/HELD'),
    status: 409,
    code: 'manifestBelongsToShipment',
    names: ['Manifest "HELD"'],
  },
  'a change of a completed manifest': {
    send: (dock) => dock.call('PUT', '/manifest/DONE', { assets: ['X'] }),
    status: 409,
    code: 'manifestClosed',
    names: ['Manifest "DONE"'],
  },
  'a change of a completed shipment': {
    send: (dock) => dock.call('PUT', '/shipment/SENT', { gateIdentifier: 'H' }),
    status: 409,
    code: 'shipmentClosed',
    names: ['Shipment "SENT"'],
  },
  'a shipment of manifests that cannot be attached': {
    send: post('/shipment', {
      identifier: 'NEW',
      manifests: [{ manifestExternalId: UNKNOWN }, { manifestExternalId: 'HELD' }],
    }),
    status: 409,
    code: 'manifestsNotAttachable',
    names: [`Manifest ${SHOWN}`],
    rejected: [UNKNOWN, 'HELD'],
  },
  'a deletion of a client with pallets': {
    send: async (dock) => {
      const { body } = await dock.must('GET', '/client?q=C-1');
      return dock.call('DELETE', `/client/${body.content[0].uuid}`);
    },
    status: 409,
    code: 'clientHasAssignedPallets',
    names: ['Client "C-1"'],
  },
  'a deletion of a gate with open loads': {
    send: (dock) => operator('DELETE', `/organization/${dock.uuid}/gate/G`),
    status: 409,
    code: 'gateInUse',
    names: ['Gate "G"'],
  },
  'a deletion of a loading record that is not invalid': {
    send: (dock) => dock.call('DELETE', '/shipment/LIVE/asset-loading/track/C'),
    status: 409,
    code: 'recordNotInvalidLoading',
    names: ['"C"'],
  },
  'an erasure of an organization that is not suspended': {
    send: (dock) => operator('DELETE', `/organization/${dock.uuid}?slug=${dock.slug}`),
    status: 409,
    code: 'organizationNotSuspended',
    names: [({ slug }) => `Organization "${slug}"`],
  },
  'an organization with a used slug': {
    send: ({ slug }) => operator('POST', '/organization', settings({ slug })),
    status: 409,
    code: 'slugInUse',
    names: [({ slug }) => `"${slug}"`],
  },
  'an allocation of more codes than are left': {
    send: async () => {
      const slug = 'exhausted';
      const { body } = await operator(
        'POST',
        '/organization',
        settings({ slug, markerCodeStart: Number.MAX_SAFE_INTEGER - 5 }),
      );
      const key = await operator('POST', `/organization/${body.uuid}/api-key`, { name: 'k' });
      const path = '/integration/rest/api/v1/marker-code/allocate?quantity=0999&imageDelivery=URL';
      return call('POST', path, { headers: { 'X-AUTH-KEY': key.body.secret } });
    },
    status: 409,
    code: 'markerCodesExhausted',
    names: ['Organization "exhausted"', '999'],
  },
  'a manifest at an unknown gate': {
    send: post('/manifest', { externalIdentifier: 'NEW', gateExternalId: UNKNOWN }),
    status: 400,
    code: 'gateNotFound',
    names: [`Gate ${SHOWN}`],
    rejected: [UNKNOWN],
  },
  'a pallet of an unknown client': {
    send: post('/track/get-and-couple?imageDelivery=URL', { wmsId: 'NEW', clientId: UNKNOWN }),
    status: 400,
    code: 'clientNotFound',
    names: [`Client ${SHOWN}`],
    rejected: [UNKNOWN],
  },
  'a user with an unknown authority': {
    send: post('/user', { ...PERSON, email: 'x@example.com', authority: { authorityName: UNKNOWN } }),
    status: 400,
    code: 'authorityNotFound',
    names: [`Authority ${SHOWN}`],
    rejected: [UNKNOWN],
  },
  'an organization in an unknown database': {
    send: () => operator('POST', '/organization', settings({ databaseName: 'DB_77' })),
    status: 400,
    code: 'databaseNotFound',
    names: ['Database "DB_77"'],
    rejected: ['DB_77'],
  },
  'an allocation of too many codes, with the number in the form sent': {
    send: post('/marker-code/allocate?quantity=09999&imageDelivery=URL'),
    status: 400,
    code: 'validationFailed',
    names: ['1000'],
    rejected: ['09999'],
  },
  'a list with a page size that is sent twice': {
    send: (dock) => dock.call('GET', '/track?pageSize=1&pageSize=02'),
    status: 400,
    code: 'validationFailed',
    names: ['pageSize: This must be one text, not several.'],
    rejected: [['1', '02']],
  },
  'a list after a cursor that is not from the service': {
    send: (dock) => dock.call('GET', '/track?cursor=abc'),
    status: 400,
    code: 'validationFailed',
    names: ['cursor'],
    rejected: ['abc'],
  },
  'a webhook whose name is no UUID, as it was sent': {
    send: (dock) => dock.call('GET', '/webhook/NoSuch'),
    status: 404,
    code: 'webhookNotFound',
    names: ['Webhook "NoSuch"'],
  },
  'a list of EPCs that is empty, once': {
    send: (dock) => dock.call('GET', '/epcis/events?MATCH_epc='),
    status: 400,
    code: 'validationFailed',
    names: ['MATCH_epc[0]'],
    rejected: [''],
  },
  'a text instead of a list, once': {
    send: post('/shipment', { identifier: 'TEXT', manifests: '' }),
    status: 400,
    code: 'validationFailed',
    names: ['manifests: This must be a list.'],
    rejected: [''],
  },
  'a pallet that is not on the manifest': {
    send: (dock) => dock.call('DELETE', '/manifest/OPEN/track-record/A'),
    status: 404,
    code: 'trackRecordNotFound',
    names: ['Track "A"', 'manifest "OPEN"'],
  },
};

describe('a refusal', () => {
  let dock: Dock;
  beforeAll(async () => {
    dock = await newDock({ clientFeatureEnabled: true });
    await dock.must('POST', '/client', { displayName: 'First', externalId: 'C-1' });
    await dock.must('POST', '/user', { ...PERSON, email: 'jane@example.com' });
    await dock.must('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'A', clientId: 'C-1' });
    await dock.couple('B', 'C', 'D');
    await dock.manifest('OPEN', 'B');
    await dock.manifest('HELD', 'C');
    await dock.manifest('DONE', 'D');
    await dock.shipment('SENT', ['DONE'], { gateIdentifier: 'H' });
    for (const status of ['IN_PROGRESS', 'COMPLETED'])
      await dock.must('POST', `/shipment/SENT/status/${status}`);
    await dock.shipment('LIVE', ['HELD'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/LIVE/status/IN_PROGRESS');
  });

  it.each(Object.entries(REFUSED))(
    'the refusal of %s names it',
    async (_, { send, status, code, names, rejected }) => {
      const answer = await send(dock);
      const { body } = answer;
      expect([answer.status, body.code, body.title]).toEqual([status, code, PROBLEMS[code][1]]);
      for (const name of names) {
        expect(body.detail).toContain(typeof name === 'string' ? name : name(dock));
      }
      expect(body.detail).not.toMatch(/\n/);
      if (rejected) {
        expect(body.errors.map(({ rejectedValue }: { rejectedValue: unknown }) => rejectedValue)).toEqual(
          rejected,
        );
      }
      const items = body.errors.map((item: object) => JSON.stringify(item));
      expect(new Set(items).size).toBe(items.length);
    },
  );
});
