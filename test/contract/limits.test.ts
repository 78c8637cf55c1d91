import { describe, expect, it } from 'vitest';
import { newGate, newTenant, type Tenant } from '../workerd/client.ts';
import { document } from './document.ts';
import { problemFaults } from './problem.ts';
import { storedState } from './state.ts';

const EMOJI = '\u{1f4e6}';
const many = (count: number) => Array.from({ length: count }, (_, index) => `P${index}`);
const fields = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ fieldKey: `k${index}`, fieldValue: 'v' }));

/** Send a request that must be refused with this code and change nothing. */
async function refused(
  tenant: Tenant,
  [method, path, json]: [string, string, unknown?],
  status: number,
  code: string,
): Promise<{ field: string; code: string }[]> {
  const before = await storedState(tenant);
  const answer = await tenant.call(method, path, json);
  expect([path, problemFaults(answer, status, code)]).toEqual([path, []]);
  expect(await storedState(tenant)).toEqual(before);
  return answer.body.errors;
}

const status = async (tenant: Tenant, method: string, path: string, json?: unknown) =>
  (await tenant.call(method, path, json)).status;

describe('a marker allocation', () => {
  it("a marker allocation takes the organization's maximum and not one more", async () => {
    const tenant = await newTenant({ markerAllocationMaximum: 5, markerCodeStart: 1 });
    const errors = await refused(
      tenant,
      ['POST', '/marker-code/allocate?quantity=6'],
      400,
      'validationFailed',
    );
    expect(errors.map(({ field }) => field)).toEqual(['quantity']);
    const { body } = await tenant.call('POST', '/marker-code/allocate?quantity=5&imageDelivery=URL');
    expect(body.entries.map((entry: { markerCode: number }) => entry.markerCode)).toEqual([1, 2, 3, 4, 5]);
  });

  it.each(['0', '-1', '1.5', '1e9', '1000000000', 'abc', '1001', '', 'Infinity', '0x2', '1,2'])(
    'a marker allocation of %j codes fails and takes none',
    async (quantity) => {
      const tenant = await newTenant({ markerCodeStart: 1 });
      await refused(tenant, ['POST', `/marker-code/allocate?quantity=${quantity}`], 400, 'validationFailed');
      const { body } = await tenant.call('POST', '/marker-code/allocate?imageDelivery=URL');
      expect(body.entries[0].markerCode).toBe(1);
    },
  );

  it('marker codes end at 2^53−1, and a block that does not fit leaves the rest untouched', async () => {
    const tenant = await newTenant({ markerCodeStart: Number.MAX_SAFE_INTEGER - 2 });
    await refused(tenant, ['POST', '/marker-code/allocate?quantity=4'], 409, 'markerCodesExhausted');
    const { body } = await tenant.call('POST', '/marker-code/allocate?quantity=3&imageDelivery=URL');
    expect(body.entries.at(-1).markerCode).toBe(Number.MAX_SAFE_INTEGER);
    await refused(tenant, ['POST', '/track/get-and-couple', { wmsId: 'P' }], 409, 'markerCodesExhausted');
  });
});

