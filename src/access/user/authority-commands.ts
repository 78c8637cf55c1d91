import { sql } from 'drizzle-orm';
import { changedFields } from '../../core/lib/changes.ts';
import { dotsRefusal } from '../../core/lib/dots.ts';
import { newUuid } from '../../core/lib/id.ts';
import { parseJson } from '../../core/lib/json.ts';
import { missing, named } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import { fold } from '../../core/lib/text.ts';
import { auditing } from '../../core/writer/audited.ts';
import { command, unchanged } from '../../core/writer/command.ts';
import { type Asked, beyond, NO_LINK } from './changes.ts';
import { ADMINISTRATOR, AUTHORITIES_MAXIMUM, inOrder, type Permission, permissionsBeyond } from './rules.ts';
import { authoritiesQuery, authorityView, type StoredAuthority } from './store.ts';
import { authority as authorityTable, PERMISSIONS, user } from './table.ts';

/**
 * Create an authority, or change the permissions of the one with this name. If it gets more permissions, unused links
 * of its users end, because they were made for fewer permissions.
 */
export const putAuthority = command('putAuthority', {
  ask: ({ scope }, _: Asked & { authorityName: string; permissions: Permission[] }) => ({
    rows: authoritiesQuery(scope),
  }),
  decide({ scope, organization, now }, { authorityName, permissions, ...asked }, { rows }) {
    if (!organization) return missing('organizationNotFound', scope.organization);
    if (authorityName === ADMINISTRATOR && permissions.length < PERMISSIONS.length)
      return administratorShort();
    const held = rows.map(({ view }) => parseJson(view));
    const found = held.find((authority) => authority.authorityName === authorityName);
    const refused = beyond(asked, [...permissions, ...(found?.permissions ?? [])]);
    if (refused) return refused;
    const dots = found ? undefined : dotsRefusal([['authorityName', authorityName]]);
    if (dots) return dots;
    // No index enforces this: names that were equal before this rule stay, each with its own authority.
    const alike = held.find((authority) => fold(authority.authorityName) === fold(authorityName));
    if (!found && alike) return nameInUse(authorityName, alike);
    if (!found && held.length >= AUTHORITIES_MAXIMUM) {
      return refusal(
        'authorityLimitReached',
        `${named('Authority', authorityName)} cannot be created: an organization has at most ${AUTHORITIES_MAXIMUM} authorities.`,
        { facts: { name: authorityName, maximum: AUTHORITIES_MAXIMUM } },
      );
    }
    const uuid = found?.uuid ?? newUuid();
    const next = { permissions: inOrder(permissions) };
    const answer = sql<PutAuthority>`SELECT json_object('created', ${Number(!found)}, 'authority', ${authorityView})
    FROM authority WHERE organization_uuid = ${scope.organization} AND uuid = ${uuid}`;
    const changes = changedFields<object>(found ?? null, found ? next : { authorityName, ...next });
    if (changes.length === 0) return unchanged(answer);
    const stored = { permissions: JSON.stringify(next.permissions), updateDate: now };
    const widened = found !== undefined && permissionsBeyond(found.permissions, permissions).length > 0;
    return {
      writes: found
        ? [
            scope.update(authorityTable, stored, sql`uuid = ${uuid}`),
            ...(widened
              ? [scope.update(user, NO_LINK, sql`authority_uuid = ${uuid} AND invite_hash IS NOT NULL`)]
              : []),
          ]
        : scope.insert(authorityTable, [{ uuid, authorityName, internal: 0, createDate: now, ...stored }]),
      audit: [audited(found ? 'AUTHORITY_UPDATED' : 'AUTHORITY_CREATED', { uuid, authorityName }, changes)],
      answer,
    };
  },
});

/** The answer of `putAuthority`. */
interface PutAuthority {
  created: 0 | 1;
  authority: StoredAuthority;
}

const audited = auditing<{ uuid: string; authorityName: string }>(
  'AUTHORITY',
  ({ authorityName }) => authorityName,
);

function administratorShort(): Refusal {
  const message = `${ADMINISTRATOR} must keep every permission.`;
  return refusal('validationFailed', message, {
    errors: [{ field: 'permissions', code: 'validationFailed', message }],
  });
}

function nameInUse(rejectedValue: string, held: StoredAuthority): Refusal {
  const code = 'authorityNameInUse' as const;
  const message = `${named('Authority', held.authorityName)} exists already. Upper and lower case count as the same. Enter another name.`;
  return refusal(code, message, { errors: [{ field: 'authorityName', code, message, rejectedValue }] });
}
