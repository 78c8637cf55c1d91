import { describe, expect, it } from 'vitest';
import { customField } from '../../../../src/dispatch/custom-field/store.ts';
import { operator } from '../../client.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { numbered, store } from '../../dispatch/load/shipment/bulk.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded } from '../../statements.ts';
import { pagesOf } from './forms.ts';

const dock = await newDock({
  timeZone: 'Europe/Berlin',
  shipmentCustomFields: [
    { fieldKey: 'weightClass', fieldType: 'NUMBER' },
    { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
    { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
    { fieldKey: 'cutOff', fieldType: 'DATE_TIME' },
  ],
});
const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
const NEW = '/app/shipment/new';

let made = 0;
/** Creates a shipment with these fields. Returns its page and a reader of its fields. */
async function shipment(fields: Record<string, string> = {}) {
  made += 1;
  await dock.manifest(`M${made}`, `P${made}`);
  const customFields = Object.entries(fields).map(([fieldKey, fieldValue]) => ({ fieldKey, fieldValue }));
  await dock.shipment(`S${made}`, [`M${made}`], { customFields });
  const path = `/shipment/S${made}`;
  const { uuid } = (await dock.must('GET', path)).body;
  return {
    page: `/app/shipment/${uuid}`,
    fields: async () =>
      Object.fromEntries(
        (await dock.must('GET', path)).body.customFields.map(
          ({ fieldKey, fieldValue }: Record<string, string>) => [fieldKey, fieldValue],
        ),
      ),
  };
}
const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const formOf = (html: string, key: string) =>
  html.split('class="pencil"').find((form) => form.includes(`name="fieldKey" value="${key}"`)) ?? '';
/** Sends the form of one fact and returns the refusal or the notice. */
async function put(page: string, fieldKey: string, fieldValue: string, more: Record<string, string> = {}) {
  const sent = await pages.send(page, 'putField', { fieldKey, fieldValue, ...more });
  return { ...sent, text: textOf(sent.html) };
}

describe('a fact of a shipment', () => {
  it('each fact has a form under its label with the input of its type', async () => {
    const { page } = await shipment({ haulier: 'Federal', etd: '2026-07-01T14:30:00+02:00' });
    const { html } = await pages.get(page);
    const inputs = [
      ['etd', 'Change Departure', 'type="datetime-local" value="2026-07-01T14:30"'],
      ['haulier', 'Change Carrier', 'value="Federal"'],
      ['weightClass', 'Change Weight class', 'type="number" value=""'],
      ['cutOff', 'Change Cut off', 'type="datetime-local" value=""'],
    ] as const;
    for (const [key, label, input] of inputs) {
      expect([key, formOf(html, key).includes(label)]).toEqual([key, true]);
      expect([key, formOf(html, key).includes(input)]).toEqual([key, true]);
    }
    expect(html).not.toContain('Custom fields');
    expect(html).toContain('Change Gate');
    expect(new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)).size).toBe(
      [...html.matchAll(/ id="([^"]+)"/g)].length,
    );
  });

  it('facts with a role come first, in the order of the roles', async () => {
    const { page } = await shipment({ haulier: 'Federal' });
    const { html } = await pages.get(page);
    const keys = [...html.matchAll(/class="pencil"(?:(?!<\/form>)[\s\S])*?name="fieldKey" value="([^"]+)"/g)];
    expect(keys.map(([, key]) => key)).toEqual(['etd', 'haulier', 'weightClass', 'cutOff']);
  });

  it('a user who may not operate sees the facts without pencils and without carriers', async () => {
    const viewer = pagesOf(await signIn(dock, 'VIEWER'));
    const { page } = await shipment({ haulier: 'Federal' });
    const { html } = await viewer.get(page);
    expect(html).toContain('Federal');
    expect(html).not.toContain('class="pencil"');
    expect(html).not.toContain('<datalist');
    expect((await viewer.send(page, 'putField', { fieldKey: 'haulier', fieldValue: 'X' })).status).toBe(403);
  });

  it('a local time gets the offset of the site, and an empty input removes the field', async () => {
    const { page, fields } = await shipment();
    for (const [typed, stored] of [
      ['2026-07-01T14:30', '2026-07-01T14:30:00+02:00'],
      ['25.11.2026 14:30', '2026-11-25T14:30:00+01:00'],
      ['2026-07-01T14:30:00-04:00', '2026-07-01T14:30:00-04:00'],
    ] as const) {
      expect((await put(page, 'etd', typed)).status).toBe(303);
      expect((await fields()).etd).toBe(stored);
    }
    expect((await put(page, 'etd', ' ')).status).toBe(303);
    expect(await fields()).toEqual({});
  });

  it('a refusal names the field by its label, keeps the input and changes nothing', async () => {
    const { page, fields } = await shipment({ haulier: 'Federal' });
    for (const [key, typed, refusal] of [
      ['etd', 'soon', 'Departure: Enter a date and a time'],
      ['etd', '2026-11-25', 'Departure: Enter a date and a time'],
      ['weightClass', 'heavy', 'Weight class: Enter a number.'],
    ] as const) {
      const { status, html, text } = await put(page, key, typed);
      expect([typed, status, text.includes(refusal)]).toEqual([typed, 400, true]);
      expect(html.match(/class="pencil" open/g)).toHaveLength(1);
      expect(formOf(html, key)).toContain(`value="${typed}"`);
      expect(formOf(html, 'haulier')).toContain('value="Federal"');
    }
    expect(await fields()).toEqual({ haulier: 'Federal' });
  });

  it('a time that the clocks skip or repeat is saved by the rule for dates, and the notice says so', async () => {
    const { page, fields } = await shipment();
    for (const [typed, stored, notice] of [
      ['2026-03-29T02:30', '2026-03-29T03:30:00+02:00', 'Departure: 02:30 does not exist on that day'],
      ['2026-10-25T02:30', '2026-10-25T02:30:00+02:00', 'Departure: 02:30 occurs twice on that day'],
    ] as const) {
      const { status, notice: said } = await put(page, 'etd', typed);
      expect([typed, status, (await fields()).etd]).toEqual([typed, 303, stored]);
      expect(said).toContain(notice);
    }
  });

  it('a departure that nobody changed keeps its value in the hour that occurs twice', async () => {
    const second = '2026-10-25T02:30:00+01:00';
    const { page, fields } = await shipment({ etd: second });
    expect(formOf((await pages.get(page)).html, 'etd')).toContain('value="2026-10-25T02:30"');
    await put(page, 'etd', '2026-10-25T02:30', { was: second });
    expect((await fields()).etd).toBe(second);
    await pages.send(page, 'later', { fieldKey: 'etd', fieldValue: '2026-10-25T02:30', was: second });
    expect((await fields()).etd).toBe('2026-10-25T03:00:00+01:00');
  });

  it('one button moves the departure by 30 minutes, without a departure from now', async () => {
    const { page, fields } = await shipment({ etd: '2026-07-01T23:45:00+02:00' });
    const was = '2026-07-01T23:45:00+02:00';
    await pages.send(page, 'later', { fieldKey: 'etd', fieldValue: '2026-07-01T23:45', was });
    expect((await fields()).etd).toBe('2026-07-02T00:15:00+02:00');
    const other = await shipment();
    const before = Date.now();
    await pages.send(other.page, 'later', { fieldKey: 'etd', fieldValue: '' });
    const away = Date.parse((await other.fields()).etd) - before;
    expect(away > 29 * 60_000 && away <= 36 * 60_000).toBe(true);
  });

  it('a field that the settings do not have any more can be removed', async () => {
    const { page, fields } = await shipment({ cutOff: '2026-07-01T14:30:00+02:00' });
    const settings = (await operator('GET', `/organization/${dock.uuid}`)).body.shipmentCustomFields;
    const path = `/organization/${dock.uuid}`;
    const without = settings.filter(({ fieldKey }: { fieldKey: string }) => fieldKey !== 'cutOff');
    await operator('PUT', path, { shipmentCustomFields: without });
    expect(textOf((await pages.get(page)).html)).toContain('cutOff 2026-07-01T14:30:00+02:00 Remove');
    expect((await pages.send(page, 'removeField', { fieldKey: 'cutOff' })).status).toBe(303);
    expect(await fields()).toEqual({});
    await operator('PUT', path, { shipmentCustomFields: settings });
  });
});

