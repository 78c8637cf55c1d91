import { DurableObject } from 'cloudflare:workers';
import {
  entriesOfScans,
  type LogEntries,
  readScans,
  type Scan,
  scanWrites,
  seedDispatch,
} from './dispatch.ts';
import { type EvidenceKind, evidenceOf } from './evidence.ts';
import { entriesOfMove, moveWrites, readShipment } from './move.ts';

interface Env {
  DB: D1Database;
  BUCKET: R2Bucket;
  WRITER: DurableObjectNamespace<BareWriter>;
}

const ORGANIZATION = '01995d2f-6c1c-7000-8000-000000000001';
const KEPT_MS = 30 * 86_400_000;

/**
 * Stores the least that an exactly-once command needs, in one batch: its rows, its log records, and the key
 * with its answer. Commands about a truck first read the rows that they depend on, and add events. Commands
 * do not wait for one another. So the bare Worker is not slowed down by the order that the service keeps.
 */
export class BareWriter extends DurableObject<Env> {
  #sequence = 0;
  #event = 0;
  #code = 1_000_000_000;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    state.blockConcurrencyWhile(() => this.#load());
  }

  async allocate(key: string, quantity: number): Promise<string> {
    const first = this.#take(quantity);
    const body = JSON.stringify({ first, last: first + quantity - 1 });
    await this.#session().batch(this.#allocation(key, first, quantity, body));
    return body;
  }

  async couple(key: string, wmsId: string): Promise<string> {
    const session = this.#session();
    const uuid = crypto.randomUUID();
    const now = Date.now();
    const code = this.#take(1);
    const body = JSON.stringify({ markerCode: code, track: { uuid, wmsId, createDate: now } });
    await session.batch([
      ...this.#allocation(key, code, 1, body),
      session
        .prepare(
          'INSERT INTO track (uuid, organization, wms_id, marker_code, create_date) VALUES (?, ?, ?, ?, ?)',
        )
        .bind(uuid, ORGANIZATION, wmsId, code, now),
      session
        .prepare('INSERT INTO activity (uuid, track_uuid, activity_type, create_date) VALUES (?, ?, ?, ?)')
        .bind(crypto.randomUUID(), uuid, 'COUPLED', now),
    ]);
    return body;
  }

  async scan(key: string, scans: Scan[]): Promise<string> {
    const session = this.#session();
    const now = Date.now();
    const resolved = await readScans(session, ORGANIZATION, scans);
    const body = JSON.stringify({ results: resolved });
    await session.batch([
      ...scanWrites(session, ORGANIZATION, resolved, now),
      ...this.#entries(entriesOfScans(resolved), key, body),
    ]);
    return body;
  }

  async move(key: string, uuid: string, status: string): Promise<string> {
    const session = this.#session();
    const shipment = await readShipment(session, ORGANIZATION, uuid);
    const body = JSON.stringify({ uuid, status });
    await session.batch([
      ...moveWrites(session, ORGANIZATION, shipment, status, Date.now()),
      ...this.#entries(entriesOfMove(shipment, status), key, body),
    ]);
    return body;
  }

  async evidence(key: string, kind: EvidenceKind, load: string, content: string): Promise<string> {
    const session = this.#session();
    const { write, entries, body } = evidenceOf(session, ORGANIZATION, { kind, load, content });
    await session.batch([write, ...this.#entries(entries, key, body)]);
    return body;
  }

  /** Read the last numbers, because the object may have been evicted. */
  async #load(): Promise<void> {
    const row = await this.#session()
      .prepare(
        `SELECT (SELECT max(sequence_number) FROM log WHERE organization = ?1) AS sequence,
          (SELECT max(sequence_number) FROM event WHERE organization = ?1) AS event,
          (SELECT max(first_code) FROM allocation WHERE organization = ?1) AS code`,
      )
      .bind(ORGANIZATION)
      .first<{ sequence: number | null; event: number | null; code: number | null }>();
    this.#event = row?.event ?? this.#event;
    this.#sequence = row?.sequence ?? this.#sequence;
    this.#code = row?.code ? row.code + 1 : this.#code;
  }

  #session(): D1DatabaseSession {
    return this.env.DB.withSession('first-primary');
  }

  #take(quantity: number): number {
    const first = this.#code;
    this.#code += quantity;
    return first;
  }

  #allocation(key: string, first: number, quantity: number, body: string): D1PreparedStatement[] {
    const session = this.#session();
    return [
      session
        .prepare(
          'INSERT INTO allocation (organization, first_code, last_code, allocated_date) VALUES (?, ?, ?, ?)',
        )
        .bind(ORGANIZATION, first, first + quantity - 1, Date.now()),
      ...this.#entries({ entries: [{ action: 'ALLOCATED', first, quantity }], events: [] }, key, body),
    ];
  }

  /** Statements for log records, events and the key with its answer. */
  #entries({ entries, events }: LogEntries, key: string, body: string): D1PreparedStatement[] {
    const session = this.#session();
    const now = Date.now();
    const [sequence, event] = [this.#sequence, this.#event];
    this.#sequence += entries.length;
    this.#event += events.length;
    return [
      session
        .prepare(
          `INSERT INTO log (organization, sequence_number, event_date, entry)
            SELECT ?, ? + 1 + key, ?, value FROM json_each(?)`,
        )
        .bind(ORGANIZATION, sequence, now, JSON.stringify(entries)),
      ...(events.length === 0
        ? []
        : [
            session
              .prepare(
                `INSERT INTO event (organization, sequence_number, event_type, event_date, data)
                  SELECT ?, ? + 1 + key, json_extract(value, '$.eventType'), ?, value FROM json_each(?)`,
              )
              .bind(ORGANIZATION, event, now, JSON.stringify(events)),
          ]),
      session
        .prepare('INSERT INTO idempotency (organization, key, body, expires_date) VALUES (?, ?, ?, ?)')
        .bind(ORGANIZATION, key, body, now + KEPT_MS),
    ];
  }
}

