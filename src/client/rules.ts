import { type ProblemItem, type Refusal, refusal } from '../lib/problem.ts';
import { fold } from '../lib/text.ts';

/** What a client is called; each is unique in its organization without regard to case. */
export interface ClientNames {
  displayName: string;
  externalId: string;
}

/** Uuids of the clients that hold names already; null where nobody does. */
export interface NameHolders {
  displayName: string | null;
  externalId: string | null;
}

/** The names as they are compared and searched. */
export function foldNames({ displayName, externalId }: ClientNames) {
  return { foldedDisplayName: fold(displayName), foldedExternalId: fold(externalId) };
}

/** What is wrong with names that others hold, both at once; `own` is the client that is to get them. */
export function nameConflicts(names: ClientNames, holders: NameHolders, own: string | null): ProblemItem[] {
  const codes = { displayName: 'displayNameInUse', externalId: 'externalIdInUse' } as const;
  return (['displayName', 'externalId'] as const)
    .filter((field) => holders[field] !== null && holders[field] !== own)
    .map((field) => ({
      field,
      code: codes[field],
      message: 'Another client has it, in this or another case.',
      rejectedValue: names[field],
    }));
}

/** A client that a body names and that does not exist: 400, where one in a path is 404. */
export function unknownClient(field: string, rejectedValue: string): Refusal {
  const message = 'There is no such client.';
  return refusal('clientNotFound', message, {
    status: 400,
    errors: [{ field, code: 'clientNotFound', message, rejectedValue }],
  });
}