describe('a manifest', () => {
  it('a manifest takes 5,000 assets and not one more, by every call', async () => {
    const tenant = await newTenant();
    const over = many(5_001);
    await refused(
      tenant,
      ['POST', '/manifest', { externalIdentifier: 'M', assets: over }],
      400,
      'validationFailed',
    );
    expect(await status(tenant, 'POST', '/manifest', { externalIdentifier: 'M', assets: many(5_000) })).toBe(
      201,
    );
    await refused(tenant, ['PUT', '/manifest/M', { assets: over }], 400, 'validationFailed');
    await refused(tenant, ['POST', '/manifest/M/upsert-assets', { assets: over }], 400, 'validationFailed');
    await refused(tenant, ['POST', '/manifest/M/track-record/P5000'], 409, 'assetLimitReached');
    expect(await status(tenant, 'POST', '/manifest/M/track-record/P4999')).toBe(200);
    expect((await tenant.call('GET', '/manifest/M')).body.tracksCount).toBe(5_000);
  });

  it('a manifest takes 50 custom fields and not one more, by every call', async () => {
    const tenant = await newTenant();
    const [full, over] = [fields(50), fields(51)];
    const create = (customFields: unknown) => ({ externalIdentifier: 'M', customFields });
    await refused(tenant, ['POST', '/manifest', create(over)], 400, 'validationFailed');
    expect(await status(tenant, 'POST', '/manifest', create(full))).toBe(201);
    await refused(tenant, ['PUT', '/manifest/M', { customFields: over }], 400, 'validationFailed');
    await refused(tenant, ['POST', '/manifest/M/custom-field', over[50]], 409, 'customFieldLimitReached');
    expect(await status(tenant, 'POST', '/manifest/M/custom-field', { ...full[0], fieldValue: 'w' })).toBe(
      200,
    );
    await refused(
      tenant,
      ['POST', '/track/get-and-couple', { wmsId: 'P', customFields: over }],
      400,
      'validationFailed',
    );
  });

  it('a refused manifest names every repeated asset and key', async () => {
    const tenant = await newTenant();
    const json = {
      externalIdentifier: 'M',
      assets: ['A', 'B', 'A', 'C', 'B', 'a'],
      customFields: [...fields(2), fields(1)[0]],
    };
    const errors = await refused(tenant, ['POST', '/manifest', json], 400, 'validationFailed');
    expect(errors.map(({ field }) => field).sort()).toEqual([
      'assets[2]',
      'assets[4]',
      'customFields[2].fieldKey',
    ]);
  });

  it('a refused manifest names all faults at once', async () => {
    const tenant = await newTenant();
    const json = { externalIdentifier: '', manifestStatus: 'LATER', assets: [''], surprise: 1 };
    const errors = await refused(tenant, ['POST', '/manifest', json], 400, 'validationFailed');
    expect(errors.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
      'assets[0] validationFailed',
      'externalIdentifier validationFailed',
      'manifestStatus unknownStatus',
      'surprise unknownField',
    ]);
  });

  it('an unknown manifest status gets unknownStatus with the allowed values, in a path and in a body', async () => {
    const tenant = await newTenant();
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M' });
    for (const name of ['NOPE', 'to_do', 'TO_DO%20', '%00']) {
      const answer = await tenant.call('POST', `/manifest/M/status/${name}`);
      expect(problemFaults(answer, 400, 'unknownStatus')).toEqual([]);
      expect(answer.body.allowedValues).toEqual(
        document.components.schemas.Manifest.properties.manifestStatus.enum,
      );
    }
    await refused(
      tenant,
      ['POST', '/manifest', { externalIdentifier: 'N', manifestStatus: 'X' }],
      400,
      'unknownStatus',
    );
  });
});

describe('text', () => {
  const TEXTS: [string, number, (tenant: Tenant, value: string) => Promise<number>][] = [
    ['an external identifier', 255, (t, v) => status(t, 'POST', '/manifest', { externalIdentifier: v })],
    ['an asset', 255, (t, v) => status(t, 'POST', '/manifest', { externalIdentifier: 'M', assets: [v] })],
    ['a WMS id', 255, (t, v) => status(t, 'POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: v })],
    ['a field’s key', 100, (t, v) => status(t, 'POST', '/manifest', withField(v, 'v'))],
    ['a field’s value', 1_000, (t, v) => status(t, 'POST', '/manifest', withField('k', v))],
    ['a comment', 5_000, (t, v) => onTrack(t, 'POST', 'comments', { additionalInfo: v })],
    ['a file name', 255, (t, v) => onTrack(t, 'POST', 'comments', withAttachment({ fileName: v }))],
    ['a description', 1_000, (t, v) => onTrack(t, 'POST', 'comments', withAttachment({ description: v }))],
    ['a reason', 1_000, (t, v) => onTrack(t, 'PATCH', 'flag', { reason: v })],
    ['a search', 255, (t, v) => status(t, 'GET', `/manifest?q=${encodeURIComponent(v)}`)],
  ];
  const withField = (fieldKey: string, fieldValue: string) => ({
    externalIdentifier: 'M',
    customFields: [{ fieldKey, fieldValue }],
  });
  const withAttachment = (more: object) => ({
    additionalInfo: 'a',
    attachments: [{ link: 'https://example.com/', ...more }],
  });
  async function onTrack(tenant: Tenant, method: string, part: string, json: unknown): Promise<number> {
    await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'P' });
    return status(tenant, method, `/track/P/${part}`, json);
  }

  it.each(TEXTS)('text of %s has at most %i characters, counted as code points', async (_, maximum, send) => {
    for (const character of ['a', 'é', EMOJI]) {
      const tenant = await newTenant();
      expect([character, await send(tenant, character.repeat(maximum + 1))]).toEqual([character, 400]);
      expect([character, (await send(tenant, character.repeat(maximum))) < 300]).toEqual([character, true]);
    }
  });

  it('a link must start with http or https', async () => {
    const tenant = await newTenant();
    const comment = (link: string) => onTrack(tenant, 'POST', 'comments', withAttachment({ link }));
    for (const bad of [
      'javascript:alert(1)',
      'ftp://a/b',
      'data:,a',
      '//a/b',
      'a',
      '',
      ' https://a/\u0000',
    ]) {
      expect([bad, await comment(bad)]).toEqual([bad, 400]);
    }
    expect([await comment('http://a/b'), await comment('HTTPS://a/b')]).toEqual([200, 200]);
    const attachments = (count: number) => ({
      additionalInfo: 'a',
      attachments: Array.from({ length: count }, () => ({ link: 'https://a/' })),
    });
    expect(await onTrack(tenant, 'POST', 'comments', attachments(21))).toBe(400);
    expect(await onTrack(tenant, 'POST', 'comments', attachments(20))).toBe(200);
  });
});

