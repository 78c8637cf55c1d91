import { look, post, type SignedIn } from '../../delivery/live/listener.ts';
import type { Dock } from '../../dispatch/load/shipment/dock.ts';

/** The answer to a form or a page request. */
export interface Sent {
  status: number;
  /** The address of a redirect. */
  location: string | null;
  /** The HTML of the answer. */
  html: string;
  /** The notice that the next page will show; '' without one. */
  notice: string;
}

/** Pages of a signed-in user. */
export interface Pages {
  get(path: string): Promise<Sent>;
  /** Sends a form of a page with its token. The key is new by default. */
  send(path: string, action: string, fields: Record<string, string>, key?: string): Promise<Sent>;
  /** Sends a form with a file, as browsers do. */
  upload(path: string, action: string, fields: Record<string, string>, file: Uint8Array): Promise<Sent>;
  /** Opens the question of an action and confirms it. */
  agree(path: string, action: string, fields: Record<string, string>): Promise<Sent>;
}

const read = async (answer: Response): Promise<Sent> => ({
  status: answer.status,
  location: answer.headers.get('Location'),
  html: await answer.text(),
  // The notice is encoded, and the cookie encodes it again.
  notice: decodeURIComponent(
    decodeURIComponent(/\bflash=([^;]*)/.exec(answer.headers.getSetCookie().join('\n'))?.[1] ?? ''),
  ),
});

/** Returns the pages as a user sees them. */
export function pagesOf({ cookie }: SignedIn): Pages {
  const pages: Pages = {
    async agree(path, action, fields) {
      const { html } = await pages.get(`${path}?${new URLSearchParams({ confirm: action, ...fields })}`);
      const confirmed = /name="confirmed" value="([^"]+)"/.exec(html)?.[1] ?? '';
      return pages.send(path, action, { ...fields, confirmed });
    },
    async upload(path, action, fields, file) {
      const { html } = await read(await look('/app/board', cookie));
      const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';
      const form = new FormData();
      const values = { ...fields, token, key: crypto.randomUUID(), action };
      for (const [name, value] of Object.entries(values)) form.set(name, value);
      form.set('file', new File([file], 'list'));
      return read(await post(path, form, { Cookie: cookie }));
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

export async function gateUuid(dock: Dock, externalIdentifier = 'G'): Promise<string> {
  const { body } = await dock.must('GET', '/gate?pageSize=100');
  return body.content.find(
    (gate: { externalIdentifier: string }) => gate.externalIdentifier === externalIdentifier,
  ).uuid;
}
