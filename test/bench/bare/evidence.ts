import type { LogEntries } from './dispatch.ts';

export type EvidenceKind = 'PHOTO' | 'SIGNATURE';

/** The row, log record and event of a photo or signature. `content` is the key of its object, or its lines. */
export function evidenceOf(
  session: D1DatabaseSession,
  organization: string,
  { kind, load, content }: { kind: EvidenceKind; load: string; content: string },
): { write: D1PreparedStatement; entries: LogEntries; body: string } {
  const uuid = crypto.randomUUID();
  const now = Date.now();
  const write = session
    .prepare(
      'INSERT INTO evidence (uuid, organization, kind, load, content, create_date) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .bind(uuid, organization, kind, load, content, now);
  const body = JSON.stringify({ uuid, kind, load, content, createDate: now });
  const eventType = `${kind}_ADDED`;
  return {
    write,
    entries: { entries: [{ action: eventType, uuid, load }], events: [{ eventType, body }] },
    body,
  };
}
