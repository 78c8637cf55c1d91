import { type SQL, sql } from 'drizzle-orm';
import type { FieldChange } from '../audit/chain.ts';
import { changedFields } from '../lib/changes.ts';
import { newUuid } from '../lib/id.ts';
import { refusal } from '../lib/problem.ts';
import { fold } from '../lib/text.ts';
import type { Change, Command, Context } from '../writer/command.ts';
import { type FoundGate, gateView } from './store.ts';
import { gate } from './table.ts';

/** Create a gate, or change the one with this external identifier. */
export const putGate: Command<{
  externalIdentifier: string;
  name: string;
  localManagerUuid: string | null | undefined;
}> = async (context, input) => {
  const { database, now } = context;
  if (!context.organization) return refusal('organizationNotFound', 'There is no such organization.');
  if (input.localManagerUuid != null) {
    const message = 'There is no such local manager.';
    return refusal('validationFailed', message, {
      errors: [
        {
          field: 'localManagerUuid',
          code: 'validationFailed',
          message,
          rejectedValue: input.localManagerUuid,
        },
      ],
    });
  }
  const { externalIdentifier, name } = input;
  const found = await findGate(context, externalIdentifier);
  if (found) {
    const changes = changedFields<{ name: string }>(found, { name });
    const answer = answerOf(context, found.uuid, false);
    if (changes.length === 0) return { writes: [], audit: [], answer };
    return {
      writes: [
        database.update(gate, { name, foldedName: fold(name), updateDate: now }, sql`uuid = ${found.uuid}`),
      ],
      audit: [audited('GATE_UPDATED', found.uuid, externalIdentifier, changes)],
      answer,
    };
  }
  const uuid = newUuid();
  return {
    writes: database.insert(gate, [
      {
        uuid,
        externalIdentifier,
        name,
        foldedIdentifier: fold(externalIdentifier),
        foldedName: fold(name),
        createDate: now,
        updateDate: now,
      },
    ]),
    audit: [
      audited('GATE_CREATED', uuid, externalIdentifier, changedFields(null, { externalIdentifier, name })),
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
  const found = await findGate(context, externalIdentifier);
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
    answer: { value: {} },
  };
};

/** By external identifier alone: an upsert must not hit a gate whose uuid happens to be the given text. */
function findGate({ database }: Context, externalIdentifier: string): Promise<FoundGate | undefined> {
  return database.first<FoundGate>(sql`SELECT uuid, external_identifier AS "externalIdentifier", name,
    local_manager_uuid AS "localManagerUuid" FROM gate WHERE organization_uuid = ${database.organization}
    AND deleted_date IS NULL AND external_identifier = ${externalIdentifier}`);
}

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
