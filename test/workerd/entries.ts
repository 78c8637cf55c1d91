/** Numbers of entries that the service does not reach. */
const FAR = 100_000;

/** Statements that add an entry to the timeline of each track, in the last row of the log. */
export function moreEntries(
  db: D1Database,
  organization: string,
  trackUuids: readonly string[],
  gateUuid: string | null = null,
): D1PreparedStatement[] {
  const last = `(SELECT max(l.id) FROM organization_number o CROSS JOIN log l
    ON l.id BETWEEN o.number << 32 AND o.number << 32 | 4294967295 WHERE o.organization_uuid = ?1)`;
  const entries = JSON.stringify(['SEEN', null, null, gateUuid, null, null, 0, trackUuids, FAR]);
  return [
    db
      .prepare(
        `UPDATE log SET entries = json_insert(coalesce(entries, '[]'), '$[#]', json(?2)) WHERE id = ${last}`,
      )
      .bind(organization, entries),
    db
      .prepare(
        `INSERT INTO log_entity SELECT ${last} >> 32, substr(unhex(value, '-'), 13), ${last} FROM json_each(?2)
          WHERE TRUE ON CONFLICT DO NOTHING`,
      )
      .bind(organization, JSON.stringify(trackUuids)),
  ];
}
