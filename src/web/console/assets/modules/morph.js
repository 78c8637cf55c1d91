/**
 * Update the element `from` to match `to`, its new HTML from the server. Keeps the user's focus, input,
 * choices and open details. Skips a form while it is sent, and a form with an unknown result: sending it
 * again needs its key. Matches children by id, or else by position.
 */
export function morph(from, to) {
  if (from.isEqualNode(to)) return;
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  // A script fills this element.
  if (from.dataset.own !== undefined && to.dataset?.own !== undefined) return;
  if (from.localName === 'form' && (from.dataset.sending ?? from.dataset.unsure) !== undefined) return;
  morphAttributes(from, to);
  morphChildren(from, to);
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

function morphChildren(from, to) {
  const wanted = [...to.childNodes];
  const ids = new Set(wanted.map((node) => node.id).filter(Boolean));
  // Remove first, so that nodes that stay need not be moved. Moving a node would take the focus away.
  for (const node of [...from.childNodes]) if (node.id && !ids.has(node.id)) node.remove();
  let here = from.firstChild;
  for (const node of wanted) {
    const same = node.id ? byId(from, node.id) : isLike(here, node) ? here : null;
    if (!same) from.insertBefore(node.cloneNode(true), here);
    else {
      if (same === here) here = here.nextSibling;
      else from.insertBefore(same, here);
      morph(same, node);
    }
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

const byId = (parent, id) => [...parent.children].find((child) => child.id === id) ?? null;

const isLike = (node, other) =>
  node !== null && !node.id && node.nodeType === other.nodeType && node.localName === other.localName;
