import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { findSession, OPEN_SHIPMENTS_COUNTED } from '../../../../src/access/session/store.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { addOthers } from '../../conventions/others.ts';
import { countedD1 } from '../../counted.ts';
import { look, signIn } from '../../delivery/live/listener.ts';
import { addShipments, store } from '../../dispatch/load/shipment/bulk.ts';
import { type Dock, loadingDock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { planOf, recorded, recordedAlone } from '../../statements.ts';
import { pagesOf } from './forms.ts';

const bindings = env as unknown as { DB: D1Database };
const FIELDS = [{ fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' }];
const HOUR = 3_600_000;

const planned = async (dock: Dock, name: string, at: number): Promise<void> => {
  await dock.manifest(`M-${name}`, `P-${name}`);
  await dock.shipment(name, [`M-${name}`]);
  const fieldValue = new Date(at).toISOString();
  await dock.must('POST', `/shipment/${name}/custom-field`, { fieldKey: 'etd', fieldValue });
};

/** The number beside an entry of the menu, with its meaning; undefined without one. */
const counted = (html: string, path: string): string | undefined =>
  new RegExp(`<a href="${path}[^"]*"[^>]*>(?:(?!</a>).)*<span class="counted[^"]*">(.*?)</span></span>`)
    .exec(html)?.[1]
    ?.replace(/<[^>]*>/g, '');

describe('the first page after the sign-in', () => {
  it('a dispatcher begins with the day, and the address of the former dashboard leads to the reports', async () => {
    const dock = await newDock({ shipmentCustomFields: FIELDS });
    const pages = pagesOf(await signIn(dock, 'OPERATOR'));
    const first = await pages.get('/app');
    expect([first.status, first.location]).toEqual([303, '/app/today']);
    const { html } = await pages.get('/app/today');
    expect(html).toContain('href="/app/report"');
    const former = await pages.get('/app/dashboard');
    expect([former.status, former.location]).toEqual([303, '/app/report']);
  });

  it('an administrator begins with the setup list until it is done or hidden', async () => {
    const dock = await newDock({ shipmentCustomFields: FIELDS });
    const pages = pagesOf(await signIn(dock));
    expect((await pages.get('/app')).html).toContain('Set up your site');
    const hidden = await pages.get('/app?start=hide');
    expect([hidden.status, hidden.location]).toEqual([303, '/app/today']);
  });

  it('a user who only loads begins with the gates', async () => {
    const pages = pagesOf(await signIn(await newDock({ shipmentCustomFields: FIELDS }), 'FORKLIFT_OPERATOR'));
    expect((await pages.get('/app')).location).toBe('/app/board');
  });

  it('an organization without departures begins with the gates', async () => {
    for (const settings of [{ dispatchStrategy: 'MANIFEST' as const }, { shipmentCustomFields: [] }]) {
      const pages = pagesOf(await signIn(await newDock(settings), 'OPERATOR'));
      expect((await pages.get('/app')).location).toBe('/app/board');
    }
  });

  it('the first page takes one round trip', async () => {
    const dock = await newDock({ shipmentCustomFields: FIELDS });
    const pages = pagesOf(await signIn(dock));
    const trips = await recordedAlone(() => pages.get('/app'));
    expect(trips).toHaveLength(1);
    const started = trips[0]!.statements.find(({ text }) => text.includes('archive_entry'))!;
    // An index of the organization finds each row, also in an empty organization.
    const scans = (await planOf(started)).filter((step) => step.startsWith('SCAN'));
    // The subquery is the latest manifest.
    expect(scans.map((step) => step.replace(/\d+/, 'n'))).toEqual(['SCAN CONSTANT ROW', 'SCAN (subquery-n)']);
    expect(await recorded(() => pages.get('/app?start=hide'))).toHaveLength(0);
  });
});

describe('the numbers in the menu', () => {
  it('the menu counts open shipments whose departure has passed', async () => {
    const dock = await newDock({ shipmentCustomFields: FIELDS });
    const pages = pagesOf(await signIn(dock));
    const now = Date.now();
    await planned(dock, 'SOON', now + HOUR);
    const late = async () => counted((await pages.get('/app/track')).html, '/app/today');
    expect(await late()).toBe(undefined);
    await planned(dock, 'LATE', now - HOUR);
    await planned(dock, 'OLD', now - 50 * HOUR);
    expect(await late()).toBe('2 late');
    await dock.must('POST', '/shipment/OLD/status/CANCELLED');
    expect(await late()).toBe('1 late');
    await dock.must('DELETE', '/shipment/LATE/custom-field/etd');
    expect(await late()).toBe(undefined);
  });

  it('the menu looks at a limited number of open shipments, and says if there are more', async () => {
    const dock = await newDock({ shipmentCustomFields: FIELDS });
    const person = await signIn(dock);
    const pages = pagesOf(person);
    await planned(dock, 'LATE', Date.now() - HOUR);
    await addOthers(dock, OPEN_SHIPMENTS_COUNTED + 50);
    expect(counted((await pages.get('/app/track')).html, '/app/today')).toBe('1+ late');
    const rowsRead = async (): Promise<number> => {
      const { db, spent } = countedD1(bindings.DB);
      await findSession(databasesOf({ ...bindings, DB: db }), person.cookie.split('=')[1]!, Date.now());
      return spent.rowsRead;
    };
    const before = await rowsRead();
    expect(before).toBeGreaterThan(OPEN_SHIPMENTS_COUNTED);
    await addShipments(dock, 'MORE-', 300);
    expect(await rowsRead()).toBe(before);
  });
});

describe('a number in the menu above 99', () => {
  it('the menu shows 99+ late shipments from 100 on', async () => {
    const dock = await newDock({ shipmentCustomFields: FIELDS });
    const pages = pagesOf(await signIn(dock));
    const late = async (): Promise<string | undefined> => {
      await store(dock, ({ organization }) => [
        sql`INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value)
          SELECT organization_uuid, uuid, 'etd', '2020-01-01T00:00:00.000Z' FROM shipment
          WHERE organization_uuid = ${organization} ON CONFLICT DO NOTHING`,
      ]);
      return counted((await pages.get('/app/track')).html, '/app/today');
    };
    await addShipments(dock, 'LATE-', 99);
    expect(await late()).toBe('99 late');
    await addShipments(dock, 'MORE-', 1);
    expect(await late()).toBe('99+ late');
  });

  it('the menu shows 99+ open alerts from 100 on', async () => {
    const dock = await loadingDock();
    const pages = pagesOf(await signIn(dock));
    const alerts = async (from: number, to: number): Promise<string | undefined> => {
      const scans = Array.from({ length: to - from }, (_, index) => ({
        scanId: `u-${from + index}`,
        markerCode: 4_000_000_000 + from + index,
        direction: 'LOAD',
      }));
      expect((await dock.device('POST', '/gate/G/scans', { scans })).status).toBe(200);
      return counted((await pages.get('/app/track')).html, '/app/alert');
    };
    expect(await alerts(0, 99)).toMatch(/^99 /);
    expect(await alerts(99, 100)).toMatch(/^99\+ /);
  });
});

describe('the results of the command palette', () => {
  const found = async (cookie: string, q: string) => {
    const answer = await look(`/app/search?${new URLSearchParams({ q })}`, cookie, {
      Accept: 'application/json',
    });
    return (await answer.json<{ hits: { name: string; path: string; note: string }[] }>()).hits;
  };

  it('the palette finds shipments by a part of their name in one round trip', async () => {
    const dock = await newDock({ shipmentCustomFields: FIELDS });
    const { cookie } = await signIn(dock);
    await planned(dock, 'TRUCK-1', Date.now());
    const { uuid } = (await dock.must('GET', '/shipment/TRUCK-1')).body;
    const shown = { name: 'TRUCK-1', path: `/app/shipment/${uuid}`, note: 'Ready' };
    const trips = await recordedAlone(async () => expect(await found(cookie, 'ruck')).toEqual([shown]));
    expect(trips).toHaveLength(1);
    // A whole name is no redirect here, and one character is not searched.
    expect(await found(cookie, 'TRUCK-1')).toEqual([shown]);
    expect(await recorded(() => found(cookie, 'T'))).toHaveLength(0);
    const other = await newDock({ shipmentCustomFields: FIELDS });
    expect(await found((await signIn(other)).cookie, 'TRUCK')).toEqual([]);
  });

  it('the palette finds manifests where there are no shipments', async () => {
    const dock = await newDock({ dispatchStrategy: 'MANIFEST' });
    await dock.manifest('ORDER-1', 'P-1');
    expect((await found((await signIn(dock)).cookie, 'order')).map(({ name }) => name)).toEqual(['ORDER-1']);
  });
});
