import { z } from '@hono/zod-openapi';
import { write } from '../../../../core/http/write.ts';
import {
  createDevice,
  deleteDevice,
  type ProvisionedDevice,
  type Settled,
  updateDevice,
} from '../../../../dispatch/device/commands.ts';
import {
  agentCreateSchema,
  localManagerCreateSchema,
  scannerCreateSchema,
} from '../../../../dispatch/device/schema.ts';
import { SEGMENTS } from '../../../../dispatch/device/store.ts';
import type { DeviceType } from '../../../../dispatch/device/table.ts';
import { action, asTyped } from '../../../ui/confirm/action.ts';
import { confirmDeletion } from '../../../ui/confirm/deletion.tsx';
import type { ByUuid } from '../../../ui/page/resource.tsx';
import { createCredentialAction } from '../credential/actions.tsx';

type Typed = Record<string, string | undefined>;

/** A device from its form. An empty field means no value. */
const FORMS: Record<DeviceType, z.ZodType<ProvisionedDevice>> = {
  SCANNER: asTyped(scannerCreateSchema, (typed: Typed) => ({
    name: typed['name'],
    serialNumber: typed['serialNumber'] || null,
    scannerType: typed['kind'] || null,
    gateExternalId: typed['gateExternalId'] || null,
    localManagerUuid: typed['localManagerUuid'] || null,
  })),
  LOCAL_MANAGER: asTyped(localManagerCreateSchema, (typed: Typed) => ({
    name: typed['name'],
    hostname: typed['hostname'] || null,
  })),
  AGENT: asTyped(agentCreateSchema, (typed: Typed) => ({
    name: typed['name'],
    agentType: typed['kind'] || null,
    localManagerUuid: typed['localManagerUuid'] || null,
  })),
};

/** Fields that its type does not have are null. */
const settled = (said: ProvisionedDevice): Settled => ({
  name: said.name,
  serialNumber: said.serialNumber ?? null,
  scannerType: said.scannerType ?? null,
  hostname: said.hostname ?? null,
  agentType: said.agentType ?? null,
  localManagerUuid: said.localManagerUuid ?? null,
  gateExternalId: said.gateExternalId ?? null,
});

export const createDeviceActions = (deviceType: DeviceType) => ({
  create: action('changeSite', FORMS[deviceType], async ({ c, words, submission }, _, said) => {
    const { body } = await write(c, submission, createDevice, { ...settled(said), deviceType });
    return {
      done: words.t('device.made', { name: said.name }),
      to: `/app/${SEGMENTS[deviceType]}/${body.uuid}`,
    };
  }),
});

/** The actions on the page of a device. Only scanners can print. */
export const deviceActions = (deviceType: DeviceType) => ({
  update: action(
    'changeSite',
    FORMS[deviceType],
    async ({ c, words, submission }, { uuid }: ByUuid, said) => {
      await write(c, submission, updateDevice, { ...settled(said), deviceType, uuid });
      return { done: words.t('device.changed') };
    },
  ),
  token: createCredentialAction('ACCESS_TOKEN'),
  delete: action(
    'changeSite',
    z.object({}),
    async ({ c, words, submission }, { uuid }: ByUuid) => {
      await write(c, submission, deleteDevice, { deviceType, uuid });
      return { done: words.t('device.deleted'), to: `/app/${SEGMENTS[deviceType]}` };
    },
    confirmDeletion(deviceType === 'SCANNER' ? 'scanner' : 'device', ({ t }) => t('device.deletion')),
  ),
});

export type CreateDeviceActions = ReturnType<typeof createDeviceActions>;
export type DeviceActions = ReturnType<typeof deviceActions>;
