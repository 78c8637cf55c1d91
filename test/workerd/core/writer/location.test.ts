import { expect, it } from 'vitest';
import { execute, ofService } from '../../../../src/core/writer/client.ts';
import { transferringOf } from '../../../../src/storage/transfer/job.ts';
import { TransferRunner } from '../../../../src/storage/transfer/transfer-runner.ts';
import { bindings, forgetPlace, setOpen } from '../../access/database/places.ts';
import { newTenant, OPERATOR_API, OPERATOR_KEY, ORIGIN } from '../../client.ts';
import { fetchOver } from '../../failing.ts';
import { exportOf, wipe } from '../../storage/transfer/exports.ts';
import { planImport } from '../../storage/transfer/planned.ts';

/** The bindings with locations, and each organization's hints in the order of the calls. */
function located(locations: object) {
  const hints: Record<string, (string | undefined)[]> = {};
  const { WRITER } = bindings;
  const namespace = {
    idFromName: (name: string) => name,
    get(name: string, options?: { locationHint: never }) {
      hints[name] = [...(hints[name] ?? []), options?.locationHint];
      return WRITER.get(WRITER.idFromName(name), options);
    },
  };
  const env = { ...bindings, WRITER: namespace as never, WRITER_LOCATIONS: JSON.stringify(locations) };
  return { env, hints };
}

it('the first call of a new organization creates its object beside the database of its data', async () => {
  await setOpen('DB_1', true);
  const { env, hints } = located({ DB: 'eeur', DB_1: 'apac' });
  for (const [databaseName, hint] of [
    ['DB', 'eeur'],
    ['DB_1', 'apac'],
  ] as const) {
    const created = await fetchOver(
      env,
      new Request(`${ORIGIN}${OPERATOR_API}/organization`, {
        method: 'POST',
        headers: { 'X-OPERATOR-KEY': OPERATOR_KEY, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Near', slug: `near-${crypto.randomUUID().slice(0, 8)}`, databaseName }),
      }),
    );
    expect(created.status).toBe(201);
    expect(hints[created.body.uuid]).toEqual([hint]);
  }
});

it('the first call of an imported organization creates its object beside the database of its data', async () => {
  const tenant = await newTenant();
  const text = await exportOf(tenant.uuid);
  await wipe(tenant.uuid);
  forgetPlace(tenant.uuid);
  const job = await planImport(text, 'DB_1');
  const { env, hints } = located({ DB: 'eeur', DB_1: 'apac' });
  const runner = new TransferRunner(transferringOf(env), job);
  while (!(await runner.step()));
  expect(hints[tenant.uuid]).toEqual(['apac', 'apac']);
});

it('the local runtime takes a location hint', async () => {
  const tenant = await newTenant();
  const env = { ...bindings, WRITER_LOCATIONS: JSON.stringify({ DB: 'weur', DB_1: 'me' }) };
  const outcome = await execute(env, tenant.uuid, ofService('noteSilence', {}));
  expect(outcome).toMatchObject({ kind: 'done' });
});

it('the local runtime has no jurisdictions, so the unit tests record their use', () => {
  expect(() => bindings.WRITER.jurisdiction('eu')).toThrow('not implemented in workerd');
});
