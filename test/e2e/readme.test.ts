import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Served } from './client.ts';
import { ROOT } from './service.ts';
import { sharedService } from './shared.ts';

const DEFAULT_PORT = 8787;
const DAY_MAXIMUM_MS = 120_000;
/** A machine may have Node and npm alone. */
const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Longer than this, an answer pushes the one before it out of sight. */
const LINE_MAXIMUM = 250;

/** Has curl say each status it was answered with, beside what the command prints. */
const TELL_STATUS = `curl() { command curl -w '%{stderr}%{http_code} %{url_effective}\\n' "$@"; }`;

/** The shell blocks of a text that talk to the service, in order. */
function commands(file: string, service: Served): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) =>
    block!.replaceAll(`:${DEFAULT_PORT}`, `:${new URL(service.origin).port}`),
  );
}

/** What a shell that runs a script printed on both of its outputs. */
function run(script: string, cwd: string): Promise<{ stdout: string; stderr: string; code: number | null }> {
  return new Promise((answer) => {
    const shell = spawn('sh', ['-eu', '-c', script], { cwd, timeout: DAY_MAXIMUM_MS });
    let [stdout, stderr] = ['', ''];
    shell.stdout.on('data', (chunk) => (stdout += chunk));
    shell.stderr.on('data', (chunk) => (stderr += chunk));
    shell.on('close', (code) => answer({ stdout, stderr, code }));
  });
}

/** What these blocks printed, each by itself, after all of it was answered with success. */
async function play(blocks: string[], home: string): Promise<string[]> {
  const marked = blocks.flatMap((block, index) => [block, `echo; echo '--- ${index}'`]);
  const { stdout, stderr, code } = await run([TELL_STATUS, ...marked].join('\n'), home);
  const told = stderr.split('\n').filter((line) => line !== '');
  expect(told.filter((line) => !/^2\d\d http:/.test(line))).toEqual([]);
  expect(told).toHaveLength(blocks.join('').match(/\bcurl -s/g)!.length);
  expect(code).toBe(0);
  return stdout.split(/--- \d+\n/).map((printed) => printed.trim());
}

describe.runIf(hasCurl)('the commands of the documentation', () => {
  let service: Served;
  /** Where they are typed, and leave what they fetch. */
  let home: string;
  beforeAll(async () => {
    service = await sharedService();
    home = mkdtempSync(join(tmpdir(), 'dispatch-readme-'));
  });
  afterAll(() => rmSync(home, { recursive: true }));

  it.each(['a first', 'a second'])('make the first call of the README, %s time', async () => {
    const [printed] = await play(commands('README.md', service), home);
    expect(JSON.parse(printed!)).toMatchObject({ markerCode: 1_000_000_000, track: { wmsId: 'PALLET-1' } });
  });

  it('make an operator', async () => {
    const blocks = commands('src/docs/guides/operating.md', service);
    const [printed] = await play(
      blocks.filter((block) => block.includes('$OPERATOR/operator')),
      home,
    );
    const [made, listed] = printed!
      .split('}{')
      .map((part, index) => JSON.parse(index ? `{${part}` : `${part}}`));
    expect(made).toMatchObject({ name: 'Prometheus', secret: expect.stringMatching(/^wdo_test_/) });
    expect(listed.content[0].uuid).toBe(made.uuid);
  });

  it.each(['a first', 'a second'])('play the dispatch day to its end, %s time', async () => {
    const blocks = commands('src/docs/guides/dispatch-day.md', service);
    expect(blocks.length).toBeGreaterThan(5);
    const printed = await play(blocks, home);
    expect(printed.flatMap((text) => text.split('\n')).filter((line) => line.length > LINE_MAXIMUM)).toEqual(
      [],
    );
    /** The lines that the block with this command printed. */
    const of = (command: string) =>
      printed[blocks.findIndex((block) => block.includes(command))]!.split('\n');
    expect(of('$API/client -H').slice(1)).toEqual([expect.stringMatching(/^\d+$/), '1']);
    expect(of('$API/manifest -H')).toEqual([
      'ORDER-10248',
      'ORDER-10249',
      '[{"trackIdentifier":"340123450000000031"}]',
      'ACTIVE',
    ]);
    expect(of('$API/shipment -H')).toEqual(['TO_DO', '3', '2', 'GATE-1', 'true', 'LOADING']);
    expect(of('/scans')).toEqual(['ACTIVE', 'LOADED', '["LOADED","WRONGLY_LOADED","UNKNOWN_LOADING"]']);
    expect(of('-X PATCH')).toEqual(['2', '2', '0', '1', '["LOADED","LOADED","LOADED"]']);
    const [valid, loaded, manifest, summary, digest] = of('status/COMPLETED');
    expect([valid, loaded, manifest]).toEqual(['true', '3', 'COMPLETED']);
    expect((await fetch(summary!)).status).toBe(200);
    expect(digest).toMatch(/^[0-9a-f]{64} /);
    expect(of('softwareVersion')).toEqual(['ONLINE', '1']);
    expect(of('focalLength')[1]).toBe('{"focalLength": [912.4, 911.80]}');
    expect(readFileSync(join(home, 'marker.png')).subarray(1, 4).toString()).toBe('PNG');
    expect(readFileSync(join(home, 'proof.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  });
});
