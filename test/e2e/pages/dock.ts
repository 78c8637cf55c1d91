import type { Page } from 'playwright-core';
import { must as mustSend, operator, send, type Tenant } from '../client.ts';
import { newPerson, newTenant, type Person, signedIn, startWorld, type World } from './browser.ts';

/** An organization with gates, pallets and cameras. */
export interface Dock extends Tenant {
  /** Marker codes by WMS id. */
  codes: Record<string, number>;
  /** Uuids of gates by external id. */
  gates: Record<string, string>;
  /** The path of a gate's page. */
  gatePath(gate: string): string;
  /** Calls the integration API and expects success. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  must(method: string, path: string, json?: unknown): Promise<any>;
  couple(...wmsIds: string[]): Promise<void>;
  /** Creates a manifest of these pallets with the status TO_DO. */
  manifest(externalIdentifier: string, assets: string[], more?: object): Promise<void>;
  /** Reports a scan of a camera. Pallets are WMS ids or marker codes. */
  scan(gate: string, ...pallets: (string | number)[]): Promise<void>;
}

/**
 * A live page refreshes by itself once a minute. If it shows a change sooner, it was notified, even on a busy
 * machine.
 */
export const SOON = { timeout: 20_000 };

/** Waits until a page receives live notifications. */
export const live = (page: Page) =>
  page.locator('body[data-feed="live"] #feed', { hasText: 'Live' }).waitFor();

/** Opens the live page of a gate in a separate browser profile. */
export async function openGate(world: World, person: Person, path: string): Promise<Page> {
  const page = await signedIn(world, person, { viewport: { width: 1024, height: 768 } });
  await page.goto(path);
  await live(page);
  return page;
}

/** Types as a keyboard wedge does: the text at once, into the element with the focus, then Enter. */
export async function wedge(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Records the frequencies of the tones that the page plays. Returns a function that reads them. */
export async function listen(page: Page): Promise<() => Promise<string>> {
  await page.mouse.click(500, 20);
  await page.locator('#sound', { hasText: 'Sound on' }).waitFor(SOON);
  await page.evaluate(`globalThis.tones = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) {
      globalThis.tones.push(Math.round(this.frequency.value));
      return start.apply(this, given);
    };`);
  return async () => JSON.stringify(await page.evaluate('globalThis.tones.splice(0)'));
}

/** Returns the controls of a gate page that are too small for a hand in a glove. */
export async function smallTargets(page: Page): Promise<unknown> {
  const found: unknown[] = [];
  for (const width of [360, 1024, 1920]) {
    await page.setViewportSize({ width, height: 1080 });
    found.push(
      ...((await page.evaluate(`[...document.querySelectorAll('#live :is(button, summary, select, .button, #again, #q, #scan, #badge), dialog :is(button, .button, label:has(input), input[name=whyNote])')]
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 55.5)
        .map((element) => [${width}, element.outerHTML, element.getBoundingClientRect().height])`)) as unknown[]),
    );
  }
  return found;
}

/** Returns a browser, a dock and its administrator. A test file awaits them at its top. */
export async function atDock(...of: DockOf) {
  const world = await startWorld();
  return { world, ...(await docked(world, world, of)) };
}

/** A time zone in which it is now between 8 and 9 o'clock. */
export function zoneOfMorning(): string {
  const hours = 8 - new Date().getUTCHours();
  // Zones are between 12 hours behind UTC and 14 hours ahead of it. The sign in their names is inverted.
  const offset = hours < -12 ? hours + 24 : hours;
  return offset === 0 ? 'UTC' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

export type DockOf = [slug: string, gates: Record<string, string>, settings?: Record<string, unknown>];

/** Returns a dock, its administrator, and a function that opens a gate's page for the administrator. */
export async function docked(world: World, direct: World, of: DockOf) {
  const dock = await newDock(direct, ...of);
  const admin = await newPerson(direct, dock, 'ADMINISTRATOR');
  return { dock, admin, opened: (gate: string) => openGate(world, admin, dock.gatePath(gate)) };
}

let scans = 0;

/** Creates an organization with these gates. */
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
  const must: Dock['must'] = (...asked) => mustSend(tenant, ...asked);
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
