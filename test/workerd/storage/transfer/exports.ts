import { runInDurableObject } from 'cloudflare:test';
import { exports as worker } from 'cloudflare:workers';
import { forgetCredentials } from '../../../../src/access/credential/trusted.ts';
import { sha256Hex } from '../../../../src/core/lib/hash.ts';
import { bindings, forgetPlace } from '../../access/database/places.ts';
import { call, OPERATOR_API, OPERATOR_KEY, ORIGIN } from '../../client.ts';
import { ended } from '../move/moves.ts';

const KEY = { 'X-OPERATOR-KEY': OPERATOR_KEY };

/** Request an export without reading it. */
export async function beginExport(organization: string, query = ''): Promise<Response> {
  const { default: service } = worker as unknown as { default: { fetch: typeof globalThis.fetch } };
  const url = `${ORIGIN}${OPERATOR_API}/organization/${organization}/export${query}`;
  return service.fetch(new Request(url, { headers: KEY }));
}

/** A whole export. */
export async function exportOf(organization: string): Promise<string> {
  const answer = await beginExport(organization);
  if (answer.status !== 200) throw new Error(await answer.text());
  return new TextDecoder().decode(await answer.arrayBuffer());
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into lines of every shape
export const linesOf = (text: string): any[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** The text of an export with these lines and a matching last line. */
export function sealed(lines: readonly unknown[]): string {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return `${text}${JSON.stringify({ count: lines.length, sha256: sha256Hex(text) })}\n`;
}

/** Send an import. */
export const sendImport = (text: string, query = '', headers: Record<string, string> = {}) =>
  call('POST', `${OPERATOR_API}/organization/import${query}`, {
    headers: { ...KEY, 'Content-Type': 'application/x-ndjson', ...headers },
    raw: text,
  });

/** Import and wait for the end. @returns the operation. */
export async function importOf(text: string, query = '', headers: Record<string, string> = {}) {
  const { status, body } = await sendImport(text, query, headers);
  if (status !== 202) throw new Error(JSON.stringify(body));
  return ended(body.operationId);
}

/**
 * All tables and views with an organization column. The numbers of organizations are deleted with the last
 * of these.
 */
const tablesOf = async (db: D1Database): Promise<string[]> => {
  const { results } = await db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND sql LIKE '%organization_uuid%' AND name NOT LIKE 'computed_%' AND name NOT IN ('organization_number', 'audit_log', 'pallet_activity', 'list_total')",
    )
    .all<{ name: string }>();
  return results.map(({ name }) => name);
};

/** Delete all rows of an organization, as in a deployment that never had it. */
export async function wipe(organization: string): Promise<void> {
  for (const db of [bindings.DB, bindings.DB_1]) {
    const tables = await tablesOf(db);
    await db.batch([
      // This state switches off the triggers that count rows.
      db
        .prepare("UPDATE organization SET residence = 'ARRIVING', database_name = NULL WHERE uuid = ?")
        .bind(organization),
      ...tables.map((name) =>
        db.prepare(`DELETE FROM "${name}" WHERE organization_uuid = ?`).bind(organization),
      ),
      ...tables.map((name) =>
        db.prepare(`DELETE FROM "${name}" WHERE organization_uuid = ?`).bind(organization),
      ),
      db.prepare('DELETE FROM organization WHERE uuid = ?').bind(organization),
    ]);
  }
  const { objects } = await bindings.CALIBRATION.list();
  await bindings.CALIBRATION.delete(objects.map(({ key }) => key));
  const { WRITER } = bindings;
  await runInDurableObject(WRITER.get(WRITER.idFromName(organization)), async (_, { storage }) => {
    await storage.deleteAlarm();
    await storage.deleteAll();
  });
  forgetPlace(organization);
  forgetCredentials();
}
