import { describe, expect, it } from 'vitest';
import type { Paper } from '../../../../src/dispatch/printing-batch/layout.ts';
import { pdfSheet } from '../../../../src/dispatch/printing-batch/sheet.ts';
import { storedState } from '../../../contract/state.ts';
import { GOLDEN_PDF, GOLDEN_SHEET, joined } from '../../../unit/dispatch/printing-batch/sheets.ts';
import { printZpl } from '../../../unit/dispatch/printing-batch/zpl.ts';
import { type Answer, newTenant } from '../../client.ts';
import { newBatch, newScanner } from './batches.ts';

async function withBatch(quantity: number, settings: Record<string, unknown> = {}) {
  const tenant = await newTenant({ markerCodeStart: 1, ...settings });
  const { batch, at } = await newBatch(tenant, await newScanner(tenant), { quantity });
  return { tenant, batch, at };
}

const text = ({ body }: Answer): string => new TextDecoder('latin1').decode(body);
/** Sizes of all pages of a PDF in whole points. */
const pageSizes = (pdf: Answer): string[] =>
  [...text(pdf).matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
    [width, height].map((length) => Math.round(Number(length))).join(' x '),
  );
const codesOf = (zpl: Answer): number[] => printZpl(text(zpl)).map((label) => Number(label.texts[0]!.text));
const run = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('sheet.pdf', () => {
  it('sheet.pdf is a PDF on A4 or Letter with four labels per page', async () => {
    const { tenant, at } = await withBatch(9);
    for (const [query, size] of [
      ['', '595 x 842'],
      ['?paper=A4', '595 x 842'],
      ['?paper=LETTER', '612 x 792'],
    ]) {
      const pdf = await tenant.call('GET', `${at}/sheet.pdf${query}`);
      expect([pdf.status, pdf.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
      expect(pdf.headers.get('Content-Disposition')).toBe('inline; filename="markers-1-9.pdf"');
      expect(pdf.headers.get('Cache-Control')).toBe('private, no-cache');
      expect([text(pdf).startsWith('%PDF-1.7'), text(pdf).trimEnd().endsWith('%%EOF')]).toEqual([true, true]);
      expect(pageSizes(pdf)).toEqual([size, size, size]);
    }
  });

  it('sheet.pdf has the same bytes each time, in every state of the batch', async () => {
    const { tenant, at } = await withBatch(5);
    const first = await tenant.call('GET', `${at}/sheet.pdf`);
    for (const status of ['IN_PROGRESS', 'COMPLETED']) {
      await tenant.call('POST', `${at}/status/${status}`);
      expect(text(await tenant.call('GET', `${at}/sheet.pdf`))).toBe(text(first));
    }
    expect(text(await tenant.call('GET', `${at}/sheet.pdf?paper=LETTER`))).not.toBe(text(first));
  });

  it.each(['A4', 'LETTER'] satisfies Paper[])(
    'sheet.pdf on %s has the same bytes in workerd as in Node',
    async (paper) => {
      const pdf = await joined(await pdfSheet(GOLDEN_SHEET, paper));
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', pdf as Uint8Array<ArrayBuffer>));
      expect(Buffer.from(digest).toString('hex')).toBe(GOLDEN_PDF[paper]);
    },
  );

  it.each(['a4', 'A5', 'Letter', ''])('sheet.pdf on paper %j is refused', async (paper) => {
    const { tenant, at } = await withBatch(1);
    const refused = await tenant.call('GET', `${at}/sheet.pdf?paper=${paper}`);
    expect([refused.status, refused.body.code]).toEqual([400, 'validationFailed']);
    expect(refused.body.errors).toMatchObject([{ field: 'paper', allowedValues: ['A4', 'LETTER'] }]);
  });
});

describe('sheet.zpl', () => {
  it('sheet.zpl has a label per code, at 8 dots per millimetre by default', async () => {
    const { tenant, at } = await withBatch(45);
    for (const [query, width] of [
      ['', 800],
      ['?dpmm=8', 800],
      ['?dpmm=12', 1_200],
      ['?dpmm=24', 2_400],
    ] as const) {
      const zpl = await tenant.call('GET', `${at}/sheet.zpl${query}`);
      expect([zpl.status, zpl.headers.get('Content-Type')]).toEqual([200, 'application/zpl']);
      expect(zpl.headers.get('Content-Disposition')).toBe('inline; filename="markers-1-45.zpl"');
      expect(text(zpl).match(/\^PW(\d+)/)![1]).toBe(String(width));
      if (width === 800) expect(codesOf(zpl)).toEqual(run(1, 45));
    }
  });

  it.each(['6', '203', '8.0', '', 'x'])('sheet.zpl at %j dots per millimetre is refused', async (dpmm) => {
    const { tenant, at } = await withBatch(1);
    const refused = await tenant.call('GET', `${at}/sheet.zpl?dpmm=${dpmm}`);
    expect([refused.status, refused.body.code]).toEqual([400, 'validationFailed']);
    expect(refused.body.errors).toMatchObject([{ field: 'dpmm', allowedValues: ['8', '12', '24'] }]);
  });
});

describe('some labels of a batch', () => {
  it('some labels of a batch can be printed again by their codes', async () => {
    const { tenant, at } = await withBatch(12, { markerCodeStart: 101 });
    const codes = async (query: string) => codesOf(await tenant.call('GET', `${at}/sheet.zpl?${query}`));
    expect(await codes('firstMarkerCode=110')).toEqual([110, 111, 112]);
    expect(await codes('lastMarkerCode=102')).toEqual([101, 102]);
    expect(await codes('firstMarkerCode=105&lastMarkerCode=105')).toEqual([105]);
    const pdf = await tenant.call('GET', `${at}/sheet.pdf?firstMarkerCode=104&lastMarkerCode=108`);
    expect(pageSizes(pdf)).toHaveLength(2);
    expect(pdf.headers.get('Content-Disposition')).toContain('markers-104-108.pdf');
  });

  it.each([
    ['firstMarkerCode=100', ['firstMarkerCode']],
    ['lastMarkerCode=113', ['lastMarkerCode']],
    ['firstMarkerCode=1&lastMarkerCode=9007199254740991', ['firstMarkerCode', 'lastMarkerCode']],
    ['firstMarkerCode=105&lastMarkerCode=104', ['firstMarkerCode', 'lastMarkerCode']],
    ['firstMarkerCode=0105', ['firstMarkerCode']],
    ['lastMarkerCode=x', ['lastMarkerCode']],
    ['lastMarkerCode=9007199254740992', ['lastMarkerCode']],
  ])('labels outside the batch are refused: %s', async (query, fields) => {
    const { tenant, at } = await withBatch(12, { markerCodeStart: 101 });
    for (const sheet of ['sheet.pdf', 'sheet.zpl']) {
      const refused = await tenant.call('GET', `${at}/${sheet}?${query}`);
      expect([refused.status, refused.body.code]).toEqual([400, 'validationFailed']);
      expect(refused.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
    }
  });
});

describe('printing', () => {
  it('printing changes and allocates nothing, however often', async () => {
    const { tenant, at } = await withBatch(5);
    const before = await storedState(tenant);
    const asked = ['pdf', 'zpl', 'pdf?paper=LETTER', 'zpl?dpmm=24', 'zpl?firstMarkerCode=2'];
    await Promise.all(
      [...asked, ...asked].map(async (sheet) => {
        expect((await tenant.call('GET', `${at}/sheet.${sheet}`)).status).toBe(200);
        expect((await tenant.call('HEAD', `${at}/sheet.${sheet}`)).status).toBe(200);
      }),
    );
    expect(await storedState(tenant)).toEqual(before);
  });

  it.each(['PNG', 'PDF', 'ZPL'])('both sheets exist for every label format: %s', async (labelFormat) => {
    const tenant = await newTenant();
    const { at } = await newBatch(tenant, await newScanner(tenant), { quantity: 1, labelFormat });
    for (const sheet of ['sheet.pdf', 'sheet.zpl']) {
      expect((await tenant.call('GET', `${at}/${sheet}`)).status).toBe(200);
    }
  });

  it('printing delivers the largest batch whole', async () => {
    const { tenant, at } = await withBatch(10_000, { markerAllocationMaximum: 10_000 });
    const zpl = await tenant.call('GET', `${at}/sheet.zpl`);
    const codes = [...text(zpl).matchAll(/\^FD(\d+)\^FS/g)].map(([, code]) => Number(code));
    expect(codes).toEqual(run(1, 10_000));
    const pdf = await tenant.call('GET', `${at}/sheet.pdf`);
    expect(pageSizes(pdf)).toHaveLength(2_500);
    expect(text(pdf).trimEnd().endsWith('%%EOF')).toBe(true);
  });
});
