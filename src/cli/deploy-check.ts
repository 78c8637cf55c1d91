/**
 * `npm run deploy:check -- URL [--webhook URL]`: plays a dispatch day on a deployed service, in a sandbox that it
 * creates and erases. It checks the properties that only a deployed service can show, and prints the latency of each
 * step. The exit code is 0 if no check failed, and otherwise 1. It takes one to five minutes.
 * `--webhook URL`: a receiver that answers events with 2xx (default: this program for a service on this machine, else
 * the service itself).
 * Environment: OPERATOR_KEY. If it is not set, the program asks for it.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { burst } from './check-burst.ts';
import { createOrganization, dispatch, erase, label, type Organization, provisionSite } from './check-day.ts';
import * as platform from './check-platform.ts';
import { median, Probe } from './check-probe.ts';
import { isLoopback, watch, webhook } from './check-webhook.ts';
import { checkUrl, commandLine, serviceOrigin } from './command-line.ts';
import { say } from './demo/output.ts';

type Check = () => Promise<platform.Outcome>;

/** The signals that interrupt a run, and the exit code after each, as shells define it. */
const INTERRUPTIONS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

let failures = 0;

/** Run a check and print its result. Returns whether it did not fail. */
async function check(name: string, run: Check): Promise<boolean> {
  try {
    const outcome = await run();
    if ('passed' in outcome) say(`PASS  ${name}: ${outcome.passed}`);
    else say(`SKIP  ${name} needs the platform: ${outcome.skipped}`);
    return true;
  } catch (error) {
    failures += 1;
    const { message, cause } = error as Error;
    say(`FAIL  ${name}: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}`);
    return false;
  }
}

/** Run a check, and return a value that later checks need; undefined if it failed. */
async function need<T>(name: string, run: () => Promise<[value: T, passed: string]>): Promise<T | undefined> {
  let value: T | undefined;
  await check(name, async () => {
    const [needed, passed] = await run();
    value = needed;
    return { passed };
  });
  return value;
}

/** The checks within the organization of the run. */
async function inside(operator: Probe, organization: Organization, url: string | undefined): Promise<void> {
  const site = await need('provisioning', async () => [
    await provisionSite(operator, organization),
    `sandbox ${organization.slug} with two gates, a scanner and credentials`,
  ]);
  if (!site) return;
  const hasBeaten = await check('device', async () => {
    await platform.beat(site);
    return { passed: 'the scanner sent a heartbeat, and is silent from now on' };
  });
  const watched = await need('webhook', async () => {
    const made = await watch(site, url);
    return [made, `registered for ${made.url}`];
  });
  const pallets = await need('labels', async () => {
    const labelled = await label(site);
    return [labelled, `${labelled.length} pallets have markers`];
  });
  const [pallet] = pallets ?? [];
  if (pallets && pallet) {
    await check('dispatch day', async () => ({ passed: await dispatch(site, pallets) }));
    await check('versions', () => platform.sameVersion(operator));
    await check('object location', () => platform.location(site, pallet));
    await check('image cache', () => platform.imageCache(operator.as({}), pallet));
  }
  await check('burst', async () => ({ passed: await burst(site) }));
  await check('entity tags', () => platform.weakTags(site));
  if (watched) await check('webhook deliveries', () => webhook(site, watched)).finally(watched.stop);
  if (hasBeaten) await check('schedule', () => platform.schedule(site));
}

/** The time of each step as a table: number, median and maximum in milliseconds. */
function tellTimes(times: ReadonlyMap<string, readonly number[]>): void {
  if (times.size === 0) return;
  const row = (step: string, ...cells: string[]): void =>
    say(`  ${step.padEnd(30)}${cells.map((cell) => cell.padStart(8)).join('')}`);
  say('\nLatency in ms, as this machine sees it');
  row('step', 'count', 'p50', 'max');
  for (const [step, all] of times) {
    row(step, ...[all.length, Math.round(median(all)), Math.round(Math.max(...all))].map(String));
  }
}

/** The operator key, from the environment or typed without echo. A command line is visible to other programs. */
async function operatorKey(): Promise<string> {
  const key = process.env['OPERATOR_KEY'];
  if (key) return key;
  if (!process.stdin.isTTY) throw new Error('Set OPERATOR_KEY in the environment.');
  process.stderr.write('Operator key: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true });
  const typed = await reader.question('');
  reader.close();
  process.stderr.write('\n');
  if (typed.trim() === '') throw new Error('The operator key is empty.');
  return typed.trim();
}

/** The origin of the service. @throws if the key would be sent without encryption */
function originOf(text: string): string {
  const origin = serviceOrigin(text);
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return origin;
  throw new Error(`${text} is not https. The operator key would be sent without encryption.`);
}

/** Finish some work before the run exits because of a signal. A second signal exits at once. */
function beforeInterruption(finish: () => Promise<unknown>): void {
  for (const [signal, code] of Object.entries(INTERRUPTIONS)) {
    const exit = (): void => process.exit(code);
    process.once(signal, () => void finish().then(exit, exit));
  }
}

async function run(): Promise<number> {
  const { values, positionals } = commandLine(import.meta.filename, {
    allowPositionals: true,
    options: { webhook: { type: 'string' } },
  });
  const [url] = positionals;
  if (url === undefined || positionals.length > 1)
    throw new Error('npm run deploy:check -- URL [--webhook URL]');
  if (values.webhook !== undefined) checkUrl('--webhook', values.webhook);
  const operator = new Probe(originOf(url), { 'X-OPERATOR-KEY': await operatorKey() });
  say(`Service ${operator.base}\n`);
  let creation: Promise<Organization | undefined> | undefined;
  // An interrupted run also erases an organization that is just being created. The object continues the erasure by itself.
  beforeInterruption(async () => {
    const created = await creation;
    if (created) await erase(operator, created);
  });
  await check('health', () => platform.health(operator.as({})));
  await check('migrations', () => platform.migrations(operator));
  const slug = `check-${Date.now().toString(36)}`;
  creation = need('organization', async () => [await createOrganization(operator, slug), `created ${slug}`]);
  const organization = await creation;
  if (organization) {
    await inside(operator, organization, values.webhook);
    const isErased = await check('erasure', async () => ({ passed: await erase(operator, organization) }));
    if (!isErased) say(`      Erase ${slug} by hand: see the guide on operating.`);
  }
  tellTimes(operator.times);
  say(failures === 0 ? '\nNo check failed.' : `\nFailed checks: ${failures}.`);
  return failures === 0 ? 0 : 1;
}

// A reader that closes the pipe, such as `head`, does not end the run. It still has to erase its organization.
process.stdout.on('error', () => undefined);

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
