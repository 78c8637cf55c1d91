import { databasesOf } from '../lib/databases.ts';
import { newUuid } from '../lib/id.ts';
import { refusal } from '../lib/problem.ts';
import { failureOf, reaching } from '../lib/store.ts';
import type { OrganizationObject, WriterEnv } from './binding.ts';
import type { CommandRequest, Outcome } from './command.ts';
import { writerLocationsOf } from './location.ts';

const ATTEMPTS_MAXIMUM = 4;

type Calls = {
  [N in 'execute' | 'lease' | 'scheduleJobs' | 'topUp' | 'forget' | 'fetch']: (
    ...given: Parameters<OrganizationObject[N]>
  ) => Promise<Awaited<ReturnType<OrganizationObject[N]>>>;
};

/**
 * An organization's object. Its errors are errors of the platform (`reaching`). Get a new one after a call threw, because
 * a stub does not recover.
 *
 * The first call ever creates the object, near the last known database of the organization. The object never moves.
 */
export function writerOf(env: WriterEnv, organization: string): Calls {
  const { jurisdiction, hints } = writerLocationsOf(env);
  const namespace = jurisdiction === undefined ? env.WRITER : env.WRITER.jurisdiction(jurisdiction);
  const id = namespace.idFromName(organization);
  const locationHint = hints[databasesOf(env).databaseNameOf(organization)];
  const stub = locationHint === undefined ? namespace.get(id) : namespace.get(id, { locationHint });
  return {
    execute: (request) => reaching(async () => stub.execute(request)),
    lease: (limit, wanted) => reaching(async () => stub.lease(limit, wanted)),
    scheduleJobs: (date) => reaching(async () => stub.scheduleJobs(date)),
    topUp: () => reaching(async () => stub.topUp()),
    forget: () => reaching(async () => stub.forget()),
    fetch: (request) => reaching(async () => stub.fetch(request)),
  };
}

/**
 * Create the object of a new organization beside its database. Otherwise the first caller decides, and it may not know
 * the database. If this fails, the organization still works.
 */
export async function placeWriter(env: WriterEnv, organization: string, databaseName: string): Promise<void> {
  databasesOf(env).remember(organization, databaseName);
  if (writerLocationsOf(env).hints[databaseName] === undefined) return;
  try {
    await writerOf(env, organization).scheduleJobs(Date.now());
  } catch (error) {
    console.warn(JSON.stringify({ organization, place: String(error) }));
  }
}

/** A request that the service itself makes. `displayName` names the part of the service that acts. */
export function ofService(name: string, input: object, displayName = 'System'): CommandRequest {
  return {
    name,
    input,
    commandId: newUuid(),
    idempotencyKey: null,
    fingerprint: '',
    actor: { actorType: 'SYSTEM', uuid: null, displayName },
    requestId: newUuid(),
    ipAddress: null,
  };
}

/**
 * Send a command to the organization's writer, and retry calls that fail on the way. All attempts have the same command
 * id, so the command has one effect. Each attempt uses a new stub, because a stub does not recover after its call
 * threw. An overloaded object is not called again, since that would make it worse.
 */
export async function execute(
  env: WriterEnv,
  organization: string,
  request: CommandRequest,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writerOf(env, organization).execute(request);
    } catch (error) {
      if (failureOf(error) === 'defect') throw error;
      const overloaded = (error as { overloaded?: boolean }).overloaded === true;
      if (overloaded || attempt === ATTEMPTS_MAXIMUM) {
        console.error(JSON.stringify({ requestId: request.requestId, writer: String(error), overloaded }));
        return {
          kind: 'refused',
          refusal: refusal(
            'temporarilyUnavailable',
            'The service did not answer in time. Send the same request again.',
          ),
          replayed: false,
          bookmark: null,
          roundTrips: 0,
          rowsRead: 0,
          rowsWritten: 0,
        };
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 50 * 2 ** attempt));
    }
  }
}
