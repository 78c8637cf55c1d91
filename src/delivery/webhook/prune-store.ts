import { sql } from 'drizzle-orm';
import { uuidStart } from '../../core/lib/id.ts';
import { PRUNE_ROWS, pruned } from '../../core/lib/prune.ts';
import { render } from '../../core/lib/sql.ts';
import { DAY_MS } from '../../core/lib/time.ts';
import { isUnsettled } from './message-store.ts';

const DELIVERIES_KEPT_MS = 30 * DAY_MS;
const UNSETTLED = render(isUnsettled(sql`w`)).text;

/**
 * Delete the expired deliveries of all organizations. They are kept for the same time as events. For the scheduled
 * handler.
 */
export async function pruneDeliveries(db: D1Database, now: number): Promise<number> {
  const before = Math.max(0, now - DELIVERIES_KEPT_MS);
  // A UUID version 7 begins with its time, so its index finds the old ones.
  const rows = await pruned(
    db
      .prepare(
        `DELETE FROM webhook_delivery WHERE rowid IN
          (SELECT rowid FROM webhook_delivery WHERE uuid < ?1 LIMIT ${PRUNE_ROWS})`,
      )
      .bind(uuidStart(before)),
  );
  // Settled messages are no longer open. This comes first: without its row, a message would seem to be open.
  await db
    .prepare(
      `UPDATE webhook AS w SET open_messages = (SELECT json_group_object(f.key, json(f.value))
          FROM json_each(w.open_messages) f WHERE ${UNSETTLED})
        WHERE EXISTS (SELECT 1 FROM json_each(w.open_messages) f WHERE f.value ->> 'createDate' < ?1 AND NOT ${UNSETTLED})`,
    )
    .bind(before)
    .run();
  // The key begins with the webhook. So the statement looks up each webhook that has messages, also a deleted one.
  const messages = await pruned(
    db
      .prepare(
        `WITH RECURSIVE hook(name) AS (
            SELECT min(organization_uuid || webhook_uuid) FROM (SELECT * FROM webhook_message
              ORDER BY organization_uuid, webhook_uuid LIMIT 1)
            UNION ALL SELECT (SELECT organization_uuid || webhook_uuid FROM webhook_message
              WHERE (organization_uuid, webhook_uuid) > (substr(name, 1, 36), substr(name, 37))
              ORDER BY organization_uuid, webhook_uuid LIMIT 1) FROM hook WHERE name IS NOT NULL)
          DELETE FROM webhook_message WHERE (organization_uuid, webhook_uuid, create_date, uuid) IN
            (SELECT m.organization_uuid, m.webhook_uuid, m.create_date, m.uuid FROM hook CROSS JOIN webhook_message m
              ON m.organization_uuid = substr(name, 1, 36) AND m.webhook_uuid = substr(name, 37) AND m.create_date < ?1
              LIMIT ${PRUNE_ROWS})`,
      )
      .bind(before),
  );
  return rows + messages;
}
