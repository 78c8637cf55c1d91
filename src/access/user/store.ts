import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../../core/http/link.ts';
import type { Json } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { isoDate } from '../../core/lib/time.ts';
import { json, type Viewed, type ViewRow, view } from '../../core/lib/view.ts';
import type { Permission } from './rules.ts';
import { authority, user } from './table.ts';

/** The stored form of an authority as JSON. */
export const authorityView = view({
  uuid: authority.uuid,
  authorityName: authority.authorityName,
  internal: authority.internal,
  permissions: json<Permission[]>(sql`${authority.permissions}`),
  createDate: authority.createDate,
  updateDate: authority.updateDate,
});
export type StoredAuthority = Viewed<typeof authorityView>;

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
export const authoritiesQuery = ({ organization }: Scope) =>
  sql<ViewRow<typeof authorityView>>`SELECT ${authorityView} AS view
  FROM authority WHERE organization_uuid = ${organization} ORDER BY authority_name`;

/** The JSON of one authority. */
export const authorityViewQuery = ({ organization }: Scope, uuid: string) => sql<
  ViewRow<typeof authorityView>
>`SELECT
  ${authorityView} AS view FROM authority WHERE uuid = ${uuid} AND +organization_uuid = ${organization}`;

/** A reference to an authority in a body: at least one of the two. */
export interface AuthorityReference {
  uuid?: string | null | undefined;
  authorityName?: string | null | undefined;
}

/** An authority found by such a reference. */
export interface FoundAuthority {
  uuid: string;
  authorityName: string;
  permissions: Json<Permission[]>;
}

/** Find the authority of a reference. All given members must match. For a batch. */
export function authorityQuery(
  { organization }: Scope,
  { uuid, authorityName }: AuthorityReference,
): SQL<FoundAuthority> {
  const named = [
    sql`organization_uuid = ${organization}`,
    ...(uuid == null ? [] : [sql`uuid = ${uuid}`]),
    ...(authorityName == null ? [] : [sql`authority_name = ${authorityName}`]),
  ];
  return sql`SELECT uuid, authority_name AS "authorityName", permissions FROM authority WHERE ${sql.join(named, sql` AND `)}`;
}

/** JSON of a user, without its password and link. */
export const userView = view({
  uuid: user.uuid,
  firstName: user.firstName,
  lastName: user.lastName,
  email: user.email,
  phoneNumber: user.phoneNumber,
  createDate: user.createDate,
  updateDate: user.updateDate,
  deletedDate: user.deletedDate,
  authority: json<StoredAuthority>(sql`(SELECT ${authorityView} FROM authority
    WHERE authority.organization_uuid = user.organization_uuid AND authority.uuid = user.authority_uuid)`),
});
export type StoredUser = Viewed<typeof userView>;

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

/** The JSON of one existing user; for a batch. */
export const userQuery = ({ organization }: Scope, uuid: string) =>
  sql<ViewRow<typeof userView>>`SELECT ${userView} AS view
  FROM user WHERE organization_uuid = ${organization} AND uuid = ${uuid} AND deleted_date IS NULL`;

/** Find the user with an e-mail address, by its `emailKey`; for a batch. */
export const emailQuery = ({ organization }: Scope, key: string) =>
  sql<{ uuid: string }>`SELECT uuid FROM user
  WHERE organization_uuid = ${organization} AND folded_email = ${key} AND deleted_date IS NULL`;
