import { describe, expect, it } from 'vitest';
import { signIn, upgrade } from '../../delivery/live/listener.ts';
import { gateUuid } from '../../web/console/forms.ts';
import { newDock, recordUuidOf } from '../load/shipment/dock.ts';
import { deviceOf, type FormAnswer, logOf, newTablet } from './tablets.ts';

const dock = await newDock();
const gate = `/app/gate/${await gateUuid(dock)}`;
const elsewhere = `/app/gate/${await gateUuid(dock, 'H')}`;
await dock.couple('A', 'B', 'X', 'Y');
await dock.manifest('M', 'A', 'B');
await dock.manifest('N', 'Y');
await dock.manifest('LATER', 'C');
for (const [manifest, at] of [
  ['M', 'G'],
  ['N', 'H'],
  ['LATER', 'G'],
]) {
  await dock.must('POST', `/manifest/${manifest}/gate/${at}`);
  await dock.must('POST', `/manifest/${manifest}/status/TO_DO`);
}
await dock.must('POST', '/manifest/N/status/IN_PROGRESS');
const device = await newTablet(deviceOf((await signIn(dock)).cookie), gate, 'Dock 1');

const said = ({ status, text }: FormAnswer) => [status, JSON.parse(text).refused];
const NOT_HERE = [403, 'The pallet or load is not at this gate any more.'];
const manifestOf = async (name: string): Promise<string> =>
  (await dock.must('GET', `/manifest/${name}`)).body.uuid;
const recordOf = (manifest: string, pallet: string): Promise<string> => recordUuidOf(dock, pallet, manifest);

