import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PAGES } from '../../../src/web/ui/page/page.tsx';
import '../../../src/app.ts';
import { API, operator, type Tenant } from '../client.ts';
import type { Service } from '../service.ts';
import { ownService } from '../shared.ts';
import { age, changeStored, retain } from '../stored.ts';
import {
  expectGoodPage,
  newPerson,
  newTenant,
  type Person,
  signedIn,
  typeSignIn,
  type World,
  worldOn,
} from './browser.ts';
import { hostile, hostileTenant } from './hostile.ts';

/** Largest compressed page in bytes, without the files that it loads. A tablet in a yard has a poor connection. */
const PAGE_BYTES_MAXIMUM = 7 * 1024;

const LONG_CHOICES = ['/app/settings', '/app/organization/:uuid', '/app/audit-log'];

/** Largest page with a long choice: of all time zones of the world, or of all actions of the log. */
const CHOICES_BYTES_MAXIMUM = 9 * 1024;

/** An element in the browser. The test project has no DOM types. */
interface Labelled {
  textContent: string | null;
  labels?: ArrayLike<{ textContent: string | null }>;
}

let world: World<Service>;
let tenant: Tenant;
let admin: Person;
let page: Page;
/** Requests to other hosts, errors of scripts, and answers with status 500 or higher. */
const faults: string[] = [];

