// Sends a drawn signature. Nothing is sent before the button is pressed. Without a connection, the signature waits in this
// tab and is sent until an answer arrives. The link adds one signature, so a repeat adds nothing.
import { signaturePad } from './sign-pad.js';

/** Time for one attempt, and between two attempts. */
const [ANSWER_MS, RETRY_MS] = [10_000, 3_000];
/** The longest time that a signature may have waited: 30 days. */
const WAIT_MS = 30 * 86_400_000;
/** Answers after which the same request may succeed. */
const isLater = (status) => status >= 500 || status === 408 || status === 425 || status === 429;

const form = document.getElementById('sign');
if (form) begin();
// The link has a signature, or takes none.
else keep(null);

/** Keep the signature in this tab, so that it is still there after a reload; without one, forget it. */
function keep(signature) {
  try {
    if (signature) sessionStorage.setItem(location.pathname, JSON.stringify(signature));
    else sessionStorage.removeItem(location.pathname);
  } catch {
    // Storage is disabled. The page itself still has the signature.
  }
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(location.pathname));
  } catch {
    return null;
  }
}

function begin() {
  const { dataset, elements } = form;
  const { name } = elements;
  const said = document.getElementById('said');
  const buttons = form.querySelectorAll('button');
  const say = (text, isBad = false) => {
    said.textContent = text;
    said.className = isBad ? 'bad' : '';
  };
  const unsaved = (reason) => {
    const key = `unsaved${reason[0].toUpperCase()}${reason.slice(1)}`;
    say(dataset[key] ?? dataset.unsavedFailed, true);
  };
  const box = Object.fromEntries(
    ['width', 'height', 'strokes', 'points'].map((key) => [key, Number(dataset[key])]),
  );
  const pad = signaturePad(form.querySelector('canvas'), box, {
    drawn: () => say(''),
    full: () => unsaved('strokes'),
  });
  let timer;
  let isSending = false;

  /** A signature that waits cannot be changed: the service may have it already. */
  const lock = (isWaiting) => {
    for (const control of [name, ...buttons]) control.disabled = isWaiting;
    pad.lock(isWaiting);
    removeEventListener('beforeunload', ask);
    if (isWaiting) addEventListener('beforeunload', ask);
  };
  const ask = (event) => event.preventDefault();

  const finished = () => {
    lock(false);
    keep(null);
  };
  const wait = (reason, signature) => {
    unsaved(reason);
    timer = setTimeout(() => send(signature), RETRY_MS);
  };

  async function send(signature) {
    if (isSending) return;
    isSending = true;
    clearTimeout(timer);
    const { signedDate, ...drawn } = signature;
    try {
      const answer = await fetch(location.pathname, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...drawn, waitedMs: Math.min(WAIT_MS, Math.max(0, Date.now() - signedDate)) }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      if (isLater(answer.status)) return wait('later', signature);
      finished();
      if (answer.ok) return showDone();
      const { reason } = await answer.json().catch(() => ({}));
      unsaved(reason ?? 'failed');
    } catch {
      wait('offline', signature);
    } finally {
      isSending = false;
    }
  }

  /** Show what was signed. If the connection is gone again, the page only says that the signature is saved. */
  async function showDone() {
    const done = document.createElement('p');
    done.className = 'left';
    done.setAttribute('role', 'status');
    done.textContent = dataset.done;
    form.replaceWith(done);
    try {
      const answer = await fetch(location.href, { signal: AbortSignal.timeout(ANSWER_MS) });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      if (answer.ok) document.querySelector('main').replaceWith(page.querySelector('main'));
    } catch {
      // The sentence stays.
    }
  }

  function sendLocked(signature) {
    lock(true);
    say(dataset.sending);
    send(signature);
  }

  form.querySelector('[data-clear]').addEventListener('click', () => {
    pad.strokes = [];
    say('');
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (pad.strokes.length === 0) return unsaved('empty');
    const signature = {
      name: name.value.trim(),
      strokes: pad.strokes,
      signedDate: Date.now(),
    };
    keep(signature);
    sendLocked(signature);
  });
  // A connection is back: do not wait for the next attempt.
  addEventListener('online', () => {
    const signature = kept();
    if (signature && timer !== undefined) send(signature);
  });

  const waiting = kept();
  if (waiting) {
    [name.value, pad.strokes] = [waiting.name, waiting.strokes];
    sendLocked(waiting);
  }
}
