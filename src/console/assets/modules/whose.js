/** Whose this page is, as the service has said: the user who is signed in, or a tablet with who works there. */
export const whose = () => document.getElementById('whose')?.dataset ?? {};

let worked = 0;

/** Note that whoever works here has just done something. */
export function note() {
  worked = Date.now();
}

/** Empty the field of badge or PIN once it was judged. */
export function forgetCode() {
  const code = document.querySelector('#who-works input[name="workerSecret"]');
  if (code) code.value = '';
}

/**
 * Whether somebody has to say first who works here: nobody has, or the turn was left. Without a connection the tablet
 * knows the latter by itself.
 */
export function isAsking() {
  const { asking, used, quiet } = whose();
  return (
    asking !== undefined ||
    (quiet !== undefined && Date.now() - Math.max(Number(used), worked) > Number(quiet))
  );
}
