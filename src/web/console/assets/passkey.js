/**
 * Forms that an authenticator fills: `data-passkey` says whether it makes a passkey or signs in by one. The server asks
 * (action `passkeyOptions`), the browser answers, and the form takes that along as any other field. To sign in, passkeys are
 * offered where the e-mail address is typed, too.
 */
const ways = {
  create: (options) =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  get: (options, how) =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      ...how,
    }),
};
// Older browsers leave all that is in JSON to scripts, and plain http has no passkeys.
const isAble = typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';
/** Before a challenge is too old. */
const EARLY = 0.8;

/** What the server asks for, or why it does not. */
async function asked(form, signal) {
  const body = new URLSearchParams(new FormData(form));
  body.set('action', 'passkeyOptions');
  // The form has fields of the names `action` and `submit` would have.
  const answer = await fetch(form.getAttribute('action'), {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body,
    signal,
  });
  return answer.json();
}

function send(form, made) {
  form.elements.credential.value = JSON.stringify(made.toJSON());
  form.submit();
}

/** Has the browser list passkeys among what it fills in: a page that is seen, as the last challenge is the one that counts. */
function offering(form) {
  let offered = new AbortController();
  let again;
  const end = () => {
    offered.abort();
    clearTimeout(again);
  };
  const begin = async () => {
    end();
    offered = new AbortController();
    const { signal } = offered;
    if (document.hidden || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    try {
      const { options } = await asked(form, signal);
      signal.throwIfAborted();
      again = setTimeout(begin, options.timeout * EARLY);
      send(form, await ways.get(options, { mediation: 'conditional', signal }));
    } catch {
      // Nobody has chosen one, or something else was asked for.
    }
  };
  document.addEventListener('visibilitychange', begin);
  begin();
  return { begin, end };
}

for (const part of isAble ? document.querySelectorAll('[data-passkey]') : []) {
  const form = part.querySelector('form');
  const button = form.querySelector('[type=submit]');
  const [none, told] = part.querySelectorAll('[role=alert]');
  const way = part.dataset.passkey;
  const offer = way === 'get' ? offering(form) : undefined;
  part.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    none.hidden = told.hidden = true;
    // A browser asks for one at a time.
    offer?.end();
    try {
      const { options, refused } = await asked(form);
      if (refused) {
        told.textContent = refused;
        told.hidden = false;
        return;
      }
      send(form, await ways[way](options));
    } catch {
      // Somebody has changed their mind, or has no passkey here, or has one already: browsers do not say more to pages.
      none.hidden = false;
      offer?.begin();
    } finally {
      button.disabled = false;
    }
  });
}
