import { describe, expect, it } from 'vitest';
import { wordsIn } from '../../../messages.ts';
import { call, operator } from '../../client.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { loadingDock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { costOf } from '../../statements.ts';
import { pagesOf } from '../console/forms.ts';
import { addressesOf, departed, pageOf, saidBy } from './published.ts';

const XSS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '</bdi></td><svg/onload=alert(1)>',
  '&lt;b&gt; & &amp;',
  'javascript:alert(1)',
  '{{7*7}}',
];

describe('the summary page', () => {
  it('the summary page shows what was dispatched, problems first', async () => {
    const dock = await departed();
    const { summary } = await addressesOf(dock, 'shipment', 'S');
    const html = await pageOf(summary);
    const said = saidBy(html);
    for (const text of [
      'Acme Foods',
      'Shipment S',
      '1 of 5 pallets has left. 4 stayed behind.',
      'Aboard by mistake X Wrong pallet E Wrong pallet Marker 4711 Unknown marker',
      'Not aboard C Missing uncoupled Missing D Missing B Taken off again',
      'Damaged A Damaged',
      'Status Completed, some missing',
      'Gate Gate G Proof',
      'Gate identifier G ',
      'Revision Original, not corrected since completion',
      'Missing 3 Taken off again 1 Wrong pallet 2 Unknown marker 1 Damaged 1',
    ]) {
      expect(said).toContain(text);
    }
    const problems = [...html.matchAll(/data-problem="(\w+)"/g)].map(([, problem]) => problem);
    expect(problems).toEqual([
      'WRONGLY_LOADED',
      'WRONGLY_LOADED',
      'UNKNOWN_LOADING',
      'NOT_LOADED',
      'NOT_LOADED',
      'NOT_LOADED',
      'UNLOADED',
      'DAMAGED',
    ]);
    expect(html.indexOf('data-problem')).toBeLessThan(html.indexOf('id="pallets"'));
    const { body: records } = await dock.must('GET', '/shipment/S/asset-loading');
    const rows = html.slice(html.indexOf('id="pallets"'));
    for (const { trackIdentifier, markerCode, loadingStatus } of records) {
      const row = new RegExp(
        `<tr><th scope="row">(<bdi>${trackIdentifier}</bdi>|<span>No identifier</span>)</th>` +
          `<td data-label="Marker">${markerCode ?? 'None'}</td>` +
          `<td data-label="Status"><span class="status" data-status="${loadingStatus}">`,
      );
      expect(rows).toMatch(row);
    }
    expect(rows.match(/<tr>/g)).toHaveLength(records.length + 3);
    expect(said).toContain('Manifest O (cancelled, not counted)');
    expect(said).not.toContain('SECRET');
  });

  it('the summary page exists for a single manifest in both strategies', async () => {
    const dock = await departed();
    const { summary } = await addressesOf(dock, 'manifest', 'M');
    const said = saidBy(await pageOf(summary));
    expect(said).toContain('Manifest M');
    expect(said).toContain('1 of 4 pallets has left. 3 stayed behind.');
    // The link of one manifest shows nothing about the others.
    expect(said).not.toContain('Shipment');
    expect(said).not.toContain('Manifest N');

    const other = await newDock({ dispatchStrategy: 'MANIFEST' });
    await other.couple('A');
    await other.manifest('M', 'A');
    for (const step of ['gate/G', 'status/TO_DO', 'status/IN_PROGRESS']) {
      await other.must('POST', `/manifest/M/${step}`);
    }
    await other.scan('A');
    await other.must('POST', '/manifest/M/status/COMPLETED');
    const alone = await addressesOf(other, 'manifest', 'M');
    expect(saidBy(await pageOf(alone.summary))).toContain('The pallet has left.');
    // The page stays, even if the manifest is deleted later.
    await other.must('DELETE', '/manifest/M');
    expect(saidBy(await pageOf(alone.summary))).toContain('The pallet has left.');
  });

  it('the summary page counts offloaded pallets as pallets that left', async () => {
    const dock = await newDock({ dispatchStrategy: 'MANIFEST' });
    await dock.couple('A');
    await dock.manifest('M', 'A');
    for (const step of ['gate/G', 'status/TO_DO', 'status/IN_PROGRESS']) {
      await dock.must('POST', `/manifest/M/${step}`);
    }
    await dock.scan('A');
    await dock.must('POST', '/manifest/M/status/COMPLETED');
    await dock.scan('A', 'OFFLOAD');
    const { summary } = await addressesOf(dock, 'manifest', 'M');
    const said = saidBy(await pageOf(summary));
    expect(said).toContain('The pallet has left.');
    expect(said).not.toContain('Completed, some missing');
  });

  it('the summary page runs no script, loads nothing foreign and reveals its address to nobody', async () => {
    const dock = await departed();
    const { summary } = await addressesOf(dock, 'shipment', 'S');
    const { status, headers } = await call('GET', summary);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'private, no-cache',
    });
    const html = await pageOf(summary);
    expect(html).not.toMatch(/<script|style=|\son\w+=|http:|https:|src=/i);
    expect(
      [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!).filter((href) => !/^[/#?]/.test(href)),
    ).toEqual([]);
  });

  it('the summary page keeps its tag until something is corrected', async () => {
    const dock = await departed();
    const { summary } = await addressesOf(dock, 'shipment', 'S');
    const tag = (await call('GET', summary)).headers.get('ETag')!;
    const again = (value: string) => call('GET', summary, { headers: { 'If-None-Match': value } });
    expect((await again(tag)).status).toBe(304);
    expect((await again(`"other", W/${tag}`)).status).toBe(304);
    expect((await again(tag)).headers.get('Referrer-Policy')).toBe('no-referrer');
    expect((await again('"other"')).status).toBe(200);
    await dock.must('PATCH', '/shipment/S/asset-loading/track/D/status', { status: 'LOADED' });
    expect((await again(tag)).status).toBe(200);
  });

  it('the summary page shows any stored text as text', async () => {
    const dock = await newDock({ name: XSS[1] });
    const texts = [...XSS, 'ﷺ‮abc‬', 'x'.repeat(255), '📦'.repeat(255), ' two  spaces '];
    const [identifier, ...others] = texts as [string, ...string[]];
    await operator('PUT', `/organization/${dock.uuid}/gate/${encodeURIComponent(texts[2]!)}`, {
      name: texts[3],
    });
    for (const [index, text] of texts.entries()) {
      await dock.couple(text);
      const manifest = { externalIdentifier: text, assets: [text, `${index}`] };
      await dock.must('POST', '/manifest', manifest);
    }
    await dock.shipment(identifier, [identifier, ...others], { gateIdentifier: texts[2], notes: texts[4] });
    const path = `/shipment/${encodeURIComponent(identifier)}`;
    await dock.must('POST', `${path}/status/IN_PROGRESS`);
    await dock.must('POST', `${path}/status/COMPLETED`);
    await dock.must('PATCH', `${path}/asset-loading/track/${encodeURIComponent(identifier)}/status`, {
      status: 'LOADED',
      comment: '<b>comment</b>',
    });
    const { summary } = await addressesOf(dock, 'shipment', identifier);
    const html = await pageOf(summary);
    const escaped = (text: string): string =>
      text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#39;');
    for (const text of texts) {
      // The text appears as a pallet and as a manifest, and always isolated from its surroundings.
      expect(html.split(`<bdi>${escaped(text)}</bdi>`).length).toBeGreaterThan(3);
      if (text !== escaped(text)) expect(html).not.toContain(text);
    }
    const outside = html.replace(/<bdi>[^<]*<\/bdi>/g, '').replace(/<title>[^<]*<\/title>/, '');
    expect(outside).not.toMatch(/alert|onerror|📦|‮|&lt;/);
    expect(html).not.toMatch(/<(script|img|svg\/)/);
  });
});

