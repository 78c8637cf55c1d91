import type { Env } from '../../src/core/env.ts';
import type { AppContext } from '../../src/core/http/types.ts';
import { Database } from '../../src/core/lib/database.ts';
import { databasesOf } from '../../src/core/lib/databases.ts';
import { newUuid } from '../../src/core/lib/id.ts';
import { refusal } from '../../src/core/lib/problem.ts';
import { execute } from '../../src/core/writer/client.ts';
import type { CommandRequest, Outcome } from '../../src/core/writer/command.ts';
import { discardObjects } from '../../src/dispatch/calibration/objects.ts';
import { addOrphan } from '../../src/dispatch/calibration/store.ts';
import { photoKey } from '../../src/dispatch/photo/rules.ts';
import type { LogCheck } from './log-check.ts';
import type { Store } from './store.ts';
import { type Domain, Finding, never, type World } from './world.ts';

/** An upload of a caller, until its object is written. */
interface Upload {
  domain: Domain;
  /** Whether the object is on its way. The write also ends if its caller goes away. */
  isWriting: boolean;
}

/** The bucket of photos. It has keys only. */
export class Bucket {
  readonly #world: World;
  readonly #keys = new Set<string>();
  /** For each key, the number of restores before it was issued. A restore of the stores leaves the bucket as it is. */
  readonly #issued = new Map<string, number>();
  /** Uploads by key, until their object is written. */
  readonly #uploads = new Map<string, Upload>();
  /** When the last sweep began. It takes orphans that are older. */
  sweptBefore = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** The binding of a domain. */
  bindingOf(domain: Domain): R2Bucket {
    const sent = (act: () => void, key = ''): Promise<void> =>
      domain.dead
        ? never()
        : new Promise((resolve, reject) => {
            this.#world.later('bucket', () => {
              const { faults } = this.#world;
              this.#uploads.delete(key);
              if (faults.draws('object lost before')) return reject(new Error('The bucket did not answer.'));
              act();
              if (faults.draws('object answer lost')) reject(new Error('The bucket did not answer.'));
              else if (!domain.dead) resolve();
            });
          });
    return {
      put: (key: string) => {
        this.#uploads.get(key)!.isWriting = true;
        return sent(() => void this.#keys.add(key), key);
      },
      delete: (keys: string[]) => sent(() => keys.forEach((key) => void this.#keys.delete(key))),
    } as unknown as R2Bucket;
  }

  /**
   * Whether an object will still be written. An upload ends within an hour, and the sweep leaves objects alone for that
   * time. So no sweep begins before.
   */
  get isBusy(): boolean {
    for (const [key, { domain, isWriting }] of this.#uploads)
      if (domain.dead && !isWriting) this.#uploads.delete(key);
    return this.#uploads.size > 0;
  }

  /** Whether the sweep takes the object of an upload now, before its command. */
  get isLate(): boolean {
    return this.#world.faults.draws('object swept before its photo');
  }

  /** An upload of this key begins. */
  begin(key: string, domain: Domain): void {
    this.#issued.set(key, this.#world.rewinds);
    this.#uploads.set(key, { domain, isWriting: false });
  }

  /** The upload of this key ends without an object. */
  end(key: string): void {
    this.#uploads.delete(key);
  }

  /** Each photo has its object. Each object has its photo, or is in the list of orphans. */
  async check(store: Store, { organization }: LogCheck): Promise<void> {
    const keysOf = async (text: string): Promise<Set<string>> =>
      new Set((await store.read(text, organization)).map(({ key }) => key as string));
    const photos = await store.read('SELECT uuid FROM photo WHERE organization_uuid = ?', organization);
    const rows = new Set(photos.map(({ uuid }) => photoKey(organization, uuid as string)));
    const orphans = await keysOf(
      'SELECT object_key AS key FROM calibration_orphan WHERE organization_uuid = ?',
    );
    for (const [key, rewinds] of this.#issued) {
      if (!key.startsWith(photoKey(organization, '')) || rewinds !== this.#world.rewinds) continue;
      const isThere = this.#keys.has(key);
      if (rows.has(key) && !isThere) throw new Finding(`${organization}: the photo ${key} lost its object`);
      if (isThere && !rows.has(key) && !orphans.has(key))
        throw new Finding(`${organization}: the object ${key} has no photo and is in no list`);
    }
  }
}

/** Adds a photo as `savePhoto` does: the key is listed, the object is written, and then the command runs. */
export async function upload(
  env: Env,
  { bucket, domain }: { bucket: Bucket; domain: Domain },
  organization: string,
  request: CommandRequest,
): Promise<Outcome> {
  const uuid = newUuid();
  const key = photoKey(organization, uuid);
  const database = new Database(organization, databasesOf(env));
  bucket.begin(key, domain);
  const c = { env, get: () => request.requestId } as unknown as AppContext;
  const discard = () => discardObjects(c, [key], database);
  let stored: string | undefined;
  try {
    try {
      // The sweep leaves an orphan alone for an hour, which is more than clocks jump. So an upload never looks old to it.
      await database.send(addOrphan(database, key, Math.max(Date.now(), bucket.sweptBefore)));
      await env.CALIBRATION.put(key, '');
    } catch (error) {
      bucket.end(key);
      const refused = refusal('temporarilyUnavailable', String(error));
      return { kind: 'refused', refusal: refused, replayed: false } as Outcome;
    }
    if (bucket.isLate) await discard();
    const outcome = await execute(env, organization, {
      ...request,
      input: { ...(request.input as object), uuid },
    });
    stored = outcome.kind === 'done' ? JSON.parse(outcome.body).uuid : undefined;
    return outcome;
  } finally {
    if (stored !== uuid) await discard();
  }
}
