import { describe, expect, it } from 'vitest';
import { newPerson, type Person, page } from '../../access/session/person.ts';
import { newTenant, ORIGIN } from '../../client.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';

/** Creates a dock with shipments S1 (closed), S2 and S3 of manifests M1 to M3. */
async function place(): Promise<{ dock: Dock; person: Person; uuids: string[] }> {
  const dock = await newDock();
  await dock.couple('A', 'B', 'C');
  const uuids: string[] = [];
  for (const [index, pallet] of ['A', 'B', 'C'].entries()) {
    await dock.manifest(`M${index + 1}`, pallet);
    await dock.shipment(`S${index + 1}`, [`M${index + 1}`], { gateIdentifier: 'G' });
    uuids.push((await dock.must('GET', `/shipment/S${index + 1}`)).body.uuid);
  }
  await dock.must('POST', '/shipment/S1/status/CANCELLED');
  return { dock, person: await newPerson(dock, 'ADMINISTRATOR'), uuids };
}

/** Sends the form for chosen rows as a browser does, with one value for each row. */
async function choose(person: Person, path: string, action: string, rows: string[], more = {}, key?: string) {
  const body = new URLSearchParams({
    action,
    token: await person.token(),
    key: key ?? crypto.randomUUID(),
    ...more,
  });
  for (const row of rows) body.append('row', row);
  const headers = { Cookie: `session=${person.session}`, Origin: ORIGIN };
  return page('POST', path, { headers, fields: body });
}

const gateOf = async (dock: Dock, shipment: string) =>
  (await dock.must('GET', `/shipment/${shipment}`)).body.gate.externalIdentifier;

describe('manifests that are put on a truck', () => {
  const offer = 'value="putOnTruck"';
  const manifestsOf = async (dock: Dock, shipment: string): Promise<string[]> =>
    (await dock.must('GET', `/shipment/${shipment}`)).body.manifests.map(
      ({ manifestExternalId }: { manifestExternalId: string }) => manifestExternalId,
    );

  it('manifests that are put on a truck are attached to the chosen shipment, all or none', async () => {
    const { dock, person, uuids } = await place();
    await dock.couple('D', 'E');
    for (const name of ['D', 'E']) await dock.manifest(`FREE-${name}`, name);
    const uuidOf = async (name: string) => (await dock.must('GET', `/manifest/${name}`)).body.uuid;
    const rows = [await uuidOf('FREE-D'), await uuidOf('FREE-E')];
    expect((await person.get('/app/manifest')).text).toContain(offer);
    const asked = await choose(person, '/app/manifest', 'putOnTruck', rows);
    expect(asked.text).toContain('Put 2 manifests on a truck');
    // Open shipments only, and none is preselected.
    expect(asked.text).toMatch(
      /<option value="" selected="">–<\/option><option value="[^"]+">S\d, [^<]*1 pallet</,
    );
    expect(asked.text).not.toContain(`<option value="${uuids[0]}"`);
    expect(asked.text.match(/ selected=/g)).toHaveLength(1);
    const confirmed = /name="confirmed" value="([0-9a-f]+)"/.exec(asked.text)![1]!;
    const send = (more: string[], shipment?: string) =>
      choose(person, '/app/manifest', 'putOnTruck', more, { confirmed, ...(shipment && { shipment }) });
    expect((await send(rows)).status).toBe(404);
    // M3 is on another truck already, so the other one is not attached either.
    expect((await send([rows[0]!, await uuidOf('M3')], uuids[1])).status).toBeGreaterThanOrEqual(400);
    expect(await manifestsOf(dock, 'S2')).toEqual(['M2']);
    const done = await send(rows, uuids[1]);
    expect([done.status, done.headers.get('Location')]).toEqual([303, `/app/shipment/${uuids[1]}`]);
    expect(await manifestsOf(dock, 'S2')).toEqual(['M2', 'FREE-D', 'FREE-E']);
  });

  it('manifests are put on a truck only if a shipment is open, and only in an organization with shipments', async () => {
    const { dock, person, uuids } = await place();
    for (const uuid of uuids.slice(1)) await dock.must('POST', `/shipment/${uuid}/status/CANCELLED`);
    const { uuid } = (await dock.must('GET', '/manifest/M2')).body;
    const asked = await choose(person, '/app/manifest', 'putOnTruck', [uuid]);
    expect(asked.text).toContain('No shipment is open. Create one first.');
    expect(asked.text).not.toContain('<button type="submit" class="button act');
    const plain = await newPerson(await newTenant({ dispatchStrategy: 'MANIFEST' }), 'ADMINISTRATOR');
    expect((await plain.get('/app/manifest')).text).not.toContain(offer);
  });
});

