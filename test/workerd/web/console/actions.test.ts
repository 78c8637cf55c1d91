import { describe, expect, it } from 'vitest';
import { gateActions } from '../../../../src/web/console/board/actions.ts';
import { walksOf } from '../../conventions/walks.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { type Dock, loadingDock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded } from '../../statements.ts';
import { gateUuid, type Pages, pagesOf } from './forms.ts';

interface Place {
  dock: Dock;
  pages: Pages;
  /** The path of gate G's page. */
  gate: string;
}

async function place(made: Promise<Dock>, authority = 'ADMINISTRATOR'): Promise<Place> {
  const dock = await made;
  return { dock, pages: pagesOf(await signIn(dock, authority)), gate: `/app/gate/${await gateUuid(dock)}` };
}

const thingOf = async (dock: Dock, kind: 'manifest' | 'shipment', name: string): Promise<string> =>
  `${kind}:${(await dock.must('GET', `/${kind}/${name}`)).body.uuid}`;

/** Finds the loading record of a pallet or marker code in a shipment or manifest. */
async function recordOf(dock: Dock, path: string, by: { trackIdentifier?: string; markerCode?: number }) {
  const { body } = await dock.must('GET', `${path}/asset-loading`);
  return body.find((record: Record<string, unknown>) =>
    Object.entries(by).every(([name, value]) => record[name] === value),
  );
}

/** Creates a dock without shipments, with manifest M (A, B) in TO_DO. */
async function manifestDock(): Promise<Dock> {
  const dock = await newDock({ dispatchStrategy: 'MANIFEST' });
  await dock.couple('A', 'B', 'X');
  await dock.manifest('M', 'A', 'B');
  await dock.must('POST', '/manifest/M/status/TO_DO');
  return dock;
}

