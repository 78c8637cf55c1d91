import { afterEach, describe, expect, it, vi } from 'vitest';
import { operator, type Tenant } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';
import { Receivers, register } from '../../delivery/webhook/receiver.ts';
import { wholeLog } from '../../log/audit/logs.ts';
import type { Dock } from '../load/shipment/dock.ts';
import {
  at,
  clock,
  departingDock,
  departs,
  dueOf,
  HOUR,
  MINUTE,
  minute,
  resolveByHand,
  told,
} from './departures.ts';

afterEach(() => vi.useRealTimers());

/** Shipment S of manifest M with pallet A. It departs in an hour from `now`. */
async function world(more: object = {}): Promise<{ dock: Dock; now: number }> {
  const dock = await departingDock();
  await dock.couple('A', 'B');
  await dock.manifest('M', 'A', 'B');
  const now = Date.now();
  await dock.shipment('S', ['M'], { gateIdentifier: 'G', customFields: [departs(now + HOUR)], ...more });
  return { dock, now };
}

/** Waits for the alerts, because jobs run after the response. */
const eventually = (tenant: Tenant, expected: string[]) =>
  vi.waitFor(async () => expect(await told(tenant)).toEqual(expected), { timeout: 8_000, interval: 25 });

describe('a late departure', () => {
  it('a late departure raises one alert that names shipment, gate and departure, in the audit log and as an event', async () => {
    const { dock, now } = await world();
    expect(await dueOf(dock)).toBe(now + HOUR);
    clock(now + HOUR - 1);
    await minute(dock);
    expect(await told(dock)).toEqual([]);
    const seen = (await wholeLog(dock)).length;
    clock(now + HOUR + 11_000);
    await minute(dock);
    await eventually(dock, ['DEPARTURE_LATE OPEN S']);
    await minute(dock);
    const [alert, ...others] = (await dock.must('GET', '/alert-event')).body.content;
    expect(others).toEqual([]);
    const { body: shipment } = await dock.must('GET', '/shipment/S');
    expect(alert).toMatchObject({
      severity: 'WARNING',
      message: `S has not left. Its planned departure was at ${at(now + HOUR)}.`,
      gate: { externalIdentifier: 'G' },
      shipmentExternalId: 'S',
      manifestExternalId: null,
      recordUuid: shipment.uuid,
    });
    expect((await wholeLog(dock)).slice(seen)).toMatchObject([
      { action: 'ALERT_RAISED', entityUuid: alert.uuid, actor: { displayName: 'System' } },
    ]);
    const { content } = (await dock.must('GET', '/event')).body;
    const raised = content.filter(({ eventType }: { eventType: string }) => eventType === 'ALERT_RAISED');
    expect(raised).toMatchObject([{ entityUuid: alert.uuid, data: alert }]);
    expect(await dueOf(dock)).toBeUndefined();
  });

  it.each([
    ['completed', async (dock: Dock) => dock.must('POST', '/shipment/S/status/COMPLETED')],
    ['cancelled', async (dock: Dock) => dock.must('POST', '/shipment/S/status/CANCELLED')],
    ['deleted', async (dock: Dock) => dock.must('DELETE', '/shipment/S')],
    [
      'moved',
      async (dock: Dock) => dock.must('POST', '/shipment/S/custom-field', departs(Date.now() + HOUR)),
    ],
    [
      'replaced',
      async (dock: Dock) => dock.must('PUT', '/shipment/S', { customFields: [departs(Date.now() + HOUR)] }),
    ],
    ['cleared', async (dock: Dock) => dock.must('DELETE', '/shipment/S/custom-field/etd')],
  ])('a late departure has its alert resolved in the commit in which the shipment is %s', async (_, act) => {
    const { dock, now } = await world();
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    for (const wmsId of ['A', 'B']) await dock.scan(wmsId);
    clock(now + HOUR + 11_000);
    await minute(dock);
    await eventually(dock, ['DEPARTURE_LATE OPEN S']);
    await act(dock);
    expect(await told(dock)).toEqual(['DEPARTURE_LATE RESOLVED S']);
    await minute(dock);
    expect(await told(dock)).toEqual(['DEPARTURE_LATE RESOLVED S']);
  });

  it('an alert that a person resolved is raised again only for a later departure', async () => {
    const { dock, now } = await world();
    clock(now + HOUR + 11_000);
    await minute(dock);
    await eventually(dock, ['DEPARTURE_LATE OPEN S']);
    await resolveByHand(dock);
    await db.prepare('INSERT INTO departure_due VALUES (?1, 0)').bind(dock.uuid).run();
    await minute(dock);
    expect(await dueOf(dock)).toBeUndefined();
    expect(await told(dock)).toEqual(['DEPARTURE_LATE RESOLVED S']);
    await dock.must('POST', '/shipment/S/custom-field', departs(now + HOUR + 5_000));
    await eventually(dock, ['DEPARTURE_LATE RESOLVED S', 'DEPARTURE_LATE OPEN S']);
  });

  it('a departure that moves to another time in the past raises an alert at once', async () => {
    const { dock, now } = await world();
    await dock.must('POST', '/shipment/S/custom-field', departs(now - HOUR));
    await eventually(dock, ['DEPARTURE_LATE OPEN S']);
    await dock.must('POST', '/shipment/S/custom-field', departs(now - MINUTE));
    await eventually(dock, ['DEPARTURE_LATE RESOLVED S', 'DEPARTURE_LATE OPEN S']);
    // Another notation of the same instant is not another departure.
    const offset = new Date(now - MINUTE + 5.5 * HOUR).toISOString().replace('Z', '+05:30');
    await dock.must('POST', '/shipment/S/custom-field', { fieldKey: 'etd', fieldValue: offset });
    await minute(dock);
    expect(await told(dock)).toEqual(['DEPARTURE_LATE RESOLVED S', 'DEPARTURE_LATE OPEN S']);
  });

  it('a departure whose time passes is reported in the run of jobs after the next event, without the schedule', async () => {
    const { dock, now } = await world();
    const { url } = await register(dock);
    new Receivers().at(url, 204);
    // The jobs run for an event before the departure, and then have an answer that could be used again.
    await dock.manifest('N');
    clock(now + HOUR + 1);
    await dock.manifest('O');
    await eventually(dock, ['DEPARTURE_LATE OPEN S']);
  });

  it('an organization that slept for a week gets one alert for each late shipment', async () => {
    const { dock, now } = await world();
    await dock.manifest('N');
    await dock.shipment('T', ['N'], { customFields: [departs(now + 2 * 24 * HOUR)] });
    clock(now + 7 * 24 * HOUR);
    await minute(dock);
    await eventually(dock, ['DEPARTURE_LATE OPEN S', 'DEPARTURE_LATE OPEN T']);
    await minute(dock);
    expect((await told(dock)).length).toBe(2);
  });

  it('a clock that jumps ahead and back raises no second alert and loses no departure', async () => {
    const { dock, now } = await world();
    clock(now + 2 * HOUR);
    await minute(dock);
    await eventually(dock, ['DEPARTURE_LATE OPEN S']);
    clock(now);
    await dock.manifest('N');
    await dock.shipment('T', ['N'], { customFields: [departs(now + 90 * MINUTE)] });
    for (let later = 0; later <= 100; later += 20) {
      clock(now + later * MINUTE);
      await minute(dock);
    }
    await vi.waitFor(async () =>
      expect((await told(dock)).sort()).toEqual(['DEPARTURE_LATE OPEN S', 'DEPARTURE_LATE OPEN T']),
    );
  });
});

