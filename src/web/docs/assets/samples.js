// Shows a sample in one language at a time, as tabs. Without this script, all languages are below each other.
const KEY = 'docs-language';
const groups = [...document.querySelectorAll('.samples')];

/** The language of the last choice, or null. */
function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(language) {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // The choice then holds for this page only.
  }
}

const tabsOf = (group) => [...group.querySelectorAll('[role=tab]')];

/** Shows a language in all samples of the page. */
function show(language) {
  for (const group of groups) {
    const tabs = tabsOf(group);
    const shown = tabs.find((tab) => tab.dataset.name === language) ?? tabs[0];
    for (const tab of tabs) {
      const isShown = tab === shown;
      tab.setAttribute('aria-selected', String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !isShown;
    }
  }
}

/** Chooses a language. The tab stays where it is on the screen, although other samples change their height. */
function choose(tab) {
  const before = tab.getBoundingClientRect().top;
  remember(tab.dataset.name);
  show(tab.dataset.name);
  scrollBy(0, tab.getBoundingClientRect().top - before);
  tab.focus({ preventScroll: true });
}

/** The tab to which a key leads; undefined for other keys. */
function tabFor(key, tabs, index) {
  const steps = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 };
  return key in steps ? tabs.at(steps[key] % tabs.length) : undefined;
}

for (const [number, group] of groups.entries()) {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language of the sample');
  for (const panel of group.querySelectorAll('.sample')) {
    const { name } = panel.dataset;
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = `sample-${number}-${name}-tab`;
    tab.textContent = panel.getAttribute('aria-label');
    tab.dataset.name = name;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', `sample-${number}-${name}`);
    panel.id = `sample-${number}-${name}`;
    panel.setAttribute('role', 'tabpanel');
    panel.removeAttribute('aria-label');
    panel.setAttribute('aria-labelledby', tab.id);
    list.append(tab);
  }
  group.prepend(list);
  group.classList.add('tabbed');
  list.addEventListener('click', ({ target }) => {
    if (target.matches('[role=tab]')) choose(target);
  });
  list.addEventListener('keydown', (event) => {
    const tabs = tabsOf(group);
    const next = tabFor(event.key, tabs, tabs.indexOf(event.target));
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  });
}
show(remembered());
