import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { call } from '../../client.ts';
import type { Dock } from '../../dispatch/load/shipment/dock.ts';
import { addressesOf, departed, pageOf, saidBy } from './published.ts';

const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;

async function digestOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

const SIGNED = new Date(Date.now() - 60_000).toISOString();

const sign = (dock: Dock, role: string, name: string) =>
  dock.must('POST', '/shipment/S/signature', {
    role,
    name,
    strokes: [
      [
        [1, 2],
        [300.5, 400],
      ],
    ],
    signDate: SIGNED,
  });

describe('signatures on public pages', () => {
  it('each signature after completion gives the proof a new digest, and the data name the digest before', async () => {
    const dock = await departed();
    const { data, document } = await addressesOf(dock, 'shipment', 'S');
    const read = async () => {
      const text = await (await worker.fetch(data)).text();
      return { text, digest: await digestOf(text), shown: JSON.parse(text) };
    };
    const states = [await read()];
    expect(states[0]!.shown.signatures).toBeUndefined();
    expect(states[0]!.shown.previousDigest).toBeUndefined();
    for (const [role, name] of [
      ['DRIVER', 'Ben'],
      ['CONSIGNEE', 'Eva'],
      ['DRIVER', 'Tom'],
    ] as const) {
      await sign(dock, role, name);
      const state = await read();
      expect(state.shown.previousDigest).toBe(states.at(-1)!.digest);
      expect((await call('GET', document)).headers.get('ETag')).toContain(state.digest);
      states.push(state);
    }
    expect(new Set(states.map(({ digest }) => digest)).size).toBe(4);
    const { signatures, previousDigest, ...rest } = states[3]!.shown;
    expect(signatures.map(({ name, superseded }: Record<string, unknown>) => [name, superseded])).toEqual([
      ['Ben', true],
      ['Eva', false],
      ['Tom', false],
    ]);
    expect(signatures[0].strokes).toEqual([
      [
        [1, 2],
        [300.5, 400],
      ],
    ]);
    expect(previousDigest).toBe(states[2]!.digest);
    // Signatures change nothing else.
    expect(rest).toEqual(states[0]!.shown);
  });

  it('a signature before completion is in the first proof, which names no digest before', async () => {
    const dock = await departed();
    await dock.manifest('Z', 'A');
    await dock.shipment('S2', ['Z'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S2/status/IN_PROGRESS');
    await dock.must('POST', '/shipment/S2/signature', {
      role: 'LOADER',
      name: 'Ben',
      strokes: [[[5, 5]]],
      signDate: SIGNED,
    });
    await dock.must('POST', '/shipment/S2/status/COMPLETED');
    const { data } = await addressesOf(dock, 'shipment', 'S2');
    const { body } = await call('GET', data);
    expect([body.signatures.length, body.previousDigest]).toEqual([1, undefined]);
  });

  it('the summary shows the latest signature of each role with its lines', async () => {
    const dock = await departed();
    const { summary } = await addressesOf(dock, 'shipment', 'S');
    expect(await pageOf(summary)).not.toContain('id="signatures"');
    await sign(dock, 'DRIVER', 'Ben');
    await sign(dock, 'DRIVER', '<b>Tom');
    const html = await pageOf(summary);
    expect(saidBy(html)).toMatch(/Driver <b>Tom \d+ \w+/);
    expect(html).not.toContain('Ben');
    expect(html).toContain('<path d="M1 2L301 400"');
  });
});
