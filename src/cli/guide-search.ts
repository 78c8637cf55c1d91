/** An entry of the search: its text, its place, its link, and additional search words. */
export type Entry = [text: string, place: string, href: string, words: string];

/** A heading, and the text below it up to the next one. */
const SECTION = /<h[123] id="([^"]+)">(.*?)<\/h[123]>(.*?)(?=<h[123] id|$)/gs;
/** Programs and answers name nearly every field, so they are not searched. */
const CODE = /<pre.*?<\/pre>/gs;
/** The changelog names nearly everything, so only its headings are searched. */
const CHANGELOG = 'changelog';
const WORD = /[\p{L}\p{N}]{3,}/gu;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const plain = (html: string): string =>
  html.replaceAll(/<[^>]+>/g, '').replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!);

/** The words of a text, each once. */
const wordsIn = (text: string): string => [...new Set(text.toLowerCase().match(WORD) ?? [])].join(' ');

/** The entries of the search box about guides: each section, problem code and event type. */
export const searchEntries = (guides: readonly { name: string; html: string }[]): Entry[] =>
  guides.flatMap(({ name, html }) => {
    const page = `/docs/${name}`;
    const [first, ...others] = [...html.matchAll(SECTION)].map(([, id, heading, text]) => ({
      id,
      heading: plain(heading!),
      words: name === CHANGELOG ? '' : wordsIn(plain(text!.replaceAll(CODE, ''))),
    }));
    const sections = others.map(
      ({ id, heading, words }): Entry => [heading, first!.heading, `${page}#${id}`, words],
    );
    return [[first!.heading, '', page, first!.words] satisfies Entry, ...sections];
  });
