import { runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, it } from 'vitest';
import { forD1 } from '../../../../src/core/lib/sql.ts';
import { overdueQuery, runOverdueJobs } from '../../../../src/core/writer/each.ts';
import { overdue } from '../../../../src/features.ts';
import {
  bindings,
  db,
  deliveries,
  happen,
  newTenant,
  Receivers,
  register,
  type Tenant,
  until,
} from '../../delivery/webhook/receiver.ts';
import { EVERY_MINUTE, runSchedule } from '../../schedule.ts';
import { planOf } from '../../statements.ts';
import { request, writerOf } from './requests.ts';

const MINUTE_MS = 60_000;
let receivers: Receivers;
let tenant: Tenant;
beforeEach(async () => {
  receivers = new Receivers();
  tenant = await newTenant();
});

/** Run the schedule of every minute. */
const schedule = () => runSchedule(EVERY_MINUTE, bindings);
/** Run overdue jobs as the schedule would one minute from now. */
const aMinuteLater = () => runOverdueJobs(bindings, 'DB', overdue, Date.now() + MINUTE_MS);

/** Delete the storage of the object, with its alarm. */
const lose = () =>
  runInDurableObject(bindings.WRITER.get(bindings.WRITER.idFromName(tenant.uuid)), async (_, state) => {
    await state.storage.deleteAlarm();
    await state.storage.deleteAll();
  });

const manifest = { manifestStatus: 'PLANNED', gateExternalId: null, customFields: [], assets: [] };

it('the schedule delivers an event that woke no object', async () => {
  const hook = await register(tenant);
  receivers.at(hook.url, 200);
  await happen(tenant);
  await until(() => receivers.of(hook.url).length === 1);
  await lose();
  // Another writer commits this, so the object has no alarm.
  await writerOf(tenant).execute(request('createManifest', { externalIdentifier: 'M', ...manifest }));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(receivers.numbers(hook.url)).toEqual([1]);
  await aMinuteLater();
  await until(() => receivers.of(hook.url).length === 2);
  expect(receivers.numbers(hook.url)).toEqual([1, 2]);
});

it('the schedule delivers a delivery whose alarm is lost', async () => {
  const hook = await register(tenant);
  receivers.at(hook.url, () =>
    receivers.of(hook.url).length === 1
      ? new Response('later', { status: 503, headers: { 'Retry-After': '600' } })
      : new Response('ok'),
  );
  await happen(tenant);
  await until(async () => (await deliveries(tenant, hook.uuid))[0]?.attemptsCount === 1);
  await lose();
  await db
    .prepare('UPDATE webhook_delivery SET due_date = ?2 WHERE organization_uuid = ?1')
    .bind(tenant.uuid, Date.now() - MINUTE_MS)
    .run();
  await schedule();
  await until(async () => (await deliveries(tenant, hook.uuid))[0]?.status === 'SUCCEEDED');
});

it('the schedule finishes an accepted operation', async () => {
  const { body } = await tenant.call('POST', '/marker-code/allocate?imageDelivery=URL');
  const outcome = await writerOf(tenant).execute(
    request('acceptCoupling', {
      wmsId: 'P',
      markerCode: body.entries[0].markerCode,
      requestId: 'r',
      customFields: [],
      clientId: null,
    }),
  );
  expect(outcome.kind).toBe('done');
  const { operationUuid } = JSON.parse((outcome as { body: string }).body);
  const status = async () => (await tenant.call('GET', `/operation/${operationUuid}`)).body.status;
  await lose();
  expect(await status()).toBe('PENDING');
  await aMinuteLater();
  await until(async () => (await status()) === 'SUCCEEDED');
});

it('the schedule wakes no idle organization and reads by indexes only', async () => {
  const hook = await register(tenant);
  receivers.at(hook.url, 200);
  await happen(tenant);
  await until(async () => (await deliveries(tenant, hook.uuid))[0]?.status === 'SUCCEEDED');
  const woken: string[] = [];
  const watched = {
    ...bindings,
    WRITER: {
      idFromName: (name: string) => name,
      get: (name: string) => ({ scheduleJobs: async () => void woken.push(name) }),
    },
  } as unknown as typeof bindings;
  await runSchedule(EVERY_MINUTE, watched);
  expect(woken).not.toContain(tenant.uuid);
  const plan: string[] = [];
  for (const query of overdue) {
    const { text, params } = forD1(overdueQuery(query, Date.now()));
    plan.push(...(await planOf({ text, params })));
  }
  // Webhooks are few, so all of them may be read. Nothing else may be.
  expect(plan.filter((step) => /^SCAN (?!w\b|[fs] VIRTUAL|\(subquery)/.test(step))).toEqual([]);
  expect(
    plan.filter((step) => /USING .*INDEX (operation_overdue|webhook_delivery_pending)/.test(step)),
  ).toHaveLength(2);
});
