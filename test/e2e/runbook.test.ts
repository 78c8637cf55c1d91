import { beforeAll, describe, expect, it } from 'vitest';
import { newTenant, OPERATOR_KEY, operator, type Served, send, type Tenant } from './client.ts';
import { commandsOf, hasCurl, runBlocks } from './commands.ts';
import { Receivers } from './receivers.ts';
import { ROOT } from './service.ts';
import { sharedService } from './shared.ts';

describe.runIf(hasCurl)('the commands of the runbook', () => {
  let service: Served;
  let tenant: Tenant;
  let receivers: Receivers;
  let leaked: { uuid: string; secret: string };

  beforeAll(async () => {
    service = await sharedService();
    tenant = await newTenant(service, 'runbook');
    receivers = await Receivers.start();
    receivers.at('/down', (response) => response.writeHead(500).end());
    const json = { name: 'WMS', url: receivers.url('/down'), eventTypes: ['MANIFEST_STATUS_CHANGED'] };
    await tenant.send({ method: 'POST', path: '/webhook', json });
    const path = `/organization/${tenant.uuid}/api-key`;
    leaked = (await operator(service, 201, { method: 'POST', path, json: { name: 'Leaked' } })).json;
    const headers = { 'X-AUTH-KEY': leaked.secret };
    const call = { method: 'POST', path: '/integration/rest/api/v1/manifest', headers };
    await send(service, { ...call, json: { externalIdentifier: 'BY-WHOM' } });
    while (receivers.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    return () => receivers.stop();
  });

  it('the commands of the runbook do what the runbook says', async () => {
    const blocks = commandsOf('src/web/docs/guides/runbook.md', service);
    expect(blocks.length).toBeGreaterThan(12);
    const { printed, messages, code } = await runBlocks(blocks, {
      cwd: ROOT,
      env: {
        OPERATOR_KEY,
        ORG: tenant.uuid,
        API_KEY: tenant.key,
        LEAKED: leaked.uuid,
        RECEIVER: receivers.url('/up'),
      },
    });
    expect(messages.filter((line) => !/^2\d\d http:/.test(line))).toEqual([]);
    expect(messages.length).toBeGreaterThanOrEqual(
      blocks.join('').match(/^ *(operator|org|curl) /gm)!.length,
    );
    expect(code).toBe(0);
    /** Returns the output lines of the block with this command. */
    const of = (command: string) =>
      printed[blocks.findIndex((block) => block.includes(command))]!.split('\n');

    expect(of('/health')[0]).toBe('{"status":"UP"}');
    expect(of('database_up')).toContain('warehouse_dispatch_database_up{database="DB"} 1');
    expect(of('/suspend')).toEqual(['SUSPENDED']);
    expect(of('/resume')[0]).toBe('ACTIVE');
    expect(of('/move -H')).toEqual(['DB', 'SUCCEEDED', 'DB_1']);
    expect(of('row.sizeBytes').join()).toMatch(/\bDB \d+ \d+ \d+ true/);
    expect(of('{"open": false}')).toEqual(['false', 'true']);
    expect(of('retentionDays')).toEqual(['365']);
    const [hook, waiting] = of('row.failingSince');
    expect(hook).toMatch(/^[0-9a-f-]{36} true \d{4}-\S+Z http:\S+\/down$/);
    expect(waiting).toMatch(/^1 (PENDING|FAILED) The receiver answered 500\.$/);
    expect(of('$RECEIVER')).toEqual([receivers.url('/up')]);
    expect(of('replay')).toEqual(['true', '1']);
    expect(of('actorUuid').join()).toContain('MANIFEST_CREATED');
    // The receiver has now got the missing events, and the API key no longer works.
    while (receivers.numbers('/up').length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const { status } = await send(service, {
      method: 'GET',
      path: '/integration/rest/api/v1/manifest',
      headers: { 'X-AUTH-KEY': leaked.secret },
    });
    expect(status).toBe(401);
  });
});
