import { sql } from 'drizzle-orm';
import { newUuid } from '../../core/lib/id.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { ADMINISTRATOR, type Permission } from './rules.ts';
import { PERMISSIONS } from './table.ts';

/** The built-in authorities, with the permissions that they have in a new organization. */
const BUILT_IN: Readonly<Record<string, readonly Permission[]>> = {
  [ADMINISTRATOR]: PERMISSIONS,
  OPERATOR: [
    'BACKOFFICE_LOGIN',
    'LOCAL_MANAGER_LOGIN',
    'APP_LOGIN',
    'OPERATIONAL_APP_LOGIN',
    'AGENT_MANAGEMENT_READ',
  ],
  FORKLIFT_OPERATOR: ['APP_LOGIN', 'FORKLIFT_APP_LOGIN'],
  VIEWER: ['BACKOFFICE_LOGIN', 'OPERATIONAL_APP_LOGIN'],
};

/**
 * Insert the built-in authorities of a new organization, in the commit that inserts its row. May be repeated.
 * @param scope the operator's
 */
export function insertBuiltIn(scope: Pick<Scope, 'organization'>, uuid: string, createDate: number): Write {
  const rows = Object.entries(BUILT_IN).map(([name, permissions]) => [newUuid(), name, permissions]);
  return sql`INSERT INTO authority (uuid, organization_uuid, authority_name, internal, permissions, create_date, update_date)
    SELECT value ->> 0, ${uuid}, value ->> 1, 1, value ->> 2, ${createDate}, ${createDate}
    FROM json_each(${JSON.stringify(rows)}) WHERE ${scope.organization} <> ${uuid}
    ON CONFLICT (organization_uuid, authority_name) DO NOTHING`;
}
