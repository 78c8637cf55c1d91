import { newUuid } from '../../src/core/lib/id.ts';
import { refusal } from '../../src/core/lib/problem.ts';
import { command } from '../../src/core/writer/command.ts';
import { foldNames, nameConflicts } from '../../src/dispatch/client/rules.ts';
import { client, nameOwnersQuery } from '../../src/dispatch/client/store.ts';

/**
 * A command like those on the hot path. Its first attempt shares commits and leaves the check of the name
 * to a unique index. It reads only after a collision. So shared commits fail half way.
 */
export const claims = {
  claimName: command('claimName', {
    ask: ({ scope, isRetry }, { name }: { name: string }) => ({
      holders: isRetry ? nameOwnersQuery(scope, namesOf(name)) : undefined,
    }),
    decide({ scope, now }, { name }, { holders }) {
      const names = namesOf(name);
      const [held] = holders;
      if (held && nameConflicts(names, held, null).length > 0) {
        return refusal('displayNameInUse', 'Another client has this name.');
      }
      const uuid = newUuid();
      return {
        writes: scope.insert(client, [
          { uuid, ...names, ...foldNames(names), createDate: now, updateDate: now },
        ]),
        audit: [
          {
            action: 'CLIENT_CREATED',
            entityType: 'CLIENT',
            entityUuid: uuid,
            entityExternalId: name,
            changes: Object.entries(names).map(([field, newValue]) => ({ field, oldValue: null, newValue })),
          },
        ],
        answer: { value: { uuid } },
      };
    },
  }),
};

const namesOf = (name: string) => ({ displayName: name, externalId: name });
