import type { FieldChange } from '../lib/changes.ts';
import type { AuditAction } from './audit-actions.ts';
import type { AuditEntry } from './chain.ts';

/**
 * Makes a function that builds audit entries about one type of entity. `nameOf` returns the name that people know. For
 * persons, `personal` lists the fields that identify one.
 */
export const auditing =
  <T extends { uuid: string }>(
    entityType: AuditEntry['entityType'],
    nameOf: (thing: T) => string | null,
    personal?: readonly string[],
  ) =>
  (action: AuditAction, thing: T, changes: FieldChange[]): AuditEntry => ({
    action,
    entityType,
    entityUuid: thing.uuid,
    entityExternalId: nameOf(thing),
    changes,
    ...(personal ? { personal } : {}),
  });
