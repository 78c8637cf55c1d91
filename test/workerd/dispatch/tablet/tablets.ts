import type { Tenant } from '../../client.ts';
import { look, post } from '../../delivery/live/listener.ts';

/** What came of a form, as a script is told. */
export interface Told {
  status: number;
  location: string | null;
  /** What it is answered with, whether a page or JSON. */
  text: string;
}

const toldOf = async (answer: Response): Promise<Told> => ({
  status: answer.status,
  location: answer.headers.get('Location'),
  text: await answer.text(),
});

/** A browser by its cookie: it looks at pages, and sends their forms with their token. */
export interface Device {
  cookie: string;
  get(path: string): Promise<Told>;
  /** `on` is the page whose token it has, by default the one that the form is for. */
  send(path: string, fields: Record<string, string>, on?: string): Promise<Told>;
}

/** A browser that has a cookie. */
export function deviceOf(cookie: string): Device {
  const device: Device = {
    cookie,
    get: async (path) => toldOf(await look(path, cookie)),
    async send(path, fields, on = path) {
      const token = /name="token" value="([^"]+)"/.exec((await device.get(on)).text)?.[1] ?? '';
      const headers = { Cookie: cookie, Accept: 'application/json' };
      return toldOf(await post(path, { token, key: crypto.randomUUID(), ...fields }, headers));
    },
  };
  return device;
}

/** The path of a link that pairs a device with the gate at a path. */
export async function linkFor(manager: Device, gatePath: string, name: string): Promise<string> {
  const { status, text } = await manager.send(`${gatePath}/tablets`, { action: 'pair', name });
  const link = /<code id="link">([^<]+)</.exec(text)?.[1];
  if (!link) throw new Error(`no link: ${status} ${text.slice(0, 2_000)}`);
  return new URL(link).pathname;
}

/** Press the button of a link, as a device without any cookie. */
export const press = (link: string): Promise<Response> => post(link, {});

/** A device that is paired with the gate at a path. */
export async function newTablet(manager: Device, gatePath: string, name = 'Tablet 1'): Promise<Device> {
  const answer = await press(await linkFor(manager, gatePath, name));
  const cookie = /\btablet=[^;]+/.exec(answer.headers.getSetCookie().join('\n'))?.[0];
  if (!cookie) throw new Error(`not paired: ${answer.status} ${await answer.text()}`);
  return deviceOf(cookie);
}

/** The uuid of a tablet by its name, as the page of its gate has it. */
export async function revoke(manager: Device, gatePath: string, name: string): Promise<Told> {
  const path = `${gatePath}/tablets`;
  const { text } = await manager.get(path);
  const href = new RegExp(`href="([^"]+)"[^>]*aria-label="Revoke ${name}"`).exec(text)?.[1];
  if (!href) throw new Error(`no ${name}: ${text}`);
  const asked = await manager.get(href.replaceAll('&amp;', '&'));
  const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.text)![1]!;
  const tablet = /name="tablet" value="([^"]+)"/.exec(asked.text)![1]!;
  return manager.send(path, { action: 'revoke', tablet, confirmed, why: 'Lost' });
}

/** The records of a tenant's log of an action, oldest first. */
export const logOf = async (
  tenant: Tenant,
  action: string,
  // biome-ignore lint/suspicious/noExplicitAny: records of every shape
): Promise<any[]> =>
  (await tenant.call('GET', `/audit-log?action=${action}&sort.sortBy=sequenceNumber&sort.direction=ASC`)).body
    .content;