describe('a manifest at a gate', () => {
  it('a user assigns, starts, marks, clears and completes a manifest on the gate page under the own name', async () => {
    const { dock, pages, gate } = await place(manifestDock());
    const thing = await thingOf(dock, 'manifest', 'M');
    const send = async (action: string, fields: Record<string, string> = {}) => {
      const sent = await pages.send(gate, action, { thing, ...fields });
      expect([action, sent.status, sent.location?.split('?')[0]]).toEqual([action, 303, gate]);
    };
    const statusOf = async () => (await dock.must('GET', '/manifest/M')).body.manifestStatus;
    await send('assign', { gate: gate.slice('/app/gate/'.length) });
    await send('start');
    expect(await statusOf()).toBe('IN_PROGRESS');
    await dock.scan('X');
    const ofA = await recordOf(dock, '/manifest/M', { trackIdentifier: 'A' });
    await send('mark', { record: ofA.recordUuid, status: 'LOADED' });
    expect(await recordOf(dock, '/manifest/M', { trackIdentifier: 'A' })).toMatchObject({
      loadingStatus: 'LOADED',
      gate: { externalIdentifier: 'G' },
    });
    const ofX = await recordOf(dock, '/manifest/M', { trackIdentifier: 'X' });
    await send('remove', { record: ofX.recordUuid });
    expect(await recordOf(dock, '/manifest/M', { trackIdentifier: 'X' })).toBeUndefined();
    expect((await dock.must('GET', '/alert-event?status=OPEN')).body.totalElements).toBe(0);
    // A pallet is missing, so the page asks first and changes nothing.
    const asked = await pages.send(gate, 'complete', { thing });
    expect([asked.status, asked.html.includes('Complete with 1 missing?')]).toEqual([200, true]);
    expect(await statusOf()).toBe('IN_PROGRESS');
    expect((await pages.agree(gate, 'complete', { thing, why: 'Next truck' })).location).toBe(gate);
    expect(await statusOf()).toBe('COMPLETED');
    const { body } = await dock.must(
      'GET',
      '/audit-log?action=MANIFEST_STATUS_CHANGED,ASSET_LOADING_STATUS_CHANGED',
    );
    const byUser = body.content.filter(
      (entry: { actor: { actorType: string } }) => entry.actor.actorType === 'USER',
    );
    expect(byUser.map((entry: { actor: { displayName: string } }) => entry.actor.displayName)).toEqual(
      Array(3).fill('Robin Field'),
    );
    const { body: timeline } = await dock.must('GET', '/track/A/activity');
    expect(timeline.content[0]).toMatchObject({ activityType: 'LOADED', manifestExternalId: 'M' });
  });

  it('a manifest is set through its shipment only while attached, and not at all once cancelled', async () => {
    const { dock, pages, gate } = await place(loadingDock());
    const thing = await thingOf(dock, 'manifest', 'M');
    const record = (await recordOf(dock, '/shipment/S', { trackIdentifier: 'A' })).recordUuid;
    const attached = await pages.send(gate, 'mark', { thing, record, status: 'LOADED' });
    expect([attached.status, attached.html.includes('The manifest belongs to a shipment.')]).toEqual([
      409,
      true,
    ]);
    const other = await place(manifestDock());
    await other.dock.must('POST', '/manifest/M/status/CANCELLED');
    const cancelled = await other.pages.send(other.gate, 'mark', {
      thing: await thingOf(other.dock, 'manifest', 'M'),
      record: (await recordOf(other.dock, '/manifest/M', { trackIdentifier: 'A' })).recordUuid,
      status: 'LOADED',
    });
    expect([
      cancelled.status,
      cancelled.html.includes('M (Cancelled): The manifest is completed or cancelled.'),
    ]).toEqual([409, true]);
  });

  it('the gate page removes only invalid records and knows no record of another manifest', async () => {
    const { dock, pages, gate } = await place(manifestDock());
    await dock.manifest('N', 'X');
    const thing = await thingOf(dock, 'manifest', 'M');
    const record = (await recordOf(dock, '/manifest/M', { trackIdentifier: 'A' })).recordUuid;
    expect((await pages.send(gate, 'remove', { thing, record })).status).toBe(409);
    const elsewhere = await thingOf(dock, 'manifest', 'N');
    expect((await pages.send(gate, 'remove', { thing: elsewhere, record })).status).toBe(404);
    expect((await pages.send(gate, 'mark', { thing: elsewhere, record, status: 'LOADED' })).status).toBe(404);
    const nowhere = `manifest:${crypto.randomUUID()}`;
    expect((await pages.send(gate, 'start', { thing: nowhere })).status).toBe(404);
  });
});

describe('a shipment at a gate', () => {
  it('a user marks, moves, clears and completes a shipment on the gate page', async () => {
    const { dock, pages, gate } = await place(loadingDock());
    const thing = await thingOf(dock, 'shipment', 'S');
    await dock.scan(77);
    const record = (await recordOf(dock, '/shipment/S', { markerCode: 77 })).recordUuid;
    expect((await pages.send(gate, 'remove', { thing, record })).status).toBe(303);
    const ofA = (await recordOf(dock, '/shipment/S', { trackIdentifier: 'A' })).recordUuid;
    for (const status of ['LOADED', 'UNLOADED', 'NOT_LOADED']) {
      expect((await pages.send(gate, 'mark', { thing, record: ofA, status })).status).toBe(303);
      expect((await recordOf(dock, '/shipment/S', { trackIdentifier: 'A' })).loadingStatus).toBe(status);
    }
    const other = await gateUuid(dock, 'H');
    expect((await pages.send(gate, 'assign', { thing, gate: other })).status).toBe(303);
    expect((await dock.must('GET', '/manifest/M')).body.gate.externalIdentifier).toBe('H');
    expect((await pages.agree('/app/board', 'complete', { thing })).location).toBe('/app/board');
    expect((await dock.must('GET', '/shipment/S')).body.status).toBe('COMPLETED');
  });

  it('a refusal on the gate page is shown beside its shipment', async () => {
    const { dock, pages, gate } = await place(loadingDock());
    const thing = await thingOf(dock, 'shipment', 'S');
    const again = await pages.send(gate, 'start', { thing });
    expect(again.status).toBe(400);
    expect(again.html).toMatch(/role="alert".*S \(In progress\): The present status does not allow this\./s);
    expect(again.html).toMatch(/class="error refused".*S \(In progress\): The present status/s);
  });
});

