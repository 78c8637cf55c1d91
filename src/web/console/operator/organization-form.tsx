import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { organizationCreateSchema, organizationUpdateSchema } from '../../../access/organization/schema.ts';
import { invitationSchema } from '../../../access/user/schema.ts';
import type { StoredOrganization } from '../../../core/writer/settings.ts';
import { LABEL_SIZES, WORKER_IDENTIFICATIONS } from '../../../core/writer/settings-table.ts';
import { asTyped } from '../../ui/confirm/action.ts';
import { customFieldsOf, isOfLine } from '../../ui/form/custom-field-lines.tsx';
import { Field, Select } from '../../ui/form/form.tsx';
import { ZoneField } from '../../ui/form/zone-field.tsx';
import { statusWords } from '../../ui/parts/components.tsx';

type Fields = Record<string, string | undefined>;

/** Settings that are numbers. */
const NUMBERS = [
  { name: 'markerAllocationMaximum', label: 'Maximum codes per allocation' },
  { name: 'markerCodeStart', label: 'First marker code', hint: 'Fixed by the first allocation.' },
  { name: 'requestsPerMinute', label: 'Requests per minute' },
  { name: 'deviceOfflineAfterSeconds', label: 'Seconds without a heartbeat until a device is offline' },
  {
    name: 'retentionDays',
    label: 'Days until closed work is archived',
    hint: 'Empty: never.',
    optional: true,
  },
] as const satisfies readonly {
  name: keyof StoredOrganization;
  label: string;
  hint?: string;
  optional?: boolean;
}[];
const isNumber = (name: string): boolean => NUMBERS.some((number) => number.name === name);

/** A setting's value, as in the API. */
const settingOf = (name: string, value: string): unknown => {
  if (isNumber(name)) return value === '' ? null : Number(value);
  return value === 'true' || value === 'false' ? value === 'true' : value;
};

/** The settings from a form, as in the API. Settings that are not in the form stay unchanged. */
function bodyOf(typed: Fields): object {
  const settings = Object.entries(typed).filter(([name]) => !isOfLine(name));
  const shipmentCustomFields = customFieldsOf(typed);
  return {
    ...Object.fromEntries(settings.map(([name, value = '']) => [name, settingOf(name, value)])),
    ...(shipmentCustomFields && { shipmentCustomFields }),
  };
}

/** The strategy of new organizations on the operator's page. Pages need it for carriers, departures and the day. */
const NEW_STRATEGY = 'SHIPMENT';

/** Whether a field of the form is about the first administrator. */
const isInvited = (name: string): boolean => Object.hasOwn(invitationSchema.shape, name);

/** The form that creates an organization. The first administrator may be left out. */
export const createForm = asTyped(
  z.object({ organization: organizationCreateSchema, administrator: invitationSchema.optional() }),
  ({ databaseName, ...typed }) => {
    const [invited, settings] = [true, false].map((wanted) =>
      Object.fromEntries(Object.entries(typed).filter(([name]) => isInvited(name) === wanted)),
    );
    return {
      organization: bodyOf({
        dispatchStrategy: NEW_STRATEGY,

        ...settings,
        ...(databaseName ? { databaseName } : {}),
      }),
      ...(Object.values(invited!).some(Boolean) ? { administrator: invited } : {}),
    };
  },
);

/** The form that changes settings. */
export const updateForm = asTyped<z.ZodType<z.output<typeof organizationUpdateSchema>>>(
  organizationUpdateSchema,
  bodyOf,
);

const named = (values: readonly string[]) => values.map((value) => ({ value, label: statusWords(value) }));
const YES_NO = [
  { value: 'false', label: 'No' },
  { value: 'true', label: 'Yes' },
];

/** The settings that every organization has; first in the form. */
export const FirstFields: FC<{ of?: StoredOrganization }> = ({ of }) => (
  <>
    <Field name="name" label="Name" value={of?.name} />
    <Field
      name="slug"
      label="Slug"
      value={of?.slug}
      hint="The first part of its own host name: a-z, 0-9 and hyphens."
    />
    <Select
      name="dispatchStrategy"
      label="Dispatches by"
      value={of?.dispatchStrategy ?? NEW_STRATEGY}
      hint="By shipment, manifests leave together on one truck, with carrier and departure."
      options={named(['MANIFEST', 'SHIPMENT'])}
    />
    <ZoneField label="Time zone" value={of?.timeZone} own={of === undefined} />
  </>
);

/** Whether pallets belong to clients of the organization. */
export const ClientField: FC<{ of?: StoredOrganization }> = ({ of }) => (
  <Select
    name="clientFeatureEnabled"
    label="Has clients"
    value={of?.clientFeatureEnabled === 1 ? 'true' : 'false'}
    options={YES_NO}
  />
);

/** Whether it is a sandbox is set at creation and cannot change. */
export const SandboxField: FC = () => (
  <Select name="sandbox" label="Is a sandbox" value="false" options={YES_NO} />
);

/** All other settings. */
export const OtherFields: FC<{ of: StoredOrganization }> = ({ of }) => (
  <>
    <Select
      name="gateWorkerIdentification"
      label="How tablets identify workers"
      value={of.gateWorkerIdentification}
      options={named(WORKER_IDENTIFICATIONS)}
    />
    <Select
      name="labelSize"
      label="Size of pallet labels"
      value={of.labelSize}
      options={named(LABEL_SIZES)}
    />
    {NUMBERS.map(({ name, ...shown }) => (
      <Field
        name={name}
        label={shown.label}
        type="number"
        value={`${of[name] ?? ''}`}
        hint={'hint' in shown ? shown.hint : undefined}
        required={!('optional' in shown)}
      />
    ))}
  </>
);
