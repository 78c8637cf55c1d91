import { vi } from 'vitest';
import { executeEach } from '../../../../src/core/writer/each.ts';
import { silentOrganizations } from '../../../../src/dispatch/device/store.ts';
import { operator, type Tenant } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';
import { bindings } from '../../failing.ts';

/** A uuid that belongs to no device. */
export const NOBODY = '01900000-0000-7000-8000-000000000000';
const SEGMENTS = { SCANNER: 'scanner', LOCAL_MANAGER: 'local-manager', AGENT: 'agent' } as const;

/** A device as a heartbeat names it. */
export interface Device {
  deviceType: keyof typeof SEGMENTS;
  uuid: string;
}

/** Creates a device. */
export async function newDevice(
  tenant: Tenant,
  deviceType: Device['deviceType'],
  more: object = {},
): Promise<Device> {
  const path = `/organization/${tenant.uuid}/${SEGMENTS[deviceType]}`;
  const { status, body } = await operator('POST', path, { name: `A ${deviceType}`, ...more });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { deviceType, uuid: body.uuid };
}

/** The device in the answer of its list. */
export async function shown(tenant: Tenant, { deviceType, uuid }: Device) {
  const { body } = await tenant.call('GET', `/${SEGMENTS[deviceType]}?includeDeleted=true`);
  return body.content.find((row: { uuid: string }) => row.uuid === uuid);
}

/** The database row of a device. */
export async function stored({ uuid }: Pick<Device, 'uuid'>): Promise<Record<string, unknown>> {
  return (await db.prepare('SELECT * FROM device WHERE uuid = ?1').bind(uuid).first())!;
}

/** Runs an action with the clock this many milliseconds ahead. */
export async function later<T>(milliseconds: number, action: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
  try {
    return await action();
  } finally {
    vi.useRealTimers();
  }
}

/** Runs the check for silent devices with the clock this many milliseconds ahead. */
export const noteSilences = (milliseconds: number, env = bindings): Promise<void> =>
  later(milliseconds, () => executeEach(env, 'DB', silentOrganizations, 'noteSilence', Date.now()));
