import { type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { SHARED_HOSTS } from '../../core/http/hosts.ts';
import type { RowsOf } from '../../core/lib/asks.ts';
import { changedFields, type FieldChange } from '../../core/lib/changes.ts';
import { MAIN } from '../../core/lib/databases.ts';
import { dotsRefusal } from '../../core/lib/dots.ts';
import { newUuid } from '../../core/lib/id.ts';
import { missing, named } from '../../core/lib/missing.ts';
import { type ProblemItem, type Refusal, refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import type { AuditAction } from '../../core/writer/audit-actions.ts';
import { auditing } from '../../core/writer/audited.ts';
import { type Change, type Context, command, unchanged } from '../../core/writer/command.ts';
import {
  type OrganizationSettings,
  organizationView,
  type ShipmentCustomField,
  type StoredOrganization,
} from '../../core/writer/settings.ts';
import { insertBuiltIn } from '../user/built-in-changes.ts';
import { quietFault } from './quiet-rules.ts';
import type { organizationCreateSchema, organizationUpdateSchema } from './schema.ts';

/** A new organization, with the name of its database, or the refusal if no database is suitable. */
type NewOrganization = Omit<z.output<typeof organizationCreateSchema>, 'databaseName'> & {
  database: string | Refusal;
};

/**
 * Create an organization. It runs in the operator's own log, where commands run one after another. So two new
 * organizations cannot get the same slug. If its database is not `DB`, the row is only planned; `syncDirectory` creates
 * it there.
 */
export const createOrganization = command('createOrganization', {
  ask: ({ scope }, { slug }: NewOrganization) => ({
    others: slugQuery(scope, slug),
  }),
  decide({ scope, now }, { database, ...settings }, { others }) {
    const fault = fieldDots(settings.shipmentCustomFields) ?? quietFault(settings);
    if (fault) return fault;
    if (isTaken(settings.slug, others)) return slugInUse(settings.slug);
    if (typeof database === 'object') return database;
    const input = { ...settings, databaseName: database };
    const uuid = newUuid();
    const isHere = input.databaseName === MAIN;
    const row = sql`${uuid}, ${input.name}, ${input.slug}, ${input.dispatchStrategy},
    ${Number(input.clientFeatureEnabled)}, ${input.markerAllocationMaximum}, ${input.markerCodeStart},
    ${input.requestsPerMinute}, ${input.deviceOfflineAfterSeconds}, ${input.retentionDays},
    ${input.timeZone}, ${input.gateWorkerIdentification}, ${input.labelSize}, ${input.quietFrom ?? null}, ${input.quietTo ?? null}, ${JSON.stringify(input.shipmentCustomFields)}, ${Number(input.sandbox)}, ${now}, ${now},
    ${isHere ? 'HERE' : 'PLANNED'}, ${isHere ? null : input.databaseName}, ${isHere ? null : now}`;
    return {
      writes: [
        // The scope is the operator's, so the row of the new organization is inserted directly.
        sql`INSERT INTO organization (uuid, name, slug, dispatch_strategy, client_feature_enabled,
          marker_allocation_maximum, marker_code_start, requests_per_minute, device_offline_after_seconds,
          retention_days, time_zone, gate_worker_identification, label_size, quiet_from, quiet_to, shipment_custom_fields, sandbox, create_date, update_date, residence, database_name, unsettled_date)
        SELECT ${row} WHERE ${scope.organization} <> ${uuid}`,
        ...(isHere ? [insertBuiltIn(scope, uuid, now)] : []),
      ],
      audit: [audited('ORGANIZATION_CREATED', uuid, input.slug, changedFields(null, input))],
      answer: answerOf(uuid),
    };
  },
});

/** The refusal of new custom fields whose keys cannot be part of a path. */
const fieldDots = (
  fields: readonly ShipmentCustomField[],
  before: readonly ShipmentCustomField[] = [],
): Refusal | undefined =>
  dotsRefusal(
    fields.flatMap(({ fieldKey }, index) =>
      before.some((field) => field.fieldKey === fieldKey)
        ? []
        : [[`shipmentCustomFields[${index}].fieldKey`, fieldKey] as const],
    ),
  );

/** Change settings of the organization. After marker codes have been allocated, the first marker code cannot change. */
export const updateOrganization = command('updateOrganization', { ask: askUpdate, decide: updated });

type Update = z.output<typeof organizationUpdateSchema>;

/** The reads for a change of settings. */
export function askUpdate({ scope }: Context, { slug, markerCodeStart, dispatchStrategy }: Update) {
  return {
    others: slug === undefined ? undefined : slugQuery(scope, slug),
    markers: markerCodeStart === undefined ? undefined : anyMarkerQuery(scope),
    openShipments: dispatchStrategy === undefined ? undefined : openShipmentQuery(scope),
  };
}

/** The change of settings, or the refusal. */
export function updated(
  { scope, organization, now }: Context,
  input: Update,
  { others, markers, openShipments }: RowsOf<ReturnType<typeof askUpdate>>,
): Change<StoredOrganization> | Refusal {
  if (!organization) return missing('organizationNotFound', scope.organization);
  const next: OrganizationSettings = { ...organization, ...definedOnly(input) };
  const fault =
    fieldDots(input.shipmentCustomFields ?? [], organization.shipmentCustomFields) ?? quietFault(next);
  if (fault) return fault;
  if (input.slug !== undefined && isTaken(input.slug, others)) return slugInUse(input.slug);
  const changes = changedFields<OrganizationSettings>(organization, input);
  const changesField = (name: string) => changes.some(({ field }) => field === name);
  if (changesField('markerCodeStart') && markers.length > 0) return startIsFixed(input.markerCodeStart);
  if (changesField('dispatchStrategy') && openShipments.length > 0) {
    return refusal(
      'openShipments',
      `${named('Organization', organization.slug)} has open shipments. Complete, cancel or delete them first.`,
      { facts: { name: organization.slug } },
    );
  }
  const answer = answerOf(organization.uuid);
  if (changes.length === 0) return unchanged(answer);
  return {
    writes: [
      sql`UPDATE organization SET name = ${next.name}, slug = ${next.slug},
      dispatch_strategy = ${next.dispatchStrategy}, client_feature_enabled = ${Number(next.clientFeatureEnabled)},
      marker_allocation_maximum = ${next.markerAllocationMaximum}, marker_code_start = ${next.markerCodeStart},
      requests_per_minute = ${next.requestsPerMinute},
      device_offline_after_seconds = ${next.deviceOfflineAfterSeconds}, retention_days = ${next.retentionDays},
      time_zone = ${next.timeZone}, gate_worker_identification = ${next.gateWorkerIdentification},
      label_size = ${next.labelSize}, quiet_from = ${next.quietFrom ?? null}, quiet_to = ${next.quietTo ?? null},
      shipment_custom_fields = ${JSON.stringify(next.shipmentCustomFields)}, update_date = ${now}
      WHERE uuid = ${scope.organization}`,
    ],
    audit: [audited('ORGANIZATION_UPDATED', organization.uuid, next.slug, changes)],
    // Another custom field may be the departure of shipments now.
    ...(changesField('shipmentCustomFields') ? { jobs: true as const } : {}),
    answer,
    state: { organization: next },
  };
}

/**
 * Suspend the organization, or resume it. While it is suspended, accepted work is finished and events are delivered,
 * but all requests are refused.
 */
export const suspendOrganization = command('suspendOrganization', {
  decide({ scope, organization, now }, { suspended }: { suspended: boolean }) {
    if (!organization) return missing('organizationNotFound', scope.organization);
    const { uuid, slug } = organization;
    const answer = answerOf(uuid);
    if ((organization.suspendedDate !== null) === suspended) return unchanged(answer);
    const suspendedDate = suspended ? now : null;
    const action = suspended ? 'ORGANIZATION_SUSPENDED' : 'ORGANIZATION_RESUMED';
    const [oldValue, newValue] = suspended ? ['ACTIVE', 'SUSPENDED'] : ['SUSPENDED', 'ACTIVE'];
    return {
      writes: [
        sql`UPDATE organization SET suspended_date = ${suspendedDate}, update_date = ${now}
          WHERE uuid = ${scope.organization}`,
      ],
      audit: [audited(action, uuid, slug, [{ field: 'status', oldValue, newValue }])],
      answer,
      state: { organization: { ...organization, suspendedDate } },
    };
  },
});

const startIsFixed = (rejectedValue: unknown): Refusal => {
  const message = 'The first code cannot change, because marker codes are already allocated from it.';
  return refusal(
    'identifierImmutable',
    'Marker codes are already allocated, so the first code cannot change.',
    {
      errors: [{ field: 'markerCodeStart', code: 'identifierImmutable', message, rejectedValue }],
    },
  );
};

function definedOnly<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as never;
}

const answerOf = (uuid: string): SQL<StoredOrganization> =>
  sql`SELECT ${organizationView} FROM organization WHERE uuid = ${uuid}`;

const audited = (action: AuditAction, uuid: string, slug: string, changes: FieldChange[]) =>
  auditing('ORGANIZATION', () => slug)(action, { uuid }, changes);

/** Finds a row if another organization uses this slug. */
const slugQuery = (scope: Scope, slug: string): SQL => sql`SELECT 1 FROM organization
  WHERE slug = ${slug} AND uuid <> ${scope.organization}`;

const isTaken = (slug: string, others: readonly unknown[]): boolean =>
  SHARED_HOSTS.has(slug) || others.length > 0;

export function slugInUse(slug: string): Refusal {
  const message = `${named('Slug', slug)} is in use. Choose another one.`;
  const errors: ProblemItem[] = [{ field: 'slug', code: 'slugInUse', message, rejectedValue: slug }];
  return refusal('slugInUse', message, { errors });
}

const openShipmentQuery = (scope: Scope): SQL => sql`SELECT 1 FROM shipment
  WHERE organization_uuid = ${scope.organization} AND status IN ('TO_DO', 'IN_PROGRESS') AND deleted_date IS NULL
  LIMIT 1`;

const anyMarkerQuery = (scope: Scope): SQL => sql`SELECT 1 FROM marker_allocation
  WHERE organization_uuid = ${scope.organization} LIMIT 1`;
