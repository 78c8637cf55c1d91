import operations from '../web/docs/operations.json' with { type: 'json' };

/** An entry of the search: its text, the place where it is, and its link. */
export type Entry = [text: string, place: string, href: string];

const HEADING = /<h[123] id="([^"]+)">(.*?)<\/h[123]>/gs;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const plain = (html: string): string =>
  html.replaceAll(/<[^>]+>/g, '').replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!);

/** The entries of the search box: the headings of guides, with all problem codes and event types, and the operations. */
export function searchEntries(guides: readonly { name: string; html: string }[]): Entry[] {
  const headings = guides.flatMap(({ name, html }) => {
    const [first, ...others] = [...html.matchAll(HEADING)].map(([, id, text]) => ({
      id,
      text: plain(text!),
    }));
    const page = `/docs/${name}`;
    const sections = others.map(({ id, text }): Entry => [text, first!.text, `${page}#${id}`]);
    return [[first!.text, '', page] satisfies Entry, ...sections];
  });
  const calls = Object.entries(operations).map(([call, href]): Entry => [call, 'API reference', href]);
  return [...headings, ...calls];
}