/** Saves 2,000 fields of 1,000 carriers. */
async function addCarriers(count: number): Promise<void> {
  const fieldKey = 'haulier';
  await store(dock, (database) =>
    database.insert(
      customField,
      numbered('Carrier ', count).flatMap((fieldValue) =>
        ['one', 'other'].map(() => ({
          ownerUuid: crypto.randomUUID(),
          fieldKey,
          fieldValue,
          foldedValue: null,
        })),
      ),
    ),
  );
}

describe('the carriers of an organization', () => {
  it('a new name that is nearly a known carrier is asked about, and both answers work', async () => {
    await shipment({ haulier: 'Speedy Express' });
    const { page, fields } = await shipment();
    const asked = await put(page, 'haulier', 'Speedy Expres');
    expect([asked.status, asked.text.includes('Is “Speedy Expres” a new carrier?')]).toEqual([200, true]);
    expect(await fields()).toEqual({});
    expect(asked.html).toMatch(/<option value="Speedy Express" selected/);
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.html)![1]!;
    expect((await put(page, 'haulier', 'Speedy Express', { confirmed })).status).toBe(303);
    expect(await fields()).toEqual({ haulier: 'Speedy Express' });
    expect((await put(page, 'haulier', 'Speedy Expres', { confirmed })).status).toBe(303);
    expect(await fields()).toEqual({ haulier: 'Speedy Expres' });
    // Its own former name is no other carrier, so a typing error is corrected without a question.
    const own = await shipment({ haulier: 'Norhtern' });
    expect((await put(own.page, 'haulier', 'Northern')).status).toBe(303);
  });

  it('the way back from the question keeps what was typed', async () => {
    await shipment({ haulier: 'Western Cargo' });
    const { page } = await shipment();
    const asked = await put(page, 'haulier', 'Western Carg');
    expect(asked.html).toContain('name="back" value="1"');
    const back = await put(page, 'haulier', 'Western Carg', { back: '1' });
    expect([back.status, back.html.match(/class="pencil" open/g)?.length]).toEqual([200, 1]);
    expect(formOf(back.html, 'haulier')).toContain('value="Western Carg"');
    await dock.manifest('BACK-1', 'B1');
    const form = { identifier: 'BACK', gate: 'H', manifest: 'BACK-1', notes: 'Tail lift', names: 'BACK-2' };
    const typed = { ...form, 'field.etd': '2026-07-01T14:30', 'field.haulier': 'Western Carg', back: '1' };
    const { html } = await pages.send(NEW, 'create', typed);
    for (const kept of [
      'value="BACK"',
      'value="2026-07-01T14:30"',
      'value="Western Carg"',
      'Tail lift',
      'BACK-2',
    ])
      expect([kept, html.includes(kept)]).toEqual([kept, true]);
    expect(html).toMatch(/<option value="H" selected/);
    expect(html).toMatch(/name="manifest" value="BACK-1" checked/);
    expect((await dock.call('GET', '/shipment/BACK')).status).toBe(404);
  });

  it('another new name is saved, and the notice says that it is new', async () => {
    const { page, fields } = await shipment();
    expect((await put(page, 'haulier', 'Completely Other')).notice).toContain(
      '“Completely Other” is a new carrier.',
    );
    expect(await fields()).toEqual({ haulier: 'Completely Other' });
    expect((await put(page, 'haulier', 'Completely Other')).notice).not.toContain('new carrier');
  });

  it('the new shipment suggests the known carriers, asks about a similar one and reads local times', async () => {
    const { html } = await pages.get(NEW);
    expect(html).toMatch(
      /<datalist id="carriers" data-whole="">(<option[^>]*>(<\/option>)?)*<option value="Speedy Express"/,
    );
    await dock.manifest('NEW-1', 'N1');
    const form = { identifier: 'NEW', gate: '', manifest: 'NEW-1', 'field.etd': '2026-07-01T14:30' };
    const refused = await pages.send(NEW, 'create', { ...form, 'field.etd': 'soon' });
    expect([refused.status, textOf(refused.html).includes('Departure: Enter a date and a time')]).toEqual([
      400,
      true,
    ]);
    const asked = await pages.send(NEW, 'create', { ...form, 'field.haulier': 'speedy express' });
    expect([asked.status, asked.html.includes('name="field.haulier"')]).toEqual([200, true]);
    expect((await dock.call('GET', '/shipment/NEW')).status).toBe(404);
    expect((await pages.send(NEW, 'create', { ...form, 'field.haulier': 'Speedy Express' })).status).toBe(
      303,
    );
    const { body } = await dock.must('GET', '/shipment/NEW');
    expect(body.customFields.map(({ fieldValue }: { fieldValue: string }) => fieldValue).toSorted()).toEqual([
      '2026-07-01T14:30:00+02:00',
      'Speedy Express',
    ]);
  });

  it('the button for 30 minutes fills the new form without a script and keeps its input', async () => {
    const form = { identifier: 'KEPT', gate: '', 'field.etd': '2026-07-01T14:30', 'field.haulier': 'Fed' };
    const { status, html } = await pages.send(NEW, 'later', form);
    expect([status, html.includes('value="2026-07-01T15:00"'), html.includes('value="KEPT"')]).toEqual([
      200,
      true,
      true,
    ]);
    expect(html).toContain('value="Fed"');
    const empty = await pages.send(NEW, 'later', { identifier: 'KEPT', gate: '', 'field.etd': '' });
    expect(empty.html).toMatch(/type="datetime-local" value="\d{4}-\d\d-\d\dT\d\d:\d[05]"/);
  });

  it('1,000 carriers on 2,000 shipments are bounded in rows and bytes', async () => {
    await addCarriers(1_000);
    let bytes = 0;
    const trips = await recorded(async () => {
      bytes = (await pages.get(NEW)).html.length;
    });
    expect(
      trips.filter(({ statements }) => statements.some(({ text }) => text.includes('known'))),
    ).toHaveLength(1);
    expect(trips.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThan(1_500);
    expect(bytes).toBeLessThan(60_000);
    expect((await pages.get(NEW)).html).not.toContain('data-whole');
  });
});

