import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { forgetCredentials } from '../../src/access/credential/trusted.ts';
import { app } from '../../src/app.ts';
import type { Env } from '../../src/core/env.ts';
import { Databases } from '../../src/core/lib/databases.ts';
import { type CommandRequest, commandsOf } from '../../src/core/writer/command.ts';
import { type SentOutcome, versions } from '../../src/core/writer/versions.ts';
import { Writer } from '../../src/core/writer/writer.ts';
import { commands } from '../../src/features.ts';
import { wrappedD1 } from '../d1.ts';
import type { Answer } from './client.ts';
import { undocumented } from './documented.ts';

export const bindings = env as unknown as Env;

/** Error messages of D1, by kind of failure. */
export const FAILURES = {
  locked: 'D1_ERROR: database is locked: SQLITE_BUSY',
  full: 'D1_ERROR: database or disk is full: SQLITE_FULL',
  readOnly: 'D1_ERROR: attempt to write a readonly database: SQLITE_READONLY',
  lost: 'Network connection lost.',
} as const;

/** How calls of D1 fail. */
export interface Fault {
  message: string;
  /** The first call that fails; all later ones do too. */
  from: number;
  /** The last call that fails. */
  to?: number;
  /** Whether that first one takes effect before it fails. */
  late?: boolean;
  /** The class of the error; `Error` by default, as the platform throws it. */
  kind?: new (
    message: string,
  ) => Error;
}

/** A D1 binding with failing calls. It counts the calls. */
export function failingD1(
  { message, from, to = Number.POSITIVE_INFINITY, late = false, kind: Kind = Error }: Fault,
  failing: D1Database = bindings.DB,
) {
  const calls = { count: 0 };
  const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
    calls.count += 1;
    const { count } = calls;
    if (count < from || count > to) return ask();
    if (late && count === from) await ask();
    throw new Kind(message);
  };
  return { db: wrappedD1(failing, (_, ask) => asked(ask)), calls };
}

/** The Worker's bindings over a D1, also for the writers of organizations. */
export function envOver(db: D1Database): Env {
  const { WRITER } = bindings;
  const writer = (organization: string) => ({
    async execute(request: CommandRequest): Promise<SentOutcome> {
      const outcome = await new Writer({
        databases: new Databases({ DB: db }),
        organization,
        commands: commandsOf(commands),
      }).execute(request);
      return { ...outcome, version: versions.ofOutcome(request.name) };
    },
    lease: (limit: number, wanted: number) =>
      WRITER.get(WRITER.idFromName(organization)).lease(limit, wanted),
    scheduleJobs: async () => undefined,
    versionId: async () => bindings.VERSION.id,
  });
  const namespace = { idFromName: (name: string) => name, get: writer };
  return { ...bindings, DB: db, WRITER: namespace as unknown as Env['WRITER'] };
}

/** Send a request to the Worker over some bindings, which knows no credential yet. */
export async function fetchOver(over: Env, request: Request): Promise<Answer & { text: string }> {
  forgetCredentials();
  const context = createExecutionContext();
  const response = await app.fetch(request, over, context);
  const text = await response.text();
  await waitOnExecutionContext(context);
  const isJson = /[/+]json/.test(response.headers.get('Content-Type') ?? '');
  const body = isJson && text !== '' ? JSON.parse(text) : null;
  const answer = { status: response.status, headers: response.headers, body, text };
  const faults = await undocumented(request.method, request.url, answer);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return answer;
}
