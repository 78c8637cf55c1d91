import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { withInserts } from './guide-inserts.ts';
import { guideWords, withMessages } from './guide-messages.ts';
import { withOperationLinks } from './guide-operations.ts';
import { pictureTag } from './pictures.ts';

/** A link from one guide to another, in the form that the repository's host understands, too. */
const TO_GUIDE = /^((?:\.\.\/)*[a-z/-]+)\.md(#.*)?$/;
/** Any other link must work wherever the guide is read. */
const ANYWHERE = /^(https:\/\/|#)/;

/** The guides in German. */
const GERMAN = /^de\//;
const ENGLISH_LINK = '<a href="$1" hreflang="en">$2</a> (auf Englisch)';

/**
 * The target of a link in the served page of a guide. A path within the repository is a mistake, because nothing is
 * served there.
 */
function served(href: string, guide: string): string {
  const [, path, anchor = ''] = TO_GUIDE.exec(href) ?? [];
  if (path !== undefined) return `${posix.join('/docs', posix.dirname(guide), path)}${anchor}`;
  if (ANYWHERE.test(href)) return href;
  throw new Error(`A guide links to ${href}, which is no guide and no https URL`);
}

/** The HTML of a guide's Markdown, without the page around it. `guide` is its name. */
export function renderGuide(markdown: string, guide: string): string {
  const marked = new Marked(gfmHeadingId(), {
    walkTokens(token) {
      if (token.type === 'link') token.href = served(token.href, guide);
    },
    renderer: {
      image: ({ href, text }) => pictureTag(href, text, guide),
    },
  });
  const filled = withMessages(markdown, guideWords(GERMAN.test(guide) ? 'de' : 'en'));
  return (
    withOperationLinks(marked.parse(filled, { async: false }))
      // Requests of a guide are for curl. Other commands in the same block start the service or a program.
      .replace(
        /<code class="language-sh">(?=[^<]*\bcurl\b)/g,
        '<code class="language-sh" data-language="curl">',
      )
      // Only the manuals exist in German.
      .replace(GERMAN.test(guide) ? /<a href="(\/docs\/(?!de\/)[^"]*)">(.*?)<\/a>/gs : /$^/, ENGLISH_LINK)
      // Readers copy the link to a section. Its sign is in the style sheet, so that it is no part of the heading's text.
      .replace(
        /(<h[23] id="([^"]+)">.*?)(<\/h[23]>)/g,
        `$1<a class="anchor" href="#$2" aria-label="${GERMAN.test(guide) ? 'Link zu diesem Abschnitt' : 'Link to this section'}"></a>$3`,
      )
      // The path of a page leads there.
      .replace(
        /<code>(\/(?:app|operator|docs|openapi\.json|llms\.txt)(?!\/rest\/)[\w/.-]*)<\/code>(?![^<]*<\/a>)/g,
        '<a href="$1"><code>$1</code></a>',
      )
      // An element that scrolls must be reachable by keyboard.
      .replaceAll('<pre>', '<pre tabindex="0">')
      // On a phone, the names of statuses and fields break between their words.
      .replace(/<td>[A-Z_, ]+<\/td>/g, (cell) => cell.replaceAll('_', '_<wbr>'))
      .replace(/<td><code>[a-zA-Z]+<\/code>/g, (cell) => cell.replace(/(?<=[a-z])(?=[A-Z])/g, '<wbr>'))
  );
}

/** Every guide of a folder and its folders: its name and its HTML. */
export const renderGuides = (folder: string): { name: string; html: string }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => {
      const name = file.replace(/\.md$/, '').replaceAll(sep, '/');
      return { name, html: renderGuide(withInserts(readFileSync(join(folder, file), 'utf8')), name) };
    });
