/** Timeout of a photo. A slow connection needs longer for it than for a scan. */
export const PHOTO_MS = 60_000;
/** Refusals of a photo that have no JSON of the page. */
export const PHOTO_REFUSED = [400, 413, 415];

/** The form of an item. A photo is its file. */
export function bodyOf({ fields, photo }, own) {
  const entries = { ...fields, ...own };
  if (!photo) return new URLSearchParams(entries);
  const form = new FormData();
  for (const [name, value] of Object.entries(entries)) form.set(name, value);
  form.set('photo', photo, 'photo.jpg');
  return form;
}
