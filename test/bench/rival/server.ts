/**
 * The rival: Fastify and SQLite in one process, as a team would run them on one machine. It has the same
 * idempotent writes and the same rows as the bare Worker. The environment sets PORT, FILE (the database)
 * and SCHEMA (a folder of migrations). `/` returns the SQLite engine.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

interface Statement {
  get(...params: unknown[]): Record<string, unknown> | undefined;
  run(...params: unknown[]): unknown;
}
interface Store {
  exec(text: string): unknown;
  prepare(text: string): Statement;
}
interface Request {
  headers: Record<string, string | undefined>;
  params: Record<string, string>;
  query: Record<string, string>;
  body: { wmsId: string };
}
interface Reply {
  code(status: number): Reply;
  header(name: string, value: string): Reply;
  send(body: unknown): Reply;
}
type Handler = (request: Request, reply: Reply) => unknown;
interface App {
  get(path: string, handler: Handler): void;
  post(path: string, handler: Handler): void;
  listen(options: object): Promise<string>;
}

const ORGANIZATION = '01995d2f-6c1c-7000-8000-000000000001';
const KEPT_MS = 30 * 86_400_000;

/** better-sqlite3 if its native part runs on this machine, otherwise the SQLite of Node. */
async function openStore(file: string): Promise<{ store: Store; engine: string }> {
  try {
    const { default: Database } = await import('better-sqlite3' as string);
    return { store: new Database(file), engine: 'better-sqlite3' };
  } catch {
    const { DatabaseSync } = await import('node:sqlite');
    return { store: new DatabaseSync(file) as unknown as Store, engine: 'node:sqlite' };
  }
}

const { store, engine } = await openStore(process.env['FILE']!);
// Acknowledged writes survive a crash of the machine.
store.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
const schema = process.env['SCHEMA']!;
for (const name of readdirSync(schema).sort()) store.exec(readFileSync(`${schema}/${name}`, 'utf8'));

const insert = (table: string, columns: string[]): Statement =>
  store.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
const statements = {
  kept: store.prepare('SELECT body FROM idempotency WHERE organization = ? AND key = ?'),
  keep: insert('idempotency', ['organization', 'key', 'body', 'expires_date']),
  last: store.prepare(
    `SELECT (SELECT max(sequence_number) FROM log WHERE organization = ?) AS sequence,
      (SELECT max(last_code) FROM allocation WHERE organization = ?) AS code`,
  ),
  log: insert('log', ['organization', 'sequence_number', 'event_date', 'entry']),
  allocate: insert('allocation', ['organization', 'first_code', 'last_code', 'allocated_date']),
  couple: insert('track', ['uuid', 'organization', 'wms_id', 'marker_code', 'create_date']),
  activity: insert('activity', ['uuid', 'track_uuid', 'activity_type', 'create_date']),
  read: store.prepare('SELECT * FROM item WHERE id = ?'),
};

/**
 * Allocate a code once for a key, and couple it if a WMS id is given. One transaction, with the log record
 * and the answer.
 */
function allocate(key: string, wmsId: string | undefined): string {
  store.exec('BEGIN IMMEDIATE');
  try {
    const kept = statements.kept.get(ORGANIZATION, key);
    const body = kept ? String(kept['body']) : allocated(key, wmsId);
    store.exec('COMMIT');
    return body;
  } catch (error) {
    store.exec('ROLLBACK');
    throw error;
  }
}

function allocated(key: string, wmsId: string | undefined): string {
  const now = Date.now();
  const last = statements.last.get(ORGANIZATION, ORGANIZATION);
  const code = Number(last?.['code'] ?? 999_999_999) + 1;
  const uuid = randomUUID();
  const body = JSON.stringify(
    wmsId === undefined
      ? { first: code, last: code }
      : { markerCode: code, track: { uuid, wmsId, createDate: now } },
  );
  statements.allocate.run(ORGANIZATION, code, code, now);
  const entry = JSON.stringify({ action: 'ALLOCATED', first: code, quantity: 1 });
  statements.log.run(ORGANIZATION, Number(last?.['sequence'] ?? 0) + 1, now, entry);
  if (wmsId !== undefined) {
    statements.couple.run(uuid, ORGANIZATION, wmsId, code, now);
    statements.activity.run(randomUUID(), uuid, 'COUPLED', now);
  }
  statements.keep.run(ORGANIZATION, key, body, now + KEPT_MS);
  return body;
}

/**
 * The hash of the credential that the benchmark sends. The lookup of a caller costs about as much as this
 * comparison.
 */
const known = createHash('sha256').update('rival').digest('hex');
const admitted = (request: Request): boolean =>
  createHash('sha256')
    .update(request.headers['x-auth-key'] ?? '')
    .digest('hex') === known;

const { default: fastify } = (await import('fastify' as string)) as { default: (options: object) => App };
const app = fastify({ logger: false });
app.get('/', () => ({ engine }));
app.get('/read/:id', (request, reply) => {
  if (!admitted(request)) return reply.code(401).send({});
  return statements.read.get(request.params['id']) ?? reply.code(404).send({});
});
app.post('/allocate', (request, reply) => {
  if (!admitted(request)) return reply.code(401).send({});
  const key = request.headers['idempotency-key'] ?? randomUUID();
  return reply.header('Content-Type', 'application/json').send(allocate(key, undefined));
});
app.post('/couple', (request, reply) => {
  if (!admitted(request)) return reply.code(401).send({});
  const key = request.headers['idempotency-key'] ?? randomUUID();
  return reply.header('Content-Type', 'application/json').send(allocate(key, request.body.wmsId));
});
app.post('/seed/:collection', (request) => {
  const { rows, size } = request.query;
  store
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
       INSERT INTO item (id, collection, create_date, payload)
       SELECT ? || '-' || i, ?, 1700000000000 + i, substr(hex(zeroblob(?)), 1, ?) FROM n`,
    )
    .run(
      Number(rows),
      request.params['collection'],
      request.params['collection'],
      Number(size),
      Number(size),
    );
  return { rows };
});
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