describe('shipments that are chosen', () => {
  it('selected shipments get a gate in one commit, and each refused one shows its reason', async () => {
    const { dock, person, uuids } = await place();
    const key = crypto.randomUUID();
    const missing = crypto.randomUUID();
    const path = '/app/shipment?status=TO_DO,CANCELLED';
    const sent = await choose(person, path, 'assignGates', [...uuids, missing], { gate: 'H' }, key);
    expect(sent.status).toBe(200);
    expect(sent.text).toContain('2 of 4 are at H.');
    expect(sent.text).toMatch(/<b>S1<\/b> \(Cancelled\): The shipment is completed or cancelled\./);
    expect(sent.text).toMatch(new RegExp(`<b>${missing}</b> This shipment does not exist\\.`));
    expect(await Promise.all(['S1', 'S2', 'S3'].map((name) => gateOf(dock, name)))).toEqual(['G', 'H', 'H']);
    const log = async () =>
      (await dock.must('GET', '/audit-log?action=SHIPMENT_GATE_ASSIGNED')).body.content.filter(
        ({ actor }: { actor: { uuid: string } }) => actor.uuid === person.uuid,
      );
    expect(
      (await log()).map(({ entityExternalId }: { entityExternalId: string }) => entityExternalId).sort(),
    ).toEqual(['S2', 'S3']);
    expect((await dock.must('GET', '/manifest/M2')).body.gate.externalIdentifier).toBe('H');
    // The form is sent again with its key. It shows the same result and changes nothing, although the gate has
    // changed since.
    await dock.must('POST', '/shipment/S2/gate/G');
    const again = await choose(person, path, 'assignGates', [...uuids, missing], { gate: 'H' }, key);
    expect([again.status, again.text.includes('2 of 4 are at H.')]).toEqual([200, true]);
    expect(await gateOf(dock, 'S2')).toBe('G');
    expect(await log()).toHaveLength(2);
  });

  it.each(['shipment', 'manifest'])(
    'selected shipments move away from a loading gate after a confirmation: of a %s',
    async (kind) => {
      const { dock, person, uuids } = await place();
      await dock.manifest('LOADING', 'A');
      await dock.must('POST', '/manifest/LOADING/gate/G');
      for (const status of ['TO_DO', 'IN_PROGRESS'])
        await dock.must('POST', `/manifest/LOADING/status/${status}`);
      await dock.must('POST', '/shipment/S2/status/IN_PROGRESS');
      const name = kind === 'shipment' ? 'S2' : 'LOADING';
      const { uuid } = (await dock.must('GET', `/${kind}/${name}`)).body;
      const gate = async () => (await dock.must('GET', `/${kind}/${name}`)).body.gate.externalIdentifier;
      const rows = kind === 'shipment' ? uuids : [uuid];
      const send = (more: object) => choose(person, `/app/${kind}`, 'assignGates', rows, more);
      // A gate that the load already has needs no question.
      expect((await send({ gate: 'G' })).text).toContain('are at G.');
      const asked = await send({ gate: 'H' });
      expect(asked.text).toContain('1 of them is being loaded: move to H?');
      expect(asked.text).toContain(`${name}, at G`);
      expect(asked.text.match(/name="row"/g)).toHaveLength(rows.length);
      expect(await gate()).toBe('G');
      const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.text)![1]!;
      expect((await send({ gate: 'H', confirmed })).text).toContain('are at H.');
      expect(await gate()).toBe('H');
    },
  );

  it('a bulk assignment is refused as a whole without gate, row or right, and beyond 1,000 rows', async () => {
    const { dock, person, uuids } = await place();
    const status = async (rows: string[], more: object, who = person) =>
      (await choose(who, '/app/shipment', 'assignGates', rows, more)).status;
    expect(await status(uuids, { gate: 'NOWHERE' })).toBe(404);
    expect(await status(uuids, {})).toBe(400);
    expect(await status([], { gate: 'H' })).toBe(400);
    expect(
      await status(
        Array.from({ length: 1_001 }, () => crypto.randomUUID()),
        { gate: 'H' },
      ),
    ).toBe(400);
    expect(await status(uuids, { gate: 'H' }, await newPerson(dock, 'VIEWER'))).toBe(403);
    const stranger = await newPerson(await newDock(), 'ADMINISTRATOR');
    const elsewhere = await choose(stranger, '/app/shipment', 'assignGates', uuids, { gate: 'H' });
    expect(elsewhere.text).toContain('0 of 3 are at H.');
    expect(await gateOf(dock, 'S2')).toBe('G');
  });

  it('selected shipments print the labels of their pallets', async () => {
    const { person, uuids } = await place();
    const sent = await choose(person, '/app/shipment', 'labels', uuids);
    expect([sent.status, sent.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
    expect(sent.text.startsWith('%PDF-')).toBe(true);
    expect((await choose(person, '/app/shipment', 'labels', [crypto.randomUUID()])).status).toBe(400);
  });
});

it('selected manifests of a shipment get no gate of their own', async () => {
  const { dock, person } = await place();
  await dock.manifest('ALONE');
  const uuids = await Promise.all(
    ['M2', 'ALONE'].map(async (name) => (await dock.must('GET', `/manifest/${name}`)).body.uuid),
  );
  const { text } = await choose(person, '/app/manifest', 'assignGates', uuids, { gate: 'H' });
  expect(text).toContain('1 of 2 are at H.');
  expect(text).toMatch(/<b>M2<\/b> \(\S+\): The manifest belongs to a shipment\./);
});

it('selected alerts are resolved, and the menu counts the rest', async () => {
  const { dock, person } = await place();
  await dock.must('POST', '/shipment/S2/status/IN_PROGRESS');
  await dock.scan(77);
  await dock.scan(78);
  const counted = async () =>
    /class="counted( wrong)?">(\d+)/.exec((await person.get('/app')).text)?.slice(1);
  expect(await counted()).toEqual([' wrong', '2']);
  const { body } = await dock.must('GET', '/alert-event?status=OPEN');
  const uuids = body.content.map(({ uuid }: { uuid: string }) => uuid);
  const { text } = await choose(person, '/app/alert?status=OPEN', 'resolveAll', [
    uuids[0],
    crypto.randomUUID(),
  ]);
  expect(text).toContain('1 of 2 are resolved.');
  expect(await counted()).toEqual([' wrong', '1']);
  await choose(person, '/app/alert', 'resolveAll', uuids);
  expect(await counted()).toBeUndefined();
  expect((await dock.must('GET', '/audit-log?action=ALERT_RESOLVED')).body.totalElements).toBe(2);
});

it('alerts at gates appear in the language of the page, also in its file', async () => {
  const { dock, person } = await place();
  await dock.scan('A');
  await dock.scan(99);
  const headers = { Cookie: `session=${person.session}; language=de` };
  const [{ uuid, gate }] = (await dock.must('GET', '/alert-event')).body.content;
  const said = `${gate.name}: 2 Paletten wurden gescannt, aber dort wird nichts geladen.`;
  for (const path of ['/app/alert', '/app/alert.csv', `/app/alert/${uuid}`]) {
    const { text } = await page('GET', path, { headers });
    expect([path, text.includes(said), text.includes('was scanned')]).toEqual([path, true, false]);
  }
});
