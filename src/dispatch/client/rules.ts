import { quoted } from '../../core/lib/missing.ts';
import type { ProblemItem } from '../../core/lib/problem.ts';
import { fold } from '../../core/lib/text.ts';

/** The names of a client. Each is unique in its organization, ignoring case. */
export interface ClientNames {
  displayName: string;
  externalId: string;
}

/** Uuids of the clients with these names; null for a free name. */
export interface NameOwners {
  displayName: string | null;
  externalId: string | null;
}

/** The names folded for comparing and searching. */
export function foldNames({ displayName, externalId }: ClientNames) {
  return { foldedDisplayName: fold(displayName), foldedExternalId: fold(externalId) };
}

const LABELS = { displayName: 'display name', externalId: 'external id' } as const;

/** The errors for names that other clients have. `own` is the client that will get the names. */
export function nameConflicts(names: ClientNames, holders: NameOwners, own: string | null): ProblemItem[] {
  const codes = { displayName: 'displayNameInUse', externalId: 'externalIdInUse' } as const;
  return (['displayName', 'externalId'] as const)
    .filter((field) => holders[field] !== null && holders[field] !== own)
    .map((field) => ({
      field,
      code: codes[field],
      message: `Another client has the ${LABELS[field]} ${quoted(names[field])}. Case is ignored.`,
      rejectedValue: names[field],
    }));
}
