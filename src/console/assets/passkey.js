/**
 * Forms that an authenticator fills: `data-passkey` says whether it makes a passkey or signs in by one. The server asks
 * (action `passkeyOptions`), the browser answers, and the form takes that along as any other field.
 */
const ways = {
  create: (options) =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  get: (options) =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
};
// Older browsers leave all that is in JSON to scripts, and plain http has no passkeys.
const isAble = typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';

for (const part of isAble ? document.querySelectorAll('[data-passkey]') : []) {
  const form = part.querySelector('form');
  const button = form.querySelector('[type=submit]');
  const [none, told] = part.querySelectorAll('[role=alert]');
  part.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    none.hidden = told.hidden = true;
    try {
      const body = new URLSearchParams(new FormData(form));
      body.set('action', 'passkeyOptions');
      // The form has fields of the names `action` and `submit` would have.
      const headers = { Accept: 'application/json' };
      const answer = await fetch(form.getAttribute('action'), { method: 'POST', headers, body });
      const { options, refused } = await answer.json();
      if (refused) {
        told.textContent = refused;
        told.hidden = false;
        return;
      }
      const made = await ways[part.dataset.passkey](options);
      form.elements.credential.value = JSON.stringify(made.toJSON());
      form.submit();
    } catch {
      // Somebody has changed their mind, or has no passkey here, or has one already: browsers do not say more to pages.
      none.hidden = false;
    } finally {
      button.disabled = false;
    }
  });
}
