import { databasesOf } from '../lib/databases.ts';
import { newUuid } from '../lib/id.ts';
import { refusal } from '../lib/problem.ts';
import { failureOf, reaching } from '../lib/store.ts';
import type { OrganizationObject, WriterEnv } from './binding.ts';
import type { CommandRequest, Outcome } from './command.ts';
import { writerLocationsOf } from './location.ts';
import { versions } from './versions.ts';

const ATTEMPTS_MAXIMUM = 4;

type Calls = {
  [N in 'execute' | 'lease' | 'scheduleJobs' | 'versionId' | 'topUp' | 'forget' | 'fetch']: (
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
    versionId: () => reaching(async () => stub.versionId()),
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
 *
 * An object of another version may not know the command. It is called again, because a rollout soon replaces it. If this
 * version does not know the object's answer, the command is committed. A repeat with the same key returns its answer later.
 */
export async function execute(
  env: WriterEnv,
  organization: string,
  request: CommandRequest,
): Promise<Outcome> {
  const { name, requestId } = request;
  const sent = { ...request, version: versions.ofRequest(name) };
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === ATTEMPTS_MAXIMUM;
    try {
      const outcome = await writerOf(env, organization).execute(sent);
      const known = versions.known(name, outcome);
      if (known.kind !== 'unknown') return known;
      if (isLast || outcome.kind !== 'unknown') {
        console.warn(
          JSON.stringify({ requestId, command: name, outcome: outcome.kind, unknown: known.unknown }),
        );
        return unavailable('The service is being updated. Send the same request again.');
      }
    } catch (error) {
      if (failureOf(error) === 'defect') throw error;
      const overloaded = (error as { overloaded?: boolean }).overloaded === true;
      if (overloaded || isLast) {
        console.error(JSON.stringify({ requestId, writer: String(error), overloaded }));
        return unavailable('The service did not answer in time. Send the same request again.');
      }
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 50 * 2 ** attempt));
  }
}

const unavailable = (detail: string): Outcome => ({
  kind: 'refused',
  refusal: refusal('temporarilyUnavailable', detail),
  replayed: false,
  bookmark: null,
  roundTrips: 0,
  rowsRead: 0,
  rowsWritten: 0,
});