describe('a tablet', () => {
  it('a tablet acts at its gate in its own name', async () => {
    const thing = `manifest:${await manifestOf('M')}`;
    expect((await device.send(gate, { action: 'start', thing })).status).toBe(200);
    expect((await device.send(gate, { action: 'scan', scan: 'A' })).status).toBe(200);
    const [mark, wrong] = [
      { action: 'mark', status: 'LOADED' },
      { action: 'scan', scan: 'X' },
    ];
    expect((await device.send(gate, { ...mark, record: await recordOf('M', 'B') })).status).toBe(200);
    expect(JSON.parse((await device.send(`${gate}/scan`, wrong, gate)).text).outcome).toBe('WRONGLY_LOADED');
    const record = await recordOf('M', 'X');
    const key = crypto.randomUUID();
    const removed = await device.send(gate, { action: 'remove', thing, record, key });
    expect([removed.status, JSON.parse(removed.text).undo]).toEqual([200, true]);
    // The tablet undoes only what it has done, once.
    const person = deviceOf((await signIn(dock)).cookie);
    expect((await person.send(gate, { action: 'undo', of: key })).status).toBe(412);
    const statuses: number[] = [];
    for (let time = 0; time < 2; time += 1)
      statuses.push((await device.send(gate, { action: 'undo', of: key })).status);
    expect(statuses).toEqual([200, 412]);
    expect(await recordOf('M', 'X')).toBe(record);
    expect((await device.send(gate, { action: 'remove', thing, record })).status).toBe(200);
    const [alert] = (await dock.must('GET', '/alert-event?status=OPEN')).body.content;
    if (alert) expect((await device.send(gate, { action: 'resolve', alert: alert.uuid })).status).toBe(200);
    const asked = await device.get(`${gate}?confirm=complete&thing=${thing}`);
    expect([asked.status, asked.text.includes('Complete M?')]).toEqual([200, true]);
    expect((await device.send(gate, { action: 'complete', thing })).status).toBe(200);
    expect((await dock.must('GET', '/manifest/M')).body.manifestStatus).toBe('COMPLETED');
    for (const action of ['SCANS_RECORDED', 'MANIFEST_STATUS_CHANGED']) {
      const [record] = (await logOf(dock, action)).slice(-1);
      expect(record.actor).toMatchObject({ actorType: 'TABLET', displayName: 'Dock 1' });
    }
  });

  it('a tablet reports damage and comments of pallets at its gate in its own name', async () => {
    const record = await recordOf('M', 'A');
    const damage = { action: 'damage', record, comment: 'Foil torn' };
    expect((await device.send(gate, damage)).status).toBe(200);
    expect((await device.send(gate, { action: 'comment', record, comment: 'Taped' })).status).toBe(200);
    expect((await device.send(gate, { action: 'comment', record, comment: '' })).status).toBe(400);
    const { body } = await dock.must('GET', '/track/A');
    expect([body.trackStatus, body.damaged, body.commentsCount]).toEqual(['FLAGGED', true, 1]);
    const [flagged] = (await logOf(dock, 'TRACK_FLAGGED')).slice(-1);
    expect(flagged.actor).toMatchObject({ actorType: 'TABLET', displayName: 'Dock 1' });
    expect(flagged.changes).toContainEqual({ field: 'reason', oldValue: null, newValue: 'Foil torn' });
    const [comment] = (await dock.must('GET', '/track/A/comments')).body;
    expect([comment.additionalInfo, comment.author.firstName]).toEqual(['Taped', 'Dock 1']);
    // The form of a photo needs its file.
    const photo = { action: 'photo', kind: 'LOAD', takenDate: '1', photo: 'a'.repeat(64), record };
    expect(said(await device.send(`${gate}/photo`, photo, gate))[0]).toBe(400);
    // A pallet without a marker has no track.
    const unmarked = await recordOf('LATER', 'C');
    expect(said(await device.send(gate, { ...damage, record: unmarked }))).toEqual([
      404,
      'This pallet has no marker yet. Give it a marker before you comment on it.',
    ]);
  });

  it('a tablet records the arrival of a truck at its gate, and of no other truck', async () => {
    const arrivalOf = async (name: string, gateIdentifier: string) => {
      await dock.manifest(`${name}-1`);
      await dock.shipment(name, [`${name}-1`], { gateIdentifier });
      const { uuid } = (await dock.must('GET', `/shipment/${name}`)).body;
      const sent = await device.send(gate, { action: 'arrive', thing: `shipment:${uuid}` });
      return [sent.status, (await dock.must('GET', `/shipment/${name}`)).body.arrivalDate];
    };
    expect(await arrivalOf('HERE', 'G')).toEqual([200, expect.any(String)]);
    expect(await arrivalOf('THERE', 'H')).toEqual([403, null]);
    expect((await logOf(dock, 'SHIPMENT_ARRIVED')).map(({ actor }) => actor)).toEqual([
      expect.objectContaining({ actorType: 'TABLET', displayName: 'Dock 1' }),
    ]);
  });

  it('a tablet cannot act on another gate or organization', async () => {
    const other = `manifest:${await manifestOf('N')}`;
    const record = await recordOf('N', 'Y');
    const forms: Record<string, string>[] = [
      { action: 'start', thing: other },
      { action: 'complete', thing: other },
      { action: 'mark', record, status: 'LOADED' },
      { action: 'damage', record, comment: '' },
      { action: 'comment', record, comment: 'Mine' },
      { action: 'remove', thing: other, record },
      { action: 'resolve', alert: record },
    ];
    for (const fields of forms) {
      expect([fields.action, said(await device.send(gate, fields))]).toEqual([fields.action, NOT_HERE]);
    }
    const photo = { action: 'photo', kind: 'DAMAGE', takenDate: '1', photo: 'a'.repeat(64) };
    const abouts: Record<string, string>[] = [{ record }, { thing: other }];
    for (const about of abouts)
      expect(said(await device.send(`${gate}/photo`, { ...photo, ...about }, gate))).toEqual(NOT_HERE);
    expect((await device.get(`${gate}?confirm=complete&thing=${other}`)).status).toBe(403);
    expect((await dock.must('GET', '/manifest/N')).body.loadedAssetsCount).toBe(0);
    const stranger = await newDock();
    const theirs = await newTablet(
      deviceOf((await signIn(stranger)).cookie),
      `/app/gate/${await gateUuid(stranger)}`,
    );
    expect((await theirs.get(gate)).location).not.toBe(null);
    expect((await theirs.send(gate, { action: 'scan', scan: 'Y' }, '/app')).status).toBe(403);
  });

  it('a tablet cannot act as a desk', async () => {
    const thing = `manifest:${await manifestOf('LATER')}`;
    const forms: Record<string, string>[] = [
      { action: 'assign', thing, gate: elsewhere.split('/').at(-1)! },
      { action: 'cancel', thing },
      { action: 'retire', track: (await dock.must('GET', '/track/A')).body.uuid },
    ];
    for (const fields of forms) {
      expect([fields.action, said(await device.send(gate, fields))]).toEqual([
        fields.action,
        [403, 'This is not possible at a tablet. Use a computer in the office.'],
      ]);
    }
    const { text } = await device.get(gate);
    for (const word of ['Cancel manifest', 'Move to gate', 'Gate board', 'Bring here', 'Retire']) {
      expect([word, text.includes(word)]).toEqual([word, false]);
    }
  });

  it('a tablet is led to its gate from every page and sends no form elsewhere', async () => {
    for (const path of [
      '/app',
      '/app/board',
      elsewhere,
      `${elsewhere}/scan`,
      `${gate}/tablets`,
      '/app/nothing',
    ]) {
      const shown = await device.get(path);
      expect([path, shown.status, shown.location]).toEqual([path, 303, gate]);
    }
    expect((await device.get('/app/login?next=%2Fapp%2Fboard')).location).toBe('/app');
    expect((await device.get('/app/login')).status).toBe(200);
    for (const path of [elsewhere, `${elsewhere}/scan`, '/app/board', '/app/user', '/app/logout']) {
      const sent = await device.send(path, { action: 'scan', scan: 'Y' }, gate);
      expect([path, sent.status]).toEqual([path, 403]);
    }
  });

  it('a tablet listens to changes, and its forms need its own token', async () => {
    expect((await upgrade(0, { Cookie: device.cookie })).status).toBe(101);
    expect((await device.send(gate, { action: 'scan', scan: 'A', token: 'x' })).status).toBe(403);
  });

  it('a tablet gives way to a person who signs in and returns afterwards', async () => {
    const person = await signIn(dock);
    const both = deviceOf(`${device.cookie}; ${person.cookie}`);
    expect((await both.get('/app/board')).status).toBe(200);
    expect((await both.send(gate, { action: 'scan', scan: 'B', owner: person.uuid })).status).not.toBe(403);
    await both.send('/app/logout', { action: 'sign-out' }, '/app/password');
    expect((await both.get('/app/board')).location).toBe(gate);
  });
});

describe('queued actions on a device', () => {
  it('a queued action is accepted in the name of its maker only', async () => {
    const [one, other] = [await signIn(dock), await signIn(dock)];
    const manager = deviceOf(other.cookie);
    const before = (await logOf(dock, 'SCANS_RECORDED')).length;
    const sent = await manager.send(gate, { action: 'scan', scan: 'B', owner: one.uuid });
    expect([sent.status, sent.text.includes('Another user filled in this form')]).toEqual([403, true]);
    expect((await logOf(dock, 'SCANS_RECORDED')).length).toBe(before);
    expect((await manager.send(gate, { action: 'scan', scan: 'B', owner: other.uuid })).status).toBe(200);
  });
});
