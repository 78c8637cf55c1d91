import { type SQL, sql } from 'drizzle-orm';
import type { FieldChange } from '../audit/chain.ts';
import { unknownLocalManager } from '../device/rules.ts';
import { localManagerQuery } from '../device/store.ts';
import { tellGates } from '../event/store.ts';
import { changedFields } from '../lib/changes.ts';
import type { Database } from '../lib/database.ts';
import { newUuid } from '../lib/id.ts';
import { refusal } from '../lib/problem.ts';
import { fold } from '../lib/text.ts';
import type { Change, Command, Context } from '../writer/command.ts';
import { type FoundGate, gateView } from './store.ts';
import { gate } from './table.ts';

/** Create a gate, or change the one with this external identifier; an omitted local manager stays. */
export const putGate: Command<{
  externalIdentifier: string;
  name: string;
  localManagerUuid: string | null | undefined;
}> = async (context, input) => {
  const { database, now } = context;
  if (!context.organization) return refusal('organizationNotFound', 'There is no such organization.');
  const { externalIdentifier, name } = input;
  const [[found], managers] = await database.batch<[FoundGate[], object[]]>([
    namedGateQuery(database, externalIdentifier),
    localManagerQuery(database, input.localManagerUuid ?? ''),
  ]);
  if (input.localManagerUuid != null && managers.length === 0) {
    return unknownLocalManager(input.localManagerUuid);
  }
  if (found) {
    const localManagerUuid =
      input.localManagerUuid === undefined ? found.localManagerUuid : input.localManagerUuid;
    const changes = changedFields<Pick<FoundGate, 'name' | 'localManagerUuid'>>(found, {
      name,
      localManagerUuid,
    });
    const answer = answerOf(context, found.uuid, false);
    if (changes.length === 0) return { writes: [], audit: [], answer };
    const set = { name, foldedName: fold(name), localManagerUuid, updateDate: now };
    return {
      writes: [database.update(gate, set, sql`uuid = ${found.uuid}`)],
      audit: [audited('GATE_UPDATED', found.uuid, externalIdentifier, changes)],
      answer,
    };
  }
  const uuid = newUuid();
  const localManagerUuid = input.localManagerUuid ?? null;
  return {
    writes: database.insert(gate, [
      {
        uuid,
        externalIdentifier,
        name,
        localManagerUuid,
        foldedIdentifier: fold(externalIdentifier),
        foldedName: fold(name),
        createDate: now,
        updateDate: now,
      },
    ]),
    audit: [
      audited(
        'GATE_CREATED',
        uuid,
        externalIdentifier,
        changedFields(null, { externalIdentifier, name, localManagerUuid }),
      ),
    ],
    answer: answerOf(context, uuid, true),
  };
};

/** Delete a gate; refused while an open manifest is assigned to it. */
export const deleteGate: Command<{ externalIdentifier: string }> = async (
  context,
  { externalIdentifier },
) => {
  const { database, now } = context;
  if (!context.organization) return refusal('organizationNotFound', 'There is no such organization.');
  const found = await database.first<FoundGate>(namedGateQuery(database, externalIdentifier));
  if (!found) return refusal('gateNotFound', 'There is no such gate.');
  const [manifests, shipments] = await database.batch([
    sql`SELECT 1 FROM manifest
      WHERE organization_uuid = ${database.organization} AND gate_uuid = ${found.uuid} AND deleted_date IS NULL
        AND manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS') LIMIT 1`,
    sql`SELECT 1 FROM shipment
      WHERE organization_uuid = ${database.organization} AND gate_uuid = ${found.uuid} AND deleted_date IS NULL
        AND status IN ('TO_DO', 'IN_PROGRESS') LIMIT 1`,
  ]);
  if (manifests!.length + shipments!.length > 0) {
    return refusal('gateInUse', 'Assign its open manifests and shipments to another gate first.');
  }
  return {
    writes: [database.update(gate, { deletedDate: now, updateDate: now }, sql`uuid = ${found.uuid}`)],
    audit: [
      audited('GATE_DELETED', found.uuid, externalIdentifier, [
        { field: 'deleted', oldValue: false, newValue: true },
      ]),
    ],
    events: tellGates(context, [found.uuid]),
    answer: { value: {} },
  };
};

/** By external identifier alone: an upsert must not hit a gate whose uuid happens to be the given text. */
const namedGateQuery = (database: Database, externalIdentifier: string): SQL => sql`SELECT uuid,
  external_identifier AS "externalIdentifier", name, local_manager_uuid AS "localManagerUuid" FROM gate
  WHERE organization_uuid = ${database.organization} AND deleted_date IS NULL
    AND external_identifier = ${externalIdentifier}`;

const answerOf = ({ database }: Context, uuid: string, created: boolean): SQL => sql`SELECT
  json_object('created', ${Number(created)}, 'gate', ${gateView}) FROM gate
  WHERE organization_uuid = ${database.organization} AND uuid = ${uuid}`;

const audited = (
  action: string,
  uuid: string,
  externalIdentifier: string,
  changes: FieldChange[],
): Change['audit'][number] => ({
  action,
  entityType: 'GATE',
  entityUuid: uuid,
  entityExternalId: externalIdentifier,
  changes,
});
