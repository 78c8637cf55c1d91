import { t } from './words.js';

// The command palette (Ctrl+K) and the list of keys (?). Loaded at the first use. The palette is a dialog with a combobox
// and a list box, after the ARIA Authoring Practices Guide: the focus stays in the field, and arrows choose an option.

/** Pause in typing before shipments are searched, and the fewest characters for it. */
const PAUSE_MS = 200;
const TYPED_MINIMUM = 2;
const ACTIONS_MAXIMUM = 12;

/** Loads the style sheet of both dialogs. */
const styled = new Promise((resolve) => {
  const sheet = Object.assign(document.createElement('link'), {
    rel: 'stylesheet',
    href: '/assets/console/keys.css',
    onload: resolve,
    onerror: resolve,
  });
  document.head.append(sheet);
});

/** The open dialog of this module, or null. */
let dialog = null;

async function show(build) {
  await styled;
  if (dialog || document.querySelector('dialog[open]')) return;
  const back = document.activeElement;
  const own = build();
  dialog = own;
  document.body.append(own);
  own.addEventListener('close', () => {
    own.remove();
    dialog = null;
    if (back?.isConnected) back.focus({ preventScroll: true });
  });
  // A click on the backdrop closes it.
  own.addEventListener('click', ({ target }) => target === own && own.close());
  own.showModal();
}

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// --- the options ------------------------------------------------------------------------------------------------

/** The name of a link or button as people see or hear it. */
const nameOf = (control) =>
  (control.getAttribute('aria-label') ?? control.textContent).replace(/\s+/g, ' ').trim();

/** The actions of this page: its visible buttons. */
function actionsHere() {
  const named = new Map();
  for (const control of document.querySelectorAll('#main :is(a.button[href], button[type="submit"])')) {
    const name = nameOf(control);
    if (name === '' || named.has(name) || control.disabled || !control.checkVisibility()) continue;
    named.set(name, { name, run: () => control.click() });
  }
  return [...named.values()];
}

/** The pages of the menu. */
const pagesOfMenu = () =>
  [...document.querySelectorAll('#menu section li a:not([hreflang])')].map((link) => ({
    name: nameOf(link.querySelector('span') ?? link),
    group: link.closest('details')?.querySelector('summary').textContent.trim(),
    run: () => location.assign(link.href),
  }));

/** The options with all typed words in their names. */
function matching(options, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return options.filter(({ name, group = '' }) => {
    const searched = `${name} ${group}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

const searchPage = (text) => `/app/search?${new URLSearchParams({ q: text })}`;

/** Shipments with the text. If the service refuses, the list is empty: the last option still searches everywhere. */
async function findShipments(text, signal) {
  const answer = await fetch(searchPage(text), { headers: { Accept: 'application/json' }, signal });
  if (!answer.ok || answer.redirected) return [];
  const { hits } = await answer.json();
  return hits.map(({ name, path, note }) => ({ name, group: note, run: () => location.assign(path) }));
}

// --- the palette ------------------------------------------------------------------------------------------------

function buildPalette() {
  const field = element('input', { type: 'text', role: 'combobox', maxLength: 255, autocomplete: 'off' });
  const list = element('div', { role: 'listbox', id: 'palette-list' });
  for (const [name, value] of Object.entries({
    'aria-label': t('palette.placeholder'),
    'aria-controls': list.id,
    'aria-expanded': 'true',
    'aria-autocomplete': 'list',
    spellcheck: 'false',
    placeholder: t('palette.placeholder'),
  }))
    field.setAttribute(name, value);
  list.setAttribute('aria-label', t('palette.placeholder'));
  const own = element('dialog', { className: 'palette' }, field, list);
  own.setAttribute('aria-label', t('palette.title'));

  const [actions, pages] = [actionsHere(), pagesOfMenu()];
  let found = [];
  let options = [];
  let selected = 0;
  let searching = new AbortController();

  function select(index) {
    selected = Math.min(Math.max(index, 0), options.length - 1);
    for (const [at, { row }] of options.entries()) row.setAttribute('aria-selected', String(at === selected));
    const { row } = options[selected];
    field.setAttribute('aria-activedescendant', row.id);
    row.scrollIntoView({ block: 'nearest' });
  }

  function run(option) {
    own.close();
    option.run();
  }

  function group(title, members) {
    if (members.length === 0) return;
    const head = element('p', { textContent: title, id: `palette-${list.childElementCount}` });
    const rows = members.map((option) => {
      const row = element('div', { role: 'option', id: `option-${options.length}` }, option.name);
      if (option.group) row.append(element('small', { textContent: option.group }));
      row.addEventListener('click', () => run(option));
      options.push({ ...option, row });
      return row;
    });
    const box = element('div', { role: 'group' }, head, ...rows);
    box.setAttribute('aria-labelledby', head.id);
    list.append(box);
  }

  function draw() {
    const text = field.value.trim();
    list.replaceChildren();
    options = [];
    group(t('palette.found'), found);
    group(t('palette.actions'), matching(actions, text).slice(0, ACTIONS_MAXIMUM));
    group(t('palette.pages'), matching(pages, text));
    const everywhere = { name: t('palette.search', { text }), run: () => location.assign(searchPage(text)) };
    if (text !== '') group(t('palette.everywhere'), [everywhere]);
    if (options.length > 0) select(0);
  }

  async function search() {
    searching.abort();
    searching = new AbortController();
    const { signal } = searching;
    const text = field.value.trim();
    found = [];
    draw();
    if (text.length < TYPED_MINIMUM) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (signal.aborted) return;
    const hits = await findShipments(text, signal).catch(() => []);
    if (signal.aborted) return;
    found = hits;
    draw();
  }

  field.addEventListener('input', search);
  field.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && options.length > 0) {
      event.preventDefault();
      select((selected + step + options.length) % options.length);
    } else if (event.key === 'Enter' && !event.isComposing && options[selected]) {
      event.preventDefault();
      run(options[selected]);
    }
  });
  draw();
  return own;
}

/** Opens the palette with the text that was typed while it loaded, or closes it. */
export async function togglePalette(typed) {
  if (dialog) return dialog.close();
  await show(buildPalette);
  const field = dialog?.querySelector('input');
  if (!field || typed() === '') return;
  field.value = typed();
  field.dispatchEvent(new Event('input'));
}

/** Shows the keys, which are a page of their own. */
export async function showKeys() {
  const answer = await fetch('/app/keys', { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const keys = page.getElementById('keys');
  if (!keys) return location.assign('/app/keys');
  await show(() => {
    const title = element('h2', { id: 'keys-title', textContent: page.querySelector('h1').textContent });
    const close = element('button', {
      type: 'button',
      className: 'button quiet',
      textContent: t('dialog.back'),
    });
    const own = element('dialog', { className: 'question' }, title, document.adoptNode(keys), close);
    own.setAttribute('aria-labelledby', title.id);
    close.addEventListener('click', () => own.close());
    return own;
  });
}
