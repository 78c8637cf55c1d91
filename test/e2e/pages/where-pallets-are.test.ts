import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { signedIn } from './browser.ts';
import { atDock, SOON, wedge } from './dock.ts';

const ROLES = [
  ['etd', 'DATE_TIME', 'PLANNED_DEPARTURE'],
  ['seal', 'TEXT', 'SEAL'],
];
const { world, admin, dock, opened } = await atDock(
  'where',
  { G1: 'Dock 01', G2: 'Dock 02' },
  {
    dispatchStrategy: 'SHIPMENT',
    shipmentCustomFields: ROLES.map(([fieldKey, fieldType, role]) => ({ fieldKey, fieldType, role })),
  },
);
const { must } = dock;

let cases = 0;
/** Names for one case, so that no case meets the pallets of another one. */
function named(...ids: string[]): string[] {
  cases += 1;
  return ids.map((id) => `C${cases}-${id}`);
}

/** Create an order that is on no truck yet. */
const plan = (externalIdentifier: string, assets: string[]) =>
  must('POST', '/manifest', { externalIdentifier, assets });

/** A shipment of these orders that is being loaded at a gate. */
async function loading(
  shipment: string,
  gateIdentifier: string,
  orders: Record<string, string[]>,
): Promise<void> {
  for (const [order, pallets] of Object.entries(orders)) await plan(order, pallets);
  await start(shipment, gateIdentifier, Object.keys(orders));
}
async function start(identifier: string, gateIdentifier: string, orders: readonly string[]): Promise<void> {
  const manifests = orders.map((manifestExternalId) => ({ manifestExternalId }));
  await must('POST', '/shipment', { identifier, gateIdentifier, manifests });
  await must('POST', `/shipment/${identifier}/status/IN_PROGRESS`);
}

const alertsAbout = async (...pallets: string[]): Promise<string[]> =>
  (await must('GET', '/alert-event?status=OPEN&pageSize=100')).content
    .filter(
      ({ trackIdentifier, message }: { trackIdentifier: string | null; message: string }) =>
        pallets.includes(trackIdentifier ?? '') || pallets.some((pallet) => message.includes(pallet)),
    )
    .map(({ alertType }: { alertType: string }) => alertType)
    .toSorted();

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const proofOf = async (url: string): Promise<any> => (await fetch(url.replace(/\.pdf$/, '.json'))).json();

const figures = async () => {
  const day = new Date().toISOString().slice(0, 10);
  const { content } = await must('GET', `/report?from=2026-01-01&to=${day}&groupBy=MONTH`);
  const sum = (name: string) =>
    content.reduce((total: number, row: Record<string, number>) => total + row[name]!, 0);
  return { loaded: sum('palletsLoaded'), wrong: sum('palletsWrong'), caught: sum('palletsCaught') };
};

/** The desk of the dispatcher. */
const desk = await signedIn(world, admin);
const pdfium = await PDFiumLibrary.init();
afterAll(() => pdfium.destroy());

/** The text of a page of the desk. */
async function deskText(path: string): Promise<string> {
  await desk.goto(path);
  return (await desk.locator('main').innerText()).replace(/\s+/g, ' ');
}

/** The text of a document without white space, because long names are broken into lines. */
async function pdfText(url: string): Promise<string> {
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
  const document = await pdfium.loadDocument(new Uint8Array(await answer.arrayBuffer()));
  try {
    return [...document.pages()]
      .map((page) => page.getText())
      .join('')
      .replace(/\s/g, '');
  } finally {
    document.destroy();
  }
}

/** The counts on a public page: expected, loaded and wrong pallets. */
const COUNTS = /Pallets\s+(\d+)\s+Loaded\s+(\d+)\s.*?Wrong pallet\s+(\d+)/s;

/** The page of a gate shows its only load in progress: the number of pallets aboard, and the wrong ones. */
async function gateShows(
  gate: string,
  [loaded, total]: [number, number],
  wrong: readonly string[],
): Promise<void> {
  await desk.goto(dock.gatePath(gate));
  await count(desk, loaded, total);
  const layers = desk.getByRole('alertdialog');
  expect(await layers.count()).toBe(wrong.length === 0 ? 0 : 1);
  if (wrong.length === 0) return;
  const shown = await layers.innerText();
  expect(wrong.some((pallet) => shown.includes(pallet))).toBe(true);
  // It shows one pallet at a time.
  expect(/\d+ of (\d+)\n/.exec(shown)?.[1] ?? '1').toBe(`${wrong.length}`);
}

