import { describe, expect, it } from 'vitest';
import { signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { gateUuid, type Pages, pagesOf } from './forms.ts';

const STROKES = JSON.stringify([
  [
    [10, 20],
    [300, 200],
  ],
]);

async function atDock(shipmentCustomFields: object[] = []) {
  const dock = await newDock({ shipmentCustomFields });
  await dock.couple('A', 'B');
  await dock.manifest('M', 'A', 'B');
  const gate = `/app/gate/${await gateUuid(dock)}`;
  return { dock, gate, pages: pagesOf(await signIn(dock)) };
}

const confirmedOf = (html: string): string => /name="confirmed" value="([^"]+)"/.exec(html)![1]!;
const questionOf = async (pages: Pages, gate: string, thing: string): Promise<string> =>
  (await pages.get(`${gate}?${new URLSearchParams({ confirm: 'complete', thing })}`)).html;

describe('the question at a gate before a load is completed', () => {
  it('the signature of a shipment is stored with its completion, and covers the seal that is entered with it', async () => {
    const { dock, gate, pages } = await atDock([{ fieldKey: 'seal', fieldType: 'TEXT', role: 'SEAL' }]);
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    await dock.scan('A');
    const thing = `shipment:${(await dock.must('GET', '/shipment/S')).body.uuid}`;
    const html = await questionOf(pages, gate, thing);
    for (const part of [
      'data-photo="LOAD"',
      'data-photo="SEAL"',
      'name="signerName"',
      '<canvas',
      'name="strokes"',
    ])
      expect([part, html.includes(part)]).toEqual([part, true]);
    const form = {
      ...{ thing, confirmed: confirmedOf(html), seal: 'X-1', why: 'Next truck' },
      ...{ signerName: ' Eva Meier ', strokes: STROKES },
    };
    const key = crypto.randomUUID();
    for (const _ of [1, 2]) expect((await pages.send(gate, 'complete', form, key)).status).toBe(303);
    const signatures = (await dock.must('GET', '/shipment/S/signature')).body;
    expect(signatures).toHaveLength(1);
    expect(signatures[0]).toMatchObject({
      ...{ role: 'DRIVER', name: 'Eva Meier' },
      signedFor: { status: 'IN_PROGRESS', loadedAssetsCount: 1, totalAssetsCount: 2, seal: 'X-1' },
    });
    const { body } = await dock.must('GET', '/shipment/S');
    expect([body.status, body.shortReason]).toEqual(['COMPLETED', 'Next truck']);
    // The proof says that nothing has changed since.
    const summary = await (await fetchOf(body.shipmentSummaryUrl)).text();
    expect(summary).toContain('Eva Meier');
    expect(summary).not.toContain('Changed since');
    const page = (await pages.get(gate)).html;
    expect(page).toContain('S was completed at');
    expect(page).toContain('Signed: Eva Meier (Driver)');
  });

  it('a manifest without a shipment is signed in the same way, and a signature is optional', async () => {
    const { dock, gate, pages } = await atDock();
    await dock.manifest('N', 'A');
    for (const name of ['M', 'N']) {
      await dock.must('POST', `/manifest/${name}/gate/G`);
      await dock.must('POST', `/manifest/${name}/status/TO_DO`);
      await dock.must('POST', `/manifest/${name}/status/IN_PROGRESS`);
      const thing = `manifest:${(await dock.must('GET', `/manifest/${name}`)).body.uuid}`;
      const confirmed = confirmedOf(await questionOf(pages, gate, thing));
      const signed =
        name === 'M' ? { signerName: 'Eva', strokes: STROKES } : { signerName: '', strokes: '[]' };
      const sent = await pages.send(gate, 'complete', { thing, confirmed, why: 'Next truck', ...signed });
      expect(sent.status).toBe(303);
      expect((await dock.must('GET', `/manifest/${name}`)).body.manifestStatus).toBe('COMPLETED');
    }
    expect((await dock.must('GET', '/manifest/M/signature')).body).toMatchObject([
      { role: 'DRIVER', name: 'Eva' },
    ]);
    expect((await dock.must('GET', '/manifest/N/signature')).body).toEqual([]);
  });

  it('a half signature is refused in the question, which keeps it, and nothing is completed', async () => {
    const { dock, gate, pages } = await atDock();
    await dock.must('POST', '/manifest/M/gate/G');
    await dock.must('POST', '/manifest/M/status/TO_DO');
    await dock.must('POST', '/manifest/M/status/IN_PROGRESS');
    const thing = `manifest:${(await dock.must('GET', '/manifest/M')).body.uuid}`;
    const confirmed = confirmedOf(await questionOf(pages, gate, thing));
    for (const [signed, said] of [
      [{ signerName: 'Eva', strokes: '[]' }, 'Not saved: draw your signature first.'],
      [{ signerName: ' ', strokes: STROKES }, 'Not saved: enter the name of the person who signs.'],
      [{ signerName: 'Eva', strokes: '[[[1,2],[99999,3]]]' }, 'The signature has too many lines.'],
      [{ signerName: 'Eva', strokes: '{' }, 'The signature has too many lines.'],
    ] as const) {
      const { status, html } = await pages.send(gate, 'complete', {
        thing,
        confirmed,
        why: 'Next truck',
        ...signed,
      });
      expect([signed, status, html.includes(said)]).toEqual([signed, 400, true]);
      expect(html).toContain(`name="strokes" value="${signed.strokes.replaceAll('"', '&quot;')}"`);
    }
    expect((await dock.must('GET', '/manifest/M')).body.manifestStatus).toBe('IN_PROGRESS');
    expect((await dock.must('GET', '/manifest/M/signature')).body).toEqual([]);
  });

  it('the page shows the load that was completed last only while nothing is being loaded there', async () => {
    const { dock, gate, pages } = await atDock();
    await dock.manifest('N', 'A');
    for (const [name, done] of [
      ['M', true],
      ['N', false],
    ] as const) {
      await dock.must('POST', `/manifest/${name}/gate/G`);
      await dock.must('POST', `/manifest/${name}/status/TO_DO`);
      await dock.must('POST', `/manifest/${name}/status/IN_PROGRESS`);
      if (done) await dock.must('POST', `/manifest/${name}/status/COMPLETED`);
      expect([name, (await pages.get(gate)).html.includes('M was completed at')]).toEqual([name, done]);
    }
  });
});

const fetchOf = async (url: string): Promise<Response> => {
  const { exports } = await import('cloudflare:workers');
  const { default: service } = exports as unknown as { default: { fetch: typeof globalThis.fetch } };
  return service.fetch(url);
};
