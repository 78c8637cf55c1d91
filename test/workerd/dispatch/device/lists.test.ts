import { describe, expect, it } from 'vitest';
import { newGate, newTenant, operator, type Tenant } from '../../client.ts';
import { newDevice } from './devices.ts';

/** Names in a list with these parameters, sorted by name. */
async function names(tenant: Tenant, path: string, query: string): Promise<string[]> {
  const { status, body } = await tenant.call('GET', `${path}?sort.sortBy=name&${query}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  expect(body.totalElements).toBe(body.content.length);
  return body.content.map((row: { name: string }) => row.name);
}

/** A tenant with two gates, two local managers, scanners and agents. Devices whose name ends in `on` are ONLINE. */
async function withDevices() {
  const tenant = await newTenant();
  await newGate(tenant, 'G/1');
  await newGate(tenant, 'G2');
  const managers = [
    await newDevice(tenant, 'LOCAL_MANAGER', { name: 'LM one', hostname: 'Lager-É.example' }),
    await newDevice(tenant, 'LOCAL_MANAGER', { name: 'LM two on' }),
  ];
  const [one, two] = managers.map(({ uuid }) => uuid) as [string, string];
  const at = (gateExternalId: string | null, localManagerUuid: string | null, more: object) => ({
    ...(gateExternalId === null ? {} : { gateExternalId }),
    localManagerUuid,
    ...more,
  });
  const devices = [
    ...managers,
    await newDevice(tenant, 'SCANNER', at('G/1', one, { name: 'S1 on', scannerType: 'FIXED' })),
    await newDevice(
      tenant,
      'SCANNER',
      at('G2', one, { name: 'S2', scannerType: 'HANDHELD', serialNumber: 'Ñ-77' }),
    ),
    await newDevice(tenant, 'SCANNER', at('G2', two, { name: 'S3 on', scannerType: 'HANDHELD' })),
    await newDevice(tenant, 'SCANNER', at(null, null, { name: 'S4' })),
    await newDevice(tenant, 'AGENT', at(null, one, { name: 'A1 on', agentType: 'PRINTER' })),
    await newDevice(tenant, 'AGENT', at(null, two, { name: 'A2', agentType: 'CAMERA' })),
    await newDevice(tenant, 'AGENT', { name: 'A3 err' }),
  ];
  for (const { deviceType, uuid, name } of await Promise.all(
    devices.map(async (device) => ({ ...device, name: await nameOf(tenant, device) })),
  )) {
    const status = name.endsWith(' on') ? 'ONLINE' : name.endsWith(' err') ? 'ERROR' : null;
    if (status) await tenant.device('POST', '/heartbeat', { deviceType, uuid, status });
  }
  return { tenant, one, two };
}

async function nameOf(tenant: Tenant, device: { deviceType: string; uuid: string }): Promise<string> {
  const { body } = await tenant.call('GET', `/${device.deviceType.toLowerCase().replace('_', '-')}`);
  return body.content.find((row: { uuid: string }) => row.uuid === device.uuid).name;
}

describe('the scanner list', () => {
  it('the scanner list combines filters by status, type, gate and local manager', async () => {
    const { tenant, one, two } = await withDevices();
    const by = (query: string) => names(tenant, '/scanner', query);
    const gates = (await tenant.call('GET', '/gate?q=g2')).body.content;
    expect(await by('')).toEqual(['S1 on', 'S2', 'S3 on', 'S4']);
    expect(await by('status=ONLINE')).toEqual(['S1 on', 'S3 on']);
    expect(await by('status=OFFLINE')).toEqual(['S2', 'S4']);
    expect(await by('status=DISABLED')).toEqual([]);
    expect(await by('status=ONLINE,OFFLINE,DISABLED')).toHaveLength(4);
    expect(await by('scannerType=HANDHELD')).toEqual(['S2', 'S3 on']);
    expect(await by('scannerType=FIXED,PRINT_STATION')).toEqual(['S1 on']);
    expect(await by('gateExternalId=G%2F1')).toEqual(['S1 on']);
    expect(await by(`gateExternalId=${gates[0].uuid}`)).toEqual(['S2', 'S3 on']);
    expect(await by(`gateExternalId=nothing,G%2F1,${gates[0].uuid}`)).toEqual(['S1 on', 'S2', 'S3 on']);
    expect(await by('gateExternalId=g2')).toEqual([]);
    expect(await by(`localManagerUuid=${one}`)).toEqual(['S1 on', 'S2']);
    expect(await by(`localManagerUuid=${one.toUpperCase()},${two}`)).toEqual(['S1 on', 'S2', 'S3 on']);
    expect(await by(`localManagerUuid=${one}&gateExternalId=G2&status=OFFLINE&q=s`)).toEqual(['S2']);
    expect(await by(`localManagerUuid=${one}&gateExternalId=G2&status=ONLINE`)).toEqual([]);
  });

  it('the scanner list finds folded text in name or serial number, and nothing across both', async () => {
    const { tenant } = await withDevices();
    const by = (q: string) => names(tenant, '/scanner', `q=${encodeURIComponent(q)}`);
    expect(await by('ñ-7')).toEqual(['S2']);
    expect(await by('ON')).toEqual(['S1 on', 'S3 on']);
    for (const q of ['S2Ñ', 'S2 Ñ', '%', '_', 'G2']) expect([q, await by(q)]).toEqual([q, []]);
    expect(await by('*')).toHaveLength(4);
  });

  it('the scanner list shows deleted scanners as DISABLED on request', async () => {
    const { tenant } = await withDevices();
    const { content } = (await tenant.call('GET', '/scanner?q=S1')).body;
    await operator('DELETE', `/organization/${tenant.uuid}/scanner/${content[0].uuid}`);
    expect(await names(tenant, '/scanner', 'q=S1')).toEqual([]);
    expect(await names(tenant, '/scanner', 'includeDeleted=true&status=DISABLED')).toEqual(['S1 on']);
    expect(await names(tenant, '/scanner', 'includeDeleted=true&status=ONLINE')).toEqual(['S3 on']);
  });
});

describe('the local manager list', () => {
  it('the local manager list filters by status and finds text in name or host name', async () => {
    const { tenant } = await withDevices();
    const by = (query: string) => names(tenant, '/local-manager', query);
    expect(await by('status=ONLINE,DEGRADED')).toEqual(['LM two on']);
    expect(await by('status=OFFLINE')).toEqual(['LM one']);
    expect(await by(`q=${encodeURIComponent('LAGER-é')}`)).toEqual(['LM one']);
    expect(await by('q=lm')).toEqual(['LM one', 'LM two on']);
  });
});

describe('the agent list', () => {
  it('the agent list filters by status, type and local manager', async () => {
    const { tenant, one, two } = await withDevices();
    const by = (query: string) => names(tenant, '/agent', query);
    expect(await by('status=ERROR')).toEqual(['A3 err']);
    expect(await by('status=ONLINE,ERROR')).toEqual(['A1 on', 'A3 err']);
    expect(await by('status=OFFLINE')).toEqual(['A2']);
    expect(await by('agentType=PRINTER')).toEqual(['A1 on']);
    expect(await by('agentType=CAMERA,WMS_CONNECTOR')).toEqual(['A2']);
    expect(await by(`localManagerUuid=${two}`)).toEqual(['A2']);
    expect(await by(`localManagerUuid=${one},${two}&q=A2`)).toEqual(['A2']);
  });
});

it('no device list shows devices of another type', async () => {
  const { tenant } = await withDevices();
  const counts = [];
  for (const path of ['/scanner', '/local-manager', '/agent']) {
    counts.push((await tenant.call('GET', `${path}?includeDeleted=true`)).body.totalElements);
  }
  expect(counts).toEqual([4, 2, 3]);
});