/**
 * Complete a shipment. All places must show the same: first the page of its gate, then the API, its page at the desk, the
 * public page, the proof and its document. EPCIS and the report follow. `caught` is the number of wrong pallets that were taken
 * off.
 */
async function leaves(
  shipment: string,
  loaded: readonly string[],
  wrong: readonly string[] = [],
  caught = 0,
): Promise<void> {
  const { gate, totalAssetsCount: total } = await must('GET', `/shipment/${shipment}`);
  await gateShows(gate.externalIdentifier, [loaded.length, total], wrong);
  const before = await figures();
  await must('POST', `/shipment/${shipment}/status/COMPLETED`);
  const after = await figures();
  const { uuid, shipmentSummaryUrl, proofOfShipmentUrl, totalAssetsCount } = await must(
    'GET',
    `/shipment/${shipment}`,
  );
  interface Row {
    trackIdentifier: string;
    loadingStatus: string;
  }
  const of = (rows: Row[], status: string) =>
    rows
      .filter(({ loadingStatus }) => loadingStatus === status)
      .map(({ trackIdentifier }) => trackIdentifier)
      .toSorted();
  const records: Row[] = await must('GET', `/shipment/${shipment}/asset-loading`);
  const proof = await proofOf(proofOfShipmentUrl);
  const proven: Row[] = proof.manifests.flatMap((manifest: { records: Row[] }) => manifest.records);
  const page = (await (await fetch(shipmentSummaryUrl)).text()).replace(/<[^>]*>/g, ' ');
  const { epcisBody } = await must('GET', `/epcis/events?EQ_bizStep=shipping&perPage=1000`);
  const shipped = epcisBody.queryResults.resultsBody.eventList.find(({ parentID }: { parentID: string }) =>
    parentID.endsWith(uuid),
  );
  const aboard = (shipped?.childEPCs ?? []).map((epc: string) => epc.slice(epc.lastIndexOf('/') + 1));
  expect({
    api: [of(records, 'LOADED'), of(records, 'WRONGLY_LOADED')],
    proof: [of(proven, 'LOADED'), of(proven, 'WRONGLY_LOADED')],
    counts: [proof.counts.loadedAssetsCount, proof.counts.wronglyLoadedCount],
    page: COUNTS.exec(page)?.slice(1).map(Number),
    epcis: aboard.toSorted(),
    report: [after.loaded - before.loaded, after.wrong - before.wrong, after.caught - before.caught],
  }).toEqual({
    api: [loaded.toSorted(), wrong.toSorted()],
    proof: [loaded.toSorted(), wrong.toSorted()],
    counts: [loaded.length, wrong.length],
    page: [totalAssetsCount, loaded.length, wrong.length],
    epcis: loaded.toSorted(),
    report: [loaded.length, wrong.length, caught],
  });
  const shown = await deskText(`/app/shipment/${uuid}`);
  expect(shown).toContain(`${loaded.length} of ${totalAssetsCount} loaded`);
  expect(/(\d+) wrong pallets? aboard/.exec(shown)?.[1]).toBe(
    wrong.length === 0 ? undefined : `${wrong.length}`,
  );
  for (const pallet of wrong) expect(shown).toContain(`${pallet} It is on`);
  const printed = await pdfText(proofOfShipmentUrl);
  expect(printed).toContain(`Pallets${loaded.length}of${totalAssetsCount}loaded`);
  for (const pallet of loaded) expect(printed).toMatch(new RegExp(`${pallet}(?:\\d+|None)Loaded`));
  for (const pallet of wrong) expect(printed).toMatch(new RegExp(`${pallet}(?:\\d+|None)Wrongpallet`));
  expect(printed.split('Wrongpallet').length - 1).toBe(wrong.length);
  const reported = await deskText('/app/report');
  expect(reported).toContain(`– ${after.loaded} pallets`);
  expect(reported).toContain(`${after.wrong || 'none'} left wrong, ${after.caught || 'none'} caught`);
}

const count = (page: Page, loaded: number, total: number) =>
  page.getByText(`${loaded} / ${total}`).first().waitFor(SOON);

