import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Served } from './client.ts';
import { commandsOf, runBlocks } from './commands.ts';
import { sharedService } from './shared.ts';

/** A machine may have Node and npm alone. */
const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Longer than this, an answer pushes the one before it out of sight. */
const LINE_MAXIMUM = 250;

/** What these blocks printed, each by itself, after all of it was answered with success. */
async function play(blocks: string[], cwd: string): Promise<string[]> {
  const { printed, told, code } = await runBlocks(blocks, { cwd });
  expect(told.filter((line) => !/^2\d\d http:/.test(line))).toEqual([]);
  expect(told).toHaveLength(blocks.join('').match(/\bcurl -s/g)!.length);
  expect(code).toBe(0);
  return printed;
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
    const [printed] = await play(commandsOf('README.md', service), home);
    expect(JSON.parse(printed!)).toMatchObject({ markerCode: 1_000_000_000, track: { wmsId: 'PALLET-1' } });
  });

  it('make an operator', async () => {
    const blocks = commandsOf('src/docs/guides/operating.md', service);
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
    const blocks = commandsOf('src/docs/guides/dispatch-day.md', service);
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
