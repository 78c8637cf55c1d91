import { describe, expect, it } from 'vitest';
import { checkDigit } from '../../../../src/pallet/gs1.ts';
import { bookOf } from '../../../unit/readers/archive.ts';
import { partsOf, sheetOf, workbook } from '../../../unit/web/console/workbook.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { unescaped } from '../../markup.ts';
import { recorded } from '../../statements.ts';
import { pagesOf, type Sent } from './forms.ts';

const sscc = (number: number): string => {
  const digits = `3952123${String(number).padStart(10, '0')}`;
  return digits + checkDigit(digits);
};

const dock = await newDock();
const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));

const NEW = '/app/manifest/new';
/** The values of a form in a page, by name. */
const hiddenIn = ({ html }: Sent): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      unescaped(value!),
    ]),
  );
/** Confirms a preview as it is, or with another column. */
async function confirmed(preview: Sent, column?: string): Promise<Sent> {
  const { token: _, key: __, action, ...values } = hiddenIn(preview);
  const chosenIn = (name: string) =>
    new RegExp(`<select[^>]* name="${name}"[^>]*>.*?<option value="([^"]*)" selected`).exec(
      preview.html,
    )?.[1] ?? '';
  const choices = { column: column ?? chosenIn('column'), badLines: chosenIn('badLines') };
  return pages.send(NEW, action!, { ...values, ...choices });
}
const palletsOf = async (manifest: string): Promise<string[]> =>
  (await dock.must('GET', `/manifest/${manifest}/asset-loading`)).body.map(
    ({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier,
  );

describe('a list that would cost too much', () => {
  const sendFile = (file: Uint8Array) =>
    pages.upload(NEW, 'create', { externalIdentifier: 'BOMB', pallets: '' }, file);

  it('a workbook whose cells refer to one long text is refused', async () => {
    const sheet = Array.from({ length: 190 }, () => '<c t="s"><v>0</v></c>').join('');
    const bomb = bookOf({
      sheet: `<row r="1">${sheet}</row>`,
      strings: `<si><t>${'a'.repeat(100_000)}</t></si>`,
    });
    const { status, html } = await sendFile(bomb);
    expect([status, html.includes('This workbook is too large.')]).toEqual([400, true]);
  });

  it('a workbook behind 60,000 local headers is refused', async () => {
    const header = Buffer.alloc(31);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(1, 26);
    const { status, html } = await sendFile(Buffer.concat([Buffer.alloc(60_000 * 31, header), bookOf({})]));
    expect([status, html.includes('This file is not a list.')]).toEqual([400, true]);
  });

  it('a form with more than 20,000 fields is refused', async () => {
    const fields = Object.fromEntries(Array.from({ length: 20_001 }, (_, number) => [`k${number}`, '']));
    const { status, html } = await pages.send(NEW, 'create', fields);
    expect([status, html.includes('A form has at most 20000 fields.')]).toEqual([400, true]);
  });

  it('a date with many blanks is a bad line', async () => {
    const pallets = `Auftrag;Sendung;NVE;etd\nA1;S1;P-1;1.1.26 1${' '.repeat(60_000)}!`;
    const { status, html } = await pages.send(NEW, 'create', { externalIdentifier: '', gate: '', pallets });
    expect([status, html.includes('P-1')]).toEqual([200, true]);
  });

  it.each([
    ['2 MB of text', 'a'.repeat(2 * 1024 * 1024 + 1), 'This list has more than 2 MB of text.'],
    ['50,000 lines', 'a1b\n'.repeat(50_001), 'This list has more than 50000 lines.'],
    [
      '6,000 different texts',
      Array.from({ length: 6_001 }, (_, line) => `P-${line}`).join('\n'),
      'The column with the pallets has more than 6000 different texts.',
    ],
  ])('a list with more than %s is refused', async (_, pallets, refusal) => {
    const { status, html } = await pages.send(NEW, 'create', {
      externalIdentifier: 'LARGE',
      gate: '',
      pallets,
    });
    expect([status, html.includes(refusal)]).toEqual([400, true]);
  });
});

describe('the preview of a list of pallets', () => {
  const pallets = 'Order;LPN;Spare\nO-1;P-1;S-1\nO-2;P-2;S-2';

  it('a preview names the column that it took, and shows another column that is chosen', async () => {
    const asked = await pages.send(NEW, 'create', { externalIdentifier: 'COLUMN', gate: '', pallets });
    expect(asked.html).toContain('The pallets are in column 2, “LPN”.');
    expect(asked.html).toContain('Line 1 is the heading: Order, LPN, Spare');
    expect([...asked.html.matchAll(/<option value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      ...['1', '2', '3', 'line'],
      ...['none', '1', '2', '3'],
    ]);
    const { token: _, key: __, action, ...values } = hiddenIn(asked);
    const again = await pages.send(NEW, action!, { ...values, column: '3', again: '1' });
    expect([again.status, again.html.includes('The pallets are in column 3, “Spare”.')]).toEqual([200, true]);
    expect(again.html).not.toContain('Somebody else has changed this');
    expect((await confirmed(again)).status).toBe(303);
    expect((await palletsOf('COLUMN')).toSorted()).toEqual(['S-1', 'S-2']);
  });

  it('a column that is chosen and not looked at is shown first', async () => {
    const asked = await pages.send(NEW, 'create', { externalIdentifier: 'UNSEEN', gate: '', pallets });
    const other = await confirmed(asked, '1');
    expect([other.status, other.html.includes('The pallets are in column 1, “Order”.')]).toEqual([200, true]);
    expect(other.html).not.toContain('Somebody else has changed this');
    expect((await dock.call('GET', '/manifest/UNSEEN')).status).toBe(404);
  });

  it('a preview is shown again for the same column, and for another column with the same pallets', async () => {
    const list = 'LPN;HU;Name\nP-1;P-1;P-1';
    const asked = await pages.send(NEW, 'create', { externalIdentifier: 'SAME', gate: '', pallets: list });
    const { token: _, key: __, action, ...values } = hiddenIn(asked);
    const again = await pages.send(NEW, action!, { ...values, column: '1', again: '1' });
    expect([again.status, again.html.includes('column 1, “LPN”')]).toEqual([200, true]);
    const other = await confirmed(asked, '2');
    expect([other.status, other.html.includes('column 2, “HU”')]).toEqual([200, true]);
    expect((await dock.call('GET', '/manifest/SAME')).status).toBe(404);
  });

  it('a list whose column has no pallets offers the columns', async () => {
    const list = `SSCC;Name\n3,4E+17;P-1\n3,4E+17;P-2`;
    const refused = await pages.send(NEW, 'create', { externalIdentifier: 'NONE', gate: '', pallets: list });
    expect([refused.status, refused.html.includes('A spreadsheet has shortened this number.')]).toEqual([
      400,
      true,
    ]);
    expect(refused.html).toContain('<option value="2">Column 2: Name · P-1</option>');
    const asked = await pages.send(NEW, 'create', {
      externalIdentifier: 'NONE',
      gate: '',
      pallets: list,
      column: '2',
    });
    expect(asked.html).toContain('Create NONE with 2 pallets?');
  });

  it('every bad line of a list is named, up to 100', async () => {
    const lines = Array.from({ length: 150 }, (_, index) => `39521230000000${1000 + index}`);
    const { html } = await pages.send(NEW, 'create', {
      externalIdentifier: 'BAD',
      gate: '',
      pallets: ['P-1', ...lines].join('\n'),
      badLines: 'leave',
    });
    const bad = lines.filter((line) => line !== line.slice(0, 17) + checkDigit(line.slice(0, 17)));
    expect(html).toContain(`Create without ${bad.length} bad lines`);
    expect(html.match(/Line \d+: /g)).toHaveLength(100);
  });
});

describe('a file with a list of pallets', () => {
  const fields = (externalIdentifier: string) => ({ externalIdentifier, gate: '', pallets: '' });

  it('a text file of a spreadsheet becomes a manifest', async () => {
    const text = `\ufeffAuftrag\tPaletten-Nr.\r\n7\tMüller-1\r\n8\t${sscc(1)}\r\n`;
    const asked = await pages.upload(NEW, 'create', fields('UTF-16'), Buffer.from(text, 'utf16le').swap16());
    expect(asked.html).toContain('The pallets are in column 2, “Paletten-Nr.”.');
    expect((await confirmed(asked)).status).toBe(303);
    expect((await palletsOf('UTF-16')).toSorted()).toEqual([sscc(1), 'Müller-1'].toSorted());
  });

  it('a workbook becomes a manifest, and replaces a list that was typed', async () => {
    const rows = [
      ['Pos', 'SSCC'],
      ['1', sscc(2)],
      ['2', { number: '3.4012345E+17' }],
    ];
    const typed = { ...fields('XLSX'), pallets: 'TYPED', badLines: 'leave' };
    const asked = await pages.upload(NEW, 'create', typed, sheetOf(rows));
    expect(asked.html).toContain('Line 3: A spreadsheet has shortened this number.');
    expect(asked.html).not.toContain('TYPED');
    expect((await confirmed(asked)).status).toBe(303);
    expect(await palletsOf('XLSX')).toEqual([sscc(2)]);
  });

  it('a preview says which sheet of a workbook it shows', async () => {
    const row = '<row><c t="inlineStr"><is><t>P-9</t></is></c></row>';
    const file = workbook(
      partsOf([
        { name: 'Load', rows: row },
        { name: 'Notes', rows: row },
      ]),
    );
    const { html } = await pages.upload(NEW, 'create', fields('SHEETS'), file);
    expect(html).toContain('Only the sheet “Load” is read. 1 other sheet is ignored.');
  });

  it('a file that is too large or no list is refused, and the other values stay', async () => {
    const bomb = workbook({ ...partsOf([]), 'xl/workbook.xml': `<a>${' '.repeat(40 * 1024 * 1024)}</a>` });
    const refused = await pages.upload(NEW, 'create', fields('BOMB'), bomb);
    expect([refused.status, refused.html.includes('This workbook is too large.')]).toEqual([400, true]);
    expect(refused.html).toContain('value="BOMB"');
    const other = await pages.upload(NEW, 'create', fields('PDF'), Buffer.from('%PDF-1.7'));
    expect([other.status, other.html.includes('This file is not a list.')]).toEqual([400, true]);
  });

  it('a page without files refuses one', async () => {
    const sent = await pages.upload('/app/shipment/new', 'create', {}, Buffer.from('x'));
    expect([sent.status, sent.html.includes('This form does not accept files.')]).toEqual([400, true]);
  });
});

describe('the pallets of a list and the pallets that exist', () => {
  const create = async (externalIdentifier: string, pallets: string) =>
    confirmed(await pages.send(NEW, 'create', { externalIdentifier, gate: '', pallets }));

  it('a line links the live pallet in every spelling of both', async () => {
    const [plain, long, short] = [sscc(10), sscc(11), sscc(12)];
    await dock.couple(`00${plain}`, `00${long}`, short, 'Pal-A');
    const list = [`00${plain}`, long, `(00)${short}`, 'pal-a', `00${sscc(13)}`];
    expect((await create('LINKED', list.join('\n'))).status).toBe(303);
    const expected = [`00${plain}`, `00${long}`, short, 'Pal-A', sscc(13)];
    expect((await palletsOf('LINKED')).toSorted()).toEqual(expected.toSorted());
    const { validationErrors } = (await dock.must('GET', '/manifest/LINKED')).body;
    expect(validationErrors.nonExistingTracks).toEqual([{ trackIdentifier: sscc(13) }]);
  });

  it('the CSV file of all pallets reads back every id', async () => {
    const ids = [
      ...[
        '=1+1',
        '+M',
        '-M',
        '@M',
        '\tTab',
        'a;=b',
        'a,b',
        'a|b',
        'a\tb',
        '"a"',
        'say "hi"',
        'a\nb',
        'c\r\nd',
      ],
      ...[
        "'a",
        "''=a",
        "a'",
        ' a',
        'a ',
        '\u200ba',
        '="a"',
        'Ω',
        '3.4E+17',
        `00${sscc(20)}`,
        `(00)${sscc(21)}`,
        '7',
      ],
    ];
    await dock.couple(...ids);
    const { html } = await pages.get('/app/track.csv?q=*');
    const before = await pages.get('/app/track.csv');
    expect(html).toBe(before.html);
    const asked = await pages.upload(
      NEW,
      'create',
      { externalIdentifier: 'EXPORTED', gate: '' },
      Buffer.from(html),
    );
    expect(asked.html).not.toContain('bad line');
    expect((await confirmed(asked)).status).toBe(303);
    expect(await palletsOf('EXPORTED')).toEqual(expect.arrayContaining(ids));
  });

  it('a list with the longest ids is looked up within the limits of D1', async () => {
    // A text of this length counts three times. Each id also has a meaning for other keyboards.
    const lines = Array.from(
      { length: 1_990 },
      (_, index) => `é${String(index).padStart(6, '0')}(${'A7é'.repeat(80)}`,
    );
    const trips = await recorded(async () => {
      const pallets = lines.join('\n');
      const sent = await pages.upload(
        NEW,
        'create',
        { externalIdentifier: 'LONGEST', gate: '' },
        Buffer.from(pallets),
      );
      expect(sent.html).toContain('Create LONGEST with');
    });
    const statements = trips.flatMap((trip) => trip.statements);
    expect(statements.length).toBeLessThan(500);
    const bytes = statements.flatMap(({ params }) => params.map((param) => Buffer.byteLength(String(param))));
    expect(Math.max(...bytes)).toBeLessThan(2_000_000);
  });

  it('50,000 lines are looked up with few statements', async () => {
    const lines = Array.from(
      { length: 50_000 },
      (_, index) => `(00)${sscc(index % 5_000)}${index < 5_000 ? '' : ' '}`,
    );
    const trips = await recorded(async () => {
      const { html } = await pages.send(NEW, 'create', {
        externalIdentifier: 'MANY',
        gate: '',
        pallets: lines.join('\n'),
      });
      expect(html).toContain('Create MANY with');
    });
    const lookUps = trips
      .flatMap(({ statements }) => statements)
      .filter(({ text }) => text.includes('wms_id IN'));
    expect(lookUps.length).toBeGreaterThan(0);
    // Four for each 2,000 texts.
    expect(lookUps.length).toBeLessThan(14);
  });
});
