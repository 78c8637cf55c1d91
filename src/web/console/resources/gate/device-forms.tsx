import type { FC } from 'hono/jsx';
import type { TokenScope } from '../../../../access/credential/schema.ts';
import type { StoredDevice } from '../../../../dispatch/device/store.ts';
import { AGENT_TYPES, type DeviceType, SCANNER_TYPES } from '../../../../dispatch/device/table.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import { Field, Form, Select, Submit } from '../../../ui/form/form.tsx';
import { type GateChoice, GateField } from '../../../ui/list/gates.tsx';
import { wordsAmong } from '../../../ui/parts/codes.ts';
import { Card } from '../../../ui/parts/components.tsx';
import type { CreateDeviceActions } from './device-actions.ts';
import { type Manager, ManagerField } from './managers.tsx';

/** The scopes that the form offers for a token of each device type. */
export const SCOPES_OF: Record<DeviceType, readonly TokenScope[]> = {
  SCANNER: ['GATE_WRITE', 'DEVICE_WRITE'],
  LOCAL_MANAGER: ['CAMERA_READ', 'GATE_WRITE', 'DEVICE_WRITE'],
  AGENT: ['DEVICE_WRITE'],
};

const KINDS = { SCANNER: SCANNER_TYPES, LOCAL_MANAGER: [], AGENT: AGENT_TYPES } as const;

/** The kind of a device in words. An unknown kind is shown as stored. */
export const kindIn = ({ t }: Words, kind: string): string =>
  wordsAmong([...SCANNER_TYPES, ...AGENT_TYPES], kind, (known) => t(`kind.${known}`));

/**
 * The form that creates a device: its name, and its kind. Its gate and local manager are set on its
 * own page.
 */
export const NewDevice: FC<{ type: DeviceType }> = ({ type }) => {
  const { t } = useWords();
  return (
    <Card title={t('device.new', { type })}>
      <Form<CreateDeviceActions> action="create" class="filters" label={t('device.new', { type })}>
        <Described type={type} />
        <Submit>{t('made.create')}</Submit>
      </Form>
    </Card>
  );
};

const Described: FC<{ type: DeviceType; device?: StoredDevice }> = ({ type, device }) => {
  const words = useWords();
  const { t } = words;
  return (
    <>
      <Field name="name" label={t('device.name')} value={device?.name} />
      {type === 'LOCAL_MANAGER' ? (
        <Field name="hostname" label={t('device.host')} value={device?.hostname} />
      ) : (
        <Select
          name="kind"
          label={t('made.kind')}
          value={device?.scannerType ?? device?.agentType}
          options={[
            { value: '', label: t('made.none') },
            ...KINDS[type].map((kind) => ({ value: kind, label: kindIn(words, kind) })),
          ]}
        />
      )}
      {type === 'SCANNER' && (
        <Field name="serialNumber" label={t('device.serial')} value={device?.serialNumber} />
      )}
    </>
  );
};

export const DeviceFields: FC<{
  type: DeviceType;
  gates: readonly GateChoice[];
  managers: readonly Manager[];
  device: StoredDevice;
}> = ({ type, gates, managers, device }) => {
  const { t } = useWords();
  return (
    <>
      <Described type={type} device={device} />
      {type === 'SCANNER' && (
        <GateField
          gates={gates}
          name="gateExternalId"
          label={t('gates.gate')}
          value={device.gate?.externalIdentifier}
          none={t('desk.noGate')}
        />
      )}
      {type !== 'LOCAL_MANAGER' && (
        <ManagerField managers={managers} label={t('device.belongs')} value={device.localManagerUuid} />
      )}
    </>
  );
};