describe('departures that change without their command', () => {
  it('an alert is resolved by the schedule if the shipment was closed otherwise', async () => {
    const { dock, now } = await world();
    await dock.manifest('N');
    await dock.shipment('T', ['N'], { customFields: [departs(now + HOUR)] });
    clock(now + HOUR + 11_000);
    await minute(dock);
    await eventually(dock, ['DEPARTURE_LATE OPEN S', 'DEPARTURE_LATE OPEN T']);
    const run = (statement: string) => db.prepare(statement).bind(dock.uuid).run();
    await run(`UPDATE shipment SET status = 'CANCELLED', close_date = 1 WHERE organization_uuid = ?1
      AND external_identifier = 'T'`);
    expect(await dueOf(dock)).toBe(0);
    await minute(dock);
    await vi.waitFor(async () =>
      expect((await told(dock)).sort()).toEqual(['DEPARTURE_LATE OPEN S', 'DEPARTURE_LATE RESOLVED T']),
    );
  });

  it('a bulk upsert moves the departure, too', async () => {
    const { dock, now } = await world();
    clock(now + HOUR + 11_000);
    await minute(dock);
    await eventually(dock, ['DEPARTURE_LATE OPEN S']);
    await dock.must('POST', '/shipment/bulk-upsert', {
      errorBehaviour: 'PROCEED',
      items: [{ shipmentExternalId: 'S', customFields: [departs(now + 2 * HOUR)] }],
    });
    await eventually(dock, ['DEPARTURE_LATE RESOLVED S']);
  });

  it('a departure applies when its custom field gets the role, and no longer when the field loses it', async () => {
    const { dock, now } = await world();
    const role = async (role?: string) => {
      const shipmentCustomFields = [{ fieldKey: 'etd', fieldType: 'DATE_TIME', ...(role ? { role } : {}) }];
      const { status } = await operator('PUT', `/organization/${dock.uuid}`, { shipmentCustomFields });
      expect(status).toBe(200);
    };
    await role();
    clock(now + HOUR + 11_000);
    await minute(dock);
    expect(await told(dock)).toEqual([]);
    await role('PLANNED_DEPARTURE');
    await eventually(dock, ['DEPARTURE_LATE OPEN S']);
    await role();
    await eventually(dock, ['DEPARTURE_LATE RESOLVED S']);
  });
});
