import { live, main } from './board-parts.js';

/** Texts for screen readers. The element is outside of the updated part, so that updates do not reset it. */
const announcer = document.createElement('div');
announcer.className = 'hidden';
announcer.setAttribute('aria-live', 'assertive');
announcer.id = 'announcer';
document.body.append(announcer);

/** Ids of the problems of the last update. */
let announced = new Set();

/**
 * Returns the problems that appeared since the last update, and announces them to screen readers. If the page
 * has just opened (`quietly`), no problem is new.
 */
export function announceProblems(quietly) {
  const problems = [...live().querySelectorAll('[data-announce]')].map(
    ({ id, dataset: { announce: text, page } }) => ({ id, text, page }),
  );
  const fresh = problems.filter(({ id }) => !announced.has(id));
  announced = new Set(problems.map(({ id }) => id));
  const { title } = live().dataset;
  document.title = document.title.replace(/^.*?(?= · [^·]*$)/, () => title);
  if (quietly || fresh.length === 0) return [];
  // An older success message would contradict the problem. One with an undo stays, because the page may show another wrong
  // pallet now.
  main.querySelector(':scope > .notice.good:not(:has(.undo))')?.remove();
  announcer.textContent = fresh
    .slice(0, 3)
    .map(({ text }) => text)
    .join(' ');
  return fresh;
}