describe('the reason why pallets are missing', () => {
  /** Completes shipment S on its page with this reason, and returns the page of the shipment or of manifest M. */
  async function completedWith(reason: Record<string, string>, kind: 'shipment' | 'manifest' = 'shipment') {
    const dock = await loadingDock({ shipmentCustomFields: [{ fieldKey: 'seal', fieldType: 'TEXT' }] });
    await dock.scan('A');
    const { uuid } = (await dock.must('GET', '/shipment/S')).body;
    const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
    const sent = await pages.agree(`/app/shipment/${uuid}`, 'status', { status: 'COMPLETED', ...reason });
    expect(sent.status).toBe(303);
    // A later record about the shipment does not hide the reason.
    await dock.must('POST', '/shipment/S/custom-field', { fieldKey: 'seal', fieldValue: 'SL-2' });
    return { dock, ...(await addressesOf(dock, kind, kind === 'shipment' ? 'S' : 'M')) };
  }
  const missing = (html: string): string[] =>
    [...html.matchAll(/<li data-problem="(?:NOT_LOADED|UNLOADED)">.*?<span class="why">(.*?)<\/span>/g)].map(
      ([, why]) => why!,
    );

  it.each(['shipment', 'manifest'] as const)(
    'the summary of a %s shows the chosen reason beside each missing pallet, in the language of the reader',
    async (kind) => {
      const { summary } = await completedWith({ why: 'Next truck', whyNote: 'SECRET: Ben is ill' }, kind);
      const html = await pageOf(summary);
      expect(new Set(missing(html))).toEqual(new Set(['Next truck']));
      expect(html).not.toContain('SECRET');
      const german = await call('GET', summary, { headers: { 'Accept-Language': 'de' } });
      const words = wordsIn('de').t('reason.nextTruck');
      expect(new Set(missing(new TextDecoder().decode(german.body)))).toEqual(new Set([words]));
    },
  );

  it('the summary shows no reason that was typed, or that is unknown', async () => {
    const reasons: Record<string, string>[] = [{ whyNote: 'SECRET: Ben is ill' }, { why: 'toString' }, {}];
    for (const reason of reasons) {
      const { summary } = await completedWith(reason);
      const html = await pageOf(summary);
      expect(new Set(missing(html))).toEqual(new Set(['Missing']));
      expect(html).not.toContain('SECRET');
    }
  });

  it('a proof has the same data with and without a reason', async () => {
    const { data } = await completedWith({ why: 'Damaged' });
    expect(JSON.stringify((await call('GET', data)).body)).not.toContain('Damaged');
  });
});

