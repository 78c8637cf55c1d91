import { expect, it } from 'vitest';
import { newPerson, type Person, page } from '../../access/session/person.ts';
import { ORIGIN } from '../../client.ts';
import { addShipments } from '../../dispatch/load/shipment/bulk.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { envOver, FAILURES, failingD1, fetchOver } from '../../failing.ts';

const COUNT = 22;
/** More calls of D1 than the form has. */
const CALLS_MAXIMUM = 40;

const dock = await newDock({
  shipmentCustomFields: [
    { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
    { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
  ],
});
await addShipments(dock, 'S-', COUNT);
await dock.must('POST', '/shipment/S-1/custom-field', { fieldKey: 'haulier', fieldValue: 'Speedy Express' });
const person = await newPerson(dock, 'ADMINISTRATOR');
const uuids: string[] = await Promise.all(
  ['S-1', 'S-2', 'S-3'].map(async (name) => (await dock.must('GET', `/shipment/${name}`)).body.uuid),
);

type Fields = Record<string, string | string[]>;

async function bodyOf(fields: Fields): Promise<URLSearchParams> {
  const body = new URLSearchParams({ token: await person.token(), key: crypto.randomUUID() });
  for (const [name, value] of Object.entries(fields))
    for (const each of [value].flat()) body.append(name, each);
  return body;
}
const headersOf = ({ session }: Person) => ({ Cookie: `session=${session}`, Origin: ORIGIN });
const send = async (path: string, fields: Fields) =>
  page('POST', path, { headers: headersOf(person), fields: await bodyOf(fields) });
const checked = (html: string): string[] =>
  [...html.matchAll(/<input type="checkbox" name="row" value="([^"]+)" checked/g)].map(([, uuid]) => uuid!);
const carrierOf = async (name: string) =>
  (await dock.must('GET', `/shipment/${name}`)).body.customFields.find(
    ({ fieldKey }: { fieldKey: string }) => fieldKey === 'haulier',
  )?.fieldValue;

const TYPO = { action: 'carriers', carrier: 'Speedy Expres', departure: '2031-05-06T10:00', gate: 'H' };
const LIST = '/app/shipment?find=S-&sort.sortBy=externalIdentifier';

it('a carrier of chosen shipments that is nearly a known one is asked about, and back keeps the form', async () => {
  const asked = await send(LIST, { ...TYPO, row: uuids.slice(1) });
  expect([asked.status, asked.text.includes('Is “Speedy Expres” a new carrier?')]).toEqual([200, true]);
  expect(asked.text).toContain(`action="${LIST.replace('&', '&amp;')}"`);
  const back = await send(LIST, { ...TYPO, row: uuids.slice(1), back: '1' });
  expect(checked(back.text).toSorted()).toEqual(uuids.slice(1).toSorted());
  expect(back.text).toMatch(/name="carrier"[^>]* value="Speedy Expres"/);
  expect(back.text).toMatch(/name="departure"[^>]* value="2031-05-06T10:00"/);
  expect(back.text).toMatch(/<option value="H" selected/);
  expect(back.text).toContain('<details class="more" open');
  expect(await carrierOf('S-2')).toBeUndefined();
  const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.text)![1]!;
  const taken = await send(LIST, { ...TYPO, carrier: 'Speedy Express', row: uuids.slice(1), confirmed });
  expect(taken.text).toContain('2 of 2 are changed.');
  expect(await carrierOf('S-2')).toBe('Speedy Express');
  const fresh = await send(LIST, { ...TYPO, carrier: 'Completely Other', row: uuids.slice(2) });
  expect(fresh.text).toContain('1 of 1 are changed. “Completely Other” is a new carrier.');
});

it('all rows of a filter stay chosen on the way back from a question', async () => {
  const asked = await send(LIST, { action: 'cancelAll', all: String(COUNT) });
  expect(asked.text).toContain(`Cancel ${COUNT} shipments?`);
  const rows = [...asked.text.matchAll(/name="row" value="([^"]+)"/g)].map(([, uuid]) => uuid!);
  const back = await send(LIST, { action: 'cancelAll', row: rows, seen: String(COUNT), back: '1' });
  expect(checked(back.text)).toHaveLength(20);
  expect(back.text).toMatch(new RegExp(`name="all" value="${COUNT}" checked`));
});

it('after an outage the list with its filter still has the chosen rows, the input and the key', async () => {
  const fields = { ...TYPO, carrier: 'Speedy Express', row: uuids.slice(0, 1) };
  for (let from = 1; from < CALLS_MAXIMUM; from += 1) {
    const { db } = failingD1({ message: FAILURES.full, from, to: from });
    const body = await bodyOf(fields);
    const request = new Request(`${ORIGIN}${LIST}`, { method: 'POST', headers: headersOf(person), body });
    const { status, text } = await fetchOver(envOver(db), request);
    if (status !== 503 || !text.includes('id="bulk"')) continue;
    expect(checked(text)).toEqual(uuids.slice(0, 1));
    expect(text).toMatch(/name="carrier"[^>]* value="Speedy Express"/);
    expect(text).toContain(`name="key" value="${body.get('key')}"`);
    return;
  }
  expect.unreachable('no outage shows the list again');
});

it('all rows of a filter stay chosen after an outage of the confirmed action', async () => {
  const asked = await send(LIST, { ...TYPO, carrier: 'Speedy Express', all: String(COUNT) });
  const valuesOf = (name: string) =>
    [...asked.text.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, 'g'))].map(([, value]) => value!);
  const fields = {
    ...TYPO,
    carrier: 'Speedy Express',
    row: valuesOf('row'),
    seen: String(COUNT),
    confirmed: valuesOf('confirmed'),
  };
  for (let from = 1; from < CALLS_MAXIMUM; from += 1) {
    const { db } = failingD1({ message: FAILURES.full, from, to: from });
    const request = new Request(`${ORIGIN}${LIST}`, {
      method: 'POST',
      headers: headersOf(person),
      body: await bodyOf(fields),
    });
    const { status, text } = await fetchOver(envOver(db), request);
    if (status !== 503 || !text.includes('id="bulk"')) continue;
    expect(text).toMatch(new RegExp(`name="all" value="${COUNT}" checked`));
    expect(checked(text)).toHaveLength(20);
    return;
  }
  expect.unreachable('no outage shows the list again');
});

it('chosen shipments are cancelled, and their manifests are planned again unless the user chooses otherwise', async () => {
  for (const name of ['C-1', 'C-2']) {
    await dock.manifest(`M-${name}`, `P-${name}`);
    await dock.shipment(name, [`M-${name}`], { gateIdentifier: 'G' });
  }
  const cancel = async (name: string, manifests: string) => {
    const row = (await dock.must('GET', `/shipment/${name}`)).body.uuid;
    const asked = await send('/app/shipment', { action: 'cancelAll', row });
    expect(asked.text).toMatch(/name="manifests" value="RELEASE" checked/);
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.text)![1]!;
    const done = await send('/app/shipment', {
      action: 'cancelAll',
      row,
      confirmed,
      manifests,
      why: 'No carrier',
    });
    expect(done.text).toContain('1 of 1 are cancelled.');
    return (await dock.must('GET', `/manifest/M-${name}`)).body.manifestStatus;
  };
  expect(await cancel('C-1', 'RELEASE')).toBe('PLANNED');
  expect(await cancel('C-2', 'CANCEL')).toBe('CANCELLED');
});
