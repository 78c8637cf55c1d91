/**
 * Update the element `from` to match `to`, its new HTML from the server. Keeps the user's focus, input,
 * choices and open details. Skips a form while it is sent, and a form with an unknown result: sending it
 * again needs its key. Matches children by id, rows by `data-row`, options by value, and all others
 * by position.
 */
export function morph(from, to) {
  const focused = document.activeElement;
  update(from, to);
  // An element that was moved has lost the focus.
  if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
}

function update(from, to) {
  if (from.isEqualNode(to)) return;
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  // A script fills this element.
  if (from.dataset.own !== undefined && to.dataset?.own !== undefined) return;
  if (from.localName === 'form' && (from.dataset.sending ?? from.dataset.unsure) !== undefined) return;
  const chosen = from.localName === 'select' ? from.value : undefined;
  morphAttributes(from, to);
  morphChildren(from, to);
  // The chosen option is gone. The browser would choose the first one, which the user has not chosen.
  if (chosen !== undefined && from.value !== chosen && !to.querySelector('[selected]'))
    from.selectedIndex = -1;
}

/** Attributes that the user changes by typing, choosing or opening. */
const OWN = { details: ['open'], input: ['value', 'checked'], option: ['selected'], select: ['value'] };

/**
 * Whether the user is about to change a value. All other values follow the server, also in a form that is not open. The
 * browser itself keeps a text that was typed.
 */
const isFocused = (input) => input === document.activeElement;

function morphAttributes(from, to) {
  const own = (OWN[from.localName] ?? []).filter((name) => name !== 'value' || isFocused(from));
  for (const { name } of [...from.attributes]) {
    // Removing a tabindex that a script set would take the focus away.
    if (!to.hasAttribute(name) && !own.includes(name) && name !== 'tabindex') from.removeAttribute(name);
  }
  for (const { name, value } of to.attributes) {
    if (!own.includes(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
}

/**
 * The key by which a child is matched instead of its position. Rows come and go, and an input of the user for one row
 * must not become the value of another.
 */
const keyOf = (node) =>
  node.id || node.dataset?.row || (node.localName === 'option' ? `=${node.value}` : undefined);

function morphChildren(from, to) {
  const wanted = [...to.childNodes];
  const keys = new Set(wanted.map(keyOf).filter(Boolean));
  // Remove first, so that nodes that stay need not be moved.
  for (const node of [...from.childNodes]) if (keyOf(node) && !keys.has(keyOf(node))) node.remove();
  const keyed = [...from.children].filter(keyOf);
  let here = from.firstChild;
  for (const node of wanted) {
    const same = keyOf(node) ? takeAlike(keyed, node) : isLike(here, node) ? here : null;
    if (!same) from.insertBefore(node.cloneNode(true), here);
    else {
      if (same === here) here = here.nextSibling;
      else from.insertBefore(same, here);
      update(same, node);
    }
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

/** Takes the first node with the key of another node out of a list. Two rows may have the same name. */
function takeAlike(nodes, other) {
  const at = nodes.findIndex((node) => keyOf(node) === keyOf(other));
  return at < 0 ? null : nodes.splice(at, 1)[0];
}

const isLike = (node, other) =>
  node !== null && !keyOf(node) && node.nodeType === other.nodeType && node.localName === other.localName;
