/** Whose this page is, as the service has said: the user who is signed in, or a tablet with who works there. */
export const whose = () => document.getElementById('whose')?.dataset ?? {};

let worked = 0;

/** Whoever works here has done something: they are there still. */
export function note() {
  worked = Date.now();
}

/** What was typed of a badge or PIN stands there no longer than it was judged. */
export function forgetCode() {
  const code = document.querySelector('#who-works input[name="workerSecret"]');
  if (code) code.value = '';
}

/** Whether somebody has to say first who works here; without a connection nobody else ends a turn that was left. */
export function isAsking() {
  const { asking, used, quiet } = whose();
  return (
    asking !== undefined ||
    (quiet !== undefined && Date.now() - Math.max(Number(used), worked) > Number(quiet))
  );
}