beforeAll(async () => {
  world = await worldOn(await ownService());
  tenant = await hostileTenant(world);
  await passYear();
  admin = await newPerson(world, tenant, 'ADMINISTRATOR');
  page = await signedIn(world, admin);
  page.on('request', (request) => {
    if (!request.url().startsWith(world.service.origin)) faults.push(`request to ${request.url()}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`));
});
afterAll(async () => {
  await world.end();
  await world.service.dispose();
});

const DEAD_LETTER = '019aa4f5-5bc0-7000-8000-00000000d1ed';

/** Archives the closed work and adds a dead letter, so that their pages exist. */
async function passYear(): Promise<void> {
  await changeStored(world.service, tenant.uuid, (database) => {
    expect(age(database, tenant.uuid)).toBeGreaterThan(0);
    database
      .prepare(
        `INSERT INTO dead_letter (uuid, organization_uuid, queue, message_id, body, reason, resend_count, create_date,
          update_date) VALUES (?1, ?2, ?3, 'm', '{}', ?4, 0, ?5, ?5)`,
      )
      .run(DEAD_LETTER, tenant.uuid, hostile('queue'), hostile('reason'), Date.now());
  });
  await retain(world.service, tenant.uuid);
  await tenant.send({ method: 'POST', path: '/manifest', json: { externalIdentifier: 'NEW' } });
  // The schedule plans the job in a turn of its database, up to 15 s after the call. A commit then wakes the object of the
  // organization, as the next schedule would.
  const isArchived = async () => {
    await tenant.send({ method: 'PUT', path: '/manifest/NEW', json: { assets: [crypto.randomUUID()] } });
    return (await tenant.get('/archive')).json.totalElements > 0;
  };
  await vi.waitUntil(isArchived, { timeout: 100_000, interval: 500 });
}

/** Completes a shipment. Returns the pages that share it and its manifest. */
async function newSharePages(): Promise<string[]> {
  const send = async (path: string, json?: object) => {
    const answer = await tenant.send({ method: 'POST', path, json });
    expect([path, answer.status, answer.status < 300 || answer.json]).toEqual([path, answer.status, true]);
    return answer.json?.uuid as string;
  };
  const [manifest, identifier] = [hostile('shared'), hostile('sent')];
  const manifestUuid = await send('/manifest', { externalIdentifier: manifest, assets: [hostile('left')] });
  const manifests = [{ manifestExternalId: manifest }];
  const uuid = await send('/shipment', { identifier, gateIdentifier: hostile('gate'), manifests });
  for (const status of ['IN_PROGRESS', 'COMPLETED']) await send(`/shipment/${uuid}/status/${status}`);
  return [`/app/shipment/${uuid}/share`, `/app/manifest/${manifestUuid}/share`];
}

/** Removes the names of things from a path, so that only the kind of page remains. */
const kindOf = (path: string): string =>
  path
    .replace(/[?#].*$/, '')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ':uuid')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ':load')
    .replace(/\/\d+$/, '/:code');

/** Paths of files, which are not pages. */
const IS_FILE = /\.(csv|xlsx|pdf|zpl)$/;

/** Looks at one page of each kind that links reach, and returns the kinds. */
async function eachKind(look: (path: string, bytes: number) => Promise<void>): Promise<string[]> {
  const kinds = new Set<string>();
  const gate = (await tenant.get('/gate')).json.content[0].uuid;
  const alone = (await tenant.get('/manifest/NEW')).json.uuid;
  const [load] = (await tenant.get('/shipment?status=IN_PROGRESS')).json.content;
  const paths = [
    '/app',
    '/app/account',
    '/app/password',
    // A report without wrong pallets has no link to it.
    '/app/report/wrong-pallets',
    `/app/organization/${tenant.uuid}`,
    `/app/dead-letter/${DEAD_LETTER}`,
    `/app/search?q=${encodeURIComponent(hostile(''))}`,
    // A script sends photos to this page.
    `/app/gate/${gate}/photo`,
    // Only the page of a manifest without a shipment has this link.
    `/app/manifest/${alone}/sign`,
    // Only a gate with this load has this link.
    `/app/gate/${load.gate.uuid}/sign/${load.uuid}`,
    // Only loads with more photos than their page shows have these links.
    `/app/shipment/${load.uuid}/photos`,
    `/app/manifest/${alone}/photos`,
  ];
  let sharePages: string[] | undefined;
  /** The next path. A shipment is completed at the end, because its page then has fewer links. */
  async function next(): Promise<string | undefined> {
    if (paths.length === 0 && !sharePages) {
      sharePages = await newSharePages();
      paths.push(...sharePages);
    }
    return paths.shift();
  }
  for (let path = await next(); path !== undefined; path = await next()) {
    const kind = kindOf(path);
    if (kinds.has(kind) || IS_FILE.test(kind)) continue;
    kinds.add(kind);
    const response = await page.goto(path);
    expect([path, response!.status()]).toEqual([path, 200]);
    const links = await page.$$eval('a[href^="/app"]', (found) =>
      found.map((link) => link.getAttribute('href')!),
    );
    paths.push(...links);
    await look(kind, gzipSync(await response!.body()).length);
  }
  return [...kinds];
}

/** Returns the actions in forms and questions of this page that their target page does not declare. */
async function undeclared(): Promise<string[]> {
  const sent = await page.$$eval('form[method="post"] [name="action"]', (found) =>
    found.map((input) => [input.closest('form')!.getAttribute('action')!, input.getAttribute('value')!]),
  );
  const asked = await page.$$eval('a[data-ask][href*="confirm="]', (found) =>
    found.map((link) => link.getAttribute('href')!.split(/[?]confirm=|&/)),
  );
  return [...sent, ...asked]
    .filter(([to, name]) => !PAGES.some(({ path, actions = {} }) => path === kindOf(to!) && name! in actions))
    .map((named) => named.join(' '));
}

describe('every page', () => {
  it('every page shows stored text as text, loads from its own host, is small, accessible and fits', async () => {
    const kinds = await eachKind(async (kind, bytes) => {
      expect([kind, await page.evaluate('globalThis.hit')]).toEqual([kind, undefined]);
      expect([kind, await page.locator('main img[src="x"], main script').count()]).toEqual([kind, 0]);
      const most = LONG_CHOICES.includes(kind) ? CHOICES_BYTES_MAXIMUM : PAGE_BYTES_MAXIMUM;
      expect([kind, bytes < most || bytes]).toEqual([kind, true]);
      expect([kind, await page.locator('h1').count()]).toEqual([kind, 1]);
      expect([kind, await undeclared()]).toEqual([kind, []]);
      await expectGoodPage(page, kind);
    });
    const missed = PAGES.filter(({ path, right }) => path.startsWith('/app') && right !== 'guest')
      .map(({ path }) => path)
      .filter((path) => !IS_FILE.test(path) && !kinds.includes(path));
    // No link leads to this page. It asks for confirmation of the sign-out.
    expect(missed).toEqual(['/app/logout']);
    expect(faults).toEqual([]);
  });

  it('every page opens by the deepLink of the API, only for its own organization', async () => {
    const links = await deepLinks();
    expect(new Set(links.map((link) => kindOf(new URL(link).pathname))).size).toBeGreaterThanOrEqual(17);
    for (const link of links) {
      const answer = await page.request.get(link);
      expect([link, answer.status()]).toEqual([link, 200]);
    }
    const neighbour = await newTenant(world.service, 'neighbour', {
      dispatchStrategy: 'SHIPMENT',
      clientFeatureEnabled: true,
    });
    const stranger = await signedIn(world, await newPerson(world, neighbour, 'ADMINISTRATOR'));
    for (const link of links) {
      const answer = await stranger.request.get(link);
      expect([link, answer.status()]).toEqual([link, 404]);
      expect(await answer.text()).not.toContain('onerror');
    }
  });
});

/** Returns all links to pages that the API returns for this organization. */
async function deepLinks(): Promise<string[]> {
  const lists = [
    'manifest',
    'shipment',
    'track',
    'client',
    'gate',
    'scanner',
    'local-manager',
    'agent',
    'alert-event',
    'audit-log',
    'user',
    'webhook',
    'authority',
  ];
  const answers = [];
  for (const list of lists) answers.push((await tenant.get(`/${list}`)).text);
  const { json: scanners } = await tenant.get('/scanner');
  answers.push((await tenant.get(`/scanner/${scanners.content[0].uuid}/printing-batch`)).text);
  const path = `/organization/${tenant.uuid}`;
  for (const below of ['', '/api-key', '/access-token']) {
    answers.push((await operator(world.service, 200, { method: 'GET', path: `${path}${below}` })).text);
  }
  const all = answers.flatMap((text) => [...text.matchAll(/"deepLink":"([^"]+)"/g)].map(([, link]) => link!));
  return [...new Set(all)];
}

describe('a shift', () => {
  it('the keyboard alone goes from the sign-in to a completed manifest', async () => {
    const plain = await newTenant(world.service, 'plain');
    const person = await newPerson(world, plain, 'OPERATOR');
    await plain.send({
      method: 'POST',
      path: '/manifest',
      json: { externalIdentifier: 'M1', assets: ['P1'] },
    });
    const context = await world.profile({ javaScriptEnabled: false });
    const tablet = await context.newPage();
    const tabTo = async (name: string) => {
      for (let count = 0; count < 80; count += 1) {
        await tablet.keyboard.press('Tab');
        const focused = tablet.locator(':focus');
        const label = await focused.evaluate((node) => {
          const { textContent, labels } = node as unknown as Labelled;
          return (node.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? textContent ?? '').trim();
        });
        if (label === name) return;
      }
      throw new Error(`${name} is not reached by Tab`);
    };
    const go = async (name: string) => {
      await tabTo(name);
      await Promise.all([tablet.waitForNavigation(), tablet.keyboard.press('Enter')]);
    };
    await tablet.goto('/app/manifest');
    await tabTo('Organization');
    await tablet.keyboard.type(person.organization);
    await tabTo('E-mail address');
    await tablet.keyboard.type(person.email);
    await tabTo('Password');
    await tablet.keyboard.type(person.password);
    await Promise.all([tablet.waitForNavigation(), tablet.keyboard.press('Enter')]);
    await go('M1');
    await go('Ready to load');
    await tabTo('Change Gate');
    await tablet.keyboard.press('Enter');
    await go('Assign gate');
    await go('Start loading');
    await go('Loaded: P1');
    await go('Complete');
    expect(await tablet.locator('.stands .badge').textContent()).toContain('Completed');
    expect((await plain.get('/manifest/M1')).json).toMatchObject({
      manifestStatus: 'COMPLETED',
      loadedAssetsCount: 1,
    });
    const { json: log } = await plain.get(`/audit-log?actorUuid=${person.uuid}&entityType=MANIFEST`);
    expect(log.content[0].actor).toMatchObject({ actorType: 'USER', displayName: 'Robin Field' });
    await context.close();
  });

  it('a refused form shows the reason and keeps the input', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/app/client');
    await page.getByLabel('Name', { exact: true }).fill('A second client');
    await page.getByLabel('External id', { exact: true }).fill(hostile('client id').toUpperCase());
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.getByRole('button', { name: 'Create' }).click(),
    ]);
    expect(answer.status()).toBe(409);
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('A second client');
    expect(await page.getByLabel('External id', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('.field.wrong .error').textContent()).toBe(
      'Another client has this external id. Enter another one.',
    );
    await page.getByLabel('External id', { exact: true }).fill('SECOND');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('status').filter({ hasText: 'Client A second client was created.' }).waitFor();
  });

  it('a secret is shown once, and a form that is sent twice takes effect once', async () => {
    await page.goto('/app/webhook');
    await page.getByLabel('Name', { exact: true }).fill('Twice');
    await page.getByLabel('Address').fill('http://127.0.0.1:9/twice');
    await page.getByRole('button', { name: 'Register' }).click();
    const secret = await page.locator('.secret code').textContent();
    expect(secret).toMatch(/^whsec_/);
    await page.reload();
    await page.getByRole('status').filter({ hasText: 'Twice is registered.' }).waitFor();
    expect(await page.content()).not.toContain(secret!);
    const { json } = await tenant.get('/webhook');
    expect(json.content.filter(({ name }: { name: string }) => name === 'Twice')).toHaveLength(1);
    await page.getByRole('link', { name: 'Twice' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.locator('#deliveries').getByText('Webhook test').waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    expect(await page.locator('.secret code').textContent()).not.toBe(secret);
  });

  it('an administrator creates a user, who sets a password by a link, and resets it', async () => {
    await page.goto('/app/user');
    await page.getByLabel('First name').fill('Kim');
    await page.getByLabel('Last name').fill('Yard');
    await page.getByLabel('E-mail address', { exact: true }).fill('kim@example.com');
    await page.locator('form[aria-label="New user"] select[name="authorityName"]').selectOption('VIEWER');
    await page.getByRole('button', { name: 'Create' }).click();
    const link = (await page.locator('.secret code').textContent())!;
    const kim = await (await world.profile()).newPage();
    await kim.goto(link);
    await expectGoodPage(kim, '/app/invite');
    await kim.getByLabel('New password', { exact: true }).fill('viewers only');
    await kim.getByLabel('New password again').fill('viewers only');
    await kim.getByRole('button', { name: 'Set password' }).click();
    await kim.getByRole('status').filter({ hasText: 'Your password is set' }).waitFor();
    await kim.goto('/app/manifest');
    await kim.locator('tbody a').first().click();
    await kim.waitForURL('**/app/manifest/*-*');
    // Every user who sees pallets may print labels.
    expect(await kim.locator('main form[method="post"]').count()).toBe(1);
    expect(await kim.locator('main form[method="post"] button').allTextContents()).toEqual([' Print labels']);
    await page.goto('/app/user?q=kim');
    await page.getByRole('link', { name: 'Kim Yard' }).click();
    await page.getByText('Reset password').click();
    await page.getByRole('button', { name: 'Reset' }).click();
    expect(await page.locator('.secret code').textContent()).not.toBe(link);
    await kim.goto('/app');
    expect(new URL(kim.url()).pathname).toBe('/app/login');
  });

  it('a batch page prints labels without an API key', async () => {
    await page.goto('/app/printing-batch');
    await page.locator('tbody a').first().click();
    await page.waitForURL('**/printing-batch/*-*');
    const hrefs = await page.$$eval('a[href*="/sheet."]', (links) =>
      links.map((link) => link.getAttribute('href')!),
    );
    expect(hrefs.length).toBeGreaterThanOrEqual(2);
    for (const href of hrefs) {
      const sheet = await page.request.get(href);
      expect([sheet.status(), sheet.headers()['content-type']]).toEqual([
        200,
        href.includes('.pdf') ? 'application/pdf' : 'application/zpl',
      ]);
      expect((await fetch(`${world.service.origin}${href}`, { redirect: 'manual' })).status).toBe(303);
    }
  });
});

describe('another site', () => {
  it('another site cannot make a browser send a form, not even from the same host', async () => {
    const { json } = await tenant.get('/alert-event');
    const [alert] = json.content;
    const form = (action: string) => `<form id="f" method="post" action="${action}">
      <input name="action" value="resolve"></form><script>document.getElementById('f').submit()</script>`;
    const site = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(form(`${world.service.origin}/app/alert/${alert.uuid}`));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => site.once('listening', resolve));
    const { port } = site.address() as { port: number };
    const victim = await signedIn(world, admin);
    for (const host of ['127.0.0.1', 'localhost']) {
      const answer = victim.waitForResponse((response) => response.url().includes('/app/alert/'));
      await victim.goto(`http://${host}:${port}/`).catch(() => undefined);
      expect([host, (await answer).status()]).toEqual([host, host === 'localhost' ? 303 : 403]);
    }
    site.close();
    expect((await tenant.get('/alert-event')).json.content[0].status).toBe(alert.status);
    await victim.goto('/app/account');
    expect(new URL(victim.url()).pathname).toBe('/app/account');
  });

  it('another site cannot frame a page, and no cache keeps a page', async () => {
    const answer = await page.request.get('/app');
    expect(answer.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(answer.headers()['cache-control']).toBe('no-store');
  });
});

it('an API key opens no page, and a session opens no API', async () => {
  const key = await fetch(`${world.service.origin}/app`, {
    headers: { 'X-AUTH-KEY': tenant.key },
    redirect: 'manual',
  });
  expect(key.status).toBe(303);
  const api = await page.request.get(`${API}/manifest`);
  expect(api.status()).toBe(401);
});

it('a browser that was signed out elsewhere is led to the sign-in and back', async () => {
  const person = await newPerson(world, tenant, 'OPERATOR');
  const [first, second] = [await signedIn(world, person), await signedIn(world, person)];
  await first.goto('/app/account');
  await first.getByRole('button', { name: 'End all other sessions' }).click();
  await first.getByText('All other sessions have ended.').waitFor();
  await second.goto('/app/track');
  await typeSignIn(second, person);
  await second.waitForURL('**/app/track');
});
