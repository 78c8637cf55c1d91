import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ONE_RECORD_EACH, TAMPERING } from '../tampering.ts';
import { newTenant, OPERATOR_KEY, operator, send, type Tenant } from './client.ts';
import { ROOT, type Service } from './service.ts';
import { ownService } from './shared.ts';

const VERIFY_MAXIMUM_MS = 60_000;
/** How long a test waits for the service to unlock its store. */
const LOCK_MAXIMUM_MS = 10_000;
const ALERT_MAXIMUM_MS = 90_000;
let service: Service;
let tenant: Tenant;
beforeAll(async () => {
  service = await ownService();
  tenant = await newTenant(service, 'acme', { deviceOfflineAfterSeconds: 10 });
});
afterAll(() => service.dispose());

/** Runs `npm run audit:verify` with these arguments and environment variables. */
function verify(
  parameters: string[] = [],
  variables: Record<string, string> = {},
): Promise<{ said: string; code: number | null }> {
  return new Promise((answer) => {
    const child = spawn(process.execPath, ['src/cli/audit-verify.ts', ...parameters], {
      cwd: ROOT,
      env: { ...process.env, BASE_URL: service.origin, API_KEY: tenant.key, ...variables },
      timeout: VERIFY_MAXIMUM_MS,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    child.on('close', (code) => answer({ said, code }));
  });
}

/** Changes the store directly, as an intruder with access to the files would. */
function tamper(...statements: string[]): void {
  const files = readdirSync(service.stateDir, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sqlite') && file.includes('D1DatabaseObject'))
    .map((file) => join(service.stateDir, file));
  let changed = 0;
  for (const file of files) {
    const database = new DatabaseSync(file, { timeout: LOCK_MAXIMUM_MS });
    const known = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit_log'").get();
    for (const statement of known ? [...ONE_RECORD_EACH, ...TAMPERING, ...statements] : [])
      database.exec(statement);
    // For changes through a view, SQLite counts the rows only in `total_changes()`.
    changed += Number(database.prepare('SELECT total_changes() AS changed').get()!['changed']);
    database.close();
  }
  expect(changed).toBeGreaterThan(0);
}

const ofTenant = () => `organization_uuid = '${tenant.uuid}'`;
const anchorIn = (said: string): string => /--anchor (\d+:[0-9a-f]{64})/.exec(said)![1]!;

describe('npm run audit:verify', () => {
  it('audit:verify accepts an unchanged log and prints where it ends', async () => {
    const made = Array.from({ length: 120 }, (_, index) =>
      tenant.send({ method: 'POST', path: '/manifest', json: { externalIdentifier: `M${index} é` } }),
    );
    for (const { status } of await Promise.all(made)) expect(status).toBe(201);
    const { said, code } = await verify();
    expect([code, said]).toEqual([0, expect.stringContaining('122 records are what was committed')]);
    const later = await verify(['--anchor', anchorIn(said)]);
    expect([later.code, later.said]).toEqual([0, expect.stringContaining('1 record is what was committed')]);
    const ofOperator = await verify(['--operator', '--base', `${service.origin}/`], { OPERATOR_KEY });
    expect([ofOperator.code, ofOperator.said]).toEqual([0, expect.stringContaining('1 record is')]);
  });

  it('audit:verify fails without a key, with a wrong key, for an unknown organization and for a malformed anchor', async () => {
    const cases: [string[], Record<string, string>, string][] = [
      [[], { API_KEY: '' }, 'Set API_KEY'],
      [[], { API_KEY: `${tenant.key.slice(0, -1)}!` }, '401 unauthorized'],
      [['--operator'], { OPERATOR_KEY: '' }, 'Set OPERATOR_KEY'],
      [['--anchor', '7'], {}, '--anchor takes'],
      [['--nothing'], {}, '--nothing'],
    ];
    for (const [parameters, variables, reason] of cases) {
      const { said, code } = await verify(parameters, variables);
      expect([parameters, code, said]).toEqual([parameters, 2, expect.stringContaining(reason)]);
    }
  });

  it('audit:verify names the first changed record and detects a truncated end', async () => {
    const before = anchorIn((await verify()).said);
    tamper(`UPDATE audit_log SET actor_display_name = 'Nobody' WHERE ${ofTenant()} AND sequence_number = 50`);
    const changed = await verify();
    expect([changed.code, changed.said]).toEqual([
      1,
      expect.stringMatching(/^Record 50 is not what was committed/),
    ]);
    tamper(
      `UPDATE audit_log SET actor_display_name = 'WMS' WHERE ${ofTenant()} AND sequence_number = 50`,
      `DELETE FROM audit_log WHERE ${ofTenant()} AND sequence_number > 100`,
    );
    expect((await verify()).code).toBe(0);
    const cut = await verify(['--anchor', before]);
    expect([cut.code, cut.said]).toEqual([1, expect.stringContaining('Record 122 is not')]);
    tamper(`DELETE FROM audit_log WHERE ${ofTenant()}`);
    const emptied = await verify();
    expect([emptied.code, emptied.said]).toEqual([1, expect.stringContaining('Record 1 is not')]);
  });
});

describe('npm start', () => {
  it('npm start runs the schedule that raises an alert for a silent device', async () => {
    const path = `/organization/${tenant.uuid}`;
    const made = await operator(service, 201, { method: 'POST', path: `${path}/agent`, json: { name: 'A' } });
    const token = await operator(service, 201, {
      method: 'POST',
      path: `${path}/access-token`,
      json: { name: 'Devices', scopes: ['DEVICE_WRITE'] },
    });
    const beat = await send(service, {
      method: 'POST',
      path: '/device/rest/api/v1/heartbeat',
      json: { deviceType: 'AGENT', uuid: made.json.uuid, status: 'ONLINE' },
      headers: { 'X-Auth-Token': token.json.secret },
    });
    expect(beat.status).toBe(200);
    const deadline = performance.now() + ALERT_MAXIMUM_MS;
    const raised = async () => (await tenant.get('/alert-event?alertType=DEVICE_OFFLINE')).json.content;
    while ((await raised()).length === 0 && performance.now() < deadline) await sleep(500);
    expect(await raised()).toMatchObject([{ status: 'OPEN', deviceUuid: made.json.uuid }]);
  });
});
