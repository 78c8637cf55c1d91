import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../lib/database.ts';
import { isoDate } from '../lib/time.ts';
import { type GateReference, gateReferenceView, presentGateReference } from '../site/store.ts';
import type { ActivityType } from './rules.ts';
import { presentAuthor } from './store.ts';

/** A comment on a track. `attachments` is JSON. */
export interface StoredComment {
  uuid: string;
  createDate: number;
  updateDate: number;
  additionalInfo: string;
  author: string;
  attachments: string;
}

interface Attachment {
  link: string;
  fileName: string | null;
  description: string | null;
}

const commentColumns = sql`uuid, create_date AS "createDate", update_date AS "updateDate",
  additional_info AS "additionalInfo", author, attachments`;

/** The comments of a track, oldest first; for a batch. */
export const commentsQuery = ({ organization }: Database, trackUuid: SQL): SQL => sql`SELECT ${commentColumns}
  FROM track_comment WHERE organization_uuid = ${organization} AND track_uuid = ${trackUuid}
  ORDER BY create_date, uuid`;

/** The last comments of a track, the latest first; for a batch. */
export const lastCommentsQuery = (
  { organization }: Database,
  trackUuid: string,
  maximum: number,
): SQL => sql`SELECT
    ${commentColumns} FROM track_comment WHERE organization_uuid = ${organization} AND track_uuid = ${trackUuid}
  ORDER BY create_date DESC, uuid DESC LIMIT ${maximum}`;

/** A comment as the API shows it. */
export function presentComment(stored: StoredComment) {
  const author = presentAuthor(stored.author);
  return {
    ...stored,
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    author,
    attachments: (JSON.parse(stored.attachments) as Attachment[]).map((attachment) => ({
      ...attachment,
      author,
    })),
  };
}

/** An entry on the timeline of a track. */
export interface StoredActivity {
  uuid: string;
  activityType: ActivityType;
  activityDate: number;
  gate: GateReference | null;
  manifestExternalId: string | null;
  shipmentExternalId: string | null;
  author: string;
  details: string | null;
}

/** JSON of an entry. */
export const activityView: SQL = sql`json_object('uuid', track_activity.uuid, 'activityType', activity_type,
  'activityDate', track_activity.create_date, 'manifestExternalId', manifest_external_id,
  'shipmentExternalId', shipment_external_id,
  'gate', ${gateReferenceView(sql`track_activity.organization_uuid`, sql`track_activity.gate_uuid`)},
  'author', author, 'details', details)`;

/** An entry as the API shows it. */
export function presentActivity(links: string, { author, ...stored }: StoredActivity) {
  return {
    ...stored,
    activityDate: isoDate(stored.activityDate),
    gate: presentGateReference(links, stored.gate),
    author: presentAuthor(author),
  };
}
