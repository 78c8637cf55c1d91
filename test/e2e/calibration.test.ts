import { createHash, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { API, newTenant, operator } from './client.ts';
import { type Random, randomOf } from './crash/random.ts';
import type { Service } from './service.ts';
import { ownService } from './shared.ts';

const CAMERAS = 6;
const KILLS = 5;
const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 30_000;
/** How long a test waits for the service to unlock its store. */
const LOCK_MAXIMUM_MS = 10_000;
/** Sizes below and above 5 MiB, where an upload is sent in parts. */
const SIZES_BYTES = [40, 200_000, 1_500_000, 5_242_880, 6_000_000];
/** SEED=… repeats the random choices of a failed run. Timing still differs. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

let service: Service | undefined;
afterAll(() => service?.dispose());

it('a service killed during uploads keeps every acknowledged calibration file whole and nothing else', async () => {
  const running = await ownService();
  service = running;
  const token = await cameraToken(running);
  const run: Run = { service: running, token, going: true, faults: [], cutOff: 0, replays: 0, writes: 0 };
  const random = randomOf(SEED);
  const cameras = Array.from(
    { length: CAMERAS },
    (_, index) => new Camera(run, index, randomOf(SEED + index + 1)),
  );
  const working = Promise.all(cameras.map((camera) => camera.work()));
  try {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const writes = run.writes + 3 + random.below(6);
      while (run.writes < writes) await sleep(5);
      await sleep(random.below(150));
      // Kill in turn only the process that runs the Worker, and all processes as a power cut does.
      if (kill % 2 === 0) {
        await running.crash();
        await running.recovered();
      } else {
        await running.kill();
        await running.start();
      }
    }
    await sleep(500);
  } finally {
    run.going = false;
  }
  await working;
  for (const camera of cameras) await camera.compare('at the end');
  const left = stored(running.stateDir);
  const { cutOff, replays, writes } = run;
  process.stdout.write(
    `${JSON.stringify({ seed: SEED, writes, cutOff, replays, orphans: left.orphans.length })}\n`,
  );
  expect(left.objects.filter((key) => !left.files.includes(key) && !left.orphans.includes(key))).toEqual([]);
  expect(left.files.filter((key) => !left.objects.includes(key))).toEqual([]);
  // The sweep deletes orphaned objects after an hour.
  leave(running.stateDir, 2 * HOUR_MS);
  expect((await fetch(`${running.origin}/cdn-cgi/local/scheduled`)).status).toBe(200);
  for (const camera of cameras) await camera.compare('after the sweep');
  const swept = stored(running.stateDir);
  expect(swept.orphans).toEqual([]);
  expect(swept.objects).toEqual(swept.files);
  expect(run.faults, `SEED=${SEED}`).toEqual([]);
  // A run proves something only if kills interrupted writes.
  expect(cutOff).toBeGreaterThan(KILLS);
});

interface Run {
  service: Service;
  token: string;
  going: boolean;
  faults: string[];
  /** Writes that were interrupted and sent again. */
  cutOff: number;
  replays: number;
  writes: number;
}

async function cameraToken(running: Service): Promise<string> {
  const { uuid } = await newTenant(running, 'cameras');
  const json = { name: 'Camera', scopes: ['CAMERA_READ', 'CAMERA_WRITE'] };
  const path = `/organization/${uuid}/access-token`;
  return (await operator(running, 201, { method: 'POST', path, json })).json.secret;
}

/** One camera and its file. Only this caller writes the file, so it always knows the expected content. */
class Camera {
  readonly #run: Run;
  readonly #path: string;
  readonly #random: Random;
  #expected: string | null = null;

  constructor(run: Run, index: number, random: Random) {
    this.#run = run;
    this.#path = `${API}/camera/cam-${index}/calibration/INTRINSIC`;
    this.#random = random;
  }

  async work(): Promise<void> {
    for (let round = 0; this.#run.going; round += 1) {
      const deletes = this.#random.below(5) === 0;
      const size = SIZES_BYTES[this.#random.below(SIZES_BYTES.length)]!;
      const body = deletes ? null : `["${randomUUID()}"${' '.repeat(size)}]`;
      const answer = await this.#patiently(deletes ? 'DELETE' : 'POST', body);
      const wanted = deletes ? (this.#expected === null ? 404 : 200) : this.#expected === null ? 201 : 200;
      if (answer.status !== wanted) {
        this.#run.faults.push(`${this.#path}: ${answer.status} instead of ${wanted}: ${answer.text}`);
      }
      this.#expected = body;
      this.#run.writes += 1;
      await this.compare(`after write ${round}`);
    }
  }

  /** The download must equal the last acknowledged upload. */
  async compare(when: string): Promise<void> {
    const { status, text, headers } = await this.#patiently('GET', null);
    const tag = `"${createHash('sha256').update(text).digest('hex')}"`;
    const same = this.#expected === null ? status === 404 : status === 200 && text === this.#expected;
    if (!same) this.#run.faults.push(`${this.#path} ${when}: ${status} ${text.slice(0, 80)}`);
    if (status === 200 && headers.get('ETag') !== tag)
      this.#run.faults.push(`${this.#path} ${when}: its tag`);
  }

  /** Sends a request with one idempotency key until the service answers it. */
  async #patiently(method: string, body: string | null) {
    const headers = {
      'X-Auth-Token': this.#run.token,
      'Idempotency-Key': randomUUID(),
      'Content-Type': 'application/json',
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        const url = `${this.#run.service.origin}${this.#path}`;
        const response = await fetch(url, { method, headers, body, signal });
        const text = await response.text();
        // After a 503 the outcome is unknown. The same holds for an error page of a proxy whose service is gone.
        const isItsOwn = response.headers.get('Content-Type')?.includes('json');
        if (response.status < 500 || (response.status === 500 && isItsOwn)) {
          if (response.headers.get('Idempotent-Replayed') === 'true') this.#run.replays += 1;
          return { status: response.status, text, headers: response.headers };
        }
      } catch {
        // The service was killed, so the outcome is unknown.
      }
      if (method !== 'GET' && attempt === 1) this.#run.cutOff += 1;
      await sleep(50);
    }
  }
}

/** Makes orphaned objects older by this time, because the sweep compares their age with the clock. */
function leave(stateDir: string, ms: number): void {
  for (const file of readdirSync(stateDir, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.sqlite')) continue;
    const database = new DatabaseSync(join(stateDir, file), { timeout: LOCK_MAXIMUM_MS });
    const has = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'calibration_orphan'").get();
    if (has) database.prepare('UPDATE calibration_orphan SET create_date = create_date - ?').run(ms);
    database.close();
  }
}

/** Reads the disk: the keys of the objects in the bucket, of the calibration files and of the orphans. */
function stored(stateDir: string): { objects: string[]; files: string[]; orphans: string[] } {
  const keys = (table: string, column: string): string[] =>
    readdirSync(stateDir, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.sqlite'))
      .flatMap((file) => {
        const database = new DatabaseSync(join(stateDir, file), { timeout: LOCK_MAXIMUM_MS });
        const has = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table);
        const rows = has ? database.prepare(`SELECT ${column} AS key FROM ${table}`).all() : [];
        database.close();
        return rows.map(({ key }) => String(key));
      })
      .sort();
  // Read the bucket last. A sweep that runs now deletes from the bucket first.
  const orphans = keys('calibration_orphan', 'object_key');
  const files = keys('calibration', 'object_key');
  return { objects: keys('_mf_objects', 'key'), files, orphans };
}
