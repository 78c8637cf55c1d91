// Searches guides, problem codes, event types, operations, parameters and fields. The indexes are loaded at the first use.
import { searchEntries } from './operations.js';

/** The number of results of each kind. */
const SHOWN_MAXIMUM = 8;
/** Words that say nothing about the subject. */
const COMMON = new Set(
  'a an and are can do does for from how i in is it my of on or the to what with'.split(' '),
);
/** The shortest stem. A shorter one is in too many other words. */
const STEM_MINIMUM = 4;

const box = document.querySelector('.finder');
const input = box.querySelector('input');
const list = document.createElement('ul');
list.className = 'results';
list.setAttribute('aria-label', box.dataset.found);
list.hidden = true;
const none = Object.assign(document.createElement('p'), { className: 'results', hidden: true });
none.setAttribute('role', 'status');
box.append(list, none);
box.hidden = false;

/** Text without differences of case, and of the signs between words. */
const folded = (text) => text.toLowerCase().replaceAll(/[_\-\s]+/g, ' ');

/** A word without its ending, so that "complete" finds "completed", and "retries" finds "retry". */
function stem(word) {
  const short = word.replace(/(?:ions?|ings?|ed|ies|es|s|e|y)$/, '');
  return short.length < STEM_MINIMUM ? word : short;
}

const json = (path) => fetch(path).then((answer) => answer.json());

/** The entries by kind. An entry is found by the words of its title, place and text, and by more words. */
async function load() {
  const [guides, api] = await Promise.all([json('/assets/docs/search.json'), json('/openapi.json')]);
  return [guides, ...searchEntries(api)].map((kind) =>
    kind.map(([title, place, href, text = '', more = '']) => ({
      ...{ title, place, href },
      parts: [title, place, text, more].map(folded),
    })),
  );
}

let index;
function entries() {
  index ??= load().catch((failure) => {
    index = undefined;
    throw failure;
  });
  return index;
}

/** How badly an entry fits: lower is better. A word in the title fits best. Infinity: a word is missing. */
function distance({ parts }, phrase, words) {
  const [title] = parts;
  if (title.startsWith(phrase)) return title === phrase ? -2 : -1;
  const places = words.map((word) => parts.findIndex((part) => part.includes(word)));
  return places.includes(-1) ? Number.POSITIVE_INFINITY : places.reduce((sum, at) => sum + at, 0);
}

/** The best entries of each kind, the best first. */
function matches(kinds, phrase) {
  const words = phrase
    .split(' ')
    .filter((word) => !COMMON.has(word))
    .map(stem);
  if (words.length === 0) return [];
  const byDistance = (a, b) => a.distance - b.distance;
  const best = (kind) =>
    kind
      .map((entry) => ({ ...entry, distance: distance(entry, phrase, words) }))
      .filter((entry) => entry.distance < Number.POSITIVE_INFINITY)
      .sort(byDistance)
      .slice(0, SHOWN_MAXIMUM);
  return kinds.flatMap(best).sort(byDistance);
}

function row({ title, place, href }) {
  const link = Object.assign(document.createElement('a'), { href, textContent: title, className: 'result' });
  link.append(Object.assign(document.createElement('span'), { textContent: place, className: 'place' }));
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function close() {
  list.hidden = true;
  none.hidden = true;
}

// The index is loaded before the first word is typed. If that fails, typing loads it again.
input.addEventListener('focus', () => entries().catch(() => undefined));
input.addEventListener('input', async () => {
  const all = await entries().catch(entries);
  const phrase = folded(input.value).trim();
  list.replaceChildren(...(phrase === '' ? [] : matches(all, phrase).map(row)));
  list.hidden = list.children.length === 0;
  none.hidden = phrase === '' || !list.hidden;
  none.textContent = none.hidden ? '' : box.dataset.none;
});
box.addEventListener('keydown', (event) => {
  const links = [input, ...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'Escape') close();
  const next = { ArrowDown: at + 1, ArrowUp: Math.max(at - 1, 0) }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  links[Math.min(next, links.length - 1)].focus();
});
box.addEventListener('focusout', ({ relatedTarget }) => {
  if (!box.contains(relatedTarget)) close();
});
