import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../http/link.ts';
import type { Scope } from '../lib/database.ts';
import { isoDate } from '../lib/time.ts';
import type { Permission } from './rules.ts';

/** JSON of an authority as it is stored. */
export const authorityView = sql`json_object('uuid', authority.uuid, 'authorityName', authority.authority_name,
  'internal', authority.internal, 'permissions', json(authority.permissions),
  'createDate', authority.create_date, 'updateDate', authority.update_date)`;

/** A row of `authorityView`. Dates in epoch milliseconds. */
export interface StoredAuthority {
  uuid: string;
  authorityName: string;
  internal: 0 | 1;
  permissions: Permission[];
  createDate: number;
  updateDate: number;
}

/** An authority as the API shows it. */
export function presentAuthority(links: string, stored: StoredAuthority) {
  return {
    ...stored,
    internal: stored.internal === 1,
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'authority', stored.uuid),
  };
}

/** All authorities of the organization, by name. */
export const authoritiesQuery = ({ organization }: Scope): SQL => sql`SELECT ${authorityView} AS view
  FROM authority WHERE organization_uuid = ${organization} ORDER BY authority_name`;

/** The JSON of one authority. */
export const authorityViewQuery = ({ organization }: Scope, uuid: string): SQL => sql`SELECT
  ${authorityView} AS view FROM authority WHERE uuid = ${uuid} AND +organization_uuid = ${organization}`;

/** How a body names an authority; at least one of the two. */
export interface AuthorityReference {
  uuid?: string | null | undefined;
  authorityName?: string | null | undefined;
}

/** The authority that a body names, by all that it says; for a batch. */
export function authorityQuery({ organization }: Scope, { uuid, authorityName }: AuthorityReference): SQL {
  const named = [
    sql`organization_uuid = ${organization}`,
    ...(uuid == null ? [] : [sql`uuid = ${uuid}`]),
    ...(authorityName == null ? [] : [sql`authority_name = ${authorityName}`]),
  ];
  return sql`SELECT uuid, authority_name AS "authorityName", permissions FROM authority WHERE ${sql.join(named, sql` AND `)}`;
}

/** JSON of a user as it is stored; never of its password or link. */
export const userView = sql`json_object('uuid', user.uuid, 'firstName', user.first_name,
  'lastName', user.last_name, 'email', user.email, 'phoneNumber', user.phone_number,
  'createDate', user.create_date, 'updateDate', user.update_date, 'deletedDate', user.deleted_date,
  'authority', json((SELECT ${authorityView} FROM authority
    WHERE authority.organization_uuid = user.organization_uuid AND authority.uuid = user.authority_uuid)))`;

/** A row of `userView`. Dates in epoch milliseconds. */
export interface StoredUser {
  uuid: string;
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string | null;
  createDate: number;
  updateDate: number;
  deletedDate: number | null;
  authority: StoredAuthority;
}

/** A user as the API shows it. */
export function presentUser(links: string, { deletedDate, ...stored }: StoredUser) {
  return {
    ...stored,
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'user', stored.uuid),
    authority: presentAuthority(links, stored.authority),
    deleted: deletedDate !== null,
  };
}

/** The JSON of one user that is not deleted; for a batch. */
export const userQuery = ({ organization }: Scope, uuid: string): SQL => sql`SELECT ${userView} AS view
  FROM user WHERE organization_uuid = ${organization} AND uuid = ${uuid} AND deleted_date IS NULL`;

/** Who has an e-mail address, given folded; for a batch. */
export const emailQuery = ({ organization }: Scope, foldedEmail: string): SQL => sql`SELECT uuid FROM user
  WHERE organization_uuid = ${organization} AND folded_email = ${foldedEmail} AND deleted_date IS NULL`;
