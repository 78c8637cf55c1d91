import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Served } from './client.ts';
import { commandsOf, hasCurl, printsOf, runBlocks } from './commands.ts';
import { sharedService } from './shared.ts';

/** Longest line that leaves the previous answer visible in a terminal. */
const LINE_MAXIMUM = 250;

/** Runs the blocks, checks that every request succeeded, and returns the output of each block. */
async function play(blocks: string[], cwd: string): Promise<string[]> {
  const { printed, messages, code } = await runBlocks(blocks, { cwd });
  expect(messages.filter((line) => !/^2\d\d http:/.test(line))).toEqual([]);
  expect(messages).toHaveLength(blocks.join('').match(/\bcurl -s/g)!.length);
  expect(code).toBe(0);
  return printed;
}

describe.runIf(hasCurl)('the commands of the documentation', () => {
  let service: Served;
  /** The folder where the commands run and where they leave their files. */
  let home: string;
  beforeAll(async () => {
    service = await sharedService();
    home = mkdtempSync(join(tmpdir(), 'dispatch-readme-'));
  });
  afterAll(() => rmSync(home, { recursive: true }));

  it.each(['a first', 'a second'])('the commands of the README make the first call, %s time', async () => {
    const [printed] = await play(commandsOf('README.md', service), home);
    expect(JSON.parse(printed!)).toMatchObject({ markerCode: 1_000_000_000, track: { wmsId: 'PALLET-1' } });
  });

  it('the commands of the operating guide create an operator', async () => {
    const blocks = commandsOf('src/web/docs/guides/operating.md', service);
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

  it.each(['a first', 'a second'])(
    'the commands of the dispatch day guide play the day to its end, %s time',
    async () => {
      const blocks = commandsOf('src/web/docs/guides/dispatch-day.md', service);
      const printed = await play(blocks, home);
      const lines = printed
        .slice(0, blocks.length)
        .map((text) => text.split('\n').filter((line) => line !== ''));
      expect(lines.flat().filter((line) => line.length > LINE_MAXIMUM)).toEqual([]);
      expect(lines).toEqual(
        printsOf('src/web/docs/guides/dispatch-day.md', service).map((said) =>
          said.map((line) => expect.stringMatching(line)),
        ),
      );
      const summary = lines.flat().find((line) => line.includes('/shipment-summary/'));
      expect((await fetch(summary!)).status).toBe(200);
      expect(readFileSync(join(home, 'marker.png')).subarray(1, 4).toString()).toBe('PNG');
      expect(readFileSync(join(home, 'proof.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    },
  );
});