describe('an alert', () => {
  it('an alert stays resolved once a user resolved it', async () => {
    const { dock, pages, gate } = await place(newDock());
    await dock.couple('A');
    await dock.scan('A');
    const { body } = await dock.must('GET', '/alert-event');
    const [{ uuid: alert }] = body.content;
    for (const _ of [1, 2]) expect((await pages.send(gate, 'resolve', { alert })).status).toBe(303);
    const resolved = (await dock.must('GET', '/alert-event')).body.content[0];
    expect(resolved).toMatchObject({ status: 'RESOLVED', alertType: 'SCAN_WITHOUT_ACTIVE_MANIFEST' });
    const { body: log } = await dock.must('GET', '/audit-log?action=ALERT_RESOLVED');
    expect(log.content.map(({ actor }: { actor: { actorType: string } }) => actor.actorType)).toEqual([
      'USER',
    ]);
    // A later scan of the same pallet raises a new alert.
    await dock.scan('A');
    expect((await dock.must('GET', '/alert-event?status=OPEN')).body.totalElements).toBe(1);
    expect((await pages.send(gate, 'resolve', { alert: crypto.randomUUID() })).status).toBe(404);
    const other = await place(newDock());
    expect((await other.pages.send(other.gate, 'resolve', { alert })).status).toBe(404);
  });
});

describe('a marker', () => {
  it('a marker is retired once its pallet is dispatched', async () => {
    const { dock, pages, gate } = await place(loadingDock());
    const { body } = await dock.must('GET', '/track/A');
    expect((await pages.agree(gate, 'retire', { track: body.uuid })).status).toBe(303);
    expect((await dock.must('GET', '/track/A')).body.trackStatus).toBe('SCHEDULED_FOR_RETIREMENT');
  });
});

describe('a form that is sent twice', () => {
  it('a form that is sent twice has one effect and the same answer', async () => {
    const { dock, pages, gate } = await place(manifestDock());
    await dock.must('POST', '/manifest/M/gate/G');
    const thing = await thingOf(dock, 'manifest', 'M');
    const sent = await Promise.all([1, 2, 3].map(() => pages.send(gate, 'start', { thing }, 'double-tap')));
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303]);
    const { body } = await dock.must('GET', '/audit-log?action=MANIFEST_STATUS_CHANGED&entityExternalId=M');
    // One record each for TO_DO and IN_PROGRESS.
    expect(body.totalElements).toBe(2);
  });
});

describe('no walk over an organization', () => {
  it('actions at a gate walk over no organization', async () => {
    const { dock, pages, gate } = await place(manifestDock());
    const thing = await thingOf(dock, 'manifest', 'M');
    const expectNone = async (action: string, fields: Record<string, string>) => {
      const sent = action === 'complete' || action === 'retire' ? pages.agree : pages.send;
      const trips = await recorded(() => sent(gate, action, { thing, ...fields }));
      for (const statement of trips.flatMap(({ statements }) => statements)) {
        expect([action, statement.text, await walksOf(statement)]).toEqual([action, statement.text, []]);
      }
    };
    await expectNone('assign', { gate: gate.slice('/app/gate/'.length) });
    await expectNone('start', {});
    await dock.scan('X');
    const { recordUuid: record } = await recordOf(dock, '/manifest/M', { trackIdentifier: 'A' });
    await expectNone('mark', { record, status: 'LOADED' });
    const { body } = await dock.must('GET', '/alert-event');
    await expectNone('resolve', { alert: body.content[0].uuid });
    const wrong = await recordOf(dock, '/manifest/M', { trackIdentifier: 'X' });
    await expectNone('remove', { record: wrong.recordUuid });
    await expectNone('retire', { track: (await dock.must('GET', '/track/A')).body.uuid });
    await expectNone('complete', {});
  });
});

