import type { Page } from 'playwright-core';
import { operator, send, type Tenant } from '../client.ts';
import { newPerson, newTenant, type Person, signedIn, startWorld, type World } from './browser.ts';

/** An organization with gates and pallets, and cameras that report. */
export interface Dock extends Tenant {
  /** Marker code by WMS id. */
  codes: Record<string, number>;
  /** Uuid by external id of the gate. */
  gates: Record<string, string>;
  /** Path of the page of a gate. */
  gatePath(gate: string): string;
  /** Call the integration API and expect success. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  must(method: string, path: string, json?: unknown): Promise<any>;
  couple(...wmsIds: string[]): Promise<void>;
  /** A manifest of these pallets, TO_DO. */
  manifest(externalIdentifier: string, assets: string[], more?: object): Promise<void>;
  /** What a camera reads at a gate: WMS ids, or marker codes. */
  scan(gate: string, ...pallets: (string | number)[]): Promise<void>;
}

/** A page that is live looks by itself once a minute: what it shows sooner it was told, on a machine however busy. */
export const SOON = { timeout: 20_000 };

/** Wait until a page is told of changes. */
export const live = (page: Page) =>
  page.locator('body[data-feed="live"] #feed', { hasText: 'Live' }).waitFor();

/** The page of a gate, live, on a screen of its own. */
export async function openGate(world: World, person: Person, path: string): Promise<Page> {
  const page = await signedIn(world, person, { viewport: { width: 1024, height: 768 } });
  await page.goto(path);
  await live(page);
  return page;
}

/** As a keyboard wedge does it: the text at once, wherever the focus is, then Enter. */
export async function wedge(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** What can be touched at a gate and is smaller than a glove wants. */
export async function smallTargets(page: Page): Promise<unknown> {
  const found: unknown[] = [];
  for (const width of [360, 1024, 1920]) {
    await page.setViewportSize({ width, height: 1080 });
    found.push(
      ...((await page.evaluate(`[...document.querySelectorAll('#live :is(button, summary, select, .button, #again, #q, #scan), dialog :is(button, .button, label:has(input), input[name=whyNote])')]
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 55.5)
        .map((element) => [${width}, element.outerHTML, element.getBoundingClientRect().height])`)) as unknown[]),
    );
  }
  return found;
}

/** A browser, a dock and its administrator. A test file awaits them at its top. */
export async function atDock(...of: DockOf) {
  const world = await startWorld();
  return { world, ...(await docked(world, world, of)) };
}

export type DockOf = [slug: string, gates: Record<string, string>, settings?: Record<string, unknown>];

/** A dock, its administrator, and a function that opens a gate's page for the administrator. */
export async function docked(world: World, direct: World, of: DockOf) {
  const dock = await newDock(direct, ...of);
  const admin = await newPerson(direct, dock, 'ADMINISTRATOR');
  return { dock, admin, opened: (gate: string) => openGate(world, admin, dock.gatePath(gate)) };
}

let scans = 0;

/** Provision it. */
export async function newDock(
  world: World,
  slug: string,
  gates: Record<string, string>,
  settings: Record<string, unknown> = {},
): Promise<Dock> {
  const { service } = world;
  const tenant = await newTenant(service, slug, settings);
  const path = `/organization/${tenant.uuid}`;
  for (const [externalIdentifier, name] of Object.entries(gates)) {
    const gate = `${path}/gate/${encodeURIComponent(externalIdentifier)}`;
    await operator(service, externalIdentifier === 'G1' ? 200 : 201, {
      method: 'PUT',
      path: gate,
      json: { name },
    });
  }
  const scopes = ['GATE_WRITE'];
  const issued = { method: 'POST', path: `${path}/access-token`, json: { name: 'Camera', scopes } };
  const token = (await operator(service, 201, issued)).json.secret;
  const codes: Record<string, number> = {};
  const must: Dock['must'] = async (method, at, json) => {
    const answer = await tenant.send({ method, path: at, ...(json === undefined ? {} : { json }) });
    if (answer.status >= 300) throw new Error(`${method} ${at}: ${answer.text}`);
    return answer.json;
  };
  const listed = await must('GET', '/gate?pageSize=100');
  const uuids: Record<string, string> = Object.fromEntries(
    listed.content.map((gate: { externalIdentifier: string; uuid: string }) => [
      gate.externalIdentifier,
      gate.uuid,
    ]),
  );
  return {
    ...tenant,
    codes,
    gates: uuids,
    gatePath: (gate) => `/app/gate/${uuids[gate]}`,
    must,
    async couple(...wmsIds) {
      for (const wmsId of wmsIds) {
        codes[wmsId] = (await must('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId })).markerCode;
      }
    },
    async manifest(externalIdentifier, assets, more = {}) {
      await must('POST', '/manifest', { externalIdentifier, assets, manifestStatus: 'TO_DO', ...more });
    },
    async scan(gate, ...pallets) {
      const json = {
        scans: pallets.map((pallet) => {
          scans += 1;
          const markerCode = typeof pallet === 'number' ? pallet : codes[pallet];
          return { scanId: `scan-${scans}`, markerCode, direction: 'LOAD' };
        }),
      };
      const answer = await send(service, {
        method: 'POST',
        path: `/device/rest/api/v1/gate/${encodeURIComponent(gate)}/scans`,
        headers: { 'X-Auth-Token': token },
        json,
      });
      if (answer.status !== 200) throw new Error(answer.text);
    },
  };
}
