import type { Tenant } from '../../client.ts';
import { look, post } from '../../delivery/live/listener.ts';

/** The answer to a form that a script sent. */
export interface FormAnswer {
  status: number;
  location: string | null;
  /** The body, a page or JSON. */
  text: string;
}

const formAnswerOf = async (answer: Response): Promise<FormAnswer> => ({
  status: answer.status,
  location: answer.headers.get('Location'),
  text: await answer.text(),
});

/** A browser with a cookie. It opens pages and sends their forms with their token. */
export interface Device {
  cookie: string;
  get(path: string): Promise<FormAnswer>;
  /** The token comes from the page `on`, by default from the page of the form. */
  send(path: string, fields: Record<string, string>, on?: string): Promise<FormAnswer>;
}

/** Creates a browser with this cookie. */
export function deviceOf(cookie: string): Device {
  const device: Device = {
    cookie,
    get: async (path) => formAnswerOf(await look(path, cookie)),
    async send(path, fields, on = path) {
      const token = /name="token" value="([^"]+)"/.exec((await device.get(on)).text)?.[1] ?? '';
      const headers = { Cookie: cookie, Accept: 'application/json' };
      return formAnswerOf(await post(path, { token, key: crypto.randomUUID(), ...fields }, headers));
    },
  };
  return device;
}

/** Creates a pairing link for a gate and returns its path. */
export async function linkFor(manager: Device, gatePath: string, name: string): Promise<string> {
  const { status, text } = await manager.send(`${gatePath}/tablets`, { action: 'pair', name });
  const link = /<code id="link">([^<]+)</.exec(text)?.[1];
  if (!link) throw new Error(`no link: ${status} ${text.slice(0, 2_000)}`);
  return new URL(link).pathname;
}

/** Presses the button of a link on a device without cookies. */
export const press = (link: string): Promise<Response> => post(link, {});

/** Pairs a new device with a gate. */
export async function newTablet(manager: Device, gatePath: string, name = 'Tablet 1'): Promise<Device> {
  const answer = await press(await linkFor(manager, gatePath, name));
  const cookie = /\btablet=[^;]+/.exec(answer.headers.getSetCookie().join('\n'))?.[0];
  if (!cookie) throw new Error(`not paired: ${answer.status} ${await answer.text()}`);
  return deviceOf(cookie);
}

/** Revokes a tablet on the page of its gate. */
export async function revoke(manager: Device, gatePath: string, name: string): Promise<FormAnswer> {
  const path = `${gatePath}/tablets`;
  const { text } = await manager.get(path);
  const href = new RegExp(`href="([^"]+)"[^>]*aria-label="Revoke ${name}"`).exec(text)?.[1];
  if (!href) throw new Error(`no ${name}: ${text}`);
  const asked = await manager.get(href.replaceAll('&amp;', '&'));
  const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.text)![1]!;
  const tablet = /name="tablet" value="([^"]+)"/.exec(asked.text)![1]!;
  return manager.send(path, { action: 'revoke', tablet, confirmed, why: 'Lost' });
}

/** The audit records of an action, oldest first. */
export const logOf = async (
  tenant: Tenant,
  action: string,
  // biome-ignore lint/suspicious/noExplicitAny: records of every shape
): Promise<any[]> =>
  (await tenant.call('GET', `/audit-log?action=${action}&sort.sortBy=sequenceNumber&sort.direction=ASC`)).body
    .content;
