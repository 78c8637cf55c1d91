import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, TestRunner } from 'vitest';
import { MEMORY } from '../../memory.ts';
import { newTenant, type Served, type Tenant } from '../client.ts';
import { chromiumPath, sharedService } from '../shared.ts';
import { accessibilityFaults, CONTRAST } from './accessibility.ts';
import { FONTS_FILE, inEachFont } from './fonts.ts';
import { prepare } from './ready.ts';

export const PASSWORD = 'correct horse battery staple';
/** The folder for screenshots of pages. Without it, no screenshots are made. */
const SHOTS = process.env['PAGE_SHOTS'];

/** A browser for the tests of one file, and the service that it uses. */
export interface World<S extends Served = Served> {
  service: S;
  /** Creates a browser profile with its own cookies. */
  profile(options?: Parameters<Browser['newContext']>[0]): Promise<BrowserContext>;
  /** Closes the profiles that were opened outside of tests. The others close when their test ends. */
  end(): Promise<void>;
}

/** Starts a browser on the service that all files share. A test file awaits it at its top. */
export async function startWorld(): Promise<World> {
  const world = await worldOn(await sharedService());
  afterAll(() => world.end());
  return world;
}

/** Starts a browser on the shared service, with a new organization and its administrator. */
export async function inTenant(slug: string, settings?: Record<string, unknown>) {
  const world = await startWorld();
  const tenant = await newTenant(world.service, slug, settings);
  return { world, tenant, admin: await newPerson(world, tenant, 'ADMINISTRATOR') };
}

/** The browser that all files of a process share. Each test has its own profiles. It closes with the process. */
let shared: Promise<Browser> | undefined;

/** Starts a world on a service. Additional arguments start a separate browser. */
export async function worldOn<S extends Served>(service: S, more: readonly string[] = []): Promise<World<S>> {
  const isOwn = more.length > 0;
  if (!isOwn) shared ??= launched([]);
  const browser = await (isOwn ? launched(more) : shared!);
  const profiles: { profile: BrowserContext; errors: string[] }[] = [];
  return {
    service,
    async profile(options) {
      const profile = await browser.newContext({ baseURL: service.origin, ...options });
      const errors: string[] = [];
      profile.on('weberror', (event) => {
        const { name, message, stack } = event.error();
        errors.push(`${event.page()?.url()}: ${stack ?? `${name}: ${message}`}`);
      });
      await prepare(profile);
      // An open page would stay live and slow down later tests.
      if (TestRunner.getCurrentTest()) onTestFinished(() => closed(profile, errors));
      else profiles.push({ profile, errors });
      return profile;
    },
    async end() {
      await Promise.all(profiles.map(({ profile, errors }) => closed(profile, errors)));
      if (isOwn) await browser.close();
    },
  };
}

/** Closes a profile. A script of its pages that failed makes the test fail. */
async function closed(profile: BrowserContext, errors: readonly string[]): Promise<void> {
  await profile.close();
  expect(errors).toEqual([]);
}

const LAUNCHES_MAXIMUM = 4;

/**
 * Starts a browser. A browser with a camera file sometimes crashes with a segmentation fault at its start, so it is
 * tried again.
 */
async function launched(more: readonly string[], times = 1): Promise<Browser> {
  const launching = chromium.launch({
    executablePath: await chromiumPath(),
    // The arguments that the package has for a Lambda include some that weaken the browser's security. None of these
    // is used.
    args: [
      '--headless=shell',
      '--no-sandbox',
      '--in-process-gpu',
      '--disable-gpu',
      '--disable-webgl',
      ...more,
    ],
    headless: true,
    env: { ...process.env, FONTCONFIG_FILE: FONTS_FILE },
    // Playwright keeps shared memory off /dev/shm, because containers often have little of it. Files on a disk are
    // used then, which takes ten times as long.
    ignoreDefaultArgs: MEMORY ? ['--disable-dev-shm-usage'] : [],
  });
  return launching.catch((error) => {
    if (times === LAUNCHES_MAXIMUM || !String(error).includes('has been closed')) throw error;
    return launched(more, times + 1);
  });
}

/** A user who can sign in. */
export interface Person {
  uuid: string;
  organization: string;
  email: string;
  password: string;
}

let people = 0;

/** Creates a user with this authority and the password `PASSWORD`. */
export async function newPerson(
  world: World,
  tenant: Tenant,
  authorityName: string,
  name = 'Robin Field',
): Promise<Person> {
  people += 1;
  const [firstName, lastName] = name.split(' ');
  const email = `person${people}@example.com`;
  const json = {
    firstName,
    lastName,
    email,
    authority: { authorityName },
    passwordPolicyMode: 'INVITE_LINK',
  };
  const created = await tenant.send({ method: 'POST', path: '/user', json });
  if (created.status !== 201) throw new Error(created.text);
  await postForm(world, created.json.inviteLink, { password: PASSWORD, passwordAgain: PASSWORD });
  return { uuid: created.json.uuid, organization: tenant.slug, email, password: PASSWORD };
}

