import { describe, expect, it } from 'vitest';
import { newGate, newTenant, type Tenant } from '../../client.ts';

const couple = (tenant: Tenant, markerCode: number, wmsId: string) =>
  tenant.call('POST', '/track/couple', { markerCode, wmsId });
const getAndCouple = async (tenant: Tenant, wmsId: string) =>
  (await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId })).body;
const status = async (tenant: Tenant, id: string) =>
  (await tenant.call('GET', `/track/${id}`)).body.trackStatus;
const codes = async (tenant: Tenant, quantity: number): Promise<number[]> =>
  (
    await tenant.call('POST', `/marker-code/allocate?quantity=${quantity}&imageDelivery=URL`)
  ).body.entries.map((entry: { markerCode: number }) => entry.markerCode);
const activities = async (tenant: Tenant, id: string): Promise<string[]> =>
  (await tenant.call('GET', `/track/${id}/activity?sort.direction=ASC&pageSize=100`)).body.content.map(
    (entry: { activityType: string }) => entry.activityType,
  );

describe('couple', () => {
  it('coupling makes a track of a marker and a WMS id, and the same pair returns it', async () => {
    const tenant = await newTenant();
    const [first, second] = (await codes(tenant, 2)) as [number, number];
    const made = await couple(tenant, first, 'P');
    expect([made.status, made.body.track]).toMatchObject([
      200,
      {
        wmsId: 'P',
        trackIdentifier: 'P',
        markerCode: first,
        trackStatus: 'ACTIVE',
        manifests: [],
        client: null,
      },
    ]);
    expect((await couple(tenant, first, 'P')).body).toEqual(made.body);
    const other = await couple(tenant, first, 'Q');
    expect([other.status, other.body.code]).toEqual([409, 'markerAlreadyCoupled']);
    const wmsId = await couple(tenant, second, 'P');
    expect([wmsId.status, wmsId.body.code]).toEqual([409, 'wmsIdAlreadyCoupled']);
    const both = await couple(tenant, second + 1, 'P');
    expect(both.body.errors.map((item: { code: string }) => item.code)).toEqual([
      'markerNotAllocated',
      'wmsIdAlreadyCoupled',
    ]);
    expect((await tenant.call('GET', '/track')).body.totalElements).toBe(1);
  });

  it('coupling refuses a marker that is not allocated to the organization', async () => {
    const [one, two] = [await newTenant(), await newTenant()];
    const [code] = await codes(one, 1);
    for (const markerCode of [code!, 1, 2 ** 53 - 1]) {
      const answer = await couple(two, markerCode, 'P');
      expect([answer.status, answer.body.code]).toEqual([409, 'markerNotAllocated']);
    }
  });

  it('coupling refuses the pair of a retired track and an unknown client', async () => {
    const tenant = await newTenant();
    const [code, free] = (await codes(tenant, 2)) as [number, number];
    await couple(tenant, code, 'P');
    await tenant.call('PATCH', '/track/P/retire');
    expect((await couple(tenant, code, 'P')).body.code).toBe('markerAlreadyCoupled');
    expect((await couple(tenant, free, 'P')).status).toBe(200);
    const unknown = await tenant.call('POST', '/track/get-and-couple', { wmsId: 'Q', clientId: 'C' });
    expect([unknown.status, unknown.body.code]).toEqual([400, 'clientNotFound']);
  });

  it('a marker code can be looked up', async () => {
    const tenant = await newTenant();
    const [code] = await codes(tenant, 1);
    const { track, markerCode } = await getAndCouple(tenant, 'P');
    const found = await tenant.call('GET', `/marker-code/${markerCode}`);
    expect(found.body).toMatchObject({ markerCode, track: { uuid: track.uuid } });
    expect((await tenant.call('GET', `/marker-code/${code}`)).body.track).toBeNull();
    for (const missing of [markerCode + 1, code! - 1, '01', 'x', '0']) {
      const answer = await tenant.call('GET', `/marker-code/${missing}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'markerCodeNotFound']);
    }
  });
});

describe('retirement', () => {
  it('retirement waits for the last open manifest unless forced', async () => {
    const tenant = await newTenant();
    await newGate(tenant, 'G');
    for (const wmsId of ['P', 'Q']) await getAndCouple(tenant, wmsId);
    for (const externalIdentifier of ['M', 'N', 'O']) {
      await tenant.call('POST', '/manifest', { externalIdentifier, assets: ['P'], gateExternalId: 'G' });
    }
    await tenant.call('PATCH', '/track/P/retire');
    await tenant.call('PATCH', '/track/Q/retire');
    expect([await status(tenant, 'P'), await status(tenant, 'Q')]).toEqual([
      'SCHEDULED_FOR_RETIREMENT',
      'NOT_ACTIVE',
    ]);
    const { uuid } = (await tenant.call('GET', '/track/P')).body;
    for (const step of ['TO_DO', 'IN_PROGRESS', 'COMPLETED'])
      await tenant.call('POST', `/manifest/M/status/${step}`);
    expect(await status(tenant, uuid)).toBe('SCHEDULED_FOR_RETIREMENT');
    await tenant.call('DELETE', '/manifest/N/track-record/P');
    expect(await status(tenant, uuid)).toBe('SCHEDULED_FOR_RETIREMENT');
    await tenant.call('DELETE', '/manifest/O');
    expect(await status(tenant, uuid)).toBe('NOT_ACTIVE');
    expect((await tenant.call('GET', `/track/${uuid}`)).body.retireDate).not.toBeNull();
  });

  it('forced retirement takes a track off an open manifest', async () => {
    const tenant = await newTenant();
    await getAndCouple(tenant, 'P');
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: ['P'] });
    await tenant.call('PATCH', '/track/P/retire?force=true');
    const { validationErrors } = (await tenant.call('GET', '/manifest/M')).body;
    expect(validationErrors.deactivatedTracks).toEqual([{ trackIdentifier: 'P' }]);
  });

  it('the refusal to couple a pallet again names its open manifest and state, and its advice works', async () => {
    const tenant = await newTenant();
    const [code] = await codes(tenant, 1);
    await getAndCouple(tenant, 'P');
    const details = async () => [
      (await couple(tenant, code!, 'P')).body.detail,
      (await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P' })).body.detail,
      (await tenant.call('POST', '/track/get-and-couple?async=true', { wmsId: 'P' })).body.detail,
    ];
    const same = (detail: string) => [detail, detail, detail];
    expect(await details()).toEqual(
      same('WMS id "P" has a track that is not retired. Retire or delete it first.'),
    );
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: ['P'] });
    expect(await details()).toEqual(
      same('WMS id "P" has a track on the open manifest "M". Retire it now, with force=true.'),
    );
    await tenant.call('PATCH', '/track/P/retire');
    expect(await details()).toEqual(
      same(
        'WMS id "P" has a track that is scheduled for retirement. It is on the open manifest "M". Retire it now, with force=true.',
      ),
    );
    await tenant.call('PATCH', '/track/P/retire?force=true');
    const again = await couple(tenant, code!, 'P');
    expect([again.status, again.body.track.trackStatus]).toEqual([200, 'ACTIVE']);
    expect(again.body.track.manifests).toEqual([expect.objectContaining({ manifestExternalId: 'M' })]);
    expect((await tenant.call('GET', '/manifest/M')).body.validationErrors).toBeNull();
  });

  it('the refusal to revert a retirement names the open manifest of the live track', async () => {
    const tenant = await newTenant();
    const { track } = await getAndCouple(tenant, 'P');
    await tenant.call('PATCH', '/track/P/retire');
    await getAndCouple(tenant, 'P');
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: ['P'] });
    const refused = await tenant.call('PATCH', `/track/${track.uuid}/revert-retirement`);
    expect(refused.body.detail).toBe(
      'WMS id "P" has a track on the open manifest "M". Retire it now, with force=true.',
    );
  });

  it('retirement can be reverted unless the WMS id is live elsewhere', async () => {
    const tenant = await newTenant();
    const { track } = await getAndCouple(tenant, 'P');
    await tenant.call('PATCH', '/track/P/retire');
    expect((await tenant.call('PATCH', `/track/${track.uuid}/revert-retirement`)).body).toEqual({});
    expect(await status(tenant, 'P')).toBe('ACTIVE');
    await tenant.call('PATCH', '/track/P/retire');
    await getAndCouple(tenant, 'P');
    const refused = await tenant.call('PATCH', `/track/${track.uuid}/revert-retirement`);
    expect([refused.status, refused.body.code]).toEqual([409, 'wmsIdAlreadyCoupled']);
    expect(await activities(tenant, track.uuid)).toEqual(['COUPLED', 'RETIRED', 'REACTIVATED', 'RETIRED']);
  });
});

describe('a WMS id in a path', () => {
  it('a WMS id in a path means the live track, else the last coupled one, in every operation', async () => {
    const tenant = await newTenant();
    const first: string = (await getAndCouple(tenant, 'P')).track.uuid;
    await tenant.call('PATCH', '/track/P/retire');
    const last: string = (await getAndCouple(tenant, 'P')).track.uuid;
    const meant = async () => (await tenant.call('GET', '/track/P')).body.uuid;
    expect(await meant()).toBe(last);
    await tenant.call('PATCH', '/track/P/retire');
    expect(await meant()).toBe(last);
    const done = async (method: string, end: string, json?: unknown) => {
      const { status: answered, body } = await tenant.call(method, `/track/P${end}`, json);
      expect([end, answered]).toEqual([end, 200]);
      return body;
    };
    await done('POST', '/comments', { additionalInfo: 'Found behind the rack' });
    expect(await done('GET', '/comments')).toMatchObject([{ additionalInfo: 'Found behind the rack' }]);
    expect(await done('PATCH', '/flag', {})).toMatchObject({ uuid: last, trackStatus: 'NOT_ACTIVE' });
    expect(await done('PATCH', '/unflag')).toMatchObject({ uuid: last, trackStatus: 'NOT_ACTIVE' });
    expect(await done('PATCH', '/retire')).toEqual({});
    expect((await done('GET', '/activity')).content[0]).toMatchObject({ activityType: 'UNFLAGGED' });
    await done('PATCH', '/revert-retirement');
    expect([await meant(), await status(tenant, last)]).toEqual([last, 'ACTIVE']);
    // The older track becomes active again, so the WMS id now means it.
    await tenant.call('PATCH', '/track/P/retire');
    await tenant.call('PATCH', `/track/${first}/revert-retirement`);
    expect(await meant()).toBe(first);
    await done('DELETE', '');
    expect(await meant()).toBe(last);
    await done('DELETE', '');
    const gone = await tenant.call('GET', '/track/P');
    expect([gone.status, gone.body.code]).toEqual([404, 'trackNotFound']);
  });
});

describe('delete', () => {
  it('deleting a track frees marker and WMS id, but not while on an open manifest', async () => {
    const tenant = await newTenant();
    const { track, markerCode } = await getAndCouple(tenant, 'P');
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: ['P'] });
    const refused = await tenant.call('DELETE', '/track/P');
    expect([refused.status, refused.body.code]).toEqual([409, 'trackOnOpenManifest']);
    await tenant.call('DELETE', '/manifest/M/track-record/P');
    expect((await tenant.call('DELETE', '/track/P')).body).toEqual({});
    expect((await tenant.call('GET', `/track/${track.uuid}`)).status).toBe(404);
    expect((await couple(tenant, markerCode, 'Q')).status).toBe(200);
    const listed = await tenant.call('GET', '/track?includeDeleted=true');
    expect(listed.body.totalElements).toBe(2);
  });
});

describe('flag and comments', () => {
  it('a track can be flagged with a reason and unflagged', async () => {
    const tenant = await newTenant();
    await getAndCouple(tenant, 'P');
    const flagged = await tenant.call('PATCH', '/track/P/flag', { damaged: true, reason: 'a corner is off' });
    expect(flagged.body).toMatchObject({ trackStatus: 'FLAGGED', damaged: true });
    const listed = await tenant.call('GET', '/track?damagedTracks=true&trackStatus=FLAGGED,NOT_ACTIVE');
    expect(listed.body.totalElements).toBe(1);
    expect((await tenant.call('PATCH', '/track/P/unflag')).body).toMatchObject({
      trackStatus: 'ACTIVE',
      damaged: false,
    });
    expect(await activities(tenant, 'P')).toEqual(['COUPLED', 'FLAGGED', 'UNFLAGGED']);
  });

  it('comments are listed oldest first under the name of the key', async () => {
    const tenant = await newTenant();
    await getAndCouple(tenant, 'P');
    const attachments = [{ link: 'https://example.com/a.jpg', fileName: 'a.jpg' }];
    const comment = (additionalInfo: string, more = {}) =>
      tenant.call('POST', '/track/P/comments', { additionalInfo, ...more });
    expect((await comment('first', { attachments })).body).toEqual({});
    await comment('second 🚚');
    const { body } = await tenant.call('GET', '/track/P/comments');
    const author = { firstName: 'WMS', lastName: null, email: null, phoneNumber: null };
    expect(body).toMatchObject([
      { additionalInfo: 'first', author, attachments: [{ ...attachments[0], description: null, author }] },
      { additionalInfo: 'second 🚚', author, attachments: [] },
    ]);
    expect((await tenant.call('GET', '/track/P')).body.commentsCount).toBe(2);
    for (const link of ['javascript:alert(1)', 'ftp://example.com/a', 'nonsense']) {
      expect((await comment('x', { attachments: [{ link }] })).status).toBe(400);
    }
  });
});

describe('the author of an attachment', () => {
  const link = 'https://example.com/a.jpg';
  const key = { firstName: 'WMS', lastName: null, email: null, phoneNumber: null };
  const given = { firstName: 'Ann', lastName: 'Li', email: 'ann@example.com', phoneNumber: '+31 20 1' };

  it("an attachment keeps its given author, else has the comment's, and can be sent back", async () => {
    const tenant = await newTenant();
    await getAndCouple(tenant, 'P');
    const comment = async (attachments: object[]) => {
      const sent = { additionalInfo: 'x', attachments };
      expect((await tenant.call('POST', '/track/P/comments', sent)).status).toBe(200);
      return (await tenant.call('GET', '/track/P/comments')).body.at(-1);
    };
    const some = { email: 'x@example.com' };
    const authors = [given, undefined, null, some, { ...given, firstName: null }];
    const made = await comment(authors.map((author) => ({ link, author })));
    expect(made.author).toEqual(key);
    const shown = made.attachments.map(({ author }: { author: object }) => author);
    const blank = { firstName: null, lastName: null, email: null, phoneNumber: null };
    expect(shown).toEqual([given, key, key, { ...blank, ...some }, { ...given, firstName: null }]);
    expect((await comment(made.attachments)).attachments).toEqual(made.attachments);
  });

  it('the author of an attachment has four fields of at most 255 characters', async () => {
    const tenant = await newTenant();
    await getAndCouple(tenant, 'P');
    for (const [author, code] of [
      [{ nickname: 'x' }, 'unknownField'],
      ['Ann', 'validationFailed'],
      [{ firstName: 'x'.repeat(256) }, 'validationFailed'],
      [{ email: 7 }, 'validationFailed'],
    ] as const) {
      const sent = { additionalInfo: 'x', attachments: [{ link, author }] };
      const { status: answered, body } = await tenant.call('POST', '/track/P/comments', sent);
      expect([author, answered, body.code]).toEqual([author, 400, code]);
    }
    expect((await tenant.call('GET', '/track/P/comments')).body).toEqual([]);
  });
});

describe('links to manifests', () => {
  it('manifests link to a track that is coupled before or after', async () => {
    const tenant = await newTenant();
    await getAndCouple(tenant, 'before');
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: ['before', 'after'] });
    await getAndCouple(tenant, 'after');
    for (const wmsId of ['before', 'after']) {
      const { body } = await tenant.call('GET', `/track/${wmsId}`);
      expect(body.manifests).toMatchObject([{ manifestExternalId: 'M', loadingStatus: 'NOT_LOADED' }]);
      expect((await activities(tenant, wmsId)).sort()).toEqual(['ATTACHED', 'COUPLED']);
    }
    await tenant.call('PUT', '/manifest/M', { assets: ['after'] });
    expect(await activities(tenant, 'before')).toEqual(['COUPLED', 'ATTACHED', 'DETACHED']);
    const listed = await tenant.call('GET', '/track?manifestExternalIds=M,other');
    expect(listed.body.content.map((item: { wmsId: string }) => item.wmsId)).toEqual(['after']);
    await tenant.call('PATCH', '/track/before/retire');
    await tenant.call('POST', '/manifest', { externalIdentifier: 'N', assets: ['before'] });
    await tenant.call('PUT', '/manifest/N', { assets: [] });
    expect(await activities(tenant, 'before')).toEqual([
      'COUPLED',
      'ATTACHED',
      'DETACHED',
      'RETIRED',
      'DETACHED',
    ]);
  });
});