describe('the paper changes while pallets are aboard', () => {
  it('the next truck starts at 0 after a truck that broke down half loaded', async () => {
    const [order, a, b, c] = named('O', 'A', 'B', 'C') as [string, string, string, string];
    await dock.couple(a, b, c);
    await loading(`${order}-T1`, 'G1', { [order]: [a, b, c] });
    await dock.scan('G1', a, b);
    await must('POST', `/shipment/${order}-T1/status/CANCELLED?manifests=RELEASE`);
    expect(await alertsAbout(a, b)).toEqual(['PALLETS_ABOARD']);
    const page = await opened('G1');
    const alerts = page.locator('.strip.alerts');
    await alerts.getByText('2 pallets are still aboard').waitFor(SOON);
    await start(`${order}-T2`, 'G2', [order]);
    const next = await opened('G2');
    await count(next, 0, 3);
    await dock.scan('G2', a, b);
    await count(next, 2, 3);
    await alerts.waitFor({ state: 'detached', ...SOON });
    await leaves(`${order}-T2`, [a, b]);
  });

  it('the gate shows the pallet of a cancelled order as wrong, until it is off', async () => {
    const [order, other, a, b] = named('O', 'P', 'A', 'B') as [string, string, string, string];
    await dock.couple(a, b);
    await loading(`${order}-T`, 'G1', { [order]: [a], [other]: [b] });
    const page = await opened('G1');
    await dock.scan('G1', a, b);
    await count(page, 2, 2);
    await must('POST', `/manifest/${other}/status/CANCELLED`);
    const wrong = page.getByRole('alertdialog');
    await wrong.getByText(b).first().waitFor(SOON);
    await page.getByRole('button', { name: `It is off the truck: ${b}` }).click();
    await wrong.waitFor({ state: 'detached', ...SOON });
    expect(await alertsAbout(b)).toEqual([]);
    await leaves(`${order}-T`, [a], [], 1);
  });

  it('a repeated PUT of an order and a removed line leave the pallets that are aboard in the proof', async () => {
    const [order, a, b, c] = named('O', 'A', 'B', 'C') as [string, string, string, string];
    await dock.couple(a, b, c);
    await loading(`${order}-T`, 'G1', { [order]: [a, b, c] });
    await dock.scan('G1', a, b, c);
    await must('PUT', `/manifest/${order}`, { assets: [a, b] });
    await must('DELETE', `/manifest/${order}/track-record/${b}`);
    expect(await alertsAbout(b, c)).toEqual(['WRONGLY_LOADED', 'WRONGLY_LOADED']);
    await leaves(`${order}-T`, [a], [b, c]);
  });

  it('a wrong pallet that is added to the order of its truck is right from then on', async () => {
    const [order, a, x] = named('O', 'A', 'X') as [string, string, string];
    await dock.couple(a, x);
    await loading(`${order}-T`, 'G1', { [order]: [a] });
    const page = await opened('G1');
    await dock.scan('G1', x);
    const wrong = page.getByRole('alertdialog');
    await wrong.getByText(x).first().waitFor(SOON);
    await must('POST', `/manifest/${order}/track-record/${x}`);
    await wrong.waitFor({ state: 'detached', ...SOON });
    await count(page, 1, 2);
    expect(await alertsAbout(x)).toEqual([]);
    await dock.scan('G1', x, a);
    await leaves(`${order}-T`, [a, x]);
  });
});

describe('a pallet is read at two gates', () => {
  it('a pallet that is loaded at its own gate is not on the truck of the neighbour', async () => {
    const [order, other, a, b] = named('O', 'P', 'A', 'B') as [string, string, string, string];
    await dock.couple(a, b);
    await loading(`${order}-T`, 'G1', { [order]: [a] });
    await loading(`${other}-T`, 'G2', { [other]: [b] });
    await dock.scan('G2', a);
    expect(await alertsAbout(a)).toEqual(['WRONGLY_LOADED']);
    await dock.scan('G1', a);
    expect(await alertsAbout(a)).toEqual([]);
    await dock.scan('G2', b);
    await leaves(`${order}-T`, [a]);
    await leaves(`${other}-T`, [b], [], 1);
  });

  it('the wrong pallet of a truck that has left is not on the screen of the next truck', async () => {
    const [order, other, a, b, x] = named('O', 'P', 'A', 'B', 'X') as [
      string,
      string,
      string,
      string,
      string,
    ];
    await dock.couple(a, b, x);
    await loading(`${order}-T`, 'G1', { [order]: [a] });
    await dock.scan('G1', a, x);
    await leaves(`${order}-T`, [a], [x]);
    await loading(`${other}-T`, 'G1', { [other]: [b] });
    const page = await opened('G1');
    await count(page, 0, 1);
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await dock.scan('G1', b);
    await leaves(`${other}-T`, [b]);
    expect(await alertsAbout(x)).toEqual(['WRONGLY_LOADED']);
  });

  it('the old label of a pallet means the pallet', async () => {
    const [order, a] = named('O', 'A') as [string, string];
    await dock.couple(a);
    const old = dock.codes[a]!;
    await must('PATCH', `/track/${a}/retire?force=true`);
    await dock.couple(a);
    await loading(`${order}-T`, 'G1', { [order]: [a] });
    await dock.scan('G1', a, old);
    expect(await alertsAbout(a)).toEqual([]);
    await leaves(`${order}-T`, [a]);
  });
});

