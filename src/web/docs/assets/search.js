// Searches titles and headings of guides, problem codes, event types and operations. The index is loaded at the first use.
const SHOWN_MAXIMUM = 20;
const box = document.querySelector('.search');
const input = box.querySelector('input');
const list = document.createElement('ul');
list.className = 'results';
list.setAttribute('aria-label', box.dataset.found);
list.hidden = true;
box.append(list);
box.hidden = false;

let index;
const entries = () => (index ??= fetch('/assets/docs/search.json').then((answer) => answer.json()));

/** Text without differences of case, and of the signs between words. */
const folded = (text) => text.toLowerCase().replaceAll(/[_\-\s]+/g, ' ');

/** The entries with all words. Entries that begin with the words come first. */
function matches(all, phrase) {
  const words = phrase.split(' ');
  const found = all.filter(([text, place]) =>
    words.every((word) => folded(`${text} ${place}`).includes(word)),
  );
  const rank = ([text]) => (folded(text).startsWith(phrase) ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, SHOWN_MAXIMUM);
}

function row([text, place, href]) {
  const link = Object.assign(document.createElement('a'), { href, textContent: text, className: 'result' });
  link.append(Object.assign(document.createElement('span'), { textContent: place, className: 'place' }));
  const item = document.createElement('li');
  item.append(link);
  return item;
}

input.addEventListener('focus', entries);
input.addEventListener('input', async () => {
  const all = await entries();
  const phrase = folded(input.value).trim();
  list.replaceChildren(...(phrase === '' ? [] : matches(all, phrase).map(row)));
  list.hidden = list.children.length === 0;
});
box.addEventListener('keydown', (event) => {
  const links = [input, ...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'Escape') list.hidden = true;
  const next = { ArrowDown: at + 1, ArrowUp: Math.max(at - 1, 0) }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  links[Math.min(next, links.length - 1)].focus();
});
box.addEventListener('focusout', ({ relatedTarget }) => {
  if (!box.contains(relatedTarget)) list.hidden = true;
});
