import { describe, expect, it } from 'vitest';
import { signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { pagesOf } from './forms.ts';

const dock = await newDock();
const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));

let made = 0;
/** Creates a manifest with these fields. Returns its page and readers. */
async function manifest(fields: Record<string, string> = {}) {
  made += 1;
  const externalIdentifier = `M${made}`;
  const customFields = Object.entries(fields).map(([fieldKey, fieldValue]) => ({ fieldKey, fieldValue }));
  await dock.must('POST', '/manifest', { externalIdentifier, assets: [`P${made}`], customFields });
  const read = async () => (await dock.must('GET', `/manifest/${externalIdentifier}`)).body;
  return {
    externalIdentifier,
    page: `/app/manifest/${(await read()).uuid}`,
    gate: async () => (await read()).gate?.externalIdentifier ?? null,
    fields: async () =>
      Object.fromEntries(
        (await read()).customFields.map(({ fieldKey, fieldValue }: Record<string, string>) => [
          fieldKey,
          fieldValue,
        ]),
      ),
  };
}
const pencils = (html: string) => html.split('class="pencil"').slice(1);
const formOf = (html: string, key: string) =>
  pencils(html).find((form) => form.includes(`name="fieldKey" value="${key}"`)) ?? '';

describe('a fact of a manifest', () => {
  it('gate and custom fields have a form where they are shown, and no other form', async () => {
    const { page } = await manifest({ consignee: 'Ann', 'delivery note': 'DN-7' });
    const { html } = await pages.get(page);
    expect(formOf(html, 'consignee')).toContain('Change Consignee');
    expect(formOf(html, 'consignee')).toContain('value="Ann"');
    expect(formOf(html, 'delivery note')).toContain('Change delivery note');
    expect(html).toContain('Change Gate');
    expect(html).not.toContain('Custom fields');
    expect(html.match(/name="action" value="gate"/g)).toHaveLength(1);
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    expect([new Set(ids).size, ids.filter((id) => /\s/.test(id))]).toEqual([ids.length, []]);
  });

  it('a field is changed, removed by an empty input, and added', async () => {
    const { page, fields } = await manifest({ consignee: 'Ann' });
    const put = (action: string, fieldKey: string, fieldValue: string) =>
      pages.send(page, action, { fieldKey, fieldValue });
    expect((await put('putField', 'consignee', ' Bob ')).notice).toContain('Consignee was set.');
    expect(await fields()).toEqual({ consignee: 'Bob' });
    expect((await put('putField', 'consignee', ' ')).notice).toContain('Consignee was removed.');
    expect(await fields()).toEqual({});
    expect((await put('addField', 'routeCode', 'R1')).notice).toContain('Route code was set.');
    expect(await fields()).toEqual({ routeCode: 'R1' });
  });

  it('the priority is shown, changed by its pencil, and a filter and a column of the list', async () => {
    const { page, externalIdentifier } = await manifest();
    expect((await pages.send(page, 'setFacts', { priority: 'HIGH' })).notice).toContain('Priority was set.');
    expect((await dock.must('GET', `/manifest/${externalIdentifier}`)).body.priority).toBe('HIGH');
    expect((await pages.send(page, 'setFacts', { priority: 'URGENT' })).status).toBe(400);
    const { html } = await pages.get('/app/manifest?priority=HIGH&columns=priority');
    expect(html).toContain(externalIdentifier);
    expect((await pages.get('/app/manifest?priority=LOW')).html).not.toContain(`>${externalIdentifier}<`);
  });

  it('a refused form stays open with its input, and the others stay closed', async () => {
    const { page, fields } = await manifest({ consignee: 'Ann', note: 'x' });
    const long = 'y'.repeat(1_001);
    const refused = await pages.send(page, 'putField', { fieldKey: 'note', fieldValue: long });
    expect([refused.status, refused.html.match(/class="pencil" open/g)?.length]).toEqual([400, 1]);
    expect(formOf(refused.html, 'note')).toContain(long);
    expect(formOf(refused.html, 'consignee')).toContain('value="Ann"');
    const nameless = await pages.send(page, 'addField', { fieldKey: '', fieldValue: 'kept' });
    expect([nameless.status, nameless.html.includes('class="new-fact" open')]).toEqual([400, true]);
    expect(nameless.html).toContain('value="kept"');
    expect(await fields()).toEqual({ consignee: 'Ann', note: 'x' });
  });

  it('the gate has a form unless the manifest is in a shipment or closed', async () => {
    const { page, gate, externalIdentifier } = await manifest({ consignee: 'Ann' });
    expect((await pages.send(page, 'gate', { gate: 'H' })).status).toBe(303);
    expect(await gate()).toBe('H');
    await dock.must('POST', '/shipment', {
      identifier: 'S',
      manifests: [{ manifestExternalId: externalIdentifier }],
    });
    const attached = (await pages.get(page)).html;
    expect([attached.includes('Change Gate'), attached.includes('Change Consignee')]).toEqual([false, true]);
    await dock.must('POST', '/shipment/S/status/CANCELLED');
    const closed = (await pages.get(page)).html;
    expect([pencils(closed).length, closed.includes('new-fact'), closed.includes('Ann')]).toEqual([
      0,
      false,
      true,
    ]);
  });

  it('a user who may not operate sees the facts without forms', async () => {
    const viewer = pagesOf(await signIn(dock, 'VIEWER'));
    const { page } = await manifest({ consignee: 'Ann' });
    const { html } = await viewer.get(page);
    expect([html.includes('Ann'), pencils(html).length, html.includes('new-fact')]).toEqual([true, 0, false]);
    expect((await viewer.send(page, 'addField', { fieldKey: 'a', fieldValue: 'b' })).status).toBe(403);
  });
});

describe('the consignee of a manifest', () => {
  it('the consignee is a column of the list that a user can choose', async () => {
    const { externalIdentifier } = await manifest({ consignee: 'Blauer See, Mannheim' });
    const { html } = await pages.get(`/app/manifest?find=${externalIdentifier}`);
    expect([html.includes('value="consignee"'), html.includes('Blauer See')]).toEqual([true, false]);
    const chosen = (await pages.get('/app/manifest?columns=consignee')).html;
    expect(/<tr[^>]*>(?:(?!<\/tr>).)*Blauer See, Mannheim/s.exec(chosen)?.[0]).toContain(externalIdentifier);
  });

  it('the consignee is shown beside the manifest where manifests are chosen for a shipment', async () => {
    const { externalIdentifier } = await manifest({ consignee: 'Cactus, Buenos Aires' });
    expect((await pages.get('/app/shipment/new')).html).toContain(
      `${externalIdentifier}, 1 pallet, Cactus, Buenos Aires`,
    );
  });
});
