/**
 * The lists of problem codes and events, as HTML. The build of the guides inserts them. They are not part of the Worker.
 */
import { Marked } from 'marked';
import { PROBLEMS, type ProblemCode } from '../../core/lib/problem.ts';
import { PAYLOADS } from '../../delivery/event-format/formats.ts';
import { ACCESS_ERRORS } from './errors/access-errors.ts';
import { CONFLICT_ERRORS } from './errors/conflict-errors.ts';
import type { ErrorDoc } from './errors/error-doc.ts';
import { MISSING_ERRORS } from './errors/missing-errors.ts';
import { REQUEST_ERRORS } from './errors/request-errors.ts';
import { EVENT_DOCS } from './events.ts';

/** Cause and action of every problem code. A code without them does not compile. */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...ACCESS_ERRORS,
  ...MISSING_ERRORS,
  ...CONFLICT_ERRORS,
} as const satisfies Record<ProblemCode, ErrorDoc>;

/** Further statuses of a code. If only the body or query names a resource that does not exist, the status is 400. */
const ALSO: Partial<Record<ProblemCode, number>> = {
  databaseNotFound: 404,
  authorityNotFound: 404,
  manifestNotFound: 400,
  shipmentNotFound: 400,
  trackNotFound: 400,
  gateNotFound: 400,
  scannerNotFound: 400,
  localManagerNotFound: 400,
  agentNotFound: 400,
  clientNotFound: 400,
  signInFailed: 429,
};

/** The statuses of a code, the usual one first. */
export const statusesOf = (code: ProblemCode): number[] => [PROBLEMS[code][0], ALSO[code] ?? []].flat();

const REASONS: Readonly<Record<number, string>> = {
  400: 'The request is wrong',
  401: 'The credential is missing or wrong',
  403: 'The credential does not allow this',
  404: 'The resource does not exist',
  405: 'The method is wrong',
  409: 'The present state does not allow this',
  412: 'The resource has changed',
  413: 'The body is too large',
  415: 'The media type is wrong',
  422: 'The Idempotency-Key was used for another request',
  426: 'A WebSocket is required',
  429: 'Too many requests',
  500: 'The service failed',
  503: 'The service is unavailable',
};

const marked = new Marked();
const inline = (text: string): string => marked.parseInline(text, { async: false });
/** Text as HTML, also within an attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** All problem codes by status. The id of a heading is the code, because the `type` of a problem leads there. */
export function errorCatalogue(): string {
  const codes = Object.keys(ERRORS) as ProblemCode[];
  const byStatus = Map.groupBy(codes.toSorted(), (code) => PROBLEMS[code][0]);
  return [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(
      ([status, all]) =>
        `<h2 id="status-${status}">${status}: ${REASONS[status]}</h2>\n${all.map(error).join('')}`,
    )
    .join('');
}

function error(code: ProblemCode): string {
  const [cause, action] = ERRORS[code];
  return `<h3 id="${code}"><code>${code}</code></h3>
<p>${PROBLEMS[code][1]}. Status ${statusesOf(code).join(' or ')}.</p>
<dl class="problem">
<dt>Cause</dt><dd>${inline(cause)}</dd>
<dt>What to do</dt><dd>${inline(action)}</dd>
</dl>
`;
}

/** A table of all types of events, each with a link to its section. */
const eventTable = (): string => `<h2 id="all-types">All types</h2>
<table>
<thead><tr><th>Type</th><th>Event</th></tr></thead>
<tbody>
${Object.entries(EVENT_DOCS)
  .map(([type, { summary }]) => {
    const name = type.replaceAll('_', '_<wbr>');
    return `<tr><td><a href="#${type}">${name}</a></td><td>${inline(summary)}</td></tr>`;
  })
  .join('\n')}
</tbody>
</table>
`;

/** All types of events: when each is sent, and a payload of the recorded dispatch day. */
export const eventCatalogue = (): string =>
  eventTable() +
  Object.entries(EVENT_DOCS)
    .map(([type, { summary, description, entityType, data }]) => {
      const payload = PAYLOADS[type];
      if (payload === undefined) throw new Error(`The event type ${type} has no recorded payload`);
      const schemas = [data ?? []].flat().map((name) => `<code>${name}</code>`);
      return `<h2 id="${type}"><code>${type}</code></h2>
<p>${inline(summary)}. ${inline(description)}</p>
<p>It is about: ${[entityType]
        .flat()
        .map((name) => `<code>${name}</code>`)
        .join(
          ' or ',
        )}. Schema of <code>data</code>: ${schemas.join(' or ') || 'none, because <code>data</code> is null'}.</p>
<pre><code class="language-json">${escapeHtml(JSON.stringify(payload, null, 2))}</code></pre>
`;
    })
    .join('');
