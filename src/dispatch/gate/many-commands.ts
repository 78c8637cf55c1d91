import { sql } from 'drizzle-orm';
import { newUuid } from '../../core/lib/id.ts';
import { inList } from '../../core/lib/sql.ts';
import { command, mergeChanges } from '../../core/writer/command.ts';
import { newGate } from './commands.ts';

/** The maximum number of gates of one command. */
export const GATES_MAXIMUM = 99;

/** Create several gates in one commit. Gates that exist stay as they are. */
export const createGates = command('createGates', {
  ask: ({ scope }, { gates }: { gates: { externalIdentifier: string; name: string }[] }) => ({
    existing: sql<{ externalIdentifier: string }>`SELECT external_identifier AS "externalIdentifier" FROM gate
      WHERE organization_uuid = ${scope.organization} AND deleted_date IS NULL
        AND external_identifier ${inList(gates.map(({ externalIdentifier }) => externalIdentifier))}`,
  }),
  decide(context, { gates }, { existing }) {
    const known = new Set(existing.map(({ externalIdentifier }) => externalIdentifier));
    const added = gates.filter(({ externalIdentifier }) => !known.has(externalIdentifier));
    return mergeChanges(
      { value: { created: added.length } },
      added.map((gate) => newGate(context, newUuid(), { ...gate, localManagerUuid: null })),
    );
  },
});
