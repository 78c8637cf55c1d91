import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../../src/messages/languages.ts';
import { wordsIn } from '../../../../src/messages/words.ts';
import { findDriverLoad } from '../../../../src/web/pages/driver-store.ts';
import { PUBLIC_LIMITS } from '../../../../src/web/pages/quota.ts';
import { storedState } from '../../../contract/state.ts';
import { type Answer, call, ORIGIN, operator } from '../../client.ts';
import { walksOf } from '../../conventions/walks.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { lookedUp } from '../../statements.ts';
import { saidBy } from './published.ts';

/** Far in the future, so no test sees an alert about a late departure. */
const DEPARTS = '2099-11-26T14:30:00+01:00';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** A dock with shipment S of customer Acme, driven by Ann, which departs from gate G. */
async function waiting(more: object = {}): Promise<Dock> {
  const dock = await newDock({
    name: 'Acme Foods',
    timeZone: 'Europe/Berlin',
    shipmentCustomFields: [
      { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
      { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
      { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
      { fieldKey: 'customer', fieldType: 'TEXT' },
    ],
  });
  await dock.couple('PALLET-A', 'PALLET-B');
  await dock.manifest('MANIFEST-M', 'PALLET-A');
  await dock.manifest('MANIFEST-N', 'PALLET-B');
  await dock.shipment('SHIP-S', ['MANIFEST-M'], {
    gateIdentifier: 'G',
    notes: 'SECRET NOTE',
    customFields: [
      { fieldKey: 'etd', fieldValue: DEPARTS },
      { fieldKey: 'carrier', fieldValue: 'Speedy' },
      { fieldKey: 'customer', fieldValue: 'Wine World' },
    ],
    ...more,
  });
  return dock;
}

const shipmentOf = async (dock: Dock, id = 'SHIP-S') => (await dock.must('GET', `/shipment/${id}`)).body;
const htmlOf = ({ body }: Answer): string => new TextDecoder().decode(body);
const get = async (url: string, headers = {}) => call('GET', url, { headers });
const tap = (url: string, typed: Record<string, string> = {}) =>
  call('POST', `${url}/arrival`, { raw: new URLSearchParams(typed).toString(), headers: FORM });

describe('the page of a driver', () => {
  it('shows gate, departure and state, and names nothing else of the shipment', async () => {
    const dock = await waiting();
    await dock.must('POST', '/shipment/SHIP-S/arrival', { vehicle: 'AB 123', driverName: 'Ann Lee' });
    const { driverUrl, uuid, arrivalDate } = await shipmentOf(dock);
    const answer = await get(driverUrl);
    expect(answer.status).toBe(200);
    const html = htmlOf(answer);
    const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/Berlin' });
    expect(saidBy(html)).toContain(`Your gate Gate G Status Loading has not begun Planned departure`);
    expect(saidBy(html)).toContain(`Arrived ${clock.format(Date.parse(arrivalDate))}`);
    for (const hidden of [
      ...['PALLET', 'MANIFEST', 'SHIP-S', 'SECRET', 'Speedy', 'Wine World', 'Acme', 'AB 123', 'Ann Lee'],
      ...[uuid, dock.uuid, dock.slug],
    ])
      expect([hidden, html.includes(hidden)]).toEqual([hidden, false]);
    await dock.must('POST', '/shipment/SHIP-S/status/IN_PROGRESS');
    expect(saidBy(htmlOf(await get(driverUrl)))).toContain('Loading has begun');
  });

  it('says that there is no gate yet', async () => {
    const dock = await waiting({ gateIdentifier: '' });
    expect(saidBy(htmlOf(await get((await shipmentOf(dock)).driverUrl)))).toContain('No gate yet');
  });

  it.each(LANGUAGES)('the page of a driver is in the language of the link: %s', async (language) => {
    const dock = await waiting();
    const { driverUrl } = await shipmentOf(dock);
    const answer = await get(`${driverUrl}?language=${language}`);
    const { t } = wordsIn(language);
    expect(answer.headers.get('Content-Language')).toBe(language);
    for (const said of [t('driver.title'), t('driver.here'), t('driver.gate'), t('driver.planned')])
      expect(saidBy(htmlOf(answer))).toContain(said.replaceAll('’', '’'));
  });

  it('the page of a driver has the headers of a secret link, and a script and a form of this host only', async () => {
    const { headers } = await get((await shipmentOf(await waiting())).driverUrl);
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
    expect(headers.get('Cache-Control')).toBe('private, no-cache');
    expect(headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
  });
});

describe('the button of a driver', () => {
  it('records one arrival for two taps, and a later tap does not move it', async () => {
    const dock = await waiting();
    const { driverUrl } = await shipmentOf(dock);
    const first = await tap(`${driverUrl}`, { vehicle: 'AB 123', driverName: 'Ann Lee' });
    expect([first.status, first.headers.get('Location')]).toEqual([303, new URL(driverUrl).pathname]);
    const { arrivalDate, ...arrived } = await shipmentOf(dock);
    expect(Math.abs(Date.now() - Date.parse(arrivalDate))).toBeLessThan(60_000);
    expect(arrived).toMatchObject({ driverName: 'Ann Lee' });
    expect(arrived.customFields).toContainEqual(
      expect.objectContaining({ fieldKey: 'plate', fieldValue: 'AB 123' }),
    );
    const taps = await Promise.all([tap(driverUrl, { driverName: 'Eve' }), tap(driverUrl)]);
    expect(taps.map(({ status }) => status)).toEqual([303, 303]);
    expect(await shipmentOf(dock)).toEqual({ arrivalDate, ...arrived });
    const { content } = (await dock.must('GET', '/event?limit=100')).body;
    expect(content.filter(({ eventType }: Answer['body']) => eventType === 'SHIPMENT_ARRIVED')).toHaveLength(
      1,
    );
    expect(htmlOf(await get(driverUrl))).not.toContain('<form');
  });

  it('names nobody in the audit log', async () => {
    const dock = await waiting();
    await tap((await shipmentOf(dock)).driverUrl);
    const [last] = (
      await dock.must('GET', '/audit-log?sort.sortBy=sequenceNumber&sort.direction=DESC&pageSize=1')
    ).body.content;
    expect([last.action, last.actor]).toEqual([
      'SHIPMENT_ARRIVED',
      { actorType: 'SYSTEM', uuid: null, displayName: 'Driver' },
    ]);
  });

  it('refuses entries that are too long or too large, and changes nothing', async () => {
    const dock = await waiting();
    const { driverUrl, ...before } = await shipmentOf(dock);
    const long = await tap(driverUrl, { driverName: 'x'.repeat(256) });
    expect([long.status, htmlOf(long)]).toEqual([400, expect.stringContaining('Check your entries')]);
    expect((await tap(driverUrl, { driverName: 'x'.repeat(9_000) })).status).toBe(413);
    expect(await shipmentOf(dock)).toEqual({ driverUrl, ...before });
  });
});

describe('a token of a driver', () => {
  it('opens one shipment, and a wrong token gives the same page as a closed shipment', async () => {
    const dock = await waiting();
    await dock.shipment('SHIP-T', ['MANIFEST-N'], { gateIdentifier: 'H' });
    const [s, t] = [await shipmentOf(dock), await shipmentOf(dock, 'SHIP-T')];
    const before = htmlOf(await get(t.driverUrl));
    expect(before).not.toContain('Gate G');
    await dock.must('POST', '/shipment/SHIP-S/status/CANCELLED');
    await tap(s.driverUrl);
    expect(htmlOf(await get(t.driverUrl))).toBe(before);
    const token = s.driverUrl.slice(-32);
    const names = [
      token,
      `${token.slice(1)}A`,
      'A'.repeat(32),
      'A'.repeat(40),
      'x',
      t.uuid,
      s.uuid,
      '%00',
      "'",
    ];
    const urls = names.map((name) => `${ORIGIN}/public/driver/${name}`);
    const answers = await Promise.all(
      urls.flatMap((url) => [get(url), get(`${url}/arrival`), tap(url, { driverName: 'Eve' })]),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    const pages = new Set(answers.map(htmlOf));
    expect(pages.size).toBe(1);
    expect([...pages][0]).toContain('This load is closed');
    expect(new Set(answers.map(({ headers }) => headers.get('Cache-Control')))).toEqual(
      new Set(['no-store']),
    );
    expect((await shipmentOf(dock)).arrivalDate).toBeNull();
    // The tokens of summaries and of drivers are different things.
    expect((await get(`${ORIGIN}/public/shipment-summary/${t.driverUrl.slice(-32)}`)).status).toBe(404);
  });

  it('works at shared hosts and at the host of its organization, and not while that is suspended', async () => {
    const dock = await waiting();
    const { driverUrl } = await shipmentOf(dock);
    const stranger = await newDock();
    const at = async (host: string) => (await get(driverUrl.replace(ORIGIN, host))).status;
    expect(await at(`http://${dock.slug}.localhost:8787`)).toBe(200);
    expect(await at('http://api.localhost:8787')).toBe(200);
    expect(await at(`http://${stranger.slug}.localhost:8787`)).toBe(404);
    await operator('POST', `/organization/${dock.uuid}/suspend`);
    expect(await at(ORIGIN)).toBe(404);
    expect((await tap(driverUrl)).status).toBe(404);
  });

  it('the token of a driver is limited like other links', async () => {
    const url = `${ORIGIN}/public/driver/${'R'.repeat(32)}`;
    let answers: Answer[] = [];
    for (let sent = 0; sent <= PUBLIC_LIMITS.link; sent += 1) answers = [await tap(url), ...answers];
    expect(answers[0]!.status).toBe(429);
  });

  it('the token of a driver is found by an index', async () => {
    const statements = await lookedUp((databases) => findDriverLoad(databases, 'token'));
    expect(statements).toHaveLength(2);
    for (const statement of statements) expect(await walksOf(statement)).toEqual([]);
  });

  it('the token of a driver opens its pages without a change', async () => {
    const dock = await waiting();
    const { driverUrl } = await shipmentOf(dock);
    const before = await storedState(dock);
    for (const url of [driverUrl, `${driverUrl}/arrival`]) {
      expect((await get(url)).status).toBe(200);
      expect((await call('HEAD', url)).status).toBe(200);
    }
    expect(await storedState(dock)).toEqual(before);
  });
});
