import { type SQL, sql } from 'drizzle-orm';
import { livesHere } from '../../core/lib/look-up.ts';
import { SEALED_PAGE, type SealedIn } from '../../core/lib/reseal.ts';
import { type SealingKeys, sealedBy } from '../../core/lib/seal.ts';

/** The columns of a webhook that hold sealed values. */
export interface SealedRow {
  uuid: string;
  secrets: string;
  custom_headers: string;
}

/** An SQL expression of all sealed values of the webhook `w`. */
const TEXTS = sql`(SELECT value ->> 'sealed' AS text FROM json_each(w.secrets)
  UNION ALL SELECT value ->> 'value' FROM json_each(w.custom_headers))`;

const startsWith = (start: string): SQL => sql`substr(text, 1, ${start.length}) = ${start}`;

/** An SQL condition: a value of the webhook `w` is not sealed with the first key. */
export const sealedOtherwise = (keys: SealingKeys): SQL =>
  sql`EXISTS (SELECT 1 FROM ${TEXTS} WHERE NOT ${startsWith(sealedBy(keys[0]))})`;

/** The sealed values of a webhook, and its organization. */
export type FoundSealed = SealedRow & SealedIn;

/** The webhooks of a database that these keys can open and that are not yet sealed with the first key. */
export const sealedPageQuery = (
  keys: SealingKeys,
  after: string,
  organization: string | undefined,
): SQL<FoundSealed> => {
  const known = keys.map(sealedBy).map(startsWith);
  return sql<FoundSealed>`SELECT w.uuid, w.organization_uuid, w.secrets, w.custom_headers FROM webhook w
    JOIN organization ON organization.uuid = w.organization_uuid AND ${livesHere}
    WHERE w.uuid > ${after} AND ${sealedOtherwise(keys)}
      AND NOT EXISTS (SELECT 1 FROM ${TEXTS} WHERE NOT (${sql.join(known, sql` OR `)}))
      ${organization === undefined ? sql`` : sql`AND w.organization_uuid = ${organization}`}
    ORDER BY w.uuid LIMIT ${SEALED_PAGE}`;
};