/** Posts a form as a program does that is not a browser, without cookies and browser headers. */
export async function postForm(
  world: World,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(new URL(path, world.service.origin), {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
    redirect: 'manual',
  });
}

/** Fills the sign-in form and sends it. */
export async function typeSignIn(
  page: Page,
  { organization, email, password }: Omit<Person, 'uuid'>,
): Promise<void> {
  if (!new URL(page.url(), 'http://x').pathname.endsWith('/app/login')) await page.goto('/app/login');
  await page.getByLabel('Organization').fill(organization);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/**
 * Signs a user in and returns an empty page of a separate browser profile. It sends the request of the sign-in form
 * without loading the form's page or the next page.
 */
export async function signedIn(
  world: World,
  { organization, email, password }: Person,
  options?: Parameters<Browser['newContext']>[0],
): Promise<Page> {
  const context = await world.profile(options);
  const answer = await context.request.post('/app/login', {
    form: { organization, email, password },
    maxRedirects: 0,
  });
  expect(answer.headers()['location']).toBe('/app');
  return context.newPage();
}

/** Least distance in pixels at which two words are read separately. */
const APART = 3;

/** The labels of the phone's bottom bar that touch the next label or do not fit their tab. */
const CROWDED_TABS = `(() => {
    const tabs = [...document.querySelectorAll('.tabbar > *')].filter((tab) => tab.checkVisibility());
    const boxes = tabs.map((tab) => {
      const word = tab.querySelector('span:not(.counted)');
      const range = document.createRange();
      range.selectNodeContents(word);
      return { word: word.textContent, tab: tab.getBoundingClientRect(), text: range.getBoundingClientRect() };
    });
    return boxes
      .filter(({ tab, text }, index) =>
        text.width === 0 || text.left < tab.left || text.right > tab.right || text.bottom > innerHeight ||
        text.right + ${APART} > (boxes[index + 1]?.text.left ?? Number.POSITIVE_INFINITY))
      .map(({ word }) => word);
  })()`;

export const crowdedTabs = (page: Page): Promise<unknown> => page.evaluate(CROWDED_TABS);

/**
 * The table cells whose word is broken into single letters. The day page is left out, because its cells are a quarter of
 * an hour wide.
 */
const SQUEEZED_CELLS = `[...document.querySelectorAll('#main :not(.day) > table > tbody :is(th, td:not(.pick))')].filter((cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell);
    return cell.checkVisibility() && cell.getBoundingClientRect().width < 50 &&
      text.getBoundingClientRect().height > 55 && /[^\\s]{5}/.test(cell.innerText);
  }).map((cell) => cell.innerText)`;

/** The ids in headings that reach into the margin of the page, which is 16 px wide. */
const CUT_TITLES = `[...document.querySelectorAll('h1 .sscc')].filter((id) =>
    id.getBoundingClientRect().right > document.documentElement.clientWidth - 15).map((id) => id.innerText)`;

/**
 * The pixels by which the page is too wide, the crowded tabs, the squeezed cells and the cut titles. One call is faster than
 * four.
 */
const UNFIT = `({
  wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  tabs: ${CROWDED_TABS},
  cells: ${SQUEEZED_CELLS},
  titles: ${CUT_TITLES},
})`;

/** Checks that a page is accessible in light and in dark, and needs no horizontal scrolling from 360 px on, in each font. */
export async function expectGoodPage(page: Page, path: string): Promise<void> {
  for (const [width, height] of [
    [360, 740],
    [820, 1180],
    [1024, 768],
    [1280, 800],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    const fits = { wide: 0, tabs: [], cells: [], titles: [] };
    const unfit = await page.evaluate<object>(inEachFont(UNFIT));
    for (const [font, found] of Object.entries(unfit))
      expect([path, width, font, found]).toEqual([path, width, font, fits]);
    await shot(page, `${path}-${width}`);
  }
  expect([path, await accessibilityFaults(page)]).toEqual([path, []]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect([path, 'dark', await accessibilityFaults(page, CONTRAST)]).toEqual([path, 'dark', []]);
  await shot(page, `${path}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Saves a screenshot of a page. */
export async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  const file = `${name.replace(/[^\w.-]+/g, '_')}.png`;
  await page.screenshot({ path: join(SHOTS, file), fullPage: true });
}

export { newTenant };
