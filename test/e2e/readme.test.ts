import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, Service } from './service.ts';

const HEADING = '## A dispatch day in curl';
const DEFAULT_PORT = 8787;
const DAY_MAXIMUM_MS = 120_000;
/** A machine may have Node and npm alone. */
const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Has curl say each status it was answered with, beside what the README's command prints. */
const TELL_STATUS = `curl() { command curl -w '%{stderr}%{http_code} %{url_effective}\\n' "$@"; }`;

/** The shell blocks of the day, in order. */
function commands(): string[] {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const start = text.indexOf(`${HEADING}\n`);
  const section = text.slice(start, text.indexOf('\n## ', start + HEADING.length));
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);
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

describe.runIf(hasCurl)('the dispatch day of the README', () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.dispose());

  it('is answered with success from the first command to the last, and ends as it says', async () => {
    const blocks = commands().map((block) => block.replaceAll(`:${DEFAULT_PORT}/`, `:${service.port}/`));
    expect(blocks.length).toBeGreaterThan(5);
    const marked = blocks.flatMap((block, index) => [block, `echo; echo '--- ${index}'`]);
    const { stdout, stderr, code } = await run([TELL_STATUS, ...marked].join('\n'), service.home);

    const told = stderr.split('\n').filter((line) => line !== '');
    expect(told.filter((line) => !/^2\d\d http:/.test(line))).toEqual([]);
    expect(told).toHaveLength(blocks.join('').match(/\bcurl -s/g)!.length);
    expect(code).toBe(0);

    const outcomes = [...stdout.matchAll(/"outcome":"(\w+)"/g)].map(([, outcome]) => outcome);
    expect(outcomes).toEqual(['LOADED', 'LOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING']);
    const printed = stdout.split(/--- \d+\n/);
    /** What the block with this command printed. */
    const of = (command: string) => printed[blocks.findIndex((block) => block.includes(command))]!;
    const [planned, together, corrected, left] = [
      of('$API/manifest -H'),
      of('$API/shipment -H'),
      of('-X PATCH'),
      of('status/COMPLETED'),
    ];
    expect(planned).toContain('"nonExistingTracks":[{"trackIdentifier":"340123450000000031"}]');
    expect(together).toContain('"valid":true');
    expect(together).toContain('"status":"LOADING"');
    expect(corrected).toContain('"content":[],');
    expect(corrected).not.toContain('WRONGLY_LOADED"');
    expect(left).toMatch(/"status":"COMPLETED".*"totalAssetsCount":3,"loadedAssetsCount":3/);
    expect(left).toContain('"manifestStatus":"COMPLETED"');
    expect(left).toContain('"shipmentSummaryUrl":"http');
    expect(left).toContain('"proofOfShipmentUrl":"http');
    expect(readFileSync(join(service.home, 'marker.png')).subarray(1, 4).toString()).toBe('PNG');
    expect(readFileSync(join(service.home, 'proof.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  });
});
