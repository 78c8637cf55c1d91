import { type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { changedFields } from '../lib/changes.ts';
import type { Database } from '../lib/database.ts';
import { newUuid } from '../lib/id.ts';
import { type ProblemItem, refusal } from '../lib/problem.ts';
import type { Change, Command } from '../writer/command.ts';
import { SHARED_HOSTS } from './hosts.ts';
import type { organizationCreateSchema, organizationUpdateSchema } from './schema.ts';
import { type OrganizationSettings, organizationView } from './store.ts';

/** Create an organization. Runs in the operator's own log, where slugs are told apart one at a time. */
export const createOrganization: Command<z.output<typeof organizationCreateSchema>> = async (
  context,
  input,
) => {
  const { database, now } = context;
  const taken = await slugTaken(database, input.slug);
  if (taken) return taken;
  const uuid = newUuid();
  const row = sql`${uuid}, ${input.name}, ${input.slug}, ${input.dispatchStrategy},
    ${Number(input.clientFeatureEnabled)}, ${input.markerAllocationMaximum}, ${input.markerCodeStart},
    ${input.requestsPerMinute}, ${input.deviceOfflineAfterSeconds},
    ${JSON.stringify(input.shipmentCustomFields)}, ${now}, ${now}`;
  return {
    writes: [
      // The organization it runs for is the operator's, which the row of another one has to name otherwise.
      sql`INSERT INTO organization (uuid, name, slug, dispatch_strategy, client_feature_enabled,
          marker_allocation_maximum, marker_code_start, requests_per_minute, device_offline_after_seconds,
          shipment_custom_fields, create_date, update_date)
        SELECT ${row} WHERE ${database.organization} <> ${uuid}`,
    ],
    audit: [audited('ORGANIZATION_CREATED', uuid, input.slug, changedFields(null, input))],
    answer: answerOf(uuid),
  };
};

/** Change settings of the organization; the first marker code is fixed by the first allocation. */
export const updateOrganization: Command<z.output<typeof organizationUpdateSchema>> = async (
  context,
  input,
) => {
  const { database, organization, now } = context;
  if (!organization) return refusal('organizationNotFound', 'There is no such organization.');
  if (input.slug !== undefined) {
    const taken = await slugTaken(database, input.slug);
    if (taken) return taken;
  }
  const changes = changedFields<OrganizationSettings>(organization, input);
  if (changes.some(({ field }) => field === 'markerCodeStart') && (await hasMarkers(database))) {
    return refusal('identifierImmutable', 'Marker codes have been allocated from the current start.', {
      errors: [
        {
          field: 'markerCodeStart',
          code: 'identifierImmutable',
          message: 'Codes run without gaps from where they began.',
          rejectedValue: input.markerCodeStart,
        },
      ],
    });
  }
  if (changes.some(({ field }) => field === 'dispatchStrategy') && (await hasOpenShipments(database))) {
    return refusal(
      'openShipments',
      'Complete, cancel or delete its shipments first: their manifests hang on them.',
    );
  }
  const answer = answerOf(organization.uuid);
  if (changes.length === 0) return { writes: [], audit: [], answer };
  const next: OrganizationSettings = { ...organization, ...definedOnly(input) };
  return {
    writes: [
      sql`UPDATE organization SET name = ${next.name}, slug = ${next.slug},
        dispatch_strategy = ${next.dispatchStrategy}, client_feature_enabled = ${Number(next.clientFeatureEnabled)},
        marker_allocation_maximum = ${next.markerAllocationMaximum}, marker_code_start = ${next.markerCodeStart},
        requests_per_minute = ${next.requestsPerMinute},
        device_offline_after_seconds = ${next.deviceOfflineAfterSeconds},
        shipment_custom_fields = ${JSON.stringify(next.shipmentCustomFields)}, update_date = ${now}
        WHERE uuid = ${database.organization}`,
    ],
    audit: [audited('ORGANIZATION_UPDATED', organization.uuid, next.slug, changes)],
    answer,
    known: { organization: next },
  };
};

function definedOnly<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as never;
}

const answerOf = (uuid: string): SQL =>
  sql`SELECT ${organizationView} FROM organization WHERE uuid = ${uuid}`;

const audited = (
  action: string,
  uuid: string,
  slug: string,
  changes: Change['audit'][number]['changes'],
): Change['audit'][number] => ({
  action,
  entityType: 'ORGANIZATION',
  entityUuid: uuid,
  entityExternalId: slug,
  changes,
});

/** The slug of another organization than the one this runs for. */
async function slugTaken(database: Database, slug: string) {
  const errors: ProblemItem[] = [
    { field: 'slug', code: 'slugInUse', message: 'In use.', rejectedValue: slug },
  ];
  const inUse = refusal('slugInUse', `The slug ${slug} is in use.`, { errors });
  if (SHARED_HOSTS.has(slug)) return inUse;
  const other = await database.first(sql`SELECT 1 FROM organization
    WHERE slug = ${slug} AND uuid <> ${database.organization}`);
  return other ? inUse : undefined;
}

async function hasOpenShipments(database: Database): Promise<boolean> {
  const open =
    await database.first(sql`SELECT 1 FROM shipment WHERE organization_uuid = ${database.organization}
    AND status IN ('TO_DO', 'IN_PROGRESS') AND deleted_date IS NULL LIMIT 1`);
  return open !== undefined;
}

async function hasMarkers(database: Database): Promise<boolean> {
  const first = await database.first(
    sql`SELECT 1 FROM marker_allocation WHERE organization_uuid = ${database.organization} LIMIT 1`,
  );
  return first !== undefined;
}
