import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { type Env, settingsOf } from '../../../src/core/env.ts';
import { queueKind } from '../../../src/queues.ts';
import { withEnvironment } from '../../third-environment.ts';

const FILE = resolve(import.meta.dirname, '../../../wrangler.toml');
const text = readFileSync(FILE, 'utf8');
const environments = [...text.matchAll(/^\[env\.([^.\]]+)\]$/gm)].map(([, name]) => name!);

const COPY = 'eu';

/** The parts of wrangler's configuration that the rules concern. Wrangler's own type needs types of its dependencies. */
interface Config {
  name: string;
  workers_dev: boolean;
  preview_urls: boolean;
  cache: object;
  assets: object;
  limits: { cpu_ms: number };
  observability: object;
  vars: Record<string, string>;
  secrets: { required: string[] };
  queues: {
    producers: { binding: string; queue: string }[];
    consumers: { queue: string; dead_letter_queue?: string }[];
  };
  d1_databases: { database_name: string }[];
  r2_buckets: { bucket_name: string }[];
}

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'dispatch-environments-'));
  writeFileSync(join(home, 'wrangler.toml'), withEnvironment(text, COPY));
});
afterAll(() => rmSync(home, { recursive: true }));
const configOf = (env: string): Config =>
  unstable_readConfig({ config: join(home, 'wrangler.toml'), env }, { hideWarnings: true });

it('wrangler.toml has the environments staging and production', () => {
  expect(environments).toEqual(['staging', 'production']);
});

describe.each([...environments, COPY])('the environment %s of wrangler.toml', (env) => {
  it(`${env} answers at its routes only`, () => {
    const { workers_dev, preview_urls } = configOf(env);
    expect({ workers_dev, preview_urls }).toEqual({ workers_dev: false, preview_urls: false });
  });

  it(`${env} stores public answers in front of the Worker, for all versions`, () => {
    expect(configOf(env).cache).toEqual({ enabled: true, cross_version_cache: true });
  });

  it(`${env} serves files without the Worker`, () => {
    expect(configOf(env).assets).toMatchObject({ run_worker_first: ['/*', '!/assets/*'] });
  });

  it(`${env} bounds the CPU time of an invocation, and leaves room for imports`, () => {
    const { limits } = configOf(env);
    expect([limits.cpu_ms > 30_000, limits.cpu_ms <= 300_000]).toEqual([true, true]);
  });

  it(`${env} logs without queries and invocation logs, at a sampling rate that it states`, () => {
    const { observability } = configOf(env);
    expect(observability).toMatchObject({
      enabled: true,
      redact_query_string: true,
      logs: { enabled: true, invocation_logs: false, head_sampling_rate: expect.any(Number) },
    });
  });

  it(`${env} sets no variable for development, and the Worker accepts its variables`, () => {
    const { vars, secrets } = configOf(env);
    expect(Object.keys(vars).filter((name) => name.startsWith('WEBHOOK_'))).toEqual([]);
    expect(secrets.required).toEqual(['OPERATOR_KEY', 'SEALING_KEY']);
    const secret = Object.fromEntries(secrets.required.map((name) => [name, name.padEnd(40, 'x')]));
    expect(settingsOf({ ...vars, ...secret } as unknown as Env)).toMatchObject({
      ENVIRONMENT: env,
      BASE_DOMAIN: vars['BASE_DOMAIN'],
      REQUEST_LOG: true,
      credentialEnvironment: env === 'staging' ? 'test' : 'live',
    });
  });

  it(`${env} has a consumer for each of its queues, dead letter queues included`, () => {
    const { producers, consumers } = configOf(env).queues;
    const kinds = consumers.map(({ queue, dead_letter_queue: dead }) => [
      queueKind(queue),
      dead === undefined ? undefined : queueKind(dead),
    ]);
    expect(kinds.toSorted()).toEqual([
      ['operation', 'operation-dead'],
      ['operation-dead', undefined],
      // The next turn does the same as a lost one.
      ['schedule', undefined],
      ['webhook', 'webhook-dead'],
      ['webhook-dead', undefined],
    ]);
    const consumed = consumers.map(({ queue }) => queue);
    const dead = consumers.flatMap(({ dead_letter_queue: queue }) => queue ?? []);
    expect([...producers.map(({ queue }) => queue), ...dead].toSorted()).toEqual(consumed.toSorted());
    expect(producers.map(({ binding, queue }) => [binding, queueKind(queue)]).toSorted()).toEqual([
      ['OPERATION_QUEUE', 'operation'],
      ['SCHEDULE_QUEUE', 'schedule'],
      ['WEBHOOK_QUEUE', 'webhook'],
    ]);
  });

  it(`${env} shares no database, bucket or queue with another environment`, () => {
    const ownOf = (name: string) => {
      const config = configOf(name);
      return [
        ...config.d1_databases.map(({ database_name }) => database_name),
        ...config.r2_buckets.map(({ bucket_name }) => bucket_name),
        ...config.queues.consumers.map(({ queue }) => queue),
        config.name,
      ];
    };
    const others = [...environments, COPY].filter((name) => name !== env).flatMap(ownOf);
    expect(ownOf(env).filter((name) => others.includes(name))).toEqual([]);
  });
});

it.each([
  ['warehouse-dispatch-webhook', 'webhook'],
  ['warehouse-dispatch-webhook-dead', 'webhook-dead'],
  ['warehouse-dispatch-operation-eu', 'operation'],
  ['warehouse-dispatch-operation-dead-eu-2', 'operation-dead'],
  ['warehouse-dispatch-webhook-operation', 'webhook'],
  ['warehouse-dispatch-webhook-dead-webhook', 'webhook-dead'],
  ['warehouse-dispatch-webhook-deadly', 'webhook'],
  ['warehouse-dispatch-webhooks', undefined],
  ['warehouse-dispatch-', undefined],
  ['other-webhook', undefined],
])('the kind of the queue %s is %s', (queue, kind) => {
  expect(queueKind(queue)).toBe(kind);
});
