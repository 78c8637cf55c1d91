import { describe, expect, it } from 'vitest';
import { newPerson } from '../../access/session/person.ts';
import { operator } from '../../client.ts';
import { loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded } from '../../statements.ts';

const SSCC = '395212345678901007';
const dock = await loadingDock();
await operator('PUT', `/organization/${dock.uuid}/gate/G`, { name: 'Dock 04' });
await dock.couple(SSCC);
await dock.manifest('LATER', SSCC);
const ben = await newPerson(dock, 'ADMINISTRATOR');
await dock.scan('A');
await dock.scan(999);
const { uuid: shipment } = (await dock.must('GET', '/shipment/S')).body;
const { body: manifest } = await dock.must('GET', '/manifest/M');

/** The sentences of the audit log, latest first. */
async function sentences(query: string, who = ben): Promise<string[]> {
  const { text, status } = await who.get(`/app/audit-log${query}`);
  if (status !== 200) throw new Error(`status ${status}`);
  return [...text.matchAll(/<td class="wide">([\s\S]*?)<\/td>/g)].map(([, cell]) =>
    cell!
      .replace(/<details[\s\S]*<\/details>/, '')
      .replace(/<[^>]+>/g, '')
      .trim(),
  );
}

describe('the page of the audit log', () => {
  it('the filter by pallet answers who loaded it, and where', async () => {
    const [latest, ...others] = await sentences('?pallet=A');
    expect(latest).toMatch(/^.+ loaded pallet A \(Dock 04\)$/);
    expect(others.every((sentence) => /pallet A\b/.test(sentence))).toBe(true);
    const spaced = encodeURIComponent('(00) 3 9521234 567890100 7');
    expect(await sentences(`?pallet=${spaced}`)).toEqual(await sentences(`?pallet=${SSCC}`));
    expect(await sentences(`?pallet=${SSCC}`)).not.toEqual([]);
    expect(await sentences('?pallet=M')).toEqual([]);
    const { uuid } = (await dock.must('GET', '/track/A')).body;
    expect((await ben.get(`/app/track/${uuid}`)).text).toContain('href="/app/audit-log?pallet=A"');
  });

  it('the filter by pallet does not find persons', async () => {
    expect(await sentences(`?pallet=${encodeURIComponent(ben.email)}`)).toEqual([]);
  });

  it('a scan is folded into the loading that it led to', async () => {
    const { text } = await ben.get('/app/audit-log');
    expect(text).toContain('1 more record');
    const all = await sentences('');
    expect(all.filter((sentence) => /scanned A \(Loaded\)/.test(sentence))).toEqual([]);
    expect(text).toContain('scanned A (Loaded)');
    expect(all.some((sentence) => sentence.endsWith('scanned a wrong pallet (Dock 04): marker 999'))).toBe(
      true,
    );
  });

  it('the filters Who and When find the records of a person and of a day in the zone of the site', async () => {
    await ben.post(`/app/manifest/${manifest.uuid}`, 'putField', { fieldKey: 'dock', fieldValue: '4' });
    const mine = await sentences('?who=jane');
    expect(mine[0]).toBe('Jane Doe changed manifest M');
    expect(mine.every((sentence) => sentence.startsWith('Jane Doe'))).toBe(true);
    const today = new Date().toISOString().slice(0, 10);
    expect((await sentences(`?who=jane&when=${today}`))[0]).toBe(mine[0]);
    expect(await sentences('?when=2020-01-01')).toEqual([]);
    expect((await ben.get('/app/audit-log?when=yesterday')).status).toBe(400);
    const { text } = await ben.get('/app/audit-log');
    const order = ['who', 'when', 'pallet'].map((name) => text.indexOf(`id="${name}"`));
    expect(order.every((at) => at > 0 && at < text.indexOf('More filters'))).toBe(true);
  });

  it('no page of the log shows raw field names, and the log of the API has no names of the page', async () => {
    await ben.post('/app/shipment', 'saveView', { name: 'Cold', query: 'status=TO_DO' });
    const { text } = await ben.get('/app/audit-log');
    expect(text).toContain('View: Cold');
    for (const raw of ['savedViews', 'customFields.', 'without a name']) expect(text).not.toContain(raw);
    const { body } = await dock.must('GET', '/audit-log?action=SCANS_RECORDED');
    expect(Object.keys(body.content[0])).not.toContain('pallets');
    const record = await ben.get(`/app/audit-log/${body.content[0].uuid}`);
    expect(record.text).not.toContain('gateName');
    expect((await ben.get(`/app/shipment/${shipment}`)).text).toMatch(
      /loaded pallet (<[^>]+>)*A(<[^>]+>)* \(Dock 04\)/,
    );
  });

  it('the page of the audit log is read in one round trip', async () => {
    for (const query of ['', '?pallet=A', '?who=jane&when=2026-11-26']) {
      const trips = await recorded(() => ben.get(`/app/audit-log${query}`));
      expect([query, trips.length]).toEqual([query, 1]);
      expect([query, trips[0]!.rowsRead < 1_500 || trips[0]!.rowsRead]).toEqual([query, true]);
    }
  });
});
