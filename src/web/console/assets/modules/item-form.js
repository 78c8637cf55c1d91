/** Refusals of a photo that have no JSON of the page. */
export const PHOTO_REFUSED = [400, 413, 415];

/** The form of an item. A photo is its file, with its thumbnail. */
export function bodyOf({ fields, photo, thumbnail }, own) {
  const entries = { ...fields, ...own };
  if (!photo) return new URLSearchParams(entries);
  const form = new FormData();
  for (const [name, value] of Object.entries(entries)) form.set(name, value);
  form.set('photo', photo, 'photo.jpg');
  if (thumbnail) form.set('thumbnail', thumbnail, 'thumbnail.jpg');
  return form;
}