describe('pages of many pallets', () => {
  it('the summary of many pallets has enough pages, a bounded number of round trips, and total counts', async () => {
    const dock = await newDock();
    const pallets = (manifest: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${manifest}-${index}`);
    await dock.manifest('L', ...pallets('L', 5_000));
    for (let index = 0; index < 30; index += 1) await dock.manifest(`M${index}`, ...pallets(`M${index}`, 7));
    await dock.shipment('S', ['L', ...Array.from({ length: 30 }, (_, index) => `M${index}`)], {
      gateIdentifier: 'G',
    });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const { summary } = await addressesOf(dock, 'shipment', 'S');
    const seen: string[] = [];
    for (let page = 1; page <= 21; page += 1) {
      const answer = await call('GET', `${summary}?page=${page}`);
      expect(answer.status).toBe(200);
      const html = new TextDecoder().decode(answer.body);
      expect(costOf(answer).trips).toBe(2);
      expect(html.length).toBeLessThan(200_000);
      expect(saidBy(html)).toContain('0 of 5,210 pallets have left. 5,210 stayed behind.');
      expect(saidBy(html)).toContain(`Page ${page} of 21`);
      const rows = html.slice(html.indexOf('id="pallets"')).matchAll(/<th scope="row"><bdi>([^<]+)<\/bdi>/g);
      const shown = [...rows].map(([, pallet]) => pallet!);
      expect(shown.length).toBeLessThanOrEqual(250);
      seen.push(...shown);
      if (page === 1) {
        expect(html.match(/data-problem=/g)).toHaveLength(100);
        expect(saidBy(html)).toContain('5,205 more');
        expect(saidBy(html)).toContain('Only the first 100 problems are listed here');
        expect(html).toContain('href="?page=21#m31"');
        expect(costOf(answer).rowsRead).toBeLessThan(60_000);
      }
      if (page === 21) expect(html).toContain('id="m31"');
    }
    const first = await dock.must('GET', '/shipment/S/asset-loading');
    const next = /<[^>]*(\/shipment[^>]*)>; rel="next"/.exec(first.headers.get('Link')!)![1]!;
    const records = [...first.body, ...(await dock.must('GET', next)).body];
    expect(seen).toEqual(records.map(({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier));
    expect((await call('GET', `${summary}?page=22`)).status).toBe(404);
  }, 120_000);

  it.each(['0', '-1', '1.5', 'x', '', '01', '1e3', '9999999999'])(
    'the summary page refuses the page number %j',
    async (page) => {
      const dock = await departed();
      const { summary } = await addressesOf(dock, 'shipment', 'S');
      const refused = await call('GET', `${summary}?page=${page}`);
      expect([refused.status, refused.body.code]).toEqual([400, 'validationFailed']);
    },
  );
});
