/**
 * Forms that use a passkey. `data-passkey`: `create` registers one, `get` signs in with one. The script
 * fetches the options from the server (action `passkeyOptions`). The form then sends the browser's credential
 * in a field. For the sign-in, the browser also suggests passkeys in the e-mail field.
 */
const authenticate = {
  create: (options) =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  get: (options, how) =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      ...how,
    }),
};
// Older browsers cannot parse the options from JSON. On plain http there are no passkeys.
const isAble = typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';
/** The challenge is renewed after this fraction of its lifetime. */
const RENEW_AFTER = 0.8;

/** Fetch the options, or the reason of a refusal, from the server. */
async function fetchOptions(form, signal) {
  const body = new URLSearchParams(new FormData(form));
  body.set('action', 'passkeyOptions');
  // Not `form.action`: that is the form field named `action`.
  const answer = await fetch(form.getAttribute('action'), {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body,
    signal,
  });
  return answer.json();
}

function send(form, credential) {
  form.elements.credential.value = JSON.stringify(credential.toJSON());
  form.submit();
}

/**
 * Let the browser suggest passkeys while it fills in the form. Only on the visible page, because only the
 * latest challenge is valid.
 */
function offerPasskeys(form) {
  let request = new AbortController();
  let renewal;
  const end = () => {
    request.abort();
    clearTimeout(renewal);
  };
  const begin = async () => {
    end();
    request = new AbortController();
    const { signal } = request;
    if (document.hidden || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    try {
      const { options } = await fetchOptions(form, signal);
      signal.throwIfAborted();
      renewal = setTimeout(begin, options.timeout * RENEW_AFTER);
      send(form, await authenticate.get(options, { mediation: 'conditional', signal }));
    } catch {
      // The user chose no passkey, or another request replaced this one.
    }
  };
  document.addEventListener('visibilitychange', begin);
  begin();
  return { begin, end };
}

for (const part of isAble ? document.querySelectorAll('[data-passkey]') : []) {
  const form = part.querySelector('form');
  const button = form.querySelector('[type=submit]');
  const [failed, refusal] = part.querySelectorAll('[role=alert]');
  const kind = part.dataset.passkey;
  const offer = kind === 'get' ? offerPasskeys(form) : undefined;
  part.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    failed.hidden = refusal.hidden = true;
    // A browser allows only one request at a time.
    offer?.end();
    try {
      const { options, refused } = await fetchOptions(form);
      if (refused) {
        refusal.textContent = refused;
        refusal.hidden = false;
        return;
      }
      send(form, await authenticate[kind](options));
    } catch {
      // The user cancelled, has no passkey here, or has one already. Browsers hide from pages which.
      failed.hidden = false;
      offer?.begin();
    } finally {
      button.disabled = false;
    }
  });
}
