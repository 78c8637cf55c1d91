import { look, post, type SignedIn } from '../../delivery/live/listener.ts';
import type { Dock } from '../../dispatch/shipment/dock.ts';

/** What came of a form. */
export interface Sent {
  status: number;
  /** Where it leads. */
  location: string | null;
  /** The page that it is answered with. */
  html: string;
}

/** The pages of somebody who is signed in. */
export interface Pages {
  get(path: string): Promise<Sent>;
  /** Send a form of a page: with its token, and a key that is new unless one is named. */
  send(path: string, action: string, fields: Record<string, string>, key?: string): Promise<Sent>;
  /** Ask what an action would do, and agree to what the page says. */
  agree(path: string, action: string, fields: Record<string, string>): Promise<Sent>;
}

const read = async (answer: Response): Promise<Sent> => ({
  status: answer.status,
  location: answer.headers.get('Location'),
  html: await answer.text(),
});

/** The pages as they are for a user. */
export function pagesOf({ cookie }: SignedIn): Pages {
  const pages: Pages = {
    async agree(path, action, fields) {
      const { html } = await pages.get(`${path}?${new URLSearchParams({ confirm: action, ...fields })}`);
      const confirmed = /name="confirmed" value="([^"]+)"/.exec(html)?.[1] ?? '';
      return pages.send(path, action, { ...fields, confirmed });
    },
    get: async (path) => read(await look(path, cookie)),
    async send(path, action, fields, key = crypto.randomUUID()) {
      const { html } = await read(await look('/app/board', cookie));
      const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';
      return read(await post(path, { ...fields, token, key, action }, { Cookie: cookie }));
    },
  };
  return pages;
}

/** The uuid of a gate. */
export async function gateUuid(dock: Dock, externalIdentifier = 'G'): Promise<string> {
  const { body } = await dock.must('GET', '/gate?pageSize=100');
  return body.content.find(
    (gate: { externalIdentifier: string }) => gate.externalIdentifier === externalIdentifier,
  ).uuid;
}