describe('unknown names', () => {
  it('an unknown name gets 400 in a body, 404 in a path and no rows in a filter', async () => {
    const tenant = await newTenant({ markerCodeStart: 100 });
    await newGate(tenant, 'G');
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M', gateExternalId: 'G', assets: ['P'] });
    await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'P' });
    const create = { externalIdentifier: 'N', gateExternalId: 'g' };
    const [error] = await refused(tenant, ['POST', '/manifest', create], 400, 'gateNotFound');
    expect(error).toMatchObject({ field: 'gateExternalId', code: 'gateNotFound', rejectedValue: 'g' });
    await refused(tenant, ['POST', '/manifest/M/gate/g'], 404, 'gateNotFound');
    await refused(tenant, ['POST', '/manifest/m/gate/G'], 404, 'manifestNotFound');
    await refused(tenant, ['DELETE', '/manifest/M/track-record/p'], 404, 'trackRecordNotFound');
    await refused(tenant, ['DELETE', '/manifest/M/custom-field/k'], 404, 'customFieldNotFound');
    await refused(tenant, ['PATCH', '/track/p/retire'], 404, 'trackNotFound');
    const couple = (markerCode: number) => ({ markerCode, wmsId: 'Q' });
    await refused(tenant, ['POST', '/track/couple', couple(99)], 409, 'markerNotAllocated');
    await refused(tenant, ['POST', '/track/couple', couple(101)], 409, 'markerNotAllocated');
    await refused(tenant, ['POST', '/track/couple', couple(100)], 409, 'markerAlreadyCoupled');
    await refused(
      tenant,
      ['POST', '/track/couple', { ...couple(100), clientId: 'C' }],
      400,
      'clientNotFound',
    );
    for (const code of ['99', '101', '0', '0100', '+100', '1e2', '100.0', '9007199254740993', 'abc', '%00']) {
      await refused(tenant, ['GET', `/marker-code/${code}`], 404, 'markerCodeNotFound');
    }
    for (const path of ['/manifest?gateExternalId=g', '/track?manifestExternalIds=m', '/track?wmsId=p']) {
      expect([path, (await tenant.call('GET', path)).body.totalElements]).toEqual([path, 0]);
    }
  });

  it('a marker image exists only for a canonical decimal code', async () => {
    const tenant = await newTenant();
    for (const code of ['0', '-1', '01', '1.0', 'a', '', '9007199254740992', '%00', '1%2e', '²']) {
      const answer = await tenant.call('GET', `/marker-code/image/${code}.png`);
      expect([code, answer.status]).toEqual([code, 404]);
    }
    const largest = await tenant.call('GET', '/marker-code/image/9007199254740991.png');
    expect([largest.status, largest.headers.get('Content-Type')]).toEqual([200, 'image/png']);
  });
});
