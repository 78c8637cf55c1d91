import { describe, expect, it } from 'vitest';
import { bookText } from '../../../../src/web/console/pallet-list/xlsx.ts';
import { newPerson, type Person, page } from '../../access/session/person.ts';
import { ORIGIN } from '../../client.ts';
import { addShipments, numbered } from '../../dispatch/load/shipment/bulk.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { envOver, FAILURES, failingD1, fetchOver } from '../../failing.ts';

const FIELDS = [
  { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
];

async function yard(count: number): Promise<{ dock: Dock; person: Person }> {
  const dock = await newDock({ shipmentCustomFields: FIELDS, timeZone: 'Europe/Berlin' });
  await addShipments(dock, 'S-', count);
  return { dock, person: await newPerson(dock, 'ADMINISTRATOR') };
}

type Fields = Record<string, string | string[]>;

async function bodyOf(person: Person, fields: Fields, key: string): Promise<URLSearchParams> {
  const body = new URLSearchParams({ token: await person.token(), key });
  for (const [name, value] of Object.entries(fields))
    for (const each of [value].flat()) body.append(name, each);
  return body;
}

const headersOf = ({ session }: Person) => ({ Cookie: `session=${session}`, Origin: ORIGIN });

/** Sends the form of a list as a browser does. */
async function send(person: Person, path: string, fields: Fields, key: string = crypto.randomUUID()) {
  return page('POST', path, { headers: headersOf(person), fields: await bodyOf(person, fields, key) });
}

/** Sends it while the database fails for some of the rows. */
async function sendDuringOutage(person: Person, path: string, fields: Fields, key: string) {
  const { db } = failingD1({ message: FAILURES.full, from: 15, to: 20 });
  const request = new Request(`${ORIGIN}${path}`, {
    method: 'POST',
    headers: headersOf(person),
    body: await bodyOf(person, fields, key),
    redirect: 'manual',
  });
  return fetchOver(envOver(db), request);
}

/** The fields of the form in a question. */
function questionOf(html: string): Fields {
  const asked = /<section class="asked"[\s\S]*?<\/section>/.exec(html)?.[0] ?? '';
  const hidden = [...asked.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const names = hidden.map(([, name]) => name!).filter((name) => name !== 'token' && name !== 'key');
  const valuesOf = (wanted: string) =>
    hidden.filter(([, name]) => name === wanted).map(([, , value]) => value!);
  return Object.fromEntries(names.map((name) => [name, valuesOf(name)]));
}

const open = async (dock: Dock): Promise<string[]> =>
  (await dock.must('GET', '/shipment?status=TO_DO&pageSize=100')).body.content.map(
    ({ externalIdentifier }: { externalIdentifier: string }) => externalIdentifier,
  );
const fieldsOf = async (dock: Dock, name: string): Promise<Record<string, string>> => {
  const { body } = await dock.must('GET', `/shipment/${name}`);
  return Object.fromEntries(
    body.customFields.map((field: { fieldKey: string; fieldValue: string }) => [
      field.fieldKey,
      field.fieldValue,
    ]),
  );
};
const uuidsOf = async (dock: Dock, kind: string, names: string[]): Promise<string[]> =>
  Promise.all(names.map(async (name) => (await dock.must('GET', `/${kind}/${name}`)).body.uuid));

describe('all rows of a filter', () => {
  it('all rows of a filter are cancelled after their number is confirmed, and no later row', async () => {
    const { dock, person } = await yard(23);
    await addShipments(dock, 'OTHER-', 1);
    const path = '/app/shipment?find=S-';
    const asked = await send(person, path, { action: 'cancelAll', all: '23', row: [] });
    expect(asked.text).toContain('Cancel 23 shipments?');
    expect(asked.text).toContain('All 23 rows match the filter now.');
    const question = questionOf(asked.text);
    expect(question.row).toHaveLength(23);
    await addShipments(dock, 'S-LATER-', 1);
    const why = { why: 'No carrier', whyNote: 'strike' };
    const done = await send(person, path, { ...question, ...why, action: 'cancelAll' });
    expect(done.text).toContain('23 of 23 are cancelled.');
    expect((await open(dock)).sort()).toEqual(['OTHER-0', 'S-LATER-0']);
    const log = (await dock.must('GET', '/audit-log?action=SHIPMENT_STATUS_CHANGED&pageSize=100')).body;
    expect(log.totalElements).toBe(23);
    expect(JSON.stringify(log.content[0].changes)).toContain('No carrier: strike');
  });

  it('the confirmation says if the filter has another number of rows than the user saw', async () => {
    const { person } = await yard(3);
    const fields = { action: 'carriers', carrier: 'Federal', all: '2' };
    const asked = await send(person, '/app/shipment', fields);
    expect(asked.text).toContain('You selected 2 rows. Now 3 rows match the filter.');
    expect(questionOf(asked.text).row).toHaveLength(3);
  });

  it('a filter with more than 1,000 rows is refused and nothing changes', async () => {
    const { dock, person } = await yard(1_001);
    const { text } = await page('GET', '/app/shipment', { headers: { Cookie: `session=${person.session}` } });
    expect(text).toContain('This filter has 1,001 rows. At most 1,000 can be selected at once.');
    const sent = await send(person, '/app/shipment', { action: 'cancelAll', all: '1001' });
    expect([sent.status, sent.text.includes('At most 1,000 can be selected')]).toEqual([400, true]);
    const row = Array.from({ length: 1_001 }, () => crypto.randomUUID() as string);
    expect((await send(person, '/app/shipment', { action: 'labels', row })).status).toBe(400);
    expect((await dock.must('GET', '/shipment?status=CANCELLED')).body.totalElements).toBe(0);
  });

  it('a file has the chosen rows, or all rows of the filter without a question', async () => {
    const { dock, person } = await yard(23);
    const row = await uuidsOf(dock, 'shipment', ['S-3', 'S-4']);
    const sent = (action: string, fields: Fields) =>
      send(person, '/app/shipment?find=S-1', { action, ...fields });
    const file = async (fields: Fields) => {
      const { headers, text } = await sent('fileRows', fields);
      expect(headers.get('Content-Type')).toMatch(/^text\/csv/);
      return [...text.matchAll(/^"(S-\d+)"/gm)].map(([, name]) => name!).sort();
    };
    expect(await file({ row })).toEqual(['S-3', 'S-4']);
    expect(await file({ all: '11' })).toHaveLength(11);
    const { bytes } = await sent('workbookRows', { row });
    const { text } = (await bookText(bytes)).sheets[0]!;
    expect(text.match(/^S-\d+/gm)!.sort()).toEqual(['S-3', 'S-4']);
  });
});

describe('actions on chosen rows', () => {
  it('chosen shipments get a carrier and a departure in the time zone of the site, once for a form', async () => {
    const { dock, person } = await yard(3);
    const row = await uuidsOf(dock, 'shipment', ['S-0', 'S-1', 'S-2']);
    await dock.must('POST', '/shipment/S-2/status/CANCELLED');
    const key = crypto.randomUUID();
    const set = { action: 'carriers', carrier: 'Federal', row };
    const done = await send(person, '/app/shipment', set, key);
    expect(done.text).toContain('2 of 3 are changed.');
    expect(done.text).toMatch(/<b>S-2<\/b> \(Cancelled\): The shipment is completed or cancelled\./);
    await dock.must('POST', '/shipment/S-1/custom-field', { fieldKey: 'haulier', fieldValue: 'Other' });
    expect((await send(person, '/app/shipment', set, key)).text).toContain('2 of 3 are changed.');
    const leaves = { action: 'departures', departure: '2026-07-01T14:30', row };
    expect((await send(person, '/app/shipment', leaves)).text).toContain('2 of 3 are changed.');
    expect(await fieldsOf(dock, 'S-0')).toEqual({ haulier: 'Federal', etd: '2026-07-01T14:30:00+02:00' });
    expect(await fieldsOf(dock, 'S-1')).toEqual({ haulier: 'Other', etd: '2026-07-01T14:30:00+02:00' });
    for (const wrong of [{ departure: 'soon' }, { departure: '' }, {}])
      expect((await send(person, '/app/shipment', { ...leaves, departure: '', ...wrong })).status).toBe(400);
  });

  it('a form that stops half-way and is sent again has one effect on each row', async () => {
    const { dock, person } = await yard(12);
    const row = await uuidsOf(dock, 'shipment', numbered('S-', 12));
    const key = crypto.randomUUID();
    const asked = await send(person, '/app/shipment', { action: 'cancelAll', row });
    const set = { ...questionOf(asked.text), action: 'cancelAll' };
    const cancelled = async () =>
      (await dock.must('GET', '/audit-log?action=SHIPMENT_STATUS_CHANGED')).body.totalElements;
    expect((await sendDuringOutage(person, '/app/shipment', set, key)).status).toBe(503);
    const before = await cancelled();
    expect([before > 0, before < 12]).toEqual([true, true]);
    // The question has other numbers now. The confirmed form is sent again, as a browser does on reload.
    const done = await send(person, '/app/shipment', set, key);
    expect(done.text).toContain('12 of 12 are cancelled.');
    expect(await cancelled()).toBe(12);
  });

  it('chosen manifests are marked as ready or cancelled, and each refused one shows its reason', async () => {
    const { dock, person } = await yard(0);
    for (const name of ['A', 'B']) await dock.manifest(name, `P-${name}`);
    await dock.shipment('T', ['B']);
    const row = [...(await uuidsOf(dock, 'manifest', ['A', 'B'])), crypto.randomUUID() as string];
    const done = await send(person, '/app/manifest', { action: 'ready', row });
    expect(done.text).toContain('1 of 3 are ready.');
    expect(done.text).toMatch(/<b>B<\/b> \(\S+\): The manifest belongs to a shipment\./);
    const asked = await send(person, '/app/manifest', { action: 'cancelAll', row });
    expect(asked.text).toContain('Cancel 3 manifests?');
    const cancelled = await send(person, '/app/manifest', {
      ...questionOf(asked.text),
      action: 'cancelAll',
      why: 'Order withdrawn',
    });
    expect(cancelled.text).toContain('2 of 3 are cancelled.');
    expect((await dock.must('GET', '/manifest/A')).body.manifestStatus).toBe('CANCELLED');
  });

  it('a refused form keeps its rows chosen', async () => {
    const { dock, person } = await yard(2);
    const row = await uuidsOf(dock, 'shipment', ['S-1']);
    const { status, text } = await send(person, '/app/shipment', { action: 'carriers', carrier: '', row });
    expect(status).toBe(400);
    expect(text.match(/name="row" value="[^"]+" checked=""/g)).toEqual([
      `name="row" value="${row[0]}" checked=""`,
    ]);
  });
});