describe('evidence after the truck has left', () => {
  it('a seal that is changed after the signature is a correction, and the signature shows what it was given for', async () => {
    const [order, a, b] = named('O', 'A', 'B') as [string, string, string];
    await dock.couple(a, b);
    await loading(`${order}-T`, 'G1', { [order]: [a, b] });
    const shipment = `/shipment/${order}-T`;
    await must('POST', `${shipment}/custom-field`, { fieldKey: 'seal', fieldValue: 'S-1' });
    await must('POST', `${shipment}/signature`, {
      ...{ role: 'DRIVER', name: 'Ben', strokes: [[[1, 2]]], signDate: new Date().toISOString() },
    });
    await dock.scan('G1', a);
    await leaves(`${order}-T`, [a]);
    await must('POST', `${shipment}/custom-field`, { fieldKey: 'seal', fieldValue: 'S-2' });
    const { proofOfShipmentUrl, shipmentSummaryUrl, signatures } = await must('GET', shipment);
    expect(signatures).toMatchObject([{ role: 'DRIVER' }]);
    const proof = await proofOf(proofOfShipmentUrl);
    expect([proof.revision, proof.transport.seal, proof.signatures[0].signedFor]).toMatchObject([
      1,
      'S-2',
      { seal: 'S-1', loadedAssetsCount: 0, totalAssetsCount: 2 },
    ]);
    expect(proof.corrections).toMatchObject([{ oldValue: 'S-1', newValue: 'S-2' }]);
    expect(await (await fetch(shipmentSummaryUrl)).text()).toContain('corrected since completion');
  });
});

describe('back orders', () => {
  it('a pallet that has left with another truck, or is on another order, is named and left out', async () => {
    const [one, two, urgent, a, b, c] = named('O', 'P', 'U', 'A', 'B', 'C') as [
      ...[string, string, string],
      ...[string, string, string],
    ];
    await dock.couple(a, b, c);
    await loading(`${one}-T`, 'G1', { [one]: [a] });
    await plan(two, [a, b, c]);
    await dock.scan('G1', a);
    await leaves(`${one}-T`, [a]);
    await start(`${two}-T`, 'G2', [two]);
    const { valid, manifests } = await must('GET', `/shipment/${two}-T/validate`);
    expect([valid, manifests[0].leftWith]).toMatchObject([
      false,
      [{ trackIdentifier: a, externalIdentifier: `${one}-T` }],
    ]);
    await leaves(`${two}-T`, []);
    await plan(urgent, [b]);
    await must('POST', `/manifest/${two}/backorder`, { externalIdentifier: `${two}-2` });
    const rest = await must('GET', `/manifest/${two}-2/asset-loading`);
    expect(rest.map(({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier)).not.toContain(a);
    expect(rest.map(({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier)).toContain(c);
  });
});

describe('pallets without a marker', () => {
  it('a wrong pallet without a marker raises the same alarm, and the number of an article raises none', async () => {
    const [order, other, a, b] = named('O', 'P', 'PAL-A', 'PAL-B') as [string, string, string, string];
    await loading(`${order}-T`, 'G1', { [order]: [a] });
    await plan(other, [b]);
    const page = await opened('G1');
    await wedge(page, '4006381333931');
    await page.getByText('No pallet has the name 4006381333931.').waitFor(SOON);
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await wedge(page, b);
    const wrong = page.getByRole('alertdialog');
    await wrong.getByText(b).first().waitFor(SOON);
    expect(await alertsAbout(b)).toEqual(['WRONGLY_LOADED']);
    await page.getByRole('button', { name: `It is off the truck: ${b}` }).click();
    await wrong.waitFor({ state: 'detached', ...SOON });
    await wedge(page, a);
    await count(page, 1, 1);
    await leaves(`${order}-T`, [a], [], 1);
  });
});