describe('the switches for facts in the settings', () => {
  const rolesOf = async () =>
    (await operator('GET', `/organization/${dock.uuid}`)).body.shipmentCustomFields.map(
      ({ fieldKey, role }: Record<string, string | null>) => [fieldKey, role],
    );
  const switches = (html: string) =>
    [...html.matchAll(/name="roles" value="([A-Z_]+)"( checked)?/g)].map(([, role, on]) => [
      role,
      on !== undefined,
    ]);

  it('a switch gives a role a field, and switching it off keeps the field and its values', async () => {
    const { html } = await pages.get('/app/settings');
    expect(switches(html)).toEqual([
      ['PLANNED_DEPARTURE', true],
      ['CARRIER', true],
      ['VEHICLE', false],
      ['SEAL', false],
    ]);
    const { fields } = await shipment({ haulier: 'Federal' });
    expect((await pages.send('/app/settings', 'facts', { roles: 'SEAL' })).status).toBe(303);
    expect(await rolesOf()).toEqual([
      ['weightClass', null],
      ['haulier', null],
      ['etd', null],
      ['cutOff', null],
      ['seal', 'SEAL'],
    ]);
    expect(await fields()).toEqual({ haulier: 'Federal' });
    expect((await pages.send('/app/settings', 'facts', { roles: 'NOBODY' })).status).toBe(400);
    const viewer = pagesOf(await signIn(dock, 'VIEWER'));
    expect((await viewer.send('/app/settings', 'facts', { roles: 'CARRIER' })).status).toBe(403);
    expect((await viewer.get('/app/settings')).html).not.toContain('name="roles"');
    expect((await rolesOf()).length).toBe(5);
  });
});
