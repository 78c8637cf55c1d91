const element = document.getElementById('answer');

/** Show the result of the last scan or press: a colour, a text, and the last digits of the pallet. */
export function showAnswer(tone, title, name = '', more = '') {
  const words = document.createElement('div');
  words.append(
    Object.assign(document.createElement('b'), { textContent: title }),
    Object.assign(document.createElement('span'), { textContent: [name, more].filter(Boolean).join(', ') }),
  );
  const last = Object.assign(document.createElement('b'), {
    className: 'last',
    textContent: name.slice(-4),
    ariaHidden: 'true',
  });
  element.className = `ans ${tone}`;
  element.replaceChildren(words, last);
}

/** Show the result from the page that answered a form. */
export function showAnsweredPage(page) {
  const answered = page.getElementById('answer');
  element.className = answered.className;
  element.replaceChildren(...document.adoptNode(answered).childNodes);
}

/** The sound of the result of a scan. */
export function soundOf({ refused, choices, outcome, repeated }) {
  if (outcome === 'WORKER') return undefined;
  if (refused || choices || outcome === 'UNKNOWN_LOADING') return 'unknown';
  if (repeated || outcome === 'SUPERSEDED') return 'repeated';
  return outcome === 'LOADED' ? 'ok' : 'wrong';
}
