import type { Page } from 'playwright-core';
import type { World } from './browser.ts';
import { type Dock, live } from './dock.ts';

/** Makes a link for a new tablet of a gate, as an administrator does. Returns its path. */
export async function linkFor(office: Page, dock: Dock, gate: string, name: string): Promise<string> {
  await office.goto(`${dock.gatePath(gate)}/tablets`);
  await office.getByLabel('Name', { exact: true }).fill(name);
  await office.getByRole('button', { name: 'Make a link' }).click();
  return new URL((await office.locator('#link').textContent())!).pathname;
}

/** Pairs a new tablet by a link, and waits for the page of its gate. */
export async function pairBy(world: World, link: string, beforePairing?: (tablet: Page) => Promise<void>) {
  const context = await world.profile({ viewport: { width: 1024, height: 768 } });
  const tablet = await context.newPage();
  await tablet.goto(link);
  await beforePairing?.(tablet);
  await tablet.getByRole('button', { name: 'Pair this device' }).click();
  await tablet.waitForURL('**/app/gate/*');
  await live(tablet);
  return tablet;
}

/** Creates workers with these badges or PINs, by name. */
export async function newWorkers(office: Page, workers: Record<string, string>): Promise<void> {
  await office.goto('/app/gate-worker');
  for (const [name, code] of Object.entries(workers)) {
    await office.getByLabel('Name', { exact: true }).fill(name);
    await office.locator('input[name="workerSecret"]').first().fill(code);
    await office.getByRole('button', { name: 'Create' }).click();
    await office.getByText(`${name} can now sign in at tablets.`).waitFor();
  }
}

/** Deletes a worker on the page of workers. */
export async function deleteWorker(office: Page, name: string): Promise<void> {
  await office.goto('/app/gate-worker');
  await office.getByRole('link', { name: `Delete ${name}` }).click();
  await office.getByRole('button', { name: 'Delete', exact: true }).click();
  await office.getByText('The worker was deleted.').waitFor();
}
