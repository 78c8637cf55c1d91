import { env } from 'cloudflare:workers';
import { Databases } from '../../../../src/core/lib/databases.ts';
import { newUuid } from '../../../../src/core/lib/id.ts';
import {
  type CommandRequest,
  commandsOf,
  type Outcome,
  type Registry,
} from '../../../../src/core/writer/command.ts';
import { Writer } from '../../../../src/core/writer/writer.ts';
import type { WatermarkStore } from '../../../../src/core/writer/writer-state.ts';
import { commands } from '../../../../src/features.ts';
import { declareRewind } from '../../../../src/log/event/rewind.ts';
import { newTenant, type Tenant } from '../../client.ts';

export const db = (env as unknown as { DB: D1Database }).DB;

/** A command as the edge sends it. */
export function request(name: string, input: unknown, more: Partial<CommandRequest> = {}): CommandRequest {
  return {
    name,
    input,
    commandId: newUuid(),
    idempotencyKey: null,
    fingerprint: 'f',
    actor: { actorType: 'SYSTEM', uuid: null, displayName: 'Test' },
    requestId: 'test',
    ipAddress: null,
    ...more,
  };
}

/** A separate writer for the tenant, like a second instance of its object. */
export function writerOf(
  tenant: Tenant,
  database: D1Database = db,
  registry: Registry = commands,
  marks?: WatermarkStore,
): Writer {
  return new Writer({
    databases: new Databases({ DB: database }),
    organization: tenant.uuid,
    commands: commandsOf(registry),
    declareRewind,
    ...(marks ? { watermarks: marks } : {}),
  });
}

/** The body of an outcome that must be an effect. */
export function bodyOf<T>(outcome: Outcome): T {
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  return JSON.parse(outcome.body) as T;
}

/** A block of allocated codes. */
export interface Block {
  firstMarkerCode: number;
  lastMarkerCode: number;
}

/** Rows of the tenant's log, in order. */
export async function logOf(tenant: Tenant): Promise<Record<string, unknown>[]> {
  const { results } = await db
    .prepare('SELECT * FROM audit_log WHERE organization_uuid = ?1 ORDER BY sequence_number')
    .bind(tenant.uuid)
    .all();
  return results;
}

type Fault = 'before' | 'after' | null;

/**
 * A D1 with faults. `fault` decides for each batch whether it fails, before it runs or after it took
 * effect.
 */
export function faultyD1(
  fault: (batch: number) => Fault | Promise<Fault>,
  message = 'D1_ERROR: Network connection lost.',
): D1Database {
  let batches = 0;
  const failed = () => new Error(message);
  return {
    withSession(constraint?: string) {
      const session = db.withSession(constraint);
      return {
        prepare: (sql: string) => session.prepare(sql),
        getBookmark: () => session.getBookmark(),
        async batch(statements: D1PreparedStatement[]) {
          batches += 1;
          const kind = await fault(batches);
          if (kind === 'before') throw failed();
          const results = await session.batch(statements);
          if (kind === 'after') throw failed();
          return results;
        },
      };
    },
  } as unknown as D1Database;
}

/** A D1 that counts its batches. */
export function countedD1(): { db: D1Database; batches: () => number } {
  let count = 0;
  const counted = faultyD1((batch) => {
    count = batch;
    return null;
  });
  return { db: counted, batches: () => count };
}

export { newTenant, type Tenant };