const images = new Map<number, Uint8Array<ArrayBuffer>>();

/** As many bytes as a PNG has. Their content does not matter. */
function image(size: number): Response {
  const bytes = images.get(size) ?? new Uint8Array(size);
  images.set(size, bytes);
  return new Response(bytes, {
    headers: {
      'Content-Type': 'image/png',
      'Cache-Control': 'public, max-age=31536000, immutable',
      ETag: '"1"',
    },
  });
}

async function list(session: D1DatabaseSession, collection: string): Promise<Response> {
  const [rows, counts] = await session.batch([
    session
      .prepare('SELECT * FROM item WHERE collection = ? ORDER BY create_date DESC, id DESC LIMIT 20')
      .bind(collection),
    session.prepare('SELECT count(*) AS total FROM item WHERE collection = ?').bind(collection),
  ]);
  const total = (counts!.results[0] as { total: number }).total;
  return Response.json({ content: rows!.results, totalElements: total });
}

async function seed(db: D1Database, collection: string, rows: number, size: number): Promise<Response> {
  await db
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
       INSERT INTO item (id, collection, create_date, payload)
       SELECT ?2 || '-' || i, ?2, 1700000000000 + i, substr(hex(zeroblob(?3)), 1, ?3) FROM n`,
    )
    .bind(rows, collection, size)
    .run();
  return Response.json({ rows });
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    const [, action, argument = ''] = url.pathname.split('/');
    const session = env.DB.withSession('first-primary');
    const writer = () => env.WRITER.get(env.WRITER.idFromName(ORGANIZATION));
    const json = (body: string) => new Response(body, { headers: { 'Content-Type': 'application/json' } });
    const key = request.headers.get('Idempotency-Key') ?? crypto.randomUUID();
    if (action === 'read') {
      const row = await session.prepare('SELECT * FROM item WHERE id = ?').bind(argument).first();
      return row ? Response.json(row) : new Response(null, { status: 404 });
    }
    if (action === 'list') return list(session, argument);
    if (action === 'image') return image(Number(argument));
    if (action === 'allocate') return json(await writer().allocate(key, 1));
    if (action === 'couple') {
      const { wmsId } = await request.json<{ wmsId: string }>();
      return json(await writer().couple(key, wmsId));
    }
    const number = (name: string) => Number(url.searchParams.get(name));
    if (action === 'scan') {
      const { scans } = await request.json<{ scans: Scan[] }>();
      return json(await writer().scan(key, scans));
    }
    if (action === 'photo') {
      const object = crypto.randomUUID();
      await env.BUCKET.put(object, await request.arrayBuffer());
      return json(await writer().evidence(key, 'PHOTO', argument, object));
    }
    if (action === 'sign')
      return json(await writer().evidence(key, 'SIGNATURE', argument, await request.text()));
    if (action === 'move') return json(await writer().move(key, argument, url.searchParams.get('status')!));
    if (action === 'seed-dispatch') {
      const [manifests, pallets] = [number('manifests'), number('pallets')];
      await seedDispatch(env.DB, ORGANIZATION, {
        manifests,
        pallets,
        first: number('first'),
        moved: number('moved'),
      });
      return new Response(null, { status: 204 });
    }
    if (action === 'seed') {
      return seed(env.DB, argument, number('rows'), number('size'));
    }
    return new Response('bare');
  },
} satisfies ExportedHandler<Env>;