describe('permissions', () => {
  const forbidden: Record<string, string[]> = {
    ADMINISTRATOR: [],
    OPERATOR: [],
    FORKLIFT_OPERATOR: ['assign', 'cancel', 'retire'],
    VIEWER: [
      ...['assign', 'start', 'complete', 'cancel', 'arrive', 'retire'],
      ...['remove', 'mark', 'damage', 'comment', 'resolve', 'scan'],
    ],
  };
  /** The kinds of photos that a user may take of a load and its pallets at a gate. */
  const PHOTOS = ['DAMAGE', 'LOAD', 'OTHER', 'SEAL'];
  it.each(Object.entries(forbidden))(
    'the authority decides about actions at a gate: %s',
    async (authority, refused) => {
      const { dock, pages, gate } = await place(loadingDock(), authority);
      await dock.scan('X');
      await dock.manifest('T', 'X');
      await dock.must('POST', '/manifest/T/status/TO_DO');
      const uuid = crypto.randomUUID();
      const actions = [
        'assign',
        'start',
        'complete',
        'cancel',
        'arrive',
        'retire',
        'remove',
        'mark',
        'damage',
        'comment',
        'resolve',
        'scan',
      ];
      // Two others sign a worker in or out at a tablet. Undo is offered only after an action.
      expect([...actions, 'undo', 'work', 'workEnd'].sort()).toEqual(Object.keys(gateActions()).sort());
      const thing = `shipment:${uuid}`;
      const fields = {
        thing,
        gate: uuid,
        record: uuid,
        track: uuid,
        alert: uuid,
        status: 'LOADED',
        scan: 'nobody',
        comment: 'wet',
      };
      const found: string[] = [];
      for (const action of actions) {
        const { status } = await pages.send(gate, action, fields);
        if (status === 403) found.push(action);
        else expect([action, status]).toEqual([action, 404]);
      }
      expect(found).toEqual(refused);
      const mayLoad = !refused.includes('complete');
      const mayMark = !refused.includes('mark');
      expect((await pages.send(gate, 'undo', { of: uuid })).status).toBe(mayMark ? 412 : 403);
      expect((await pages.send(`${gate}/photo`, 'photo', { thing })).status).toBe(mayMark ? 400 : 403);
      expect((await pages.get(`${gate}/sign/${uuid}`)).status).toBe(mayLoad ? 404 : 403);
      const offered = new Set<string>();
      const photos = new Set<string>();
      const signs: string[] = [];
      for (const path of [gate, '/app/board']) {
        const { status, html } = await pages.get(path);
        expect(status).toBe(200);
        for (const [, action] of html.matchAll(/name="action" value="([^"]+)"/g)) offered.add(action!);
        for (const [, action] of html.matchAll(/href="[^"]*\?confirm=(\w+)/g)) offered.add(action!);
        for (const [, kind] of html.matchAll(/data-photo="(\w+)"/g)) photos.add(kind!);
        for (const [, link] of html.matchAll(/href="([^"]*\/sign\/[^"]*)"/g)) signs.push(link!);
      }
      expect([...photos].sort()).toEqual(mayMark ? PHOTOS : []);
      const { uuid: shown } = (await dock.must('GET', '/shipment/S')).body;
      expect(signs).toEqual(mayLoad ? [`${gate}/sign/${shown}`] : []);
      offered.delete('sign-out');
      expect([...offered].filter((action) => refused.includes(action))).toEqual([]);
      expect([...offered].sort()).toEqual(
        actions
          .filter((action) => !refused.includes(action) && !['start', 'resolve'].includes(action))
          .sort(),
      );
      expect((await pages.get(gate)).html.includes('/app/audit-log')).toBe(authority !== 'FORKLIFT_OPERATOR');
    },
  );

  it('actions at a gate need a session of the organization', async () => {
    const { gate } = await place(loadingDock());
    const stranger = pagesOf({ uuid: '', email: '', cookie: 'session=none' });
    expect(await stranger.get(gate)).toMatchObject({
      status: 303,
      location: `/app/login?next=${encodeURIComponent(gate)}`,
    });
    const other = await place(newDock());
    expect((await other.pages.get(gate)).status).toBe(404);
    expect((await other.pages.get('/app/gate/nowhere')).status).toBe(404);
  });
});
